"""The search for the minlex form of puzzles: depth first over the rows, every branch that cannot win any more cut off.

Full grids begin with the second row (see `_canon_full`): their first is 123456789 in more ways than one wants to try.
"""

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from engine._jit import folded, kernel
from engine.sudoku._canon_full import CHOICES, ORDER_ROW, positions, second_row
from engine.sudoku._canon_rows import (
    LABEL,
    NEXT,
    NONE,
    ORDER,
    SECOND,
    STATE,
    WORST,
    Ints,
    best_rows,
    place,
    start,
)

FOUND: Final = 9
POSITION: Final = 10
BRANCH: Final = 11
"""Rows of the scratch array of `_descend` behind the candidates of depths 0..8."""

FULL_FIRST_ROW: Any = np.int64(0x123456789)
_TWO: Any = np.int64(2)


@folded
def _read(puzzles: npt.NDArray[np.uint8], n: int, grids: Ints, filled: Ints, houses: Ints) -> bool:
    """Take puzzle `n` in, as it is and transposed; return whether equal givens share a house."""
    for line in range(9):
        filled[0, line] = 0
        filled[1, line] = 0
    for house in range(27):
        houses[house] = 0
    clash = 0
    for cell in range(81):
        digit = int(puzzles[n, cell])
        row = cell // 9
        column = cell % 9
        grids[0, cell] = digit
        grids[1, 9 * column + row] = digit
        if digit:
            filled[0, row] += 1
            filled[1, column] += 1
            bit = 1 << digit
            box = 18 + row // 3 * 3 + column // 3
            clash |= (houses[row] | houses[9 + column] | houses[box]) & bit
            houses[row] |= bit
            houses[9 + column] |= bit
            houses[box] |= bit
    return clash != 0


@kernel
def _exchanges(filled: Ints, transposed: int) -> int:
    """Return in how many ways blank lines (rows or columns) and blank bands or stacks can be exchanged among themselves."""
    ways = 1
    blank_bands = 0
    for band in range(3):
        blank = 0
        for row in range(3 * band, 3 * band + 3):
            if filled[transposed, row] == 0:
                blank += 1
        ways *= 1 if blank < 2 else (2 if blank == 2 else 6)
        if blank == 3:
            blank_bands += 1
    return ways * (1 if blank_bands < 2 else (2 if blank_bands == 2 else 6))


@kernel
def _descend(  # noqa: PLR0917  # a kernel takes its arrays by position
    grids: Ints,
    filled: Ints,
    transposed: int,
    depth: int,
    states: Ints,
    rows: Ints,
    work: Ints,
    best: Ints,
    leaves: int,
    transforms: npt.NDArray[np.uint8],
    n: int,
) -> int:
    """Search all that follows from the state at `depth`, improving `best`; return how many ways lead to the best form so far.

    `work` (12, 9) is scratch: at each depth the candidate rows, then how many there are, which is next, and its next branch.
    """
    top = depth
    entering = True
    while depth >= top:
        if entering:
            work[FOUND, depth], better = best_rows(grids, filled, transposed, states, depth, rows, work, best)
            work[POSITION, depth] = 0
            work[BRANCH, depth] = 0
            if better:
                leaves = 0
            entering = False
        if work[POSITION, depth] == work[FOUND, depth]:
            depth -= 1
            continue
        row = work[depth, work[POSITION, depth]]
        _, ways = place(grids, transposed, row, states, depth, work[BRANCH, depth])
        work[BRANCH, depth] += 1
        if work[BRANCH, depth] == ways:
            work[BRANCH, depth] = 0
            work[POSITION, depth] += 1
        rows[depth] = row
        if depth < 8:
            depth += 1
            entering = True
            continue
        if leaves == 0:
            _note(transposed, states, rows, transforms, n)
        leaves += 1
    return leaves


@folded
def _note(transposed: int, states: Ints, rows: Ints, transforms: npt.NDArray[np.uint8], n: int) -> None:
    """Write down the transform that the finished search path amounts to; digits that do not occur take the labels left over."""
    transforms[n, 0] = transposed
    for i in range(9):
        transforms[n, 1 + i] = rows[i]
        transforms[n, 10 + i] = states[9, ORDER + i]
    label = states[9, NEXT]
    transforms[n, 19] = 0
    for digit in range(1, 10):
        known = states[9, LABEL + digit]
        if known == 0:
            known = label
            label += 1
        transforms[n, 19 + digit] = known


@folded
def _start_full(  # noqa: PLR0917  # a kernel takes its arrays by position
    grids: Ints, transposed: int, states: Ints, rows: Ints, plan: Ints, first: int, second: int
) -> None:
    """Set state 2 of a full grid: its first two rows placed, all columns and labels decided."""
    for i in range(STATE):
        states[2, i] = 0
    for i in range(9):
        states[2, ORDER + i] = plan[ORDER_ROW, i]
        states[2, LABEL + grids[transposed, 9 * first + plan[ORDER_ROW, i]]] = i + 1
    states[2, NEXT] = 10
    rows[0] = first
    rows[1] = second


@kernel
def minlex(
    puzzles: npt.NDArray[np.uint8],
    canonical: npt.NDArray[np.uint8],
    automorphisms: Ints,
    transforms: npt.NDArray[np.uint8],
) -> int:
    """Bring puzzles (n, 81) to minlex form; return how many: up to the first with conflicting givens, if there is one.

    Fills `canonical` (n, 81), `automorphisms` (n,) and `transforms` (n, 29): whether the source is transposed first, the
    source row of each row, the source column of each column, the label of each digit 0..9.
    """
    grids = np.zeros((2, 81), np.int64)
    filled = np.zeros((2, 9), np.int64)
    states = np.zeros((10, STATE), np.int64)
    work = np.zeros((12, 9), np.int64)
    plan = np.zeros((3, 9), np.int64)
    rows = np.zeros(9, np.int64)
    best = np.zeros(9, np.int64)
    houses = np.zeros(27, np.int64)
    for n in range(puzzles.shape[0]):
        if _read(puzzles, n, grids, filled, houses):
            return n
        clues = 0
        for i in range(9):
            best[i] = WORST
            clues += filled[0, i]
        leaves = NONE
        if clues < 81:
            for transposed in range(2):
                start(states)
                leaves = _descend(grids, filled, transposed, NONE, states, rows, work, best, leaves, transforms, n)
        else:
            best[0] = FULL_FIRST_ROW
            # The first round finds the least second row, the second follows up every way to it.
            for searching in range(2):
                for transposed in range(2):
                    for first in range(9):
                        for other in range(1, 3):
                            second = first // 3 * 3 + (first + other) % 3
                            positions(grids, transposed, first, second, plan)
                            for choice in range(CHOICES):
                                for rest in range(6):
                                    code = second_row(choice, rest, plan, best[1])
                                    if code == WORST:
                                        break
                                    if searching == 0:
                                        best[1] = min(best[1], code)
                                    elif code == best[1]:
                                        _start_full(grids, transposed, states, rows, plan, first, second)
                                        leaves = _descend(
                                            grids, filled, transposed, _TWO, states, rows, work, best, leaves, transforms, n
                                        )
        for i in range(9):
            for j in range(9):
                canonical[n, 9 * i + j] = best[i] >> 4 * (8 - j) & 15
        automorphisms[n] = leaves * _exchanges(filled, NONE) * _exchanges(filled, SECOND)
    return len(puzzles)
