"""Singles, locking, naked and hidden sets, and fish: kernels that write the first hint found and tell whether there was one.

What they find in a house, or for a digit, depends on nothing else, so that they look only where something has changed since
they last found nothing there.
"""

from engine._jit import forward_kernel as kernel
from engine.sudoku.rating._state import (
    CAND,
    EMPTY,
    FRESH_DIGIT,
    FRESH_HOUSE,
    H_CELL,
    H_COUNT,
    H_DIGIT,
    H_DIGITS,
    H_HOUSE,
    H_OTHER,
    H_RATING,
    H_TECHNIQUE,
    PLACE,
    PLACED,
    begin,
    drop_house,
    mark,
    mark_house,
)
from engine.sudoku.rating._tables import (
    ALL,
    CROSS,
    HOUSES,
    LOCK_FIRST,
    LOCK_SECOND,
    LOCK_THIRD,
    LOW,
    POP,
    SUBSET_START,
    SUBSETS,
    Words,
)
from engine.sudoku.rating.techniques import DIRECT, HIDDEN_SINGLE, NAKED_SINGLE, RATING, SEARCHES, SIZE, TECHNIQUE


@kernel
def hidden_single(g: Words, hint: Words, which: int) -> bool:
    """Find a digit with one place in a house: first the last empty cell of any house, then blocks, columns, rows."""
    for single in range(2):
        for h in range(27):
            if g[FRESH_HOUSE + h] >> which & 1 == 0 or (POP[g[EMPTY + h]] == 1) != (single == 0):
                continue
            for d in range(9):
                where = g[PLACE + h * 9 + d]
                if where and where & (where - 1) == 0:
                    begin(hint)
                    hint[H_TECHNIQUE] = HIDDEN_SINGLE
                    hint[H_RATING] = 10 if single == 0 else (12 if h < 9 else 15)
                    hint[H_DIGITS] = 1 << d
                    hint[H_HOUSE] = h
                    hint[H_CELL] = HOUSES[h, LOW[where]]
                    hint[H_DIGIT] = d
                    mark(hint, hint[H_CELL])
                    return True
            g[FRESH_HOUSE + h] &= ~(1 << which)
    return False


@kernel
def naked_single(g: Words, hint: Words, which: int) -> bool:
    """Find a cell with one candidate."""
    for row in range(9):
        if g[FRESH_HOUSE + 18 + row] >> which & 1 == 0:
            continue
        for cell in range(9 * row, 9 * row + 9):
            m = g[CAND + cell]
            if m and m & (m - 1) == 0:
                begin(hint)
                hint[H_TECHNIQUE] = NAKED_SINGLE
                hint[H_RATING] = 23
                hint[H_DIGITS] = m
                hint[H_CELL] = cell
                hint[H_DIGIT] = LOW[m]
                mark(hint, cell)
                return True
        g[FRESH_HOUSE + 18 + row] &= ~(1 << which)
    return False


@kernel
def settle_digits(g: Words, which: int) -> None:
    """Note that a search found nothing for any digit."""
    for d in range(9):
        g[FRESH_DIGIT + d] &= ~(1 << which)


@kernel
def locking(g: Words, hint: Words, which: int) -> bool:
    """Find a digit whose places in one house all lie in a second: row `which` of `SEARCHES` is pointing, the next claiming.

    In direct mode the find counts only if it leaves one place in a neighbour of the first house, which is filled at once; else
    if it removes candidates.
    """
    direct = SEARCHES[which, DIRECT]
    for kind in range(4):
        row = which + kind // 2
        for d in range(9):
            if g[FRESH_DIGIT + d] >> which & 1 == 0:
                continue
            for i in range(9):
                h1 = LOCK_FIRST[kind] + i
                where = g[PLACE + h1 * 9 + d]
                h2 = LOCK_SECOND[kind, i, where]
                if h2 < 0:
                    continue
                if direct:
                    for j in range(2):
                        h3 = LOCK_THIRD[kind, i, j]
                        place = last_place(g, h3, d, CROSS[h3, h2])
                        if place < 9:
                            start(hint, row, 1 << d, h1)
                            hint[H_OTHER] = h2
                            mark_house(hint, h1, where)
                            hint[H_CELL] = HOUSES[h3, place]
                            hint[H_DIGIT] = d
                            return True
                else:
                    gone = g[PLACE + h2 * 9 + d] & ~CROSS[h2, h1]
                    if gone:
                        start(hint, row, 1 << d, h1)
                        hint[H_OTHER] = h2
                        mark_house(hint, h1, where)
                        drop_house(g, hint, h2, gone, 1 << d)
                        return True
    settle_digits(g, which)
    return False


@kernel
def last_place(g: Words, house: int, digit: int, without: int) -> int:
    """Return the position that a digit is left with in a house if it loses some of its places, or 9 if not just one is left."""
    where = g[PLACE + house * 9 + digit]
    rest = where & ~without
    if rest == where or rest & (rest - 1):
        return 9
    return int(LOW[rest])


@kernel
def start(hint: Words, row: int, digits: int, house: int) -> None:
    """Start a hint of the technique in this row of `SEARCHES`."""
    begin(hint)
    hint[H_TECHNIQUE] = SEARCHES[row, TECHNIQUE]
    hint[H_RATING] = SEARCHES[row, RATING]
    hint[H_DIGITS] = digits
    hint[H_HOUSE] = house


@kernel
def hidden_set(g: Words, hint: Words, which: int) -> bool:
    """Find k digits that share k cells of a house (k, mode and technique from row `which` of `SEARCHES`).

    In direct mode the find counts only if another digit of the house is then left with one place, which is filled at once.
    """
    k = SEARCHES[which, SIZE]
    enough = k if SEARCHES[which, DIRECT] else 2 * k
    for h in range(27):
        if g[FRESH_HOUSE + h] >> which & 1:
            if POP[g[EMPTY + h]] > enough and hidden_set_in(g, hint, which, h):
                return True
            g[FRESH_HOUSE + h] &= ~(1 << which)
    return False


@kernel
def hidden_set_in(g: Words, hint: Words, which: int, h: int) -> bool:
    """Find such digits in one house."""
    k = SEARCHES[which, SIZE]
    fit = 0
    for d in range(9):
        if 2 <= POP[g[PLACE + h * 9 + d]] <= k:
            fit |= 1 << d
    if POP[fit] < k:
        return False
    for s in range(SUBSET_START[k], SUBSET_START[k + 1]):
        digits = SUBSETS[s]
        if digits & ~fit:
            continue
        where = 0
        for d in range(9):
            if digits >> d & 1:
                where |= g[PLACE + h * 9 + d]
        if POP[where] != k:
            continue
        start(hint, which, digits, h)
        mark_house(hint, h, where)
        if SEARCHES[which, DIRECT]:
            for d in range(9):
                if digits >> d & 1 == 0:
                    place = last_place(g, h, d, where)
                    if place < 9:
                        hint[H_CELL] = HOUSES[h, place]
                        hint[H_DIGIT] = d
                        return True
        else:
            drop_house(g, hint, h, where, ALL & ~digits)
            if hint[H_COUNT]:
                return True
    return False


@kernel
def naked_set(g: Words, hint: Words, which: int) -> bool:
    """Find k cells of a house that hold k digits between them; only that house loses them. `which` as above."""
    k = SEARCHES[which, SIZE]
    for h in range(27):
        if g[FRESH_HOUSE + h] >> which & 1:
            if POP[g[EMPTY + h]] >= 2 * k and naked_set_in(g, hint, which, h):
                return True
            g[FRESH_HOUSE + h] &= ~(1 << which)
    return False


@kernel
def naked_set_in(g: Words, hint: Words, which: int, h: int) -> bool:
    """Find such cells in one house."""
    k = SEARCHES[which, SIZE]
    fit = 0
    for p in range(9):
        if 2 <= POP[g[CAND + HOUSES[h, p]]] <= k:
            fit |= 1 << p
    if POP[fit] < k:
        return False
    for s in range(SUBSET_START[k], SUBSET_START[k + 1]):
        where = SUBSETS[s]
        if where & ~fit:
            continue
        digits = 0
        for p in range(9):
            if where >> p & 1:
                digits |= g[CAND + HOUSES[h, p]]
        if POP[digits] != k:
            continue
        start(hint, which, digits, h)
        mark_house(hint, h, where)
        drop_house(g, hint, h, ALL & ~where, digits)
        if hint[H_COUNT]:
            return True
    return False


@kernel
def fish(g: Words, hint: Words, fit: Words, which: int) -> bool:
    """Find k columns (then rows) whose places for a digit lie in k rows (columns). `fit` is scratch of 9 words."""
    k = SEARCHES[which, SIZE]
    for across in range(2):
        base = 9 + 9 * across
        cover = 18 - 9 * across
        any_fit = False
        for d in range(9):
            fit[d] = 0
            if g[PLACED + d] > 9 - 2 * k or g[FRESH_DIGIT + d] >> which & 1 == 0:
                continue
            for i in range(9):
                if 2 <= POP[g[PLACE + (base + i) * 9 + d]] <= k:
                    fit[d] |= 1 << i
            if POP[fit[d]] < k:
                fit[d] = 0
            else:
                any_fit = True
        if not any_fit:
            continue
        for s in range(SUBSET_START[k], SUBSET_START[k + 1]):
            lines = SUBSETS[s]
            for d in range(9):
                if lines & ~fit[d]:
                    continue
                where = 0
                for i in range(9):
                    if lines >> i & 1:
                        where |= g[PLACE + (base + i) * 9 + d]
                if POP[where] != k:
                    continue
                start(hint, which, 1 << d, lines << base)
                hint[H_OTHER] = where << cover
                for i in range(9):
                    if lines >> i & 1:
                        mark_house(hint, base + i, g[PLACE + (base + i) * 9 + d])
                    if where >> i & 1:
                        drop_house(g, hint, cover + i, ALL & ~lines, 1 << d)
                if hint[H_COUNT]:
                    return True
    settle_digits(g, which)
    return False
