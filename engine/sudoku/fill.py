"""Digits for a pattern of givens, so that the puzzle has one solution: a search, as chance hardly ever does it.

Of full grids drawn at random, cut down to 22 to 28 cells, one in thousands or none is left with one solution. So the search
walks: it takes the cut with the fewest solutions of a few, frees one to three of its givens, fills them again from a solution
that this opens, and goes on from the best of several such neighbours, as long as that has no more solutions than before. Cuts
of equal rank are walked across too. A walk ends when one solution is left, or when it has not come nearer for a while.

Every walk begins with grids of its own, so that what it finds has nothing to do with what others find.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from engine.sudoku.fullgrid import FullGrids
from engine.sudoku.grid import Cells
from engine.sudoku.rng import draw_below, seed_streams, shuffle_rows
from engine.sudoku.solve import descend_many, solve_many

MOST_SOLUTIONS: Final = 1000
"""Solutions are counted up to here: cuts that have more are alike."""

_STARTS: Final = 8  # cuts of which a walk begins with the best
_NEIGHBOURS: Final = 16  # tried in a round
_MOST_FREED: Final = 3  # givens freed at once
_ROUNDS: Final = 150
_PATIENCE: Final = 40  # rounds without fewer solutions
_FILL_STREAM: Final = 0xF111_0000_0000
"""Sets the random numbers of walks apart from those of the full grids of the same seed."""


class Fills:
    """An endless sequence of full grids whose cells in a pattern (81,) determine them, decided by seed and pattern alone.

    A walk that found none makes a blank.
    """

    def __init__(self, seed: int, pattern: npt.NDArray[np.bool_]) -> None:
        self._seed = seed
        self._pattern = pattern
        self._cells = np.flatnonzero(pattern).astype(np.uint8)
        self._grids = FullGrids(seed)
        self._walked = 0

    def take(self, count: int) -> Cells:
        """Return the outcome of the next `count` walks (count, 81)."""
        starts = self._grids.take(count * _STARTS)
        counts = solve_many(self._cut(starts), MOST_SOLUTIONS).counts.reshape(count, _STARTS)
        best = counts.argmin(axis=1)
        everyone = np.arange(count)
        grids: Cells = starts.reshape(count, _STARTS, 81)[everyone, best]
        left = counts[everyone, best]
        since = np.zeros(count, np.int64)
        for turn in range(_ROUNDS):
            open_walks = np.flatnonzero((left > 1) & (since < _PATIENCE))
            if not len(open_walks):
                break
            reached, found = self._step(grids[open_walks], left[open_walks], self._walked + open_walks, turn)
            since[open_walks] = np.where(found < left[open_walks], 0, since[open_walks] + 1)
            nearer = found <= left[open_walks]
            grids[open_walks[nearer]] = reached[nearer]
            left[open_walks] = np.minimum(found, left[open_walks])
        self._walked += count
        grids[left > 1] = 0
        return grids

    def _cut(self, grids: Cells) -> Cells:
        cut = grids.copy()
        cut[:, ~self._pattern] = 0
        return cut

    def _step(
        self, grids: Cells, left: npt.NDArray[np.int64], walks: npt.NDArray[np.int64], turn: int
    ) -> tuple[Cells, npt.NDArray[np.int64]]:
        """Return for each walk its best neighbour (n, 81), and that one's solutions (n,), exact if at most `left`."""
        draws = np.zeros(len(walks) * _NEIGHBOURS, np.uint64)
        orders = np.tile(self._cells, (len(draws), 1))
        freed = np.zeros(len(draws), np.int64)
        with np.errstate(over="ignore"):  # wrap-around is meant; numpy warns of it when the compiler is off
            seed = np.uint64((self._seed ^ _FILL_STREAM) % 2**64)
            for row, walk in zip(draws.reshape(-1, _NEIGHBOURS), walks.tolist(), strict=True):
                seed_streams(seed, (walk * _ROUNDS + turn) * _NEIGHBOURS, row)
            draw_below(draws, _MOST_FREED, freed)
            shuffle_rows(draws, orders)
        grids = np.repeat(grids, _NEIGHBOURS, axis=0)
        cuts = self._cut(grids)
        opened = cuts.copy()
        for place in range(_MOST_FREED):
            some = np.flatnonzero(freed >= place)
            opened[some, orders[some, place]] = 0
        reached, complete, _ = descend_many(opened, draws)
        others = self._cut(reached)
        fit = np.flatnonzero(complete & (others != cuts).any(axis=1))
        counts = np.full(len(draws), MOST_SOLUTIONS + 1)
        counts[fit] = _count(others[fit], np.repeat(left, _NEIGHBOURS)[fit])
        found = counts.reshape(-1, _NEIGHBOURS)
        best = found.argmin(axis=1)
        rows = np.arange(len(walks))
        return reached.reshape(-1, _NEIGHBOURS, 81)[rows, best], found[rows, best]


def _count(puzzles: Cells, left: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return the number of solutions of each puzzle (n,), exact where that is at most `left` (n,)."""
    found = np.zeros(len(puzzles), np.int64)
    limits = np.minimum(left + 1, MOST_SOLUTIONS)
    # The limit is one for a whole call: puzzles of about the same limit are counted together.
    sizes = np.frexp(limits)[1]
    for size in np.unique(sizes):
        rows = np.flatnonzero(sizes == size)
        found[rows] = solve_many(puzzles[rows], int(limits[rows].max())).counts
    return found
