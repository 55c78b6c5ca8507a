"""Fills a table of unions: breadth-first search within the table itself, four bits an entry, nothing beside it in memory."""

import mmap
from collections.abc import Generator
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from engine.rings._codes import MODULUS, set_code
from engine.rings._ranking import bare_frame, beads_of_halves, frozen
from engine.rings._unionfill import BATCH, Batch, Halves, fill_part
from engine.rings._words import Frame, rank
from engine.rings.model import Puzzle

PARTS = 128
"""Into how many parts a depth is cut: less than a second of work each, so that progress shows."""


@dataclass(frozen=True, slots=True)
class Filled:
    """A table of codes, and how many entries lie at each distance."""

    codes: NDArray[np.uint8]
    counts: tuple[int, ...]


def filling(puzzle: Puzzle, homes: tuple[int, int], entries: int) -> Generator[float, None, Filled]:
    """Fill the table of the union of two colours whose home is the rings `homes`, yielding the share that is done."""
    frame = bare_frame(puzzle, 2 * puzzle.beads)
    halves = _halves(puzzle, homes, frame)
    batch = _batch(puzzle, halves)
    codes = _room(-(-entries // 16) * 8)
    wide = codes.view(np.uint64)
    home = sum(int(frame.ring_mask) << puzzle.beads * ring for ring in homes)
    set_code(codes, rank(np.uint64(home), frame), 0)
    counts = [1]
    part = max(1, -(-len(halves.lows) // PARTS))
    while counts[-1]:
        depth, seen = len(counts) - 1, sum(counts)
        backwards = entries - seen < counts[-1]
        found = 0
        for begin in range(0, len(halves.lows), part):
            end = min(begin + part, len(halves.lows))
            code, following = depth % MODULUS, (depth + 1) % MODULUS
            with np.errstate(over="ignore"):  # shifts and sums in uint64 drop bits on purpose; plain Python would warn
                found += fill_part(codes, wide, frame, halves, batch, code, following, backwards, begin, end)
            yield (seen + found) / entries
        counts.append(found)
    return Filled(frozen(codes), tuple(counts[:-1]))


def _room(size: int) -> NDArray[np.uint8]:
    """Return memory in which every code is UNSEEN; in large pages if the system has them, as entries are met all over."""
    memory = mmap.mmap(-1, size)
    if hasattr(mmap, "MADV_HUGEPAGE"):
        memory.madvise(mmap.MADV_HUGEPAGE)
    codes = np.frombuffer(memory, dtype=np.uint8)
    codes[:] = 255
    return codes


def _batch(puzzle: Puzzle, halves: Halves) -> Batch:
    turns = BATCH * puzzle.move_count
    return Batch(
        sources=np.zeros(BATCH, dtype=np.uint64),
        words=np.zeros(turns, dtype=np.uint64),
        numbers=np.zeros(turns, dtype=np.int64),
        fresh=np.zeros(turns, dtype=np.uint64),
        image_numbers=np.zeros(turns * (len(halves.images) + 1), dtype=np.int64),
    )


def _halves(puzzle: Puzzle, homes: tuple[int, int], frame: Frame) -> Halves:
    beads = 2 * puzzle.beads
    low_bits = int(frame.low_bits)
    high_bits = puzzle.positions - low_bits
    low_beads = beads_of_halves(low_bits)
    lows = np.lexsort((np.arange(1 << low_bits), low_beads))
    lows = lows[(low_beads[lows] <= beads) & (beads - low_beads[lows] <= high_bits)]
    by_beads = beads_of_halves(high_bits)
    first_high = np.concatenate(([0], np.cumsum(np.bincount(by_beads, minlength=beads + 1))))
    images = _mirrors(puzzle, homes, low_bits)
    return Halves(
        lows=lows.astype(np.uint64),
        visited=_visited(puzzle, lows, images),
        high_beads=beads - low_beads[lows],
        highs=np.argsort(by_beads, kind="stable").astype(np.uint64),
        first_high=first_high.astype(np.int64),
        images=images,
    )


def _mirrors(puzzle: Puzzle, homes: tuple[int, int], low_bits: int) -> NDArray[np.uint64]:
    """Return the mirrors that keep the union's home and the first two rings, as `Halves.images` has them.

    The reversal of each ring (where the disc's places allow it) and that of the rings' order are symmetries each by itself; the
    order that exchanges the first two rings is the one that saves work, as both lie in a word's low half.
    """
    rings, beads = puzzle.rings, puzzle.beads
    flips = [c for c in range(beads) if {(c - place) % beads for place in puzzle.places} == set(puzzle.places)]
    ways = [list(range(beads))]
    if flips:
        ways.append([(flips[-1] - place) % beads for place in range(beads)])
    orders = [list(range(rings)), [(1 - ring) % rings for ring in range(rings)]]
    mirrors = []
    for order, way in product(orders, ways):
        trivial = order == orders[0] and way == ways[0]
        keeps_home = {order[ring] for ring in homes} == set(homes)
        if trivial or not keeps_home or 2 * beads > low_bits:
            continue
        mirrors.append(
            [
                [
                    sum(1 << beads * order[ring] + way[place] for place in range(beads) if here >> place & 1)
                    for here in range(1 << beads)
                ]
                for ring in range(rings)
            ]
        )
    return np.array(mirrors, dtype=np.uint64).reshape(len(mirrors), rings, 1 << beads)


def _visited(puzzle: Puzzle, lows: NDArray[np.int64], images: NDArray[np.uint64]) -> NDArray[np.uint8]:
    """Return 1 where no mirror makes the first two rings of a low half less, else 0."""
    mask = (1 << puzzle.beads) - 1
    first, second = lows & mask, (lows >> puzzle.beads) & mask
    block = (lows & ((1 << 2 * puzzle.beads) - 1)).astype(np.uint64)
    least = np.ones(len(lows), dtype=np.uint8)
    for image in images:
        least &= block <= (image[0][first] | image[1][second])
    return least
