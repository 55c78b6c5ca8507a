"""Aligned triplet exclusion: three cells of which some triples of digits are impossible, so that a digit is in no other."""

from typing import Final

from engine._jit import forward_kernel as kernel
from engine.sudoku.lanes.bits import trailing_zeros
from engine.sudoku.rating._state import (
    BOARD,
    CAND,
    H_DIGITS,
    H_RATING,
    H_TECHNIQUE,
    begin,
    drop,
    mark,
)
from engine.sudoku.rating._tables import LOW, PEER_WORDS, POP, SEES, Words
from engine.sudoku.rating.techniques import ALIGNED_TRIPLET

# What is kept from one search of a path to the next.
T_KNOWN: Final = 0  # 1 if a search of this path found nothing
T_OLD: Final = 1  # 81: the candidates that it found
T_CHANGED: Final = 82  # 3 words: cells that have lost candidates since
# Scratch. A judge is a cell with two or three candidates.
T_BASE: Final = 85  # 81: cells that may be part of a triplet
T_JUDGES: Final = 166  # 3 words: the judges
T_THIRDS: Final = 169  # 3 words: those of them that may be part of a triplet
T_CELLS: Final = 172  # 3: the triplet
T_SHARED: Final = 175  # 3 words: judges that the first two cells see
T_FILLED: Final = 178  # 20: those of them that a triplet with these two cells can fill
T_FILLED_COUNT: Final = 198
T_MARKS: Final = 199  # 20: candidates of the judges that all three cells see and can fill
T_COUNT: Final = 219  # how many there are
T_NEAR: Final = 220  # 81: 1 for each of T_BASE that has changed or sees a cell that has
T_FIT: Final = 301  # 3 words: third cells that come into question for these two
T_SIZE: Final = 304


@kernel
def aligned_triplet(g: Words, hint: Words, w: Words) -> bool:
    """Find a triplet: two cells of at least two candidates, then a third of two or three that one of them sees.

    At least two cells of two or three candidates must see all three; a triple of digits that fills one of those is impossible.
    A triplet that failed before on this path fails again unless one of its cells, or a cell that all three see, has changed.
    """
    compare_cells(g, w)
    for i in range(3):
        w[T_JUDGES + i] = 0
        w[T_THIRDS + i] = 0
    for cell in range(81):
        if 2 <= POP[g[CAND + cell]] <= 3:
            w[T_JUDGES + cell // 27] |= 1 << (cell % 27)
    count = 0
    for cell in range(81):
        if POP[g[CAND + cell]] >= 2:
            near = 0
            for i in range(3):
                near |= PEER_WORDS[cell, i] & w[T_JUDGES + i]
            if near:
                w[T_BASE + count] = cell
                changed = w[T_CHANGED + cell // 27] >> (cell % 27) & 1
                for i in range(3):
                    changed |= PEER_WORDS[cell, i] & w[T_CHANGED + i]
                w[T_NEAR + count] = changed != 0
                w[T_THIRDS + cell // 27] |= w[T_JUDGES + cell // 27] & 1 << (cell % 27)
                count += 1
    for j in range(count):
        for i in range(j):
            if (w[T_NEAR + i] | w[T_NEAR + j]) and share_two(w, w[T_BASE + i], w[T_BASE + j]):
                w[T_CELLS] = w[T_BASE + i]
                w[T_CELLS + 1] = w[T_BASE + j]
                if third(g, hint, w):
                    return True
    w[T_KNOWN] = 1
    for cell in range(81):
        w[T_OLD + cell] = g[CAND + cell]
    return False


@kernel
def compare_cells(g: Words, w: Words) -> None:
    """Note which cells have changed since the last search that found nothing; all, if there was none."""
    for i in range(3):
        w[T_CHANGED + i] = 0
    for cell in range(81):
        if w[T_KNOWN] == 0 or w[T_OLD + cell] != g[CAND + cell]:
            w[T_CHANGED + cell // 27] |= 1 << (cell % 27)


@kernel
def third(g: Words, hint: Words, w: Words) -> bool:
    """Try third cells: those that the first cell sees, then those that the second sees, in ascending order."""
    one = w[T_CELLS]
    two = w[T_CELLS + 1]
    common = 0
    for i in range(3):
        both = PEER_WORDS[one, i] & PEER_WORDS[two, i]
        w[T_SHARED + i] = both & w[T_JUDGES + i]
        common |= both & w[T_CHANGED + i]
    changed = is_changed(w, one) or is_changed(w, two)
    union = g[CAND + one] | g[CAND + two]
    if not list_filled(g, w, union):
        return False
    for turn in range(2):
        for i in range(3):
            rest = w[T_FIT + i] & PEER_WORDS[w[T_CELLS + turn], i]
            if turn:
                rest &= ~PEER_WORDS[one, i]
            if not changed and common == 0:
                rest &= w[T_CHANGED + i]
            while rest:
                cell = 27 * i + trailing_zeros(rest)
                rest &= rest - 1
                if cell in (one, two):
                    continue
                if not changed and not is_changed(w, cell):
                    near = 0
                    for k in range(3):
                        near |= PEER_WORDS[one, k] & PEER_WORDS[two, k] & PEER_WORDS[cell, k] & w[T_CHANGED + k]
                    if near == 0:
                        continue
                gather_marks(g, w, cell, union | g[CAND + cell])
                w[T_CELLS + 2] = cell
                if exclude_triple(g, hint, w):
                    return True
    return False


@kernel
def list_filled(g: Words, w: Words, union: int) -> bool:
    """List the judges that the first two cells see and can fill with a third: all of their candidates but one are theirs.

    T_FIT gets the third cells that can fill one of these and see two judges that the others see too; False if there are none.

    If no judge can be filled, no triple is impossible but for equal digits that see each other. That alone excludes no digit
    from a cell here: the other two would be a naked pair in a house of the first, and there is none left.
    """
    w[T_FILLED_COUNT] = 0
    fit0, fit1, fit2 = 0, 0, 0
    once0, once1, once2 = 0, 0, 0
    twice0, twice1, twice2 = 0, 0, 0
    for i in range(3):
        rest = w[T_SHARED + i]
        while rest:
            cell = 27 * i + trailing_zeros(rest)
            rest &= rest - 1
            near0 = PEER_WORDS[cell, 0]
            near1 = PEER_WORDS[cell, 1]
            near2 = PEER_WORDS[cell, 2]
            twice0 |= once0 & near0
            twice1 |= once1 & near1
            twice2 |= once2 & near2
            once0 |= near0
            once1 |= near1
            once2 |= near2
            missing = g[CAND + cell] & ~union
            if missing & (missing - 1):
                continue
            if missing:
                at = BOARD + 3 * LOW[missing]
                near0 &= g[at]
                near1 &= g[at + 1]
                near2 &= g[at + 2]
            fit0 |= near0
            fit1 |= near1
            fit2 |= near2
            w[T_FILLED + w[T_FILLED_COUNT]] = cell
            w[T_FILLED_COUNT] += 1
    w[T_FIT] = fit0 & twice0 & w[T_THIRDS]
    w[T_FIT + 1] = fit1 & twice1 & w[T_THIRDS + 1]
    w[T_FIT + 2] = fit2 & twice2 & w[T_THIRDS + 2]
    return bool((w[T_FIT] | w[T_FIT + 1] | w[T_FIT + 2]) != 0)


@kernel
def gather_marks(g: Words, w: Words, cell: int, union: int) -> None:
    """List the candidates of the judges that the third cell sees too and that these three can fill."""
    w[T_COUNT] = 0
    for n in range(w[T_FILLED_COUNT]):
        m = g[CAND + w[T_FILLED + n]]
        if m & ~union == 0 and SEES[w[T_FILLED + n], cell]:
            w[T_MARKS + w[T_COUNT]] = m
            w[T_COUNT] += 1


@kernel
def is_changed(w: Words, cell: int) -> bool:
    """Tell whether a cell has changed."""
    return bool(w[T_CHANGED + cell // 27] >> (cell % 27) & 1)


@kernel
def share_two(w: Words, one: int, two: int) -> bool:
    """Tell whether two cells both see at least two judges."""
    w0 = PEER_WORDS[one, 0] & PEER_WORDS[two, 0] & w[T_JUDGES]
    w1 = PEER_WORDS[one, 1] & PEER_WORDS[two, 1] & w[T_JUDGES + 1]
    w2 = PEER_WORDS[one, 2] & PEER_WORDS[two, 2] & w[T_JUDGES + 2]
    several = (w0 & (w0 - 1)) | (w1 & (w1 - 1)) | (w2 & (w2 - 1))
    return bool(several != 0 or int(w0 != 0) + int(w1 != 0) + int(w2 != 0) >= 2)


@kernel
def exclude_triple(g: Words, hint: Words, w: Words) -> bool:
    """Try the triples of digits of the three cells; write the hint and return True if a digit is in no possible triple."""
    one, two, three = w[T_CELLS], w[T_CELLS + 1], w[T_CELLS + 2]
    m1, m2, m3 = g[CAND + one], g[CAND + two], g[CAND + three]
    left1, left2, left3 = 0, 0, 0
    rest3 = m3
    while rest3:
        bit3 = rest3 & -rest3
        rest3 ^= bit3
        rest2 = m2 & ~bit3 if SEES[two, three] else m2
        while rest2:
            bit2 = rest2 & -rest2
            rest2 ^= bit2
            fit = m1
            if SEES[one, two]:
                fit &= ~bit2
            if SEES[one, three]:
                fit &= ~bit3
            for n in range(w[T_COUNT]):
                missing = w[T_MARKS + n] & ~(bit2 | bit3)
                if missing & (missing - 1) == 0:
                    # One digit more fills the cell, or none.
                    fit = fit & ~missing if missing else 0
            if fit:
                left1 |= fit
                left2 |= bit2
                left3 |= bit3
                if left1 == m1 and left2 == m2:
                    if left3 == m3:
                        return False
                    break  # this third digit is possible, and so is every first and second one
    if left1 == m1 and left2 == m2 and left3 == m3:
        return False
    begin(hint)
    hint[H_TECHNIQUE] = ALIGNED_TRIPLET
    hint[H_RATING] = 75
    hint[H_DIGITS] = (m1 & ~left1) | (m2 & ~left2) | (m3 & ~left3)
    for i in range(3):
        mark(hint, w[T_CELLS + i])
    drop(g, hint, one, m1 & ~left1)
    drop(g, hint, two, m2 & ~left2)
    drop(g, hint, three, m3 & ~left3)
    return True
