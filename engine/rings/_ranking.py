"""Numbers the words with a given number of beads, by halves, so that a rank is two look-ups and a sum."""

from math import comb
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from engine.rings._words import Frame
from engine.rings.model import Puzzle

Number = TypeVar("Number", bound=np.generic)

MAX_RANKED = 44
"""Positions beyond which the ranking of half words, 2 ** (positions / 2) entries, would itself be too big."""


def bare_frame(puzzle: Puzzle, beads: int) -> Frame:
    """Return the kernels' view of the words with `beads` beads, without distances (a table of one entry).

    Words are ranked by halves: those with fewer beads in the low half come first, then those with a lesser low half.
    """
    low_bits = (puzzle.positions + 1) // 2
    high_bits = puzzle.positions - low_bits
    low_beads = beads_of_halves(low_bits)
    groups = [comb(low_bits, k) * comb(high_bits, beads - k) if k <= beads else 0 for k in range(low_bits + 1)]
    start = np.concatenate(([0], np.cumsum(groups)))[: low_bits + 1]
    high_words = np.array([comb(high_bits, beads - k) if k <= beads else 0 for k in range(low_bits + 1)])
    low_rank = start[low_beads] + _rank_by_beads(low_bits) * high_words[low_beads]
    disc = sum(1 << (puzzle.beads * ring + place) for ring in range(puzzle.rings) for place in puzzle.places)
    return Frame(
        rings=puzzle.rings,
        beads=puzzle.beads,
        bits=np.uint64(puzzle.beads),
        wrap=np.uint64(puzzle.positions - puzzle.beads),
        ring_mask=np.uint64((1 << puzzle.beads) - 1),
        disc_mask=np.uint64(disc),
        full_mask=np.uint64((1 << puzzle.positions) - 1),
        low_bits=np.uint64(low_bits),
        low_mask=np.uint64((1 << low_bits) - 1),
        low_rank=frozen(low_rank.astype(np.uint32)),
        high_rank=frozen(_rank_by_beads(high_bits).astype(np.uint32)),
        table=frozen(np.zeros(1, dtype=np.uint8)),
    )


def beads_of_halves(bits: int) -> NDArray[np.int64]:
    """Return how many beads each half word of `bits` positions has. Shape (2**bits,)."""
    return np.bitwise_count(np.arange(1 << bits, dtype=np.uint64)).astype(np.int64)


def frozen(array: NDArray[Number]) -> NDArray[Number]:
    """Make the array read-only, as a mapped one is: the kernels are then compiled for one type only."""
    array.flags.writeable = False
    return array


def _rank_by_beads(bits: int) -> NDArray[np.int64]:
    """For each half word, how many smaller ones have as many beads. Shape (2**bits,)."""
    beads = beads_of_halves(bits)
    ranks = np.zeros(1 << bits, dtype=np.int64)
    for count in range(bits + 1):
        same = np.flatnonzero(beads == count)
        ranks[same] = np.arange(len(same))
    return ranks
