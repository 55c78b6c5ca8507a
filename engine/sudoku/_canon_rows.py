"""One step of the search for the minlex form: a row is placed, ties are kept open as long as nothing tells them apart.

State of the search after some rows have been placed (one row of an int64 array):

    0..8    ORDER     source column in each of the nine target columns
    9..11   BLANK     in each target stack, how many leading columns are blank in all placed rows: their order is still open
    12      STACKS    how many leading stacks are blank in all placed rows: their order is still open too
    13      NEXT      the smallest label not given yet
    14..23  LABEL     label of each digit, 0 if it has none yet

Two columns of a stack that are not both blank so far differ in some placed row (a digit occurs once in a row), so blank is
the only way to be undecided; and the blank ones come first, because 0 sorts first. New digits in undecided columns get labels
in an order that only later rows can judge: these are the search's branches.
"""

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from engine._jit import folded, kernel

ORDER: Final = 0
BLANK: Final = 9
STACKS: Final = 12
NEXT: Final = 13
LABEL: Final = 14
STATE: Final = 24

NEW: Final = 15
"""Sort key of a digit without a label: after every label."""
WORST: Final = 1 << 40
"""More than any row code (nine 4-bit labels)."""

PERMUTATIONS: Final = np.array([[0, 1, 2], [1, 0, 2], [0, 2, 1], [1, 2, 0], [2, 0, 1], [2, 1, 0]], np.int64)
"""All orders of three things; the first two are all orders of two."""

Ints = npt.NDArray[np.int64]

# Typed constants: the compiler makes one more copy of a function for each literal integer that it is called with.
NONE: Any = np.int64(0)
FIRST: Any = np.int64(0)
SECOND: Any = np.int64(1)
THIRD: Any = np.int64(2)


@folded
def _sort_blank_columns(  # noqa: PLR0917  # a kernel takes its arrays by position
    grids: Ints, transposed: int, row: int, states: Ints, at: int, stack: int, branch: int
) -> tuple[int, int, int]:
    """Order a stack's undecided columns by what the row has in them.

    Returns (sort key of the stack's minirow, number of equally good orders, the part of `branch` not used up).
    """
    start = ORDER + 3 * stack
    blank = states[at, BLANK + stack]
    fresh = 0
    zeros = 0
    key = 0
    ways = 1
    if blank > 0:
        # Insertion sort of at most three (key, column) pairs, packed as key * 16 + column.
        first = 0
        second = 0
        third = 0
        for i in range(blank):
            column = states[at, start + i]
            digit = grids[transposed, 9 * row + column]
            if digit == 0:
                value = column
                zeros += 1
            else:
                label = states[at, LABEL + digit]
                if label == 0:
                    label = NEW
                    fresh += 1
                value = 16 * label + column
            if i == 0:
                first = value
            elif i == 1:
                if value < first:
                    second = first
                    first = value
                else:
                    second = value
            elif value < first:
                third = second
                second = first
                first = value
            elif value < second:
                third = second
                second = value
            else:
                third = value
        states[at, start] = first & 15
        if blank > 1:
            states[at, start + 1] = second & 15
        if blank > 2:
            states[at, start + 2] = third & 15
        key = (first >> 4 << 8) | (second >> 4 << 4) | (third >> 4)
        if fresh > 1:
            ways = 2 if fresh == 2 else 6
            choice = branch % ways
            branch //= ways
            if choice > 0:
                base = start + blank - fresh
                a = states[at, base]
                b = states[at, base + 1]
                if fresh == 2:
                    states[at, base] = b
                    states[at, base + 1] = a
                else:
                    c = states[at, base + 2]
                    for i in range(3):
                        pick = PERMUTATIONS[choice, i]
                        states[at, base + i] = a if pick == 0 else (b if pick == 1 else c)
        states[at, BLANK + stack] = zeros
    return key, ways, branch


@kernel
def _swap_stacks(states: Ints, at: int, one: int, other: int) -> None:
    for i in range(3):
        kept = states[at, ORDER + 3 * one + i]
        states[at, ORDER + 3 * one + i] = states[at, ORDER + 3 * other + i]
        states[at, ORDER + 3 * other + i] = kept
    kept = states[at, BLANK + one]
    states[at, BLANK + one] = states[at, BLANK + other]
    states[at, BLANK + other] = kept


@kernel
def place(  # noqa: PLR0917  # a kernel takes its arrays by position
    grids: Ints, transposed: int, row: int, states: Ints, depth: int, branch: int
) -> tuple[int, int]:
    """Place a source row below the state at `depth`; the new state goes to `depth + 1`.

    `branch` chooses among equally good orders. Returns (row code, number of such orders).
    """
    at = depth + 1
    for i in range(STATE):
        states[at, i] = states[depth, i]
    key0, total, branch = _sort_blank_columns(grids, transposed, row, states, at, FIRST, branch)
    key1, ways, branch = _sort_blank_columns(grids, transposed, row, states, at, SECOND, branch)
    total *= ways
    key2, ways, branch = _sort_blank_columns(grids, transposed, row, states, at, THIRD, branch)
    total *= ways
    open_stacks = states[depth, STACKS]
    if open_stacks > 0:
        if open_stacks > 1 and key1 < key0:
            _swap_stacks(states, at, FIRST, SECOND)
            key0, key1 = key1, key0
        if open_stacks > 2:
            if key2 < key1:
                _swap_stacks(states, at, SECOND, THIRD)
                key1, key2 = key2, key1
            if key1 < key0:
                _swap_stacks(states, at, FIRST, SECOND)
                key0, key1 = key1, key0
        still_open = 0
        if key0 == 0:
            still_open = 1
            if open_stacks > 1 and key1 == 0:
                still_open = 2
                if open_stacks > 2 and key2 == 0:
                    still_open = 3
        states[at, STACKS] = still_open
        # Stacks with equal keys that are not blank differ in new digits only: either order is as good for this row.
        low_tie = open_stacks > 1 and key0 == key1 and key0 != 0
        high_tie = open_stacks > 2 and key1 == key2 and key1 != 0
        if low_tie and high_tie:
            total *= 6
            choice = branch % 6
            # The six orders as products of at most three swaps of neighbours.
            if choice & 1:
                _swap_stacks(states, at, FIRST, SECOND)
            if choice > 1:
                _swap_stacks(states, at, SECOND, THIRD)
            if choice > 3:
                _swap_stacks(states, at, FIRST, SECOND)
        elif low_tie:
            total *= 2
            if branch % 2:
                _swap_stacks(states, at, FIRST, SECOND)
        elif high_tie:
            total *= 2
            if branch % 2:
                _swap_stacks(states, at, SECOND, THIRD)
    code = 0
    label = states[at, NEXT]
    for i in range(9):
        digit = grids[transposed, 9 * row + states[at, ORDER + i]]
        code <<= 4
        if digit:
            known = states[at, LABEL + digit]
            if known == 0:
                known = label
                states[at, LABEL + digit] = label
                label += 1
            code |= known
    states[at, NEXT] = label
    return code, total


@kernel
def best_rows(  # noqa: PLR0917  # a kernel takes its arrays by position
    grids: Ints, filled: Ints, transposed: int, states: Ints, depth: int, rows: Ints, candidates: Ints, best: Ints
) -> tuple[int, bool]:
    """List the source rows that give the smallest next row: (how many, whether that is smaller than the best known).

    None if the smallest is larger than the best known row. Of blank rows in a band, and of blank bands, only the first is
    listed: exchanging them changes nothing.
    """
    used = 0
    for i in range(depth):
        used |= 1 << rows[i]
    first_band = NONE
    last_band = np.int64(3)
    if depth % 3:
        first_band = rows[depth - 1] // 3
        last_band = first_band + 1
    smallest = best[depth]
    found = 0
    better = False
    blank_band_seen = False
    for band in range(first_band, last_band):
        if depth % 3 == 0:
            if used >> (3 * band) & 7:
                continue
            if filled[transposed, 3 * band] + filled[transposed, 3 * band + 1] + filled[transposed, 3 * band + 2] == 0:
                if blank_band_seen:
                    continue
                blank_band_seen = True
        blank_row_seen = False
        for row in range(3 * band, 3 * band + 3):
            if used >> row & 1:
                continue
            if filled[transposed, row] == 0:
                if blank_row_seen:
                    continue
                blank_row_seen = True
            code, _ = place(grids, transposed, row, states, depth, NONE)
            if code > smallest:
                continue
            if code < smallest:
                smallest = code
                better = True
                found = 0
            candidates[depth, found] = row
            found += 1
    if better:
        best[depth] = smallest
        for i in range(depth + 1, 9):
            best[i] = WORST
    return found, better


@folded
def start(states: Ints) -> None:
    """Set state 0: nothing placed."""
    for i in range(STATE):
        states[0, i] = i if i < BLANK else 0
    for stack in range(3):
        states[0, BLANK + stack] = 3
    states[0, STACKS] = 3
    states[0, NEXT] = 1
