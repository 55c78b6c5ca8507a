"""Tables of unions: how many clicks bring the beads of two colours to the rings of either, whatever the others do.

For five rings of seven each of the two tables has C(35, 14) = 2,319,959,400 entries of four bits, 1.16 GB. One serves all pairs
of neighbouring rings (at most 33 clicks, on average 21.6), the other those two apart (31 and 20.4). The largest of the ten that
a random state has is on average 25.1: six and a half more than the single colours say, and what makes proofs possible.

They are built by command only (`puzzlemill rings tables --unions`); who finds none does with the single colours.
"""

import logging
import shutil
from collections.abc import Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import cache
from math import comb
from threading import Event

import numpy as np
from numpy.typing import NDArray

from engine.errors import EngineError
from engine.jobs import JsonObject
from engine.rings._ranking import MAX_RANKED, bare_frame
from engine.rings._tablefile import HEADING_BYTES, TableFileError, read_facts, read_table, table_path, write_table
from engine.rings._unions import Unions, union_clicks
from engine.rings.errors import ImpossibleStateError
from engine.rings.model import Puzzle, State
from engine.rings.tables import KEPT_FROM, colour_words, lower_bound
from engine.rings.unionbuild import Filled, filling
from engine.steps import result_of

log = logging.getLogger(__name__)

MOST_ENTRIES = 2_400_000_000
"""Ranks are 32 bits, and a bigger table would take more memory than it is worth."""

MOST_RINGS = 6
"""Beyond that, a search could not keep what it knows of all pairs in one word."""

FARTHEST = {(Puzzle(), 1): 33, (Puzzle(), 2): 31}
"""The greatest distances of five rings of seven, from independent programs that agree: a table that says else is wrong."""


@dataclass(frozen=True, slots=True)
class UnionTable:
    """One of a puzzle's two tables: of colours whose home rings are `apart` rings apart, 1 or 2."""

    puzzle: Puzzle
    apart: int

    @property
    def name(self) -> str:
        """What its file is called."""
        places = ".".join(map(str, self.puzzle.places))
        return f"rings-{self.puzzle.rings}x{self.puzzle.beads}-{places}-union-{self.apart}"

    @property
    def first(self) -> int:
        """Which ring is home to the pair's first colour in the table.

        It is chosen so that the mirror that exchanges rings 0 and 1 keeps the pair, where that is possible.
        """
        rings = self.puzzle.rings
        return 0 if self.apart == 1 or rings % 2 == 0 else (rings - 1) // 2

    @property
    def homes(self) -> tuple[int, int]:
        """The home rings of the pair's colours in the table."""
        return self.first, (self.first + self.apart) % self.puzzle.rings

    @property
    def entries(self) -> int:
        """How many there are, in ranks of words with twice as many beads as a ring has."""
        return comb(self.puzzle.positions, 2 * self.puzzle.beads)

    @property
    def size(self) -> int:
        """Bytes of its codes: two to a byte, filled up to a multiple of eight bytes."""
        return -(-self.entries // 16) * 8

    @property
    def is_kept(self) -> bool:
        """False if it is so small that it is quicker made than read."""
        return self.entries >= KEPT_FROM


def union_tables(puzzle: Puzzle) -> tuple[UnionTable, ...]:
    """Return the puzzle's two tables, whether they are built or not; none if the puzzle is too big or has too few rings."""
    entries = comb(puzzle.positions, 2 * puzzle.beads)
    if not 3 < puzzle.rings <= MOST_RINGS or entries > MOST_ENTRIES or puzzle.positions > MAX_RANKED:
        return ()  # with three rings, where two colours are says no more than where the third is
    return UnionTable(puzzle, 1), UnionTable(puzzle, 2)


def unions(puzzle: Puzzle) -> Unions | None:
    """Return the kernels' view of the puzzle's unions, mapped from their files; None if they are not there, or not whole.

    Tables so small that they are not kept are made. Mapping five rings' tables takes a moment, or as long as it takes to read
    them if they are not in the system's memory yet.
    """
    tables = union_tables(puzzle)
    if not tables:
        return None
    if not tables[0].is_kept:
        return _made(puzzle)
    try:
        identity = tuple(_identity(table) for table in tables)
    except OSError:
        return None
    try:
        return _mapped(puzzle, identity)
    except (TableFileError, OSError) as error:
        log.warning("%s; the unions are not used (puzzlemill rings tables --unions builds them again)", error)
        return None


def union_hashes(puzzle: Puzzle) -> dict[str, str]:
    """Return the BLAKE2b hashes of the puzzle's tables by name, as their headings have them; none if they are not kept."""
    return {table.name: str(read_facts(table.name)["blake2b"]) for table in union_tables(puzzle) if table.is_kept}


def union_distances(state: State, view: Unions) -> tuple[int, ...]:
    """Return for each pair the clicks that bring its beads home, exactly: neighbours by first colour, then those two apart.

    Raise `ImpossibleStateError` if one cannot come home at all.
    """
    words = colour_words(state)
    clicks = tuple(int(union_clicks(words, pair, view)) for pair in range(2 * state.puzzle.rings))
    if min(clicks) < 0:
        raise ImpossibleStateError(f"impossible state: no clicks lead from {state} to the solved state")
    return clicks


def table_bound(state: State, view: Unions | None) -> int:
    """Return the clicks that the tables say are needed at least: those of one colour and, with a view of them, the unions.

    Raise `ImpossibleStateError` like `union_distances`.
    """
    least = lower_bound(state)
    return least if view is None else max(least, *union_distances(state, view))


def making(tables: Sequence[UnionTable]) -> Generator[float, None, None]:
    """Build the tables side by side, a thread each, and keep them, yielding the share that is done.

    A table that is there is replaced; processes that have mapped it go on with the one they have. What is interrupted leaves
    nothing behind. Raise `OSError` if there is no room for one, `EngineError` if one came out wrong.
    """
    _need_room(tables)
    stop = Event()
    shares = [0.0] * len(tables)
    with ThreadPoolExecutor(len(tables)) as pool:
        running = {pool.submit(_make, table, shares, number, stop) for number, table in enumerate(tables)}
        try:
            while running:
                done, running = wait(running, timeout=0.5, return_when=FIRST_COMPLETED)
                for one in done:
                    one.result()
                yield sum(shares) / len(tables)
        finally:
            stop.set()


def _make(table: UnionTable, shares: list[float], number: int, stop: Event) -> None:
    steps = filling(table.puzzle, table.homes, table.entries)
    while not stop.is_set():
        try:
            shares[number] = next(steps)
        except StopIteration as ended:
            filled: Filled = ended.value
            facts = _facts(table, filled)
            write_table(table.name, filled.codes, facts, large=True)
            return


def _facts(table: UnionTable, filled: Filled) -> JsonObject:
    """Return what the table's heading keeps, having compared it with what is known."""
    farthest = len(filled.counts) - 1
    known = FARTHEST.get((table.puzzle, table.apart))
    if known is not None and (farthest != known or sum(filled.counts) != table.entries):
        raise EngineError(
            f"table {table.name} came out wrong: {sum(filled.counts):,} of {table.entries:,} entries, the farthest at "
            f"{farthest} clicks instead of {known}; this machine's memory may be faulty. Nothing was kept"
        )
    return {"counts": list(filled.counts)}


def _need_room(tables: Sequence[UnionTable]) -> None:
    """Raise `OSError` if the tables' folder has no room for them."""
    needed = sum(table.size + HEADING_BYTES for table in tables)
    folder = table_path(tables[0].name).parent
    folder.mkdir(parents=True, exist_ok=True)
    free = shutil.disk_usage(folder).free
    if free < needed:
        raise OSError(f"{folder} has {free / 1e9:.1f} GB free; the tables take {needed / 1e9:.1f} GB")


def _identity(table: UnionTable) -> tuple[str, int, int, int]:
    path = table_path(table.name)
    found = path.stat()
    return str(path), found.st_size, found.st_mtime_ns, found.st_ino


@cache
def _mapped(puzzle: Puzzle, identity: tuple[tuple[str, int, int, int], ...]) -> Unions:
    del identity  # what tells one set of files from another
    tables = union_tables(puzzle)
    return _view(puzzle, [read_table(table.name, table.size, large=True) for table in tables])


@cache
def _made(puzzle: Puzzle) -> Unions:
    tables = union_tables(puzzle)
    return _view(puzzle, [result_of(filling(puzzle, table.homes, table.entries)).codes for table in tables])


def _view(puzzle: Puzzle, codes: Sequence[NDArray[np.uint8]]) -> Unions:
    bare = bare_frame(puzzle, 2 * puzzle.beads)
    near, far = union_tables(puzzle)
    return Unions(bare._replace(table=codes[0]), bare._replace(table=codes[1]), near.first, far.first)
