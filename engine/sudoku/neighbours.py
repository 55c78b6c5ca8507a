"""Puzzles near good ones: a directed search for what puzzles drawn at random seldom are.

Most neighbours of a hard puzzle are hard, and most neighbours of one that needs a swordfish look much like it. So the best
puzzles met are kept in a pool, and new ones made from them by {-1,+n} moves (as those who hunt the hardest puzzles call it):
a given goes, one of the solutions that this opens is drawn, some of its cells are given besides, and what can go again goes. A
part of the puzzles is always drawn afresh.

What stems from one puzzle drawn afresh, by any number of moves, is a family. A family has few places in the pool, and none once
its user has had enough of it (`retire`): the search then climbs from other puzzles, so that no family fills a bank.
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
KIN: Final = 4
"""Most of them of one family."""
FRESH: Final = 4
"""One puzzle in so many is drawn afresh once there are parents."""
PATIENCE: Final = 400
"""Puzzles that a patient search draws afresh before it asks how rare the wanted ones are,"""
RARE: Final = 100
"""and if they are fewer than one in so many, it begins to make moves."""

_ADDED: Final = 8  # of 81 orbits: every other such puzzle has one solution
_STREAM: Final = 0x4E16_0000_0000
"""Sets the random numbers of moves apart from those of digging with the same seed."""


class Neighbours:
    """A sequence of puzzles steered by what its user says of them, decided by the arguments and that alone.

    `all_orbits` (k, 81) are the orbits of cells that are given or empty together; `fresh` draws the first puzzles, with the
    same orbits. Puzzles are minimal in these orbits. A `patient` search makes no moves as long as enough of what is drawn
    afresh is wanted.
    """

    def __init__(self, seed: int, all_orbits: npt.NDArray[np.bool_], fresh: Digger, *, patient: bool = False) -> None:
        self._seed = seed
        self._orbits = all_orbits
        self._fresh = fresh
        self._patient = patient
        self._learnt = 0
        self._wanted = 0
        self._begun = 0
        self._moves = 0
        self._retired: set[int] = set()
        self._puzzles = np.zeros((0, 81), np.uint8)
        self._solutions = np.zeros((0, 81), np.uint8)
        self._faults = np.zeros(0)
        self._families = np.zeros(0, np.int64)

    @property
    def moving(self) -> bool:
        """Whether puzzles are made by moves, not all drawn afresh."""
        return bool(len(self._puzzles)) and not self._patient

    def take(self, count: int) -> tuple[Cells, Cells, npt.NDArray[np.int64]]:
        """Return `count` puzzles (count, 81), their solutions (count, 81), and the numbers of their families (count,).

        A move that leads nowhere makes a blank puzzle.
        """
        afresh = -(-count // FRESH) if self.moving else count
        puzzles, solutions = self._fresh.take(afresh)
        families = np.arange(self._begun, self._begun + afresh)
        self._begun += afresh
        if afresh == count:
            return puzzles, solutions, families
        moved = self._move(count - afresh)
        return (
            np.concatenate([puzzles, moved[0]]),
            np.concatenate([solutions, moved[1]]),
            np.concatenate([families, moved[2]]),
        )

    def begin_with(self, puzzles: Cells) -> tuple[Cells, Cells, npt.NDArray[np.int64]]:
        """Return known puzzles (n, 81) as `take` returns its own, those left out that have not one solution; patience ends.

        Their families are numbered from -1 down, and like others only exist once the user has said what they are worth.
        """
        self._patient = False
        solved = solve_many(puzzles)
        lone = solved.counts == 1
        return puzzles[lone], solved.solutions[lone], -1 - np.arange(int(lone.sum()))

    def learn(self, puzzles: Cells, solutions: Cells, families: npt.NDArray[np.int64], faults: npt.NDArray[np.float64]) -> None:
        """Say how far puzzles, as `take` gave them, are from what is wanted: `faults` (n,), 0 for what is wanted.

        The nearest of all become the parents of the following puzzles, at most `KIN` of a family; of equals the latest.
        """
        self._learnt += len(faults)
        self._wanted += int((faults == 0).sum())
        if self._learnt >= PATIENCE and self._wanted * RARE < self._learnt:
            self._patient = False
        self._keep(
            np.concatenate([puzzles[::-1], self._puzzles]),
            np.concatenate([solutions[::-1], self._solutions]),
            np.concatenate([families[::-1], self._families]),
            np.concatenate([faults[::-1], self._faults]),
        )

    def retire(self, family: int) -> None:
        """Make no more puzzles from those of a family."""
        self._retired.add(family)
        self._keep(self._puzzles, self._solutions, self._families, self._faults)

    def _keep(self, puzzles: Cells, solutions: Cells, families: npt.NDArray[np.int64], faults: npt.NDArray[np.float64]) -> None:
        kept: list[int] = []
        kin = dict.fromkeys(self._retired, KIN)
        met: set[bytes] = set()
        for i in np.argsort(faults, kind="stable").tolist():
            family = int(families[i])
            text = puzzles[i].tobytes()
            if kin.get(family, 0) < KIN and text not in met:
                kin[family] = kin.get(family, 0) + 1
                met.add(text)
                kept.append(i)
                if len(kept) == POOL:
                    break
        self._puzzles = puzzles[kept]
        self._solutions = solutions[kept]
        self._families = families[kept]
        self._faults = faults[kept]

    def _move(self, count: int) -> tuple[Cells, Cells, npt.NDArray[np.int64]]:
        """Return moved puzzles as `take` does.

        Those of the pool that are as wanted are the only parents once they are of several families, and of half as long as
        they are few.
        """
        draws = np.zeros(count, np.uint64)
        parents = np.zeros(count, np.int64)
        orders = np.tile(np.arange(len(self._orbits), dtype=np.uint8), (count, 1))
        with np.errstate(over="ignore"):  # wrap-around is meant; numpy warns of it when the compiler is off
            seed_streams(np.uint64((self._seed ^ _STREAM) % 2**64), self._moves, draws)
            found = int((self._faults == 0).sum())
            near = count if found > 2 * KIN else count // 2 if found else 0
            draw_below(draws[:near], max(found, 1), parents[:near])
            draw_below(draws[near:], len(self._faults), parents[near:])
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
        return puzzles, solutions, self._families[parents]

    @staticmethod
    def _by_orbit(flags: npt.NDArray[np.bool_], orders: npt.NDArray[np.uint8]) -> npt.NDArray[np.bool_]:
        """Return flags (n, k) given in each row's own order as flags of orbits."""
        turned = np.zeros_like(flags)
        np.put_along_axis(turned, orders.astype(np.int64), flags, axis=1)
        return turned
