"""Minimal puzzles whose bias is known: the controlled-bias sampling.

Berthier, "Unbiased statistics of a CSP: a controlled-bias generator", 2009: givens of a random full grid are deleted one by one
at random; as soon as a deletion brings a second solution all is thrown away and a new grid begun; a puzzle met on the way that
is minimal is taken. A puzzle of n givens is met with probability 1 / C(81, n), whatever it looks like, so weights that grow
with C(81, n) take the sample back to all minimal puzzles alike. One grid in some 257,500 gives a puzzle that way.

Here the same puzzles are drawn with the same probabilities, but hardly anything is thrown away:

1. All deletions down to `START` givens are made at once, and one search tells whether the solution is still the only one. Each
   full grid is given several such chances, so few of which end in a puzzle that two seldom share a grid. What a search finds
   instead of the grid differs from it in a set of cells of which one must stay given; later chances are held to that first.
2. From there on only givens that can go are deleted, r of n at each step, and the product of all r / n, the *luck*, is the
   probability that blind deletion would have gone that way.
3. The minimal puzzle at the end is accepted with probability luck / `CEILING`.

Two things are not as in the published process: minimal puzzles with more than `START` givens are never met (they are less than
one in a million), and puzzles whose luck is above the ceiling come out too seldom; see `CEILING`.
"""

from math import comb
from typing import Final

import numpy as np
import numpy.typing as npt

from engine.sudoku._bias_kernels import draw_subsets, learn_sets, miss_none
from engine.sudoku.fullgrid import FullGrids
from engine.sudoku.grid import Cells
from engine.sudoku.minimal import redundant_givens
from engine.sudoku.rng import draw_below, seed_streams
from engine.sudoku.solve import solve_many

START: Final = 32
"""Givens left by the deletions made at once: one random subset of this size in 30 has one solution."""
CEILING: Final = 1 / 25
"""Luck above it counts as this much.

0.36 % of the puzzles would have to be replaced to make up for that (measured over 8.2 million descents, `bench/_census.py`);
the mean number of givens falls by 0.008, reweighted by 0.025.
"""
PLAIN_CLUES: Final = 26
"""A puzzle with this many givens has weight 1."""

_BIAS_STREAM: Final = 0xB1A5_0000_0000
"""Sets the random numbers of deletion apart from those of the full grids of the same seed."""
_GRIDS: Final = 64  # at once
_ROUNDS: Final = (16, 48, 192)  # chances of a grid, in rounds: each learns from those before it
_PER_GRID: Final = sum(_ROUNDS)
CHANCES: Final = _GRIDS * _PER_GRID
"""Subsets of `START` cells that a batch of `BiasedPuzzles.descents` looks at."""
_MOST_SETS: Final = 64  # known of a grid: what a first and second round of failures teach
_FINE: Final = 2**31


def weight_of(clues: int) -> float:
    """Return the weight that takes controlled-bias puzzles back to all minimal puzzles alike: C(81, clues) / C(81, 26).

    So the weight of n + 1 givens is (81 - n) / (n + 1) times that of n givens (Berthier 2009).
    """
    return comb(81, clues) / comb(81, PLAIN_CLUES)


class BiasedPuzzles:
    """An endless sequence of (puzzle, solution) with controlled bias, decided by its seed alone, in portions of any size."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._grids = FullGrids(seed)
        self._batches = 0
        self._ready = (np.zeros((0, 81), np.uint8), np.zeros((0, 81), np.uint8))

    def take(self, count: int) -> tuple[Cells, Cells]:
        """Return the next `count` puzzles and their solutions, (count, 81) each."""
        while len(self._ready[0]) < count:
            puzzles, solutions, lucks, floors = self.descents()
            accepted = lucks > floors
            self._ready = (
                np.concatenate([self._ready[0], puzzles[accepted]]),
                np.concatenate([self._ready[1], solutions[accepted]]),
            )
        taken = (self._ready[0][:count], self._ready[1][:count])
        self._ready = (self._ready[0][count:], self._ready[1][count:])
        return taken

    def descents(self) -> tuple[Cells, Cells, npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Return the outcome of the next `CHANCES` chances, those that ended at the first search left out.

        It is puzzles (n, 81), their solutions (n, 81), lucks (n,), and the floors (n,), random numbers in [0, `CEILING`), that
        the luck must exceed for a puzzle to be accepted. Those refused need not be minimal.
        """
        solutions, orders, floors = self.starts()
        puzzles, lucks = descend(solutions, orders, floors)
        return puzzles, solutions, lucks, floors

    def starts(self) -> tuple[Cells, npt.NDArray[np.uint8], npt.NDArray[np.float64]]:
        """Return where those of the next `CHANCES` chances stand that the first search leaves, instead of their descents.

        It is their full grids (n, 81), their cells that are given (n, `START`), in random order, and the floors (n,).
        """
        grids = self._grids.take(_GRIDS)
        draws = np.zeros(CHANCES, np.uint64)
        orders = np.zeros((len(draws), START), np.uint8)
        parts = np.zeros(len(draws), np.int64)
        with np.errstate(over="ignore"):  # wrap-around is meant; numpy warns of it when the compiler is off
            seed_streams(np.uint64((self._seed ^ _BIAS_STREAM) % 2**64), self._batches * len(draws), draws)
            draw_subsets(draws, orders)
            draw_below(draws, _FINE, parts)
        self._batches += 1
        which = np.repeat(np.arange(_GRIDS), _PER_GRID)
        lone = _with_one_solution(grids, which, orders)
        return grids[which[lone]], orders[lone], CEILING * parts[lone] / _FINE


def _with_one_solution(grids: Cells, which: npt.NDArray[np.int64], orders: npt.NDArray[np.uint8]) -> npt.NDArray[np.int64]:
    """Return which rows of `orders` are cells of grid `grids[which]` that leave it no other solution, in order."""
    sets = np.zeros((len(grids), _MOST_SETS, 2), np.uint64)
    counts = np.zeros(len(grids), np.int64)
    chance = np.arange(len(which)) % _PER_GRID
    found = []
    start = 0
    for size in _ROUNDS:
        rows = np.flatnonzero((chance >= start) & (chance < start + size))
        start += size
        fit = np.zeros(len(rows), bool)
        miss_none(orders[rows], which[rows], sets, counts, fit)
        rows = rows[fit]
        solved = solve_many(given(grids[which[rows]], orders[rows]), 2)
        lone = solved.counts == 1
        found.append(rows[lone])
        rows, one, two = rows[~lone], solved.solutions[~lone], solved.second[~lone]
        changes = [(other != grids[which[rows]]).sum(axis=1) for other in (one, two)]
        nearer = (changes[1] == 0) | ((changes[0] > 0) & (changes[0] <= changes[1]))
        learn_sets(grids, which[rows], np.where(nearer[:, None], one, two), sets, counts)
    return np.sort(np.concatenate(found))


def given(solutions: Cells, orders: npt.NDArray[np.uint8]) -> Cells:
    """Return the puzzles (n, 81) that have of their full grids (n, 81) the cells `orders` (n, k)."""
    puzzles = np.zeros_like(solutions)
    rows = np.arange(len(orders))[:, None]
    puzzles[rows, orders] = solutions[rows, orders]
    return puzzles


def descend(
    solutions: Cells, orders: npt.NDArray[np.uint8], floors: npt.NDArray[np.float64]
) -> tuple[Cells, npt.NDArray[np.float64]]:
    """Delete givens that can go until none can.

    Args:
        solutions: Full grids (n, 81).
        orders: Their cells that are given (n, k), a puzzle with one solution, in random order. Of those that can go the first
            goes: those before it cannot go later either, so that each step is uniform among the givens that can go.
        floors: A puzzle whose luck (n,) falls to its floor is given up there.

    Returns:
        The puzzles (n, 81), minimal if not given up, and their lucks (n,), each the probability that deleting any given at
        random would have gone the same way: the product of r / k, r of k givens being such as can go.
    """
    puzzles = given(solutions, orders)
    lucks = np.ones(len(puzzles))
    free = puzzles > 0
    places = np.full(puzzles.shape, 81, np.uint8)
    places[np.arange(len(orders))[:, None], orders] = np.arange(orders.shape[1], dtype=np.uint8)
    active = np.arange(len(puzzles))
    clues = orders.shape[1]
    while len(active):
        free[active] = redundant_givens(puzzles[active], solutions[active], free[active])
        redundant = free[active].sum(axis=1)
        lucks[active] *= np.where(redundant > 0, redundant / clues, 1.0)
        active = active[(redundant > 0) & (lucks[active] > floors[active])]
        gone = np.where(free[active], places[active], np.uint8(81)).argmin(axis=1)
        puzzles[active, gone] = 0
        free[active, gone] = False
        clues -= 1
    return puzzles, lucks
