"""XY-wing, XYZ-wing and aligned pair exclusion: kernels on cells with few candidates."""

from typing import Final

from engine._jit import forward_kernel as kernel
from engine.sudoku.lanes.bits import trailing_zeros
from engine.sudoku.rating._state import (
    BAND,
    BOARD,
    CAND,
    H_COUNT,
    H_DIGITS,
    H_RATING,
    H_TECHNIQUE,
    any_common,
    begin,
    drop,
    drop_common,
    mark,
    see,
    see_none,
)
from engine.sudoku.rating._tables import ALL, LOW, PEER_WORDS, POP, SEES, Words
from engine.sudoku.rating.techniques import ALIGNED_PAIR, RATING, SEARCHES, SIZE, TECHNIQUE

# What is kept from one search for aligned pairs to the next on a path.
A_KNOWN: Final = 0  # 1 if a search of this path found nothing
A_OLD: Final = 1  # 81: the candidates that it found
# Scratch.
A_CHANGED: Final = 82  # 3 words: cells that have lost candidates since
A_BIVALUE: Final = 85  # 3 words: bivalue cells
A_PARTNERS: Final = 88  # 3 words: cells that may make a pair with the one in hand
A_SIZE: Final = 91


@kernel
def wing(g: Words, hint: Words, which: int) -> bool:
    """Find a pivot (2 candidates: XY-wing, 3: XYZ-wing) and two bivalue peers that hold three digits between them.

    The digit both wings share leaves the cells that see all cells holding it. `which` is a row of `SEARCHES`.
    """
    size = SEARCHES[which, SIZE]
    two0, two1, two2 = bivalue(g, 0), bivalue(g, 1), bivalue(g, 2)
    for pivot in range(81):
        m0 = g[CAND + pivot]
        if POP[m0] != size:
            continue
        near0, near1, near2 = PEER_WORDS[pivot, 0] & two0, PEER_WORDS[pivot, 1] & two1, PEER_WORDS[pivot, 2] & two2
        for i in range(3):
            rest = near0 if i == 0 else (near1 if i == 1 else near2)
            while rest:
                one = 27 * i + trailing_zeros(rest)
                rest &= rest - 1
                m1 = g[CAND + one]
                if POP[m0 | m1] != 3:
                    continue
                for j in range(3):
                    others = near0 if j == 0 else (near1 if j == 1 else near2)
                    while others:
                        two = 27 * j + trailing_zeros(others)
                        others &= others - 1
                        m2 = g[CAND + two]
                        if POP[m1 & m2] != 1 or POP[m0 | m2] != 3 or POP[m0 & m1 & m2] != size - 2:
                            continue
                        if wing_removes(g, hint, which, pivot, one, two):
                            return True
    return False


@kernel
def bivalue(g: Words, word: int) -> int:
    """Return which of 27 cells have two candidates."""
    found = 0
    for i in range(27):
        found |= int(POP[g[CAND + 27 * word + i]] == 2) << i
    return found


@kernel
def wing_removes(g: Words, hint: Words, which: int, pivot: int, one: int, two: int) -> bool:  # noqa: PLR0917  # three cells
    """Write the hint of a pivot and its two wings if it removes anything."""
    m1, m2 = g[CAND + one], g[CAND + two]
    z = LOW[m1 & m2]
    see_none(hint)
    see(hint, one)
    see(hint, two)
    if SEARCHES[which, SIZE] == 3:
        see(hint, pivot)
    if not any_common(g, hint, z):
        return False
    begin(hint)
    hint[H_TECHNIQUE] = SEARCHES[which, TECHNIQUE]
    hint[H_RATING] = SEARCHES[which, RATING]
    hint[H_DIGITS] = g[CAND + pivot] | m1 | m2
    mark(hint, pivot)
    mark(hint, one)
    mark(hint, two)
    drop_common(g, hint, z)
    return True


@kernel
def aligned_pair(g: Words, hint: Words, w: Words) -> bool:
    """Find two cells of which some pair of digits is impossible, so that a digit is in no possible pair.

    A pair is impossible if the cells see each other and the digits are equal, or if a bivalue cell that both see has just these
    two digits. Two cells that failed before on this path fail again unless one of them, or a cell that both see, has changed.
    """
    for i in range(3):
        w[A_CHANGED + i] = 0
        w[A_BIVALUE + i] = 0
    for cell in range(81):
        m = g[CAND + cell]
        if w[A_KNOWN] == 0 or w[A_OLD + cell] != m:
            w[A_CHANGED + cell // 27] |= 1 << (cell % 27)
        if POP[m] == 2:
            w[A_BIVALUE + cell // 27] |= 1 << (cell % 27)
    for two in range(81):
        if POP[g[CAND + two]] < 2:
            continue
        mark_partners(w, two)
        for i in range(two // 27 + 1):
            rest = w[A_PARTNERS + i]
            while rest:
                one = 27 * i + trailing_zeros(rest)
                rest &= rest - 1
                if one >= two:
                    break
                if POP[g[CAND + one]] >= 2 and exclude_pair(g, hint, one, two):
                    return True
    w[A_KNOWN] = 1
    for cell in range(81):
        w[A_OLD + cell] = g[CAND + cell]
    return False


@kernel
def mark_partners(w: Words, two: int) -> None:
    """Mark the cells that see two bivalue cells that this one sees, if that is news since the last search."""
    once0, once1, once2 = 0, 0, 0
    twice0, twice1, twice2 = 0, 0, 0
    near0, near1, near2 = w[A_CHANGED], w[A_CHANGED + 1], w[A_CHANGED + 2]
    for i in range(3):
        seen = PEER_WORDS[two, i]
        rest = seen & w[A_BIVALUE + i]
        while rest:
            cell = 27 * i + trailing_zeros(rest)
            rest &= rest - 1
            twice0 |= once0 & PEER_WORDS[cell, 0]
            twice1 |= once1 & PEER_WORDS[cell, 1]
            twice2 |= once2 & PEER_WORDS[cell, 2]
            once0 |= PEER_WORDS[cell, 0]
            once1 |= PEER_WORDS[cell, 1]
            once2 |= PEER_WORDS[cell, 2]
        rest = seen & w[A_CHANGED + i]
        while rest:
            cell = 27 * i + trailing_zeros(rest)
            rest &= rest - 1
            near0 |= PEER_WORDS[cell, 0]
            near1 |= PEER_WORDS[cell, 1]
            near2 |= PEER_WORDS[cell, 2]
    if w[A_CHANGED + two // 27] >> (two % 27) & 1:
        near0, near1, near2 = BAND, BAND, BAND
    w[A_PARTNERS] = twice0 & near0
    w[A_PARTNERS + 1] = twice1 & near1
    w[A_PARTNERS + 2] = twice2 & near2


@kernel
def exclude_pair(g: Words, hint: Words, one: int, two: int) -> bool:
    """Try the pairs of digits of two cells; write the hint and return True if a digit is in no possible pair."""
    m1 = g[CAND + one]
    m2 = g[CAND + two]
    left1 = 0
    left2 = 0
    for d1 in range(9):
        if m1 >> d1 & 1 == 0:
            continue
        possible = m2
        if SEES[one, two]:
            possible &= ~(1 << d1)
        for i in range(3):
            rest = PEER_WORDS[one, i] & PEER_WORDS[two, i] & g[BOARD + 3 * d1 + i]
            while rest:
                m = g[CAND + 27 * i + trailing_zeros(rest)]
                rest &= rest - 1
                if POP[m] == 2:
                    possible &= ~(m & ~(1 << d1))
        if possible:
            left1 |= 1 << d1
            left2 |= possible
    if left1 == m1 and left2 == m2:
        return False
    begin(hint)
    hint[H_TECHNIQUE] = ALIGNED_PAIR
    hint[H_RATING] = 62
    hint[H_DIGITS] = (m1 & ~left1) | (m2 & ~left2)
    mark(hint, one)
    mark(hint, two)
    drop(g, hint, one, ALL & ~left1)
    drop(g, hint, two, ALL & ~left2)
    return bool(hint[H_COUNT] > 0)
