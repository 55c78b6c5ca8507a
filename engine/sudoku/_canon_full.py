"""The first two rows of a full grid's minlex form.

The first row is 123456789 whatever it is made from: 18 lines in 1296 orders of columns. So it is left open, and the second row
decides: its digits, by their places in the first row, are a permutation of the columns, and the smallest way to write that down
settles all columns. Once the order of the stacks and of the first stack's columns is chosen (36 ways), each digit of the second
row that is met in a column not yet in order takes the next free column of its stack; three columns may be left over (2 or 6
ways).
"""

from typing import Any, Final

import numpy as np

from engine._jit import folded
from engine.sudoku._canon_rows import PERMUTATIONS, WORST, Ints

CHOICES: Final = 36
"""Choices that `second_row` understands: 6 orders of stacks, 6 of the first stack's columns."""

POINTS: Final = 0
"""Row of the plan: for each column, the column in which the first row has the second row's digit."""
ORDER_ROW: Final = 1
"""Row of the plan: the source column in each target column."""
SLOT: Final = 2
"""Row of the plan: the target column of each source column, -1 if it is still open."""

_ZERO: Any = np.int64(0)


@folded
def positions(grids: Ints, transposed: int, first: int, second: int, plan: Ints) -> None:
    """Fill the POINTS row of `plan`."""
    for column in range(9):
        digit = grids[transposed, 9 * second + column]
        for other in range(9):
            if grids[transposed, 9 * first + other] == digit:
                plan[POINTS, column] = other


@folded
def second_row(choice: int, rest: int, plan: Ints, limit: int) -> int:
    """Return the second row's code (nine 4-bit labels) for one choice of order, which is left in ORDER_ROW.

    `rest` counts the orders of the columns that the choice leaves open. `WORST` is returned if there are no more of them, or if
    the code is beyond `limit` by its first three labels, whatever the rest.
    """
    stacks = choice % 6
    columns = choice // 6
    for column in range(9):
        plan[SLOT, column] = -1
    second_stack = PERMUTATIONS[stacks, 1]
    free_1 = _ZERO + 3
    free_2 = _ZERO + 6
    code = _ZERO
    for i in range(3):
        column = 3 * PERMUTATIONS[stacks, 0] + PERMUTATIONS[columns, i]
        plan[ORDER_ROW, i] = column
        plan[SLOT, column] = i
    for i in range(3):
        column = plan[POINTS, plan[ORDER_ROW, i]]
        if column // 3 == second_stack:
            slot = free_1
            free_1 += 1
        else:
            slot = free_2
            free_2 += 1
        plan[SLOT, column] = slot
        plan[ORDER_ROW, slot] = column
        code = code << 4 | (slot + 1)
    if code > limit >> 24:
        return WORST
    open_1 = 6 - free_1
    open_2 = 9 - free_2
    ways_1 = 6 if open_1 == 3 else (2 if open_1 == 2 else 1)
    ways_2 = 6 if open_2 == 3 else (2 if open_2 == 2 else 1)
    if rest >= ways_1 * ways_2:
        return WORST
    _take_rest(plan, second_stack, free_1, rest % ways_1)
    _take_rest(plan, PERMUTATIONS[stacks, 2], free_2, rest // ways_1)
    for slot in range(3, 9):
        code = code << 4 | (plan[SLOT, plan[POINTS, plan[ORDER_ROW, slot]]] + 1)
    return int(code)


@folded
def _take_rest(plan: Ints, stack: int, free: int, order: int) -> None:
    """Put the columns of a stack that are still open into its free target columns, in one of their orders."""
    met = 0
    for column in range(3 * stack, 3 * stack + 3):
        if plan[SLOT, column] < 0:
            for i in range(3):
                if PERMUTATIONS[order, i] == met:
                    plan[SLOT, column] = free + i
                    plan[ORDER_ROW, free + i] = column
            met += 1
