"""Bivalue universal grave, types 1 to 4.

If every empty cell had two candidates and every digit two places in each house, the rest of the grid would have an even number
of solutions. So some of the digits that spoil this pattern (the bug digits, in the bug cells) must be true.
"""

from typing import Final

from engine._jit import forward_kernel as kernel
from engine.sudoku.rating._state import (
    CAND,
    EMPTY,
    H_COMMON,
    H_COUNT,
    H_DIGITS,
    H_HOUSE,
    H_RATING,
    H_TECHNIQUE,
    PLACE,
    any_common,
    begin,
    drop,
    drop_common,
    drop_house,
    mark,
    mark_house,
    see,
    see_none,
)
from engine.sudoku.rating._tables import (
    ALL,
    HOUSE_OF,
    HOUSES,
    LOW,
    POP,
    POSITION,
    SEES,
    SUBSET_START,
    SUBSETS,
    WALK,
    Words,
)
from engine.sudoku.rating.techniques import BUG

# Scratch.
B_CELL: Final = 0  # 81: the bug cells in the order in which they were found
B_DIGITS: Final = 81  # 81: bug digits by cell
B_COUNT: Final = 162  # number of bug cells
B_ALL: Final = 163  # all bug digits
B_SIZE: Final = 164


@kernel
def bug(g: Words, hint: Words, w: Words) -> bool:
    """Find a bivalue universal grave of any type."""
    if not (find_bugs(g, hint, w) and is_grave(g, w)):
        return False
    count = w[B_COUNT]
    if count == 1:
        open_bug(hint, w)
        hint[H_RATING] = 56
        drop(g, hint, w[B_CELL], ALL & ~w[B_ALL])
        return bool(hint[H_COUNT] > 0)
    digit = LOW[w[B_ALL]]
    if w[B_ALL] >> (digit + 1) == 0 and any_common(g, hint, digit):
        open_bug(hint, w)
        hint[H_TECHNIQUE] += 1
        drop_common(g, hint, digit)
        return True
    if count == 2 and bug_four(g, hint, w):
        return True
    return w[B_ALL] >> (digit + 1) != 0 and bug_three(g, hint, w)


@kernel
def find_bugs(g: Words, hint: Words, w: Words) -> bool:
    """Find the bug cells and digits, and leave the cells that see all bug cells in the hint; False if it is no grave."""
    for c in range(81):
        w[B_DIGITS + c] = 0
    w[B_COUNT] = 0
    w[B_ALL] = 0
    see_none(hint)
    for t in range(27):
        h = 9 * WALK[t // 9] + t % 9
        for d in range(9):
            where = g[PLACE + h * 9 + d]
            if where == 0 or POP[where] == 2:
                continue
            cell = -1
            several = False
            for p in range(9):
                if where >> p & 1 and POP[g[CAND + HOUSES[h, p]]] >= 3:
                    several = cell >= 0
                    if several:
                        break
                    cell = HOUSES[h, p]
            if cell < 0:
                return False
            if several:
                continue  # another house of these cells must decide
            if w[B_DIGITS + cell] == 0:
                w[B_CELL + w[B_COUNT]] = cell
                see(hint, w[B_CELL + w[B_COUNT]])
                w[B_COUNT] += 1
            w[B_DIGITS + cell] |= 1 << d
            w[B_ALL] |= 1 << d
            unseen = hint[H_COMMON] | hint[H_COMMON + 1] | hint[H_COMMON + 2] == 0
            if unseen and w[B_COUNT] > 1 and POP[w[B_ALL]] > 1:
                return False
    return bool(w[B_COUNT] > 0)


@kernel
def is_grave(g: Words, w: Words) -> bool:
    """Tell whether without the bug digits each empty cell has two candidates and each digit no or two places in each house."""
    for h in range(27):
        for p in range(9):
            cell = HOUSES[h, p]
            if g[EMPTY + h] >> p & 1 and POP[g[CAND + cell] & ~w[B_DIGITS + cell]] != 2:
                return False
        for d in range(9):
            n = 0
            for p in range(9):
                cell = HOUSES[h, p]
                n += (g[CAND + cell] & ~w[B_DIGITS + cell]) >> d & 1
            if n * (n - 2) != 0:
                return False
    return True


@kernel
def open_bug(hint: Words, w: Words) -> None:
    """Start a hint with the bug cells as its pattern; the caller corrects type and rating."""
    begin(hint)
    hint[H_TECHNIQUE] = BUG
    hint[H_RATING] = 57
    hint[H_DIGITS] = w[B_ALL]
    for i in range(w[B_COUNT]):
        mark(hint, w[B_CELL + i])


@kernel
def bug_four(g: Words, hint: Words, w: Words) -> bool:
    """Two bug cells of a house with one other digit in common: that digit takes one of them, a bug digit the other."""
    one = w[B_CELL]
    two = w[B_CELL + 1]
    keep = g[CAND + one] & ~w[B_DIGITS + one] & g[CAND + two] & ~w[B_DIGITS + two]
    if POP[keep] != 1 or SEES[one, two] == 0:
        return False
    open_bug(hint, w)
    hint[H_TECHNIQUE] += 3
    hint[H_DIGITS] |= keep
    drop(g, hint, one, ALL & ~(keep | w[B_DIGITS + one]))
    drop(g, hint, two, ALL & ~(keep | w[B_DIGITS + two]))
    return bool(hint[H_COUNT] > 0)


@kernel
def bug_three(g: Words, hint: Words, w: Words) -> bool:
    """Bug cells of a house that act as one cell with the bug digits, in a naked set of size k: 5.7 + 0.1 (k - 1)."""
    for t in range(3):
        house = HOUSE_OF[w[B_CELL], WALK[t]]
        inside = 0
        for i in range(w[B_COUNT]):
            if HOUSE_OF[w[B_CELL + i], WALK[t]] == house:
                inside |= 1 << POSITION[w[B_CELL + i], WALK[t]]
        if POP[inside] != w[B_COUNT]:
            continue
        near = 0
        for p in range(9):
            cell = HOUSES[house, p]
            if hint[H_COMMON + cell // 27] >> (cell % 27) & 1 and g[CAND + cell]:
                near |= 1 << p
        for k in range(2, min(6, POP[near]) + 1):
            for s in range(SUBSET_START[k - 1], SUBSET_START[k]):
                where = SUBSETS[s]
                if where & ~near:
                    continue
                digits = 0
                for p in range(9):
                    if where >> p & 1:
                        digits |= g[CAND + HOUSES[house, p]]
                if POP[digits] != k or w[B_ALL] & ~digits:
                    continue
                open_bug(hint, w)
                hint[H_TECHNIQUE] += 2
                hint[H_RATING] += k - 1
                hint[H_DIGITS] = digits
                hint[H_HOUSE] = house
                mark_house(hint, house, where)
                drop_house(g, hint, house, ALL & ~(where | inside), digits)
                if hint[H_COUNT]:
                    return True
    return False
