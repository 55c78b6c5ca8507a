"""The minlex form of full grids: from the second row on.

The first row is 123456789 whatever it is made from: 18 lines in 1296 orders of columns. So it is left open, and the second row
decides: its digits, by their places in the first row, are a permutation of the columns, and the smallest way to write that down
settles all columns. The first stack's three digits come from the two other stacks: all from the one that is put second
(4 5 6), or two of them (4 5 7), which can always be had. That leaves 18 or 6 of the 1296 orders of columns for each of the 36
ordered pairs of rows: the order of the stacks follows from the choice of the first one, and each digit of the second row that
is met in a column not yet in order takes the next free column of its stack.

With columns and labels known the other rows follow: they are sorted by their first column.
"""

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from engine._jit import kernel
from engine.sudoku._canon_rows import NEXT, NONE, PERMUTATIONS, WORST, Ints, note

POINTS: Final = 0
"""Row of the plan: for each column, the column in which the first row has the second row's digit."""
ORDER: Final = 1
"""Row of the plan: the source column in each target column."""
SLOT: Final = 2
"""Row of the plan: the target column of each source column, -1 if it is still open."""
PLAN: Final = 3
"""Rows of the plan."""

FIRST_ROW: Any = np.int64(0x123456789)
BETTER: Final = 1
EQUAL: Final = 0
WORSE: Final = -1

# First stacks in the order in which `PERMUTATIONS` lists stacks that follow each other 0 1 2, or 0 2 1.
_FIRST_STACKS: Final = np.array([[0, 1, 2], [1, 0, 2]], np.int64)


@kernel
def _point(lines: Ints, first: int, second: int, plan: Ints) -> tuple[bool, int]:
    """Fill the POINTS row of `plan`; return whether minirows move as a whole, and which row of `_FIRST_STACKS` holds.

    `first` and `second` are numbers of lines in one band.
    """
    places = NONE
    for column in range(9):
        places |= column << 4 * (lines[first] >> 4 * column & 15)
    in_last_stack = NONE
    for column in range(9):
        target = places >> 4 * (lines[second] >> 4 * column & 15) & 15
        plan[POINTS, column] = target
        if column < 3 and target > 5:
            in_last_stack += 1
    return in_last_stack % 3 == 0, 1 if in_last_stack > 1 else 0


@kernel
def _second_row(plan: Ints, stack: int, choice: int, whole: bool, limit: int) -> int:  # noqa: FBT001  # a kernel takes its arguments by position
    """Return the second row's code (nine 4-bit labels) for one choice of order, which is left in ORDER.

    `stack` comes first, its columns in order number `choice`. `WORST` is returned if that does not begin as well as it must
    (4 5 6 if minirows move as a `whole`, otherwise 4 5 7) or if the code is beyond `limit`.
    """
    for column in range(9):
        plan[SLOT, column] = -1
    for i in range(3):
        column = 3 * stack + PERMUTATIONS[choice, i]
        plan[ORDER, i] = column
        plan[SLOT, column] = i
    next_stack = plan[POINTS, plan[ORDER, 0]] // 3
    if plan[POINTS, plan[ORDER, 1]] // 3 != next_stack:
        return WORST
    if (plan[POINTS, plan[ORDER, 2]] // 3 == next_stack) != whole:
        return WORST
    free_1 = NONE + 3
    free_2 = NONE + 6
    code = NONE
    for i in range(9):
        # A column that no digit so far has led to takes the last place in its stack.
        if i == 5 and free_1 == 5:
            left = 9 * next_stack + 3 - plan[ORDER, 3] - plan[ORDER, 4]
            plan[ORDER, 5] = left
            plan[SLOT, left] = 5
        if i == 8 and free_2 == 8:
            left = 9 * (3 - stack - next_stack) + 3 - plan[ORDER, 6] - plan[ORDER, 7]
            plan[ORDER, 8] = left
            plan[SLOT, left] = 8
        target = plan[POINTS, plan[ORDER, i]]
        slot = plan[SLOT, target]
        if slot < 0:
            if target // 3 == next_stack:
                slot = free_1
                free_1 += 1
            else:
                slot = free_2
                free_2 += 1
            plan[SLOT, target] = slot
            plan[ORDER, slot] = target
        code = code << 4 | (slot + 1)
        if i >= 3 and code > limit >> 4 * (8 - i):
            return WORST
    return int(code)


@kernel
def _code(line: int, plan: Ints, labels: int) -> int:
    """Return a row's code when all columns are in order and all digits have labels."""
    code = NONE
    for i in range(9):
        code = code << 4 | (labels >> 4 * (line >> 4 * plan[ORDER, i] & 15) & 15)
    return int(code)


@kernel
def _sort_band(  # noqa: PLR0917  # a kernel takes its arrays by position
    lines: Ints, at: int, band: int, labels: int, plan: Ints, rows: Ints, depth: int
) -> int:
    """Put a band's rows in order of their first column, from target row `depth` on; return the first one's label there."""
    smallest = NONE
    largest = NONE
    total = NONE
    for row in range(3 * band, 3 * band + 3):
        key = (labels >> 4 * (lines[at + row] >> 4 * plan[ORDER, 0] & 15) & 15) << 4 | row
        total += key
        smallest = key if row == 3 * band else min(smallest, key)
        largest = max(largest, key)
    rows[depth] = smallest & 15
    rows[depth + 1] = total - smallest - largest & 15
    rows[depth + 2] = largest & 15
    return int(smallest >> 4)


@kernel
def _other_rows(  # noqa: PLR0917  # a kernel takes its arrays by position
    lines: Ints, at: int, labels: int, plan: Ints, rows: Ints, best: Ints
) -> int:
    """Place all rows behind the first two, and keep their codes in `best` if they are better; return how they compare."""
    rows[2] = 9 * (rows[0] // 3) + 3 - rows[0] - rows[1]
    code = _code(lines[at + rows[2]], plan, labels)
    if code > best[2]:
        return WORSE
    band_1 = NONE + (0 if rows[0] >= 3 else 1)
    band_2 = 3 - band_1 - rows[0] // 3
    label_1 = _sort_band(lines, at, band_1, labels, plan, rows, NONE + 3)
    label_2 = _sort_band(lines, at, band_2, labels, plan, rows, NONE + 6)
    if label_2 < label_1:
        for i in range(3, 6):
            rows[i], rows[i + 3] = rows[i + 3], rows[i]
    result = EQUAL
    for i in range(2, 9):
        code = _code(lines[at + rows[i]], plan, labels)
        if result == EQUAL:
            if code > best[i]:
                return WORSE
            if code < best[i]:
                result = BETTER
        best[i] = code
    return result


@kernel
def search_full(  # noqa: PLR0917  # a kernel takes its arrays by position
    lines: Ints, plan: Ints, rows: Ints, best: Ints, transforms: npt.NDArray[np.uint8], n: int
) -> int:
    """Find the best form of the full grid with these lines (18,), its row codes in `best`; return how many ways lead to it.

    `plan` (3, 9) and `rows` (9,) are scratch.
    """
    best[0] = FIRST_ROW
    leaves = NONE
    any_whole = False
    for band in range(6):
        whole, _ = _point(lines, 3 * band, 3 * band + 1, plan)
        any_whole |= whole
    for first in range(18):
        at = first // 9 * 9
        for other in range(1, 3):
            second = first // 3 * 3 + (first + other) % 3
            whole, cycle = _point(lines, first, second, plan)
            if whole != any_whole:
                continue
            for choice in range(6):
                for i in range(3):
                    code = _second_row(plan, _FIRST_STACKS[cycle, i], choice, whole, best[1])
                    if code == WORST:
                        continue
                    if code < best[1]:
                        best[1] = code
                        best[2] = WORST
                    labels = NONE
                    for slot in range(9):
                        labels |= (slot + 1) << 4 * (lines[first] >> 4 * plan[ORDER, slot] & 15)
                    rows[0] = first - at
                    rows[1] = second - at
                    result = _other_rows(lines, at, labels, plan, rows, best)
                    if result == WORSE:
                        continue
                    if result == BETTER:
                        leaves = NONE
                        columns = NONE
                        for slot in range(9):
                            columns |= plan[ORDER, slot] << 16 * (slot // 3) + 4 * (slot % 3)
                        note(at // 9, columns, labels | 10 << NEXT, rows, transforms, n)
                    leaves += 1
    return int(leaves)
