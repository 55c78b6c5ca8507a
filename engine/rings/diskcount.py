"""Counts the states at each distance with the layers on disk: for depths whose classes do not fit into memory.

Each depth has two stages. *Turn*: the classes of a part of the last layer are turned by all clicks, and what comes out is
shared among pieces by hash, so that equal keys meet in one piece. *Sift*: a piece's keys of all parts are told apart in a hash
set that also holds the same piece of the two layers before; what is new is the piece of the new layer. Parts and pieces do not
depend on each other. Each is a file that is written whole under its own name, and what is there already is not done again.

Memory: the keys of one part, or the hash set of one piece. Disk: sixteen bytes for every class and for everything that one
click makes of the last layer.
"""

import json
from collections.abc import Generator
from dataclasses import dataclass
from math import ceil
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.errors import InvalidInputError
from engine.rings._count import EMPTY, canonical
from engine.rings._keyfile import read_heading, read_section, write_keys
from engine.rings._pieces import SIZE_BITS, share, sift, turn
from engine.rings.count import LOAD, Depth, checked, packing_for, scratch_for
from engine.rings.model import Puzzle
from engine.rings.tables import colour_words, frame

PIECES = 16
"""At depth 12 of five rings a piece's hash set takes 512 MiB."""

PART = 500_000
"""Classes of a part: twelve keys each, twice, are 192 MB."""

SLICE = 50_000
"""Classes between two steps: about a third of a second."""


@dataclass(frozen=True, slots=True)
class Stage:
    """Where the count stands: `done` of a stage's `total` parts or pieces."""

    depth: int
    name: str
    """`turn` or `sift`."""
    done: float
    total: int


def counting_on_disk(
    puzzle: Puzzle, depth: int, folder: Path, *, pieces: int = PIECES, part: int = PART
) -> Generator[Depth | Stage, None, None]:
    """Count depth by depth like `engine.rings.count.counting`, keeping all in `folder`; go on where an earlier run ended.

    Raise `InvalidInputError` for a depth below 0 or a folder that holds another count, `engine.rings._keyfile.KeyFileError` for
    a file in it that is damaged, `OSError` where the disk refuses, `EngineError` for a depth that came out wrong.
    """
    if depth < 0 or not 1 <= pieces <= 1000 or part < 1:
        raise InvalidInputError(f"depth {depth}, {pieces} pieces, parts of {part}: expected 0 or more, 1 to 1000, 1 or more")
    folder.mkdir(parents=True, exist_ok=True)
    _claim(folder, {"puzzle": str(puzzle), "pieces": pieces, "part": part})
    work = _Work(puzzle, folder, pieces, part)
    yield work.begin()
    for number in range(1, depth + 1):
        yield from work.turn(number)
        found = yield from work.sift(number)
        if not found.states:
            return
        yield checked(puzzle, found)


def _claim(folder: Path, wanted: dict[str, str | int]) -> None:
    """Write into the folder which count it holds, or compare with what is written there."""
    note = folder / "count.json"
    text = json.dumps(wanted)
    if not note.exists():
        if any(folder.iterdir()):
            raise InvalidInputError(f"{folder}: holds something else; give an empty folder, or one of an earlier count")
        note.write_text(text)
    elif note.read_text() != text:
        raise InvalidInputError(f"{folder}: holds another count, {note.read_text()}; this one would be {text}")


class _Work:
    """One count in one folder."""

    def __init__(self, puzzle: Puzzle, folder: Path, pieces: int, part: int) -> None:
        self._folder, self._pieces, self._part = folder, pieces, part
        self._images, self._moves = 4 * puzzle.rings, puzzle.move_count
        self._solved = colour_words(puzzle.solved)
        self._view = frame(puzzle)
        self._packing = packing_for(puzzle, self._view)
        self._scratch = scratch_for(puzzle)
        if int(self._packing.rank_bits) * (puzzle.rings - 1 - self._packing.ranks_a_number) > int(SIZE_BITS):
            raise InvalidInputError(f"{puzzle}: its keys leave no room for the size of a class; count it in memory")

    def begin(self) -> Depth:
        """Write depth 0, the solved state alone, and return it."""
        key = np.zeros((1, 2), dtype=np.uint64)
        places, shared = np.zeros(self._pieces, dtype=np.int64), np.empty_like(key)
        with np.errstate(over="ignore"):  # hashes drop bits on purpose; as plain Python, numpy would warn
            size = canonical(self._solved, self._scratch.images, key[0], self._packing, self._view)
            key[0, 1] |= np.uint64(size) << SIZE_BITS
            share(key, 1, self._pieces, places, shared)
        for piece in range(self._pieces):
            if not self._layer(0, piece).exists():
                mine = int(places[piece])
                write_keys(self._layer(0, piece), shared[:mine], [mine], [mine, mine, mine])
        return Depth(0, 1, 1, 1)

    def turn(self, depth: int) -> Generator[Stage, None, None]:
        """Turn the layer before `depth`, part by part."""
        if all(self._layer(depth, piece).exists() for piece in range(self._pieces)):
            return  # sifted by an earlier run, which may have removed what was turned
        parts = self._parts(depth)
        for number, (piece, start, stop) in enumerate(parts):
            yield Stage(depth, "turn", number, len(parts))
            if self._turned(depth, number).exists():
                continue
            layer = read_section(self._layer(depth - 1, piece), 0)
            keys = np.empty(((stop - start) * self._moves, 2), dtype=np.uint64)
            sizes = np.zeros(self._pieces, dtype=np.int64)
            known = 0
            for first in range(start, stop, SLICE):
                last = min(first + SLICE, stop)
                with np.errstate(over="ignore"):
                    known = turn(self._view, self._packing, self._scratch, layer, first, last, self._pieces, keys, known, sizes)
                yield Stage(depth, "turn", number + (last - start) / (stop - start), len(parts))
            shared = np.empty((known, 2), dtype=np.uint64)
            with np.errstate(over="ignore"):
                share(keys, known, self._pieces, np.cumsum(sizes) - sizes, shared)
            write_keys(self._turned(depth, number), shared, [int(size) for size in sizes])

    def sift(self, depth: int) -> Generator[Stage, None, Depth]:
        """Tell apart what was turned, piece by piece; return the finished depth."""
        sums = [0, 0, 0]
        for piece in range(self._pieces):
            path = self._layer(depth, piece)
            if not path.exists():
                yield Stage(depth, "sift", piece, self._pieces)
                found, totals = yield from self._piece(depth, piece)
                write_keys(path, found, [len(found)], totals)
            sums = [total + more for total, more in zip(sums, read_heading(path).totals, strict=True)]
        for path in self._folder.glob(f"turned-{depth:02}-*"):
            path.unlink()
        return Depth(depth, *sums)

    def _piece(self, depth: int, piece: int) -> Generator[Stage, None, tuple[NDArray[np.uint64], list[int]]]:
        before = [read_section(self._layer(number, piece), 0) for number in range(max(0, depth - 2), depth)]
        turned = [self._turned(depth, number) for number in range(len(self._parts(depth)))]
        most = sum(read_heading(path).sizes[piece] for path in turned)
        slots = 1 << ceil((sum(len(keys) for keys in before) + most) / LOAD).bit_length()
        table = np.empty((slots, 2), dtype=np.uint64)
        table[:, 0] = EMPTY
        totals = np.zeros(3, dtype=np.int64)
        with np.errstate(over="ignore"):
            for keys in before:
                sift(keys, table, self._images, np.empty((0, 2), dtype=np.uint64), totals)
        totals[:] = 0
        found = np.empty((most, 2), dtype=np.uint64)  # the system hands out only the pages that are written
        for number, path in enumerate(turned):
            with np.errstate(over="ignore"):
                sift(read_section(path, piece), table, self._images, found, totals)
            yield Stage(depth, "sift", piece + (number + 1) / len(turned), self._pieces)
        return found[: int(totals[2])], [int(total) for total in totals]

    def _parts(self, depth: int) -> list[tuple[int, int, int]]:
        """Return the parts of the layer before `depth`: piece, and from which class to which."""
        parts = []
        for piece in range(self._pieces):
            size = read_heading(self._layer(depth - 1, piece)).sizes[0]
            parts += [(piece, start, min(start + self._part, size)) for start in range(0, size, self._part)]
        return parts

    def _layer(self, depth: int, piece: int) -> Path:
        return self._folder / f"layer-{depth:02}-{piece:03}.keys"

    def _turned(self, depth: int, number: int) -> Path:
        return self._folder / f"turned-{depth:02}-{number:05}.keys"
