"""Which suppositions within one digit are refuted: what they lead to, all at once on the cells of the digit.

The runs themselves, in their order, are made for these only. No order changes whether a contradiction is reached.
"""

from engine._jit import forward_kernel as kernel
from engine.sudoku.lanes.bits import trailing_zeros
from engine.sudoku.rating._search import S_NISHIO, S_WANTED
from engine.sudoku.rating._state import BOARD
from engine.sudoku.rating._tables import ALL, FIRST_BLOCK, PEER_WORDS, Words


@kernel
def want_refuted(g: Words, s: Words) -> bool:
    """Mark the nodes that nishio refutes and tell whether there are any; no digit is looked at twice in the same places."""
    found = False
    for d in range(9):
        known = S_NISHIO + 4 * d
        at = BOARD + 3 * d
        if s[known] and s[known + 1] == g[at] and s[known + 2] == g[at + 1] and s[known + 3] == g[at + 2]:
            continue
        s[known] = 1
        for i in range(3):
            s[known + 1 + i] = g[at + i]
            rest = g[at + i]
            while rest:
                cell = 27 * i + trailing_zeros(rest)
                rest &= rest - 1
                for on in range(2):
                    if refuted(g, d, cell, on):
                        s[S_WANTED + 2 * (9 * cell + d) + on] = 1
                        s[known] = 0
                        found = True
    return found


@kernel
def refuted(g: Words, d: int, cell: int, on: int) -> bool:
    """Tell whether a digit in a cell (or not in it, if `on` is 0) leads to a house without a place for it, or with two."""
    at = BOARD + 3 * d
    all0, all1, all2 = g[at], g[at + 1], g[at + 2]
    left0, left1, left2 = all0, all1, all2
    new0, new1, new2 = 0, 0, 0
    bit = 1 << (cell % 27)
    if on == 0:
        if cell < 27:
            left0 &= ~bit
        elif cell < 54:
            left1 &= ~bit
        else:
            left2 &= ~bit
    elif cell < 27:
        new0 = bit
    elif cell < 54:
        new1 = bit
    else:
        new2 = bit
    done0, done1, done2 = 0, 0, 0
    while True:
        for w in range(3):
            rest = new0 if w == 0 else (new1 if w == 1 else new2)
            while rest:
                x = 27 * w + trailing_zeros(rest)
                rest &= rest - 1
                left0 &= ~PEER_WORDS[x, 0]
                left1 &= ~PEER_WORDS[x, 1]
                left2 &= ~PEER_WORDS[x, 2]
        done0 |= new0
        done1 |= new1
        done2 |= new2
        if done0 & ~left0 | done1 & ~left1 | done2 & ~left2:
            return True
        once, twice, had = 0, 0, 0
        new0, new1, new2 = 0, 0, 0
        for w in range(3):
            left = left0 if w == 0 else (left1 if w == 1 else left2)
            every = all0 if w == 0 else (all1 if w == 1 else all2)
            single = 0
            for k in range(3):
                row = left >> (9 * k) & ALL
                block = left & FIRST_BLOCK << (3 * k)
                if (row == 0 and every >> (9 * k) & ALL != 0) or (block == 0 and every & FIRST_BLOCK << (3 * k) != 0):
                    return True
                twice |= once & row
                once |= row
                had |= every >> (9 * k) & ALL
                if row & (row - 1) == 0:
                    single |= row << (9 * k)
                if block & (block - 1) == 0:
                    single |= block
            if w == 0:
                new0 = single
            elif w == 1:
                new1 = single
            else:
                new2 = single
        if had & ~once:
            return True
        column = once & ~twice
        column |= column << 9 | column << 18
        new0 = (new0 | left0 & column) & ~done0
        new1 = (new1 | left1 & column) & ~done1
        new2 = (new2 | left2 & column) & ~done2
        if new0 | new1 | new2 == 0:
            return False
