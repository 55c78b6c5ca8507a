"""Solve sudokus and prove how many solutions they have: thousands at a time, or one."""

import threading
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from engine.errors import InvalidInputError
from engine.sudoku.grid import Cells, find_conflict, parse, to_cells, to_text
from engine.sudoku.lanes.lane import CODES, FORBID
from engine.sudoku.lanes.layout import CELLS, FRAME, LANES, VECTORS
from engine.sudoku.lanes.search import DEPTH, search


class Status(StrEnum):
    """What is known of a puzzle's solutions."""

    UNIQUE = "unique"  # exactly one, proved
    MULTIPLE = "multiple"  # two or more
    NONE = "none"  # no solution, proved
    INVALID = "invalid"  # equal givens share a house: no grid at all


@dataclass(frozen=True, slots=True)
class Solved:
    """What a search of n puzzles found, in their order."""

    solutions: Cells
    """(n, 81): the first solution found, zeros where there is none."""
    second: Cells
    """(n, 81): another solution where there are several, else zeros."""
    counts: npt.NDArray[np.int64]
    """(n,): solutions found, at most the limit."""


@dataclass(frozen=True, slots=True)
class Solution:
    """What is known of one puzzle. Grids are 81 characters; a solution that is not there is None."""

    puzzle: str
    status: Status
    solution: str | None
    second: str | None
    solutions_found: int


def _on_cache_lines(size: int) -> npt.NDArray[np.uint8]:
    """Return `size` zero bytes that begin on a cache line (64 bytes), so that a vector is read in one piece."""
    room = np.zeros(size + 64, np.uint8)
    start = -room.ctypes.data % 64
    return room[start : start + size]


class _Workspace(threading.local):
    """The arrays a search works in, one set a thread, so that a single puzzle does not pay for them."""

    def __init__(self) -> None:
        self.words = _on_cache_lines(VECTORS * LANES * 4).view(np.uint32)
        self.stack = _on_cache_lines(LANES * DEPTH * FRAME * 8).view(np.uint64)
        self.owner = np.zeros(LANES, np.int64)
        self.base = np.zeros(LANES, np.int64)
        self.depth = np.zeros(LANES, np.int64)
        self.latest = np.zeros(LANES, np.int64)
        self.blame = _on_cache_lines(LANES * CELLS * 4).view(np.uint32)
        self.figures = np.zeros(2, np.int64)


_workspace = _Workspace()
_NONE_SHARED = np.zeros(0, np.bool_)
_NO_DRAWS = np.zeros(0, np.uint64)
_NO_WEIGHTS = np.zeros(0, np.float64)


def solve_many(grids: Cells, limit: int = 2) -> Solved:
    """Search every grid (n, 81) for up to `limit` solutions; `limit` 2 proves uniqueness.

    A cell may also hold `engine.sudoku.lanes.lane.FORBID` plus a digit: it is empty, and must not become that digit. What
    is found for a grid, the order of solutions included, depends on that grid alone.

    Raises:
        InvalidInputError: a wrong shape, or a limit below 1.
    """
    if limit < 1:
        raise InvalidInputError(f"the limit of solutions must be at least 1, got {limit}")
    grids = np.ascontiguousarray(grids, np.uint8)
    if grids.ndim != 2 or grids.shape[1] != 81:
        raise InvalidInputError(f"grids must be an array of shape (n, 81), got {grids.shape}")
    if grids.size and grids.max() >= CODES:
        raise InvalidInputError(f"a cell holds 0, a digit, or {FORBID} plus a digit, got {grids.max()}")
    solved = _blank(len(grids))
    shared = np.zeros(len(grids), np.bool_)
    _run(grids, limit, solved, shared, _NO_DRAWS, _NO_WEIGHTS)
    # Lanes that helped each other found the right number of solutions. Which of several is first must not depend on chance.
    again = np.flatnonzero(shared & (solved.counts > (1 if limit > 1 else 0)))
    if again.size:
        ordered = _blank(len(again))
        _run(grids[again], limit, ordered, _NONE_SHARED, _NO_DRAWS, _NO_WEIGHTS)
        solved.solutions[again] = ordered.solutions
        solved.second[again] = ordered.second
    return solved


def _blank(count: int) -> Solved:
    return Solved(np.zeros((count, 81), np.uint8), np.zeros((count, 81), np.uint8), np.zeros(count, np.int64))


def descend_many(grids: Cells, draws: npt.NDArray[np.uint64]) -> tuple[Cells, npt.NDArray[np.bool_], npt.NDArray[np.float64]]:
    """Complete every grid (n, 81) by random choices that are never taken back; `draws` (n,) are the random states.

    Returns:
        The grids reached (n, 81), whether each is complete (n,), and the inverse of the probability with which this choice of
        candidates was made (n,).
    """
    solved = Solved(np.zeros(grids.shape, np.uint8), np.zeros((0, 81), np.uint8), np.zeros(len(grids), np.int64))
    weights = np.ones(len(grids), np.float64)
    _run(grids, 0, solved, _NONE_SHARED, draws, weights)
    return solved.solutions, solved.counts > 0, weights


def _run(  # noqa: PLR0917  # as the kernel below it
    grids: Cells,
    limit: int,
    solved: Solved,
    shared: npt.NDArray[np.bool_],
    draws: npt.NDArray[np.uint64],
    weights: npt.NDArray[np.float64],
) -> None:
    space = _workspace
    with np.errstate(over="ignore"):  # wrap-around is meant; numpy warns of it when the compiler is off
        search(
            grids,
            limit,
            solved.solutions,
            solved.second,
            solved.counts,
            shared,
            draws,
            weights,
            space.words,
            space.stack,
            space.owner,
            space.base,
            space.depth,
            space.latest,
            space.blame,
            space.figures,
        )


def solve_texts(puzzles: list[str], limit: int = 2) -> list[Solution]:
    """Solve puzzles in normal form (81 characters, as `engine.sudoku.grid.parse_puzzle` gives them), in order.

    Conflicting givens make a puzzle `invalid`; they are not an error.
    """
    grids = to_cells(puzzles)
    solved = solve_many(grids, limit)
    return [_describe(puzzle, grids[i], solved, i, limit) for i, puzzle in enumerate(puzzles)]


def solve(text: str, limit: int = 2) -> Solution:
    """Solve one puzzle, written in any way that `engine.sudoku.grid.parse` reads.

    Raises:
        GridError: the text is not a grid.
        InvalidInputError: a limit below 1.
    """
    grids = parse(text).reshape(1, 81)
    return _describe(to_text(grids[0]), grids[0], solve_many(grids, limit), 0, limit)


def _describe(puzzle: str, grid: Cells, solved: Solved, i: int, limit: int) -> Solution:
    count = int(solved.counts[i])
    if count == 0:
        status = Status.INVALID if find_conflict(grid) else Status.NONE
        return Solution(puzzle, status, None, None, 0)
    # With a limit of 1 a solution is known to exist, not that it is the only one; a full grid is its own only solution.
    status = Status.MULTIPLE if count > 1 or (limit == 1 and not grid.all()) else Status.UNIQUE
    second = to_text(solved.second[i]) if count > 1 else None
    return Solution(puzzle, status, to_text(solved.solutions[i]), second, count)


def warm() -> None:
    """Compile the kernels, or load them from the cache."""
    solve_many(np.zeros((1, 81), np.uint8), 1)
