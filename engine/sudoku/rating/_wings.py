"""XY-wing, XYZ-wing and aligned pair exclusion: kernels on cells with few candidates."""

from typing import Final

from engine._jit import kernel
from engine.sudoku.rating._state import (
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
from engine.sudoku.rating._tables import ALL, LOW, PEER_WORDS, PEERS, POP, SEES, Words
from engine.sudoku.rating.techniques import ALIGNED_PAIR, RATING, SEARCHES, SIZE, TECHNIQUE

# What is kept from one search for aligned pairs to the next on a path.
A_KNOWN: Final = 0  # 1 if a search of this path found nothing
A_OLD: Final = 1  # 81: the candidates that it found
# Scratch.
A_CHANGED: Final = 82  # 3 words: cells that have lost candidates since
A_BIVALUE: Final = 85  # 3 words: bivalue cells
A_BASE: Final = 88  # 81: cells that may be part of a pair
A_SIZE: Final = 169


@kernel
def wing(g: Words, hint: Words, which: int) -> bool:
    """Find a pivot (2 candidates: XY-wing, 3: XYZ-wing) and two bivalue peers that hold three digits between them.

    The digit both wings share leaves the cells that see all cells holding it. `which` is a row of `SEARCHES`.
    """
    size = SEARCHES[which, SIZE]
    for pivot in range(81):
        m0 = g[CAND + pivot]
        if POP[m0] != size:
            continue
        for i in range(20):
            one = PEERS[pivot, i]
            m1 = g[CAND + one]
            if POP[m1] != 2 or POP[m0 | m1] != 3:
                continue
            for j in range(20):
                two = PEERS[pivot, j]
                m2 = g[CAND + two]
                if POP[m2] != 2 or POP[m1 & m2] != 1 or POP[m0 | m1 | m2] != 3 or POP[m0 & m1 & m2] != size - 2:
                    continue
                z = LOW[m1 & m2]
                see_none(hint)
                see(hint, one)
                see(hint, two)
                if size == 3:
                    see(hint, pivot)
                if any_common(g, hint, z):
                    begin(hint)
                    hint[H_TECHNIQUE] = SEARCHES[which, TECHNIQUE]
                    hint[H_RATING] = SEARCHES[which, RATING]
                    hint[H_DIGITS] = m0 | m1 | m2
                    mark(hint, pivot)
                    mark(hint, one)
                    mark(hint, two)
                    drop_common(g, hint, z)
                    return True
    return False


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
    count = 0
    for cell in range(81):
        if POP[g[CAND + cell]] >= 2:
            near = 0
            for i in range(3):
                near |= PEER_WORDS[cell, i] & w[A_BIVALUE + i]
            if near:
                w[A_BASE + count] = cell
                count += 1
    for j in range(count):
        two = w[A_BASE + j]
        for i in range(j):
            one = w[A_BASE + i]
            changed = (w[A_CHANGED + one // 27] >> (one % 27) | w[A_CHANGED + two // 27] >> (two % 27)) & 1
            common = 0
            for k in range(3):
                word = PEER_WORDS[one, k] & PEER_WORDS[two, k]
                changed |= word & w[A_CHANGED + k]
                word &= w[A_BIVALUE + k]
                common += int(word != 0) + int(word & (word - 1) != 0)
            if changed and common >= 2 and exclude_pair(g, hint, one, two):
                return True
    w[A_KNOWN] = 1
    for cell in range(81):
        w[A_OLD + cell] = g[CAND + cell]
    return False


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
        for i in range(20):
            cell = PEERS[one, i]
            m = g[CAND + cell]
            if POP[m] == 2 and m >> d1 & 1 and SEES[cell, two]:
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
