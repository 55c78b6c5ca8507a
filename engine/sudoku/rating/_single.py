"""What static links within one digit imply: the same closure as in `_implied`, on sets of cells, and much smaller.

X-cycles and X-chains are the easiest hints of their search. Where one of them is easy enough, no other link need be looked at.
"""

from typing import Final

from engine._jit import kernel
from engine.sudoku.rating._links import C_DIGITS, C_TRY
from engine.sudoku.rating._state import BOARD, PLACE, lowest
from engine.sudoku.rating._tables import HOUSES, LOW, PEER_WORDS, POP, Words

TRY_ON: Final = 1
TRY_OFF: Final = 2
TRY_CYCLE: Final = 4

# Scratch, at the start of that of `_implied`.
X_STRONG: Final = 0  # 81 * 3: cells that are on if the cell is off
X_ROWS: Final = 243  # 81 * 6: cells that are on, then those that are off, if the cell is on
X_CELLS: Final = 729  # 81: cells of the digit, those with strong links first
X_LINKED: Final = 810  # 3: those with strong links
X_SEEN: Final = 813  # 3: cells off if some cell that refutes itself is on


@kernel
def imply_single(g: Words, c: Words, r: Words) -> bool:
    """Mark what each candidate is worth as the source of a search by the X rule alone; tell whether any is."""
    c[C_DIGITS] = 0
    for d in range(9):
        if link_digit(g, r, d) and close_digit(g, c, r, d):
            c[C_DIGITS] |= 1 << d
    return bool(c[C_DIGITS] != 0)


@kernel
def link_digit(g: Words, r: Words, d: int) -> bool:
    """Enter the strong links of a digit; tell whether there are any."""
    for i in range(3):
        r[X_LINKED + i] = 0
    found = False
    for house in range(27):
        where = g[PLACE + 9 * house + d]
        if POP[where] == 2:
            found = True
            one = HOUSES[house, LOW[where]]
            two = HOUSES[house, LOW[where & (where - 1)]]
            for turn in range(2):
                at = X_STRONG + 3 * one
                if r[X_LINKED + one // 27] >> (one % 27) & 1 == 0:
                    r[X_LINKED + one // 27] |= 1 << (one % 27)
                    r[at] = 0
                    r[at + 1] = 0
                    r[at + 2] = 0
                r[at + two // 27] |= 1 << (two % 27)
                if turn == 0:
                    one, two = two, one
    return found


@kernel
def close_digit(g: Words, c: Words, r: Words, d: int) -> bool:
    """Close the implications of a digit and mark its candidates; tell whether any is worth a search."""
    linked = 0
    count = 0
    for turn in range(2):
        for i in range(3):
            rest = r[X_LINKED + i] if turn == 0 else g[BOARD + 3 * d + i] & ~r[X_LINKED + i]
            while rest:
                r[X_CELLS + count] = 27 * i + lowest(rest)
                rest &= rest - 1
                count += 1
        if turn == 0:
            linked = count
    for n in range(count):
        first_row(g, r, r[X_CELLS + n], d)
    for k in range(linked):
        one = r[X_CELLS + k]
        for n in range(linked):
            two = r[X_CELLS + n]
            if n != k and r[X_ROWS + 6 * two + one // 27] >> (one % 27) & 1:
                for i in range(6):
                    r[X_ROWS + 6 * two + i] |= r[X_ROWS + 6 * one + i]
    for n in range(linked, count):
        at = X_ROWS + 6 * r[X_CELLS + n]
        for k in range(linked):
            one = r[X_CELLS + k]
            if r[at + one // 27] >> (one % 27) & 1:
                for i in range(6):
                    r[at + i] |= r[X_ROWS + 6 * one + i]
    return mark_digit(c, r, d, linked, count)


@kernel
def first_row(g: Words, r: Words, cell: int, d: int) -> None:
    """Enter what a cell makes off, and what these make on."""
    at = X_ROWS + 6 * cell
    for i in range(3):
        r[at + i] = 0
        r[at + 3 + i] = PEER_WORDS[cell, i] & g[BOARD + 3 * d + i]
    r[at + cell // 27] = 1 << (cell % 27)
    for i in range(3):
        rest = r[at + 3 + i] & r[X_LINKED + i]
        while rest:
            strong = X_STRONG + 3 * (27 * i + lowest(rest))
            for k in range(3):
                r[at + k] |= r[strong + k]
            rest &= rest - 1


@kernel
def mark_digit(c: Words, r: Words, d: int, linked: int, count: int) -> bool:
    """Mark the candidates that imply their opposite or are implied by it, and those that a useful cycle can go through."""
    found = False
    for i in range(3):
        r[X_SEEN + i] = 0
    for n in range(count):
        cell = r[X_CELLS + n]
        at = X_ROWS + 6 * cell
        worth = 0
        if r[at + 3 + cell // 27] >> (cell % 27) & 1:
            worth |= TRY_ON
            for i in range(3):
                r[X_SEEN + i] |= r[at + 3 + i]
        if n < linked:
            for i in range(3):
                rest = r[X_STRONG + 3 * cell + i]
                while rest:
                    other = 27 * i + lowest(rest)
                    if r[X_ROWS + 6 * other + cell // 27] >> (cell % 27) & 1:
                        worth |= TRY_OFF
                    rest &= rest - 1
        found = found or worth != 0
        c[C_TRY + 9 * cell + d] = worth
    for n in range(linked):
        cell = r[X_CELLS + n]
        if r[X_SEEN + cell // 27] >> (cell % 27) & 1:
            c[C_TRY + 9 * cell + d] |= TRY_CYCLE
    return found
