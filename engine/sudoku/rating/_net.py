"""The links of one rule as sets of bits: which candidates can be made on at all, and which are on two links later.

Only candidates with strong links can be made on, and only through these does anything follow from one that is off. They are
few, so that a set of them is a word or two. They are numbered in the order of the candidates.
"""

from typing import Final

from engine._jit import forward_kernel as kernel
from engine.sudoku.lanes.bits import trailing_zeros
from engine.sudoku.rating._links import C_LINKED, C_SWEEP, mark_linked
from engine.sudoku.rating._state import CAND, PLACE
from engine.sudoku.rating._tables import FIRST_OF, LOW, POP, WALK_BIT, WALK_HOUSE, Words

BITS: Final = 60
ROW: Final = 13
"""Words that a set of candidates fits in."""
# Scratch.
I_NUMBER: Final = 0  # 729: number of each candidate with strong links
I_CANDIDATE: Final = I_NUMBER + 729  # 729: the candidates by number
I_COUNT: Final = I_CANDIDATE + 729  # how many there are
I_WORDS: Final = I_COUNT + 1  # words of a set that are used
I_GROUPS: Final = I_WORDS + 1  # 324 rows: those in each cell, then those of each digit in each house
I_WEAK: Final = I_GROUPS + 324 * ROW  # 729 rows, by number: those that see it
I_STRONG: Final = I_WEAK + 729 * ROW  # 729 rows: those that are on if it is off
I_STEP: Final = I_STRONG + 729 * ROW  # 729 rows: those that are on two links after it
I_REACH: Final = I_STEP + 729 * ROW  # 729 rows: all those that are on after any number of links
I_AFTER: Final = I_REACH + 729 * ROW  # 729 rows: all those that are on if it is off
I_ON: Final = I_AFTER + 729 * ROW  # 729 rows, by candidate: all those that are on if it is on
I_SEEN: Final = I_ON + 729 * ROW  # rows: those that see the candidate in hand
I_FRONT: Final = I_SEEN + ROW  # the layer in hand
I_NEXT: Final = I_FRONT + ROW  # the next one
I_ALL: Final = I_NEXT + ROW  # all so far
I_BACK: Final = I_ALL + ROW  # MOST_BACK rows: those that lead back to the source of a cycle in so many steps
MOST_BACK: Final = 40
NET_SIZE: Final = I_BACK + MOST_BACK * ROW


@kernel
def build(g: Words, c: Words, r: Words) -> None:
    """Build the net of the sweep's rules, for the digits in C_DIGITS."""
    mark_linked(g, c)
    count = 0
    for cell in range(81):
        rest = c[C_LINKED + cell]
        while rest:
            p = 9 * cell + LOW[rest]
            rest &= rest - 1
            r[I_NUMBER + p] = count
            r[I_CANDIDATE + count] = p
            count += 1
    words = (count + BITS - 1) // BITS
    r[I_COUNT] = count
    r[I_WORDS] = words
    for at in range(I_GROUPS, I_WEAK, ROW):
        for i in range(words):
            r[at + i] = 0
    for k in range(count):
        p = r[I_CANDIDATE + k]
        cell = p // 9
        word = k // BITS
        bit = 1 << (k % BITS)
        r[I_GROUPS + ROW * cell + word] |= bit
        for t in range(3):
            r[I_GROUPS + ROW * (81 + WALK_HOUSE[3 * cell + t] + p % 9) + word] |= bit
        enter_strong(g, c, r, k)
    for k in range(count):
        see_linked(c, r, r[I_CANDIDATE + k])
        r[I_SEEN + k // BITS] &= ~(1 << (k % BITS))
        for i in range(words):
            r[I_WEAK + ROW * k + i] = r[I_SEEN + i]
        follow(r, I_SEEN, I_STRONG, I_STEP + ROW * k)


@kernel
def enter_strong(g: Words, c: Words, r: Words, k: int) -> None:
    """Enter what one candidate makes on if it is off."""
    at = I_STRONG + ROW * k
    for i in range(r[I_WORDS]):
        r[at + i] = 0
    p = r[I_CANDIDATE + k]
    cell = p // 9
    d = p - 9 * cell
    m = g[CAND + cell]
    if c[C_SWEEP] != 0 and POP[m] == 2:
        other = r[I_NUMBER + 9 * cell + LOW[m & ~(1 << d)]]
        r[at + other // BITS] |= 1 << (other % BITS)
    if c[C_SWEEP] != 1:
        for t in range(3):
            house = WALK_HOUSE[3 * cell + t]
            where = g[PLACE + house + d]
            if POP[where] == 2:
                other = r[I_NUMBER + FIRST_OF[house + LOW[where & ~WALK_BIT[3 * cell + t]]] + d]
                r[at + other // BITS] |= 1 << (other % BITS)


@kernel
def see_linked(c: Words, r: Words, p: int) -> None:
    """Write those that see a candidate into I_SEEN, itself among them if it is linked."""
    cell = p // 9
    d = p - 9 * cell
    one = I_GROUPS + ROW * (81 + WALK_HOUSE[3 * cell] + d)
    two = I_GROUPS + ROW * (81 + WALK_HOUSE[3 * cell + 1] + d)
    three = I_GROUPS + ROW * (81 + WALK_HOUSE[3 * cell + 2] + d)
    for i in range(r[I_WORDS]):
        r[I_SEEN + i] = r[one + i] | r[two + i] | r[three + i]
        if c[C_SWEEP] != 0:
            r[I_SEEN + i] |= r[I_GROUPS + ROW * cell + i]


@kernel
def follow(r: Words, front: int, table: int, target: int) -> None:
    """Write what all members of a set lead to: the union of their rows in a table."""
    words = r[I_WORDS]
    for i in range(words):
        r[target + i] = 0
    for w in range(words):
        rest = r[front + w]
        while rest:
            at = table + ROW * (BITS * w + trailing_zeros(rest))
            rest &= rest - 1
            for i in range(words):
                r[target + i] |= r[at + i]


@kernel
def advance(r: Words, row: int) -> bool:
    """Add the layer in I_FRONT to a row and replace it by the next one, without what is in the row; False if there is none."""
    words = r[I_WORDS]
    for i in range(words):
        r[row + i] |= r[I_FRONT + i]
    follow(r, I_FRONT, I_STEP, I_NEXT)
    more = 0
    for i in range(words):
        r[I_FRONT + i] = r[I_NEXT + i] & ~r[row + i]
        more |= r[I_FRONT + i]
    return more != 0


@kernel
def chain_from_on(r: Words, most: int) -> int:
    """Return the number of nodes of the shortest chain from a candidate on to off, if there is one of at most so many, else 0.

    I_SEEN has those that see the candidate.
    """
    words = r[I_WORDS]
    follow(r, I_SEEN, I_STRONG, I_FRONT)
    for i in range(words):
        r[I_ALL + i] = 0
    length = 4
    while length <= most:
        met = 0
        for i in range(words):
            met |= r[I_FRONT + i] & r[I_SEEN + i]
        if met:
            return length
        if not advance(r, I_ALL):
            return 0
        length += 2
    return 0


@kernel
def chain_from_off(r: Words, k: int, most: int) -> int:
    """Return the number of nodes of the shortest chain from a linked candidate off to on, if it has at most so many, else 0."""
    words = r[I_WORDS]
    for i in range(words):
        r[I_FRONT + i] = r[I_STRONG + ROW * k + i]
        r[I_ALL + i] = 0
    length = 2
    while length <= most:
        if r[I_FRONT + k // BITS] >> (k % BITS) & 1:
            return length
        if not advance(r, I_ALL):
            return 0
        length += 2
    return 0


@kernel
def close(r: Words) -> None:
    """Write what follows from each linked candidate on, and off, after any number of links."""
    count = r[I_COUNT]
    for k in range(count):
        reach_from(r, k)
    for k in range(count):
        follow(r, I_STRONG + ROW * k, I_REACH, I_AFTER + ROW * k)
        for i in range(r[I_WORDS]):
            r[I_AFTER + ROW * k + i] |= r[I_STRONG + ROW * k + i]


@kernel
def reach_from(r: Words, k: int) -> None:
    """Write what follows from one candidate on; for those with lower numbers that is known."""
    words = r[I_WORDS]
    row = I_REACH + ROW * k
    for i in range(words):
        r[row + i] = 0
        r[I_FRONT + i] = r[I_STEP + ROW * k + i]
    w = 0
    while w < words:
        rest = r[I_FRONT + w]
        if rest == 0:
            w += 1
            continue
        n = BITS * w + trailing_zeros(rest)
        r[row + w] |= rest & -rest
        more = w
        if n < k:
            for i in range(words):
                r[row + i] |= r[I_REACH + ROW * n + i]
                r[I_FRONT + i] &= ~r[row + i]
        else:
            for i in range(words):
                r[I_FRONT + i] = (r[I_FRONT + i] | r[I_STEP + ROW * n + i]) & ~r[row + i]
                if r[I_FRONT + i] and i < more:
                    more = i
        w = more
