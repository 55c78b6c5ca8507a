"""Which givens a puzzle can do without."""

import numpy as np
import numpy.typing as npt

from engine.sudoku.grid import Cells
from engine.sudoku.lanes.lane import FORBID
from engine.sudoku.solve import solve_many

_TASKS_AT_ONCE = 65536


def redundant_givens(puzzles: Cells, solutions: Cells, among: npt.NDArray[np.bool_] | None = None) -> npt.NDArray[np.bool_]:
    """Return for puzzles (n, 81) with one solution each (n, 81) which givens can be removed, each alone, as a mask (n, 81).

    A given is redundant if with its cell emptied, and its digit forbidden there, nothing solves the puzzle. With `among`
    (n, 81) only those givens are looked at.
    """
    which, cells = np.nonzero(puzzles if among is None else among)
    redundant = np.zeros(puzzles.shape, bool)
    for start in range(0, len(which), _TASKS_AT_ONCE):
        part = slice(start, start + _TASKS_AT_ONCE)
        tasks = puzzles[which[part]]
        tasks[np.arange(len(tasks)), cells[part]] = FORBID + solutions[which[part], cells[part]]
        redundant[which[part], cells[part]] = solve_many(tasks, 1).counts == 0
    return redundant


def are_minimal(puzzles: Cells, solutions: Cells) -> npt.NDArray[np.bool_]:
    """Return for puzzles (n, 81) with one solution each (n, 81) whether no given can be removed (n,)."""
    return np.logical_not(redundant_givens(puzzles, solutions).any(axis=1))
