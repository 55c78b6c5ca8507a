"""Puzzles dug out of full grids: givens removed in random order as long as the solution stays the only one.

Every given is tried once. One that cannot go at its turn cannot go later either, when there are fewer givens still, so that
what is left is minimal: no given (with a symmetry: no orbit of givens) can be removed.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from engine.sudoku.fill import Fills
from engine.sudoku.fullgrid import FullGrids
from engine.sudoku.grid import Cells
from engine.sudoku.lanes.lane import FORBID
from engine.sudoku.pattern import Pattern
from engine.sudoku.rng import draw_below, seed_streams, shuffle_rows
from engine.sudoku.solve import solve_many
from engine.sudoku.symmetry import Symmetry, orbits

_DIG_STREAM: Final = 0xD16_0000_0000
"""Sets the random numbers of digging apart from those of the full grids of the same seed."""


class Digger:
    """An endless sequence of (puzzle, solution), taken in portions of any size.

    It is decided by seed, symmetry, clue target and pattern alone.
    `targets` is None for minimal puzzles; else each puzzle draws a number of givens from this range (both ends included) at
    which its digging stops: it is then unique, but as a rule not minimal, and has more givens if no more could go.
    A `pattern` says where givens are: what must be given stays. The full grids are then such as these cells determine
    (`engine.sudoku.fill`); where none was found in time the puzzle is blank.
    """

    def __init__(
        self,
        seed: int,
        symmetry: Symmetry = Symmetry.NONE,
        targets: tuple[int, int] | None = None,
        pattern: Pattern | None = None,
    ) -> None:
        self._seed = seed
        self._fixed = np.zeros(81, bool) if pattern is None else pattern.fixed
        self._orbits = orbits(symmetry) if pattern is None else pattern.removable(symmetry)
        self._grids = FullGrids(seed) if pattern is None else Fills(seed, self._fixed | self._orbits.any(axis=0))
        self._targets = targets
        self._taken = 0

    def take(self, count: int) -> tuple[Cells, Cells]:
        """Return the next `count` puzzles and their solutions, (count, 81) each."""
        solutions = self._grids.take(count)
        draws = np.zeros(count, np.uint64)
        orders = np.tile(np.arange(len(self._orbits), dtype=np.uint8), (count, 1))
        targets = np.zeros(count, np.int64)
        with np.errstate(over="ignore"):  # wrap-around is meant; numpy warns of it when the compiler is off
            seed_streams(np.uint64((self._seed ^ _DIG_STREAM) % 2**64), self._taken, draws)
            shuffle_rows(draws, orders)
            if self._targets is not None:
                low, high = self._targets
                draw_below(draws, high - low + 1, targets)
                targets += low
        self._taken += count
        puzzles = np.zeros_like(solutions)
        found = solutions.any(axis=1)
        puzzles[found] = dig(solutions[found], self._orbits, orders[found], targets[found], fixed=self._fixed)
        return puzzles, solutions


def dig(
    solutions: Cells,
    all_orbits: npt.NDArray[np.bool_],
    orders: npt.NDArray[np.uint8],
    targets: npt.NDArray[np.int64],
    starts: npt.NDArray[np.bool_] | None = None,
    *,
    fixed: npt.NDArray[np.bool_] | None = None,
) -> Cells:
    """Return puzzles (n, 81) dug from full grids (n, 81), one orbit of cells after the other in each grid's own order.

    `all_orbits` (k, 81) are masks, `orders` (n, k) index them; a puzzle keeps an orbit that would take it below `targets` (n,).
    `starts` (n, k) are the orbits that are given at the beginning, all if it is None; `fixed` (81,) are cells, of no orbit,
    that are given and stay. Together they must leave one solution.
    All puzzles take their turns together, so that the solver's lanes stay full.
    """
    if starts is None:
        starts = np.ones((len(solutions), len(all_orbits)), bool)
    sizes = all_orbits.sum(axis=1)
    given = starts @ all_orbits
    if fixed is not None:
        given |= fixed
    puzzles = np.where(given, solutions, np.uint8(0))
    clues = given.sum(axis=1)
    # A lone cell is redundant if no solution has another digit there; for a larger orbit two solutions are looked for.
    alone = bool((sizes == 1).all())
    firsts = all_orbits.argmax(axis=1)
    everyone = np.arange(len(puzzles))
    for turn in range(orders.shape[1]):
        chosen = orders[:, turn]
        eligible = everyone[starts[everyone, chosen] & (clues - sizes[chosen] >= targets)]
        if alone:
            cells = firsts[chosen[eligible]]
            tasks = puzzles[eligible]
            tasks[np.arange(len(eligible)), cells] = FORBID + solutions[eligible, cells]
            gone = eligible[solve_many(tasks, 1).counts == 0]
            puzzles[gone, firsts[chosen[gone]]] = 0
        else:
            tasks = np.where(all_orbits[chosen[eligible]], np.uint8(0), puzzles[eligible])
            unique = solve_many(tasks, 2).counts == 1
            gone = eligible[unique]
            puzzles[gone] = tasks[unique]
        clues[gone] -= sizes[chosen[gone]]
    return puzzles
