"""XY-wing, XYZ-wing and aligned pair exclusion: kernels on cells with few candidates."""

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
def aligned_pair(g: Words, hint: Words, base: Words) -> bool:
    """Find two cells of which some pair of digits is impossible, so that a digit is in no possible pair.

    A pair is impossible if the cells see each other and the digits are equal, or if a bivalue cell that both see has just these
    two digits. `base` is scratch of 81 + 3 words.
    """
    for w in range(3):
        base[81 + w] = 0
    for cell in range(81):
        if POP[g[CAND + cell]] == 2:
            base[81 + cell // 27] |= 1 << (cell % 27)
    count = 0
    for cell in range(81):
        if POP[g[CAND + cell]] >= 2:
            near = 0
            for w in range(3):
                near |= PEER_WORDS[cell, w] & base[81 + w]
            if near:
                base[count] = cell
                count += 1
    for j in range(count):
        two = base[j]
        for i in range(j):
            one = base[i]
            common = 0
            for w in range(3):
                word = PEER_WORDS[one, w] & PEER_WORDS[two, w] & base[81 + w]
                while word:
                    common += 1
                    word &= word - 1
            if common >= 2 and exclude_pair(g, hint, one, two):
                return True
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
