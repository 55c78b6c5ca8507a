"""One step of the search for the minlex form: a row is placed, ties are kept open as long as nothing tells them apart.

A line (row or column of the source) is one integer, 4 bits a cell, the first cell lowest. The state of the search after some
rows have been placed is two integers:

    columns     for each target stack 16 bits, the first stack lowest: its three source columns (4 bits each), and how many of
                them, at its beginning, are blank in all placed rows (2 bits): their order is still open;
                from bit OPEN_STACKS: how many leading stacks are blank in all placed rows: their order is still open too
    labels      for each digit 0..9 its label (4 bits), NEW if it has none yet; from bit NEXT: the smallest label not given yet

Two columns of a stack that are not both blank so far differ in some placed row (a digit occurs once in a row), so blank is
the only way to be undecided; and the blank ones come first, because 0 sorts first. New digits in undecided columns get labels
in an order that only later rows can judge: these are the search's branches.
"""

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from engine._jit import folded, kernel

NEW: Final = 15
"""Label of a digit without a label: sorts after every label."""
NEXT: Final = 40
OPEN_STACKS: Final = 48

WORST: Final = 1 << 40
"""More than any row code (nine 4-bit labels)."""

START_COLUMNS: Final = 3 << OPEN_STACKS | 0x3876 << 32 | 0x3543 << 16 | 0x3210
START_LABELS: Final = 1 << NEXT | 0xFFFFFFFFF0
"""State when nothing is placed."""

PERMUTATIONS: Final = np.array([[0, 1, 2], [1, 0, 2], [0, 2, 1], [1, 2, 0], [2, 0, 1], [2, 1, 0]], np.int64)
"""All orders of three things; the first two are all orders of two."""

Ints = npt.NDArray[np.int64]

# Typed constant: the compiler makes one more copy of a function for each literal integer that it is called with.
NONE: Any = np.int64(0)


@kernel
def _reorder(field: int, blank: int, fresh: int, choice: int) -> int:
    """Return the 16 bits of a stack with its `fresh` columns (2 or 3), the last of the `blank` ones, in another order."""
    base = 4 * (blank - fresh)
    columns = field >> base & 0xFFF
    field ^= columns << base
    if fresh == 2:
        columns = (columns & 0xF00) | (columns & 15) << 4 | (columns >> 4 & 15)
    else:
        moved = NONE
        for i in range(3):
            moved |= (columns >> 4 * PERMUTATIONS[choice, i] & 15) << 4 * i
        columns = moved
    return field | columns << base


@folded
def _label(column: int, line: int, labels: int) -> int:
    """Return the label of a line's cell: 0 if it is blank, NEW if its digit has none yet."""
    return labels >> 4 * (line >> 4 * column & 15) & 15


@folded
def _minirow(field: int, line: int, labels: int, branch: int) -> tuple[int, int, int, int]:
    """Order a stack's undecided columns by what the line has in them.

    Returns (the stack's 16 bits, labels of its three cells, number of equally good orders, the part of `branch` not used up).
    """
    column_0 = field & 15
    column_1 = field >> 4 & 15
    column_2 = field >> 8 & 15
    blank = field >> 12
    label_0 = _label(column_0, line, labels)
    label_1 = _label(column_1, line, labels)
    label_2 = _label(column_2, line, labels)
    ways = NONE + 1
    if blank == 0:
        return field, label_0 << 8 | label_1 << 4 | label_2, ways, branch
    # Sorted by label and then column; columns that are decided keep their places by a higher bit. No jumps: they would be
    # as good as random.
    cell_0 = label_0 << 4 | column_0
    cell_1 = label_1 << 4 | column_1 | (512 if blank < 2 else 0)
    cell_2 = label_2 << 4 | column_2 | (1024 if blank < 3 else 0)
    cell_0, cell_1 = min(cell_0, cell_1), max(cell_0, cell_1)
    cell_1, cell_2 = min(cell_1, cell_2), max(cell_1, cell_2)
    cell_0, cell_1 = min(cell_0, cell_1), max(cell_0, cell_1)
    zeros = NONE + (cell_0 < 16) + (cell_1 < 16) + (cell_2 < 16)
    fresh = NONE + (cell_0 >> 4 == NEW) + (cell_1 >> 4 == NEW) + (cell_2 >> 4 == NEW)
    field = zeros << 12 | (cell_2 & 15) << 8 | (cell_1 & 15) << 4 | (cell_0 & 15)
    if fresh > 1:
        ways = NONE + (2 if fresh == 2 else 6)
        if branch > 0:
            choice = branch % ways
            branch //= ways
            if choice > 0:
                field = zeros << 12 | _reorder(field & 0xFFF, blank, fresh, choice)
    return field, (cell_0 & 0xF0) << 4 | (cell_1 & 0xF0) | (cell_2 >> 4 & 15), ways, branch


@kernel
def place(line: int, columns: int, labels: int, branch: int) -> tuple[int, int, int, int]:
    """Place a source row below a state.

    `branch` chooses among equally good orders. Returns (row code: nine 4-bit labels, columns and labels of the new state,
    number of such orders).
    """
    one, key_1, total, branch = _minirow(columns & 0xFFFF, line, labels, branch)
    two, key_2, ways, branch = _minirow(columns >> 16 & 0xFFFF, line, labels, branch)
    total *= ways
    three, key_3, ways, branch = _minirow(columns >> 32 & 0xFFFF, line, labels, branch)
    total *= ways
    open_stacks = columns >> OPEN_STACKS
    if open_stacks > 0:
        if open_stacks > 1 and key_2 < key_1:
            key_1, key_2 = key_2, key_1
            one, two = two, one
        if open_stacks > 2:
            if key_3 < key_2:
                key_2, key_3 = key_3, key_2
                two, three = three, two
            if key_2 < key_1:
                key_1, key_2 = key_2, key_1
                one, two = two, one
        still_open = NONE
        if key_1 == 0:
            still_open += 1
            if open_stacks > 1 and key_2 == 0:
                still_open += 1
                if open_stacks > 2 and key_3 == 0:
                    still_open += 1
        open_stacks, before = still_open, open_stacks
        # Stacks with equal keys that are not blank differ in new digits only: either order is as good for this row.
        low_tie = before > 1 and key_1 == key_2 and key_1 != 0
        high_tie = before > 2 and key_2 == key_3 and key_2 != 0
        if low_tie and high_tie:
            total *= 6
            choice = branch % 6
            # The six orders as products of at most three swaps of neighbours.
            if choice & 1:
                one, two = two, one
            if choice > 1:
                two, three = three, two
            if choice > 3:
                one, two = two, one
        elif low_tie:
            total *= 2
            if branch & 1:
                one, two = two, one
        elif high_tie:
            total *= 2
            if branch & 1:
                two, three = three, two
    code = key_1 << 24 | key_2 << 12 | key_3
    columns = open_stacks << OPEN_STACKS | three << 32 | two << 16 | one
    # The lowest bit of each cell with a new digit.
    new = code & code >> 1 & code >> 2 & code >> 3 & 0x111111111
    if new:
        label = labels >> NEXT
        for i in range(9):
            shift = 32 - 4 * i
            if new >> shift & 1:
                column = columns >> 16 * (i // 3) + 4 * (i % 3) & 15
                code ^= (NEW ^ label) << shift
                labels ^= (NEW ^ label) << 4 * (line >> 4 * column & 15)
                label += 1
        labels = (labels & (1 << NEXT) - 1) | label << NEXT
    return code, columns, labels, total


@folded
def note(  # noqa: PLR0917  # a kernel takes its arrays by position
    transposed: int, columns: int, labels: int, rows: Ints, transforms: npt.NDArray[np.uint8], n: int
) -> None:
    """Write down the transform that a finished search path amounts to; digits that do not occur take the labels left over."""
    transforms[n, 0] = transposed
    for i in range(9):
        transforms[n, 1 + i] = rows[i]
        transforms[n, 10 + i] = columns >> 16 * (i // 3) + 4 * (i % 3) & 15
    spare = labels >> NEXT
    transforms[n, 19] = 0
    for digit in range(1, 10):
        label = labels >> 4 * digit & 15
        if label == NEW:
            label = spare
            spare += 1
        transforms[n, 19 + digit] = label
