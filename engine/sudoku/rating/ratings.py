"""Rate puzzles: ER, EP and ED on the SE 1.2.1 scale, with level and score from the same path."""

import threading
from collections.abc import Sequence
from typing import Final

import numpy as np

from engine.errors import InvalidInputError
from engine.sudoku.grid import Cells, ConflictError, find_conflict, parse, to_cells, to_text
from engine.sudoku.rating._path import CLASH, IMPOSSIBLE, S_COUNTS, S_ED, S_END, S_ER, S_LIMIT, STOPPED, Walker
from engine.sudoku.rating._tables import Words
from engine.sudoku.rating.levels import level_of
from engine.sudoku.rating.techniques import BY_CODE
from engine.sudoku.records import Rating
from engine.sudoku.solve import Status, solve

RATER: Final = "se121-2"
"""Name and version of this rater: the scale, and the number of the version, which grows when any rating may change."""

EFFORTS: Final = (8.5, 9.0, 9.5, 10.0, 10.5)
"""Base ratings of the searches that can be left out: dynamic chains, dynamic chains plus, and three kinds of nested chains."""
MOST_EFFORT: Final = EFFORTS[-1]
"""Everything is searched."""
SIMPLE: Final = 90
"""Up to this effort, in tenths, nothing is nested."""


class _Local(threading.local):
    """One walker a thread: its arrays are reused from puzzle to puzzle."""

    def __init__(self) -> None:
        self.walker = Walker()


_local = _Local()


def rate(puzzle: str, max_effort: float = MOST_EFFORT) -> Rating:
    """Return the rating of one puzzle, written in any way that `engine.sudoku.grid.parse` reads.

    The puzzle should have exactly one solution: unique rectangles and the like rely on it. That is checked only where nested
    chains would be searched, which is done for such puzzles only. Chains of a base rating (ER without what length adds) above
    `max_effort` are not searched: a puzzle that needs one gets a lower bound. Up to 9.0 a puzzle takes milliseconds; what is
    nested takes a second or two, twelve for the hardest known puzzle.

    Raises:
        GridError: the text is not a grid.
        ConflictError: equal givens share a house.
        InvalidInputError: the path shows that the puzzle has no solution.
    """
    return _rate(parse(puzzle), max_effort)


def rate_many(puzzles: Sequence[str], max_effort: float = MOST_EFFORT) -> list[Rating]:
    """Return the ratings of puzzles in normal form (81 characters, `.` for an empty cell), in order; see `rate`."""
    return [_rate(cells, max_effort) for cells in to_cells(puzzles)]


def warm() -> None:
    """Compile the kernels of the rater, or load them from the cache; those of nested chains wait until a puzzle needs them."""
    # The grid without givens goes through all searches: none of them finds anything.
    walk(np.zeros(81, np.uint8), EFFORTS[1])
    # And a grid with one empty cell through what is done with a find.
    walk(np.array([0, *range(2, 10), *(int(d) for row in _REST for d in row)], np.uint8), EFFORTS[1])


_REST: Final = ("456789123", "789123456", "231564897", "564897231", "897231564", "312645978", "645978312", "978312645")
"""Rows 2 to 9 of a full grid whose first is 123456789."""


def walk(cells: Cells, max_effort: float = MOST_EFFORT) -> tuple[Words, Words]:
    """Follow the path of a puzzle ([81]); return its summary and the words of its steps (see `engine.sudoku.rating._path`).

    The steps are valid until this thread's next call. Raises as `rate`.
    """
    walker = _local.walker
    effort = round(10 * max_effort)
    digits = cells.astype(np.int64)
    summary = walker.follow(digits, min(effort, SIMPLE))
    if summary[S_END] == STOPPED and effort > SIMPLE:
        # Nested chains take seconds, and for ever where there is nothing to find.
        status = solve(to_text(cells)).status
        if status is Status.NONE:
            summary[S_END] = IMPOSSIBLE
        elif status is Status.UNIQUE:
            summary = walker.follow(digits, effort)
    if summary[S_END] == CLASH:
        raise ConflictError(find_conflict(cells) or "conflicting givens", to_text(cells))
    if summary[S_END] == IMPOSSIBLE:
        raise InvalidInputError(f"{to_text(cells)} has no solution, so it has no rating; check its givens")
    return summary, walker.path


def summarize(summary: Words) -> Rating:
    """Return the rating that a path's summary holds."""
    values: list[int] = summary.tolist()
    bound = values[S_END] == STOPPED
    er, ep, ed = values[S_ER : S_ED + 1]
    if bound:
        # What the next step decides is at least as hard as the easiest search that was left out.
        er = max(er, values[S_LIMIT])
        ep = er if ep < 0 else ep
        ed = er if ed < 0 else ed
    counts = {BY_CODE[code]: values[S_COUNTS + code] for code in np.flatnonzero(summary[S_COUNTS:]).tolist()}
    return Rating(
        er=max(er, 0) / 10,
        ep=max(ep, 0) / 10,
        ed=max(ed, 0) / 10,
        bound=bound,
        level=level_of(er / 10),
        score=sum(technique.score * n for technique, n in counts.items()),
        techniques={technique.name: n for technique, n in counts.items()},
        rater=RATER,
    )


def _rate(cells: Cells, max_effort: float) -> Rating:
    summary, _ = walk(cells, max_effort)
    return summarize(summary)
