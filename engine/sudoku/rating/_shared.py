"""Which cells and regions lead to something by static links, read off what each of their candidates implies.

Only for a grid without chains: there nothing is refuted, and all that follows is found whatever the order (see `_implied`).
"""

from typing import Final

from engine._jit import forward_kernel as kernel
from engine.sudoku.lanes.bits import trailing_zeros
from engine.sudoku.rating._implied import I_END
from engine.sudoku.rating._net import BITS, I_CANDIDATE, I_ON, I_WORDS, ROW
from engine.sudoku.rating._search import CELLS, REGIONS, S_ASKED, S_WANTED
from engine.sudoku.rating._state import CAND, PLACE
from engine.sudoku.rating._tables import HOUSE_OF, HOUSES, LOW, POP, POSITION, WALK_HOUSE, Words

# Scratch, behind that of `_implied`. Here all candidates are numbered.
X_NUMBER: Final = I_END  # 729
X_WORDS: Final = X_NUMBER + 729
X_GROUPS: Final = X_WORDS + 1  # 324 rows: the candidates in each cell, then those of each digit in each house
X_WEAK: Final = X_GROUPS + 324 * ROW  # 729 rows, by candidate: those that see it
X_OFF: Final = X_WEAK + 729 * ROW  # 729 rows, by candidate: those that are off if it is on
X_ON_SHARED: Final = X_OFF + 729 * ROW  # what the rows in hand have in common
X_OFF_SHARED: Final = X_ON_SHARED + ROW
I_SIZE: Final = X_OFF_SHARED + ROW


@kernel
def ask(g: Words, r: Words, s: Words) -> bool:
    """Mark the cells and regions whose candidates all lead to the same, and these candidates' runs; tell whether there are any.

    Only cells with more than two candidates are looked at, and regions whose first place is in such a cell, as in the search
    itself.
    """
    turn_off_all(g, r)
    found = False
    for cell in range(81):
        m = g[CAND + cell]
        if POP[m] <= 2:
            continue
        open_shared(r)
        rest = m
        while rest:
            share(r, 9 * cell + LOW[rest])
            rest &= rest - 1
        if any_shared(r):
            found = True
            s[S_ASKED + cell] = 1
            for d in range(9):
                if m >> d & 1:
                    s[S_WANTED + 2 * (9 * cell + d) + 1] = 1
        for t in range(3):
            house = HOUSE_OF[cell, t]
            for d in range(9):
                where = g[PLACE + house * 9 + d]
                if m >> d & 1 == 0 or LOW[where] != POSITION[cell, t]:
                    continue
                open_shared(r)
                rest = where
                while rest:
                    share(r, 9 * HOUSES[house, LOW[rest]] + d)
                    rest &= rest - 1
                if any_shared(r):
                    found = True
                    s[S_ASKED + REGIONS - CELLS + 9 * house + d] = 1
                    for i in range(9):
                        if where >> i & 1:
                            s[S_WANTED + 2 * (9 * HOUSES[house, i] + d) + 1] = 1
    return found


@kernel
def turn_off_all(g: Words, r: Words) -> None:
    """Write what is off if a candidate is on: all that it sees, or that one of those sees that it makes on."""
    count = 0
    for cell in range(81):
        rest = g[CAND + cell]
        while rest:
            r[X_NUMBER + 9 * cell + LOW[rest]] = count
            rest &= rest - 1
            count += 1
    words = (count + BITS - 1) // BITS
    r[X_WORDS] = words
    for at in range(X_GROUPS, X_WEAK, ROW):
        for i in range(words):
            r[at + i] = 0
    for cell in range(81):
        rest = g[CAND + cell]
        while rest:
            d = LOW[rest]
            rest &= rest - 1
            n = r[X_NUMBER + 9 * cell + d]
            bit = 1 << (n % BITS)
            r[X_GROUPS + ROW * cell + n // BITS] |= bit
            for t in range(3):
                r[X_GROUPS + ROW * (81 + WALK_HOUSE[3 * cell + t] + d) + n // BITS] |= bit
    for cell in range(81):
        rest = g[CAND + cell]
        while rest:
            see_all(r, 9 * cell + LOW[rest])
            rest &= rest - 1
    for cell in range(81):
        rest = g[CAND + cell]
        while rest:
            turn_off_after(r, 9 * cell + LOW[rest])
            rest &= rest - 1


@kernel
def see_all(r: Words, p: int) -> None:
    """Write those that see a candidate."""
    cell = p // 9
    d = p - 9 * cell
    at = X_WEAK + ROW * p
    one = X_GROUPS + ROW * (81 + WALK_HOUSE[3 * cell] + d)
    two = X_GROUPS + ROW * (81 + WALK_HOUSE[3 * cell + 1] + d)
    three = X_GROUPS + ROW * (81 + WALK_HOUSE[3 * cell + 2] + d)
    for i in range(r[X_WORDS]):
        r[at + i] = r[one + i] | r[two + i] | r[three + i] | r[X_GROUPS + ROW * cell + i]
    n = r[X_NUMBER + p]
    r[at + n // BITS] &= ~(1 << (n % BITS))


@kernel
def turn_off_after(r: Words, p: int) -> None:
    """Write what is off if a candidate is on."""
    words = r[X_WORDS]
    at = X_OFF + ROW * p
    for i in range(words):
        r[at + i] = r[X_WEAK + ROW * p + i]
    for w in range(r[I_WORDS]):
        rest = r[I_ON + ROW * p + w]
        while rest:
            seen = X_WEAK + ROW * r[I_CANDIDATE + BITS * w + trailing_zeros(rest)]
            rest &= rest - 1
            for i in range(words):
                r[at + i] |= r[seen + i]


@kernel
def open_shared(r: Words) -> None:
    """Start what all rows have in common: for no rows, everything."""
    for i in range(r[I_WORDS]):
        r[X_ON_SHARED + i] = -1
    for i in range(r[X_WORDS]):
        r[X_OFF_SHARED + i] = -1


@kernel
def share(r: Words, p: int) -> None:
    """Narrow it to what one more candidate implies."""
    for i in range(r[I_WORDS]):
        r[X_ON_SHARED + i] &= r[I_ON + ROW * p + i]
    for i in range(r[X_WORDS]):
        r[X_OFF_SHARED + i] &= r[X_OFF + ROW * p + i]


@kernel
def any_shared(r: Words) -> bool:
    """Tell whether anything is left of it."""
    left = 0
    for i in range(r[I_WORDS]):
        left |= r[X_ON_SHARED + i]
    for i in range(r[X_WORDS]):
        left |= r[X_OFF_SHARED + i]
    return left != 0
