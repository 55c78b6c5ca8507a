"""Puzzles near good ones: a directed search for what puzzles drawn at random seldom are.

Most neighbours of a hard puzzle are hard, and most neighbours of one that needs a swordfish look much like it. So the best
puzzles met are kept in a pool, and new ones made from them by {-1,+n} moves (as those who hunt the hardest puzzles call it):
a given goes, one of the solutions that this opens is drawn, some of its cells are given besides, and what can go again goes. A
part of the puzzles is always drawn afresh, so that the search does not live off one ancestor.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from engine.sudoku.dig import Digger, dig
from engine.sudoku.grid import Cells
from engine.sudoku.rng import draw_below, seed_streams, shuffle_rows
from engine.sudoku.solve import descend_many, solve_many

POOL: Final = 64
"""Puzzles kept as parents."""
FRESH: Final = 4
"""One puzzle in so many is drawn afresh once there are parents."""

_ADDED: Final = 16  # of 81 orbits: four of five such puzzles have one solution
_STREAM: Final = 0x4E16_0000_0000
"""Sets the random numbers of moves apart from those of digging with the same seed."""


class Neighbours:
    """A sequence of puzzles steered by what its user says of them, decided by the arguments and that alone.

    `all_orbits` (k, 81) are the orbits of cells that are given or empty together; `fresh` draws the first puzzles, with the
    same orbits. Puzzles are minimal in these orbits.
    """

    def __init__(self, seed: int, all_orbits: npt.NDArray[np.bool_], fresh: Digger) -> None:
        self._seed = seed
        self._orbits = all_orbits
        self._fresh = fresh
        self._moves = 0
        self._puzzles = np.zeros((0, 81), np.uint8)
        self._solutions = np.zeros((0, 81), np.uint8)
        self._faults = np.zeros(0)

    def take(self, count: int) -> tuple[Cells, Cells]:
        """Return `count` puzzles and their solutions, (count, 81) each. A move that leads nowhere makes a blank puzzle."""
        afresh = count if not len(self._puzzles) else -(-count // FRESH)
        drawn = self._fresh.take(afresh)
        moved = self._move(count - afresh)
        return np.concatenate([drawn[0], moved[0]]), np.concatenate([drawn[1], moved[1]])

    def learn(self, puzzles: Cells, solutions: Cells, faults: npt.NDArray[np.float64]) -> None:
        """Say how far puzzles (n, 81), with their solutions, are from what is wanted: `faults` (n,), 0 for what is wanted.

        The nearest of all become the parents of the following puzzles; of equals the latest.
        """
        every = np.concatenate([faults[::-1], self._faults])
        best = np.argsort(every, kind="stable")[:POOL]
        self._puzzles = np.concatenate([puzzles[::-1], self._puzzles])[best]
        self._solutions = np.concatenate([solutions[::-1], self._solutions])[best]
        self._faults = every[best]

    def _move(self, count: int) -> tuple[Cells, Cells]:
        draws = np.zeros(count, np.uint64)
        parents = np.zeros(count, np.int64)
        orders = np.tile(np.arange(len(self._orbits), dtype=np.uint8), (count, 1))
        if count == 0:
            return np.zeros((0, 81), np.uint8), np.zeros((0, 81), np.uint8)
        with np.errstate(over="ignore"):  # wrap-around is meant; numpy warns of it when the compiler is off
            seed_streams(np.uint64((self._seed ^ _STREAM) % 2**64), self._moves, draws)
            # Found ones are the only parents once there are any.
            draw_below(draws, int((self._faults == 0).sum()) or len(self._faults), parents)
            shuffle_rows(draws, orders)
        self._moves += count
        first_cells = self._orbits.argmax(axis=1)
        given = self._puzzles[parents][:, first_cells] > 0
        in_order = np.take_along_axis(given, orders, axis=1)
        kept = in_order & (np.cumsum(in_order, axis=1) > 1)
        added = ~in_order & (np.cumsum(~in_order, axis=1) <= max(2, _ADDED * len(self._orbits) // 81))
        left = self._by_orbit(kept, orders)
        opened = np.where(left @ self._orbits, self._solutions[parents], np.uint8(0))
        reached, complete, _ = descend_many(opened, draws)
        solutions = np.where(complete[:, None], reached, self._solutions[parents])
        starts = self._by_orbit(kept | added, orders)
        lone = solve_many(np.where(starts @ self._orbits, solutions, np.uint8(0))).counts == 1
        # What was added is tried first, so that as much as can be of the parent stays.
        orders = np.take_along_axis(orders, np.argsort(~added, axis=1, kind="stable"), axis=1)
        puzzles = np.zeros_like(solutions)
        nothing = np.zeros(int(lone.sum()), np.int64)
        puzzles[lone] = dig(solutions[lone], self._orbits, orders[lone], nothing, starts[lone])
        return puzzles, solutions

    @staticmethod
    def _by_orbit(flags: npt.NDArray[np.bool_], orders: npt.NDArray[np.uint8]) -> npt.NDArray[np.bool_]:
        """Return flags (n, k) given in each row's own order as flags of orbits."""
        turned = np.zeros_like(flags)
        np.put_along_axis(turned, orders.astype(np.int64), flags, axis=1)
        return turned
