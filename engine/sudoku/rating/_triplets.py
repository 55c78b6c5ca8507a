"""Aligned triplet exclusion: three cells of which some triples of digits are impossible, so that a digit is in no other."""

from typing import Final

from engine._jit import kernel
from engine.sudoku.rating._state import (
    CAND,
    H_DIGITS,
    H_RATING,
    H_TECHNIQUE,
    begin,
    drop,
    mark,
)
from engine.sudoku.rating._tables import PEER_WORDS, PEERS, POP, SEES, Words
from engine.sudoku.rating.techniques import ALIGNED_TRIPLET

# Scratch.
T_BASE: Final = 0  # 81: cells that may be part of a triplet
T_IS_BASE: Final = 81  # 81: 1 for these
T_JUDGES: Final = 162  # 3 words: cells with two or three candidates
T_TRIED: Final = 165  # 3 words: third cells already tried with these two
T_CELLS: Final = 168  # 3: the triplet
T_MARKS: Final = 171  # 20: candidates of the cells that all three see
T_COUNT: Final = 191  # how many there are
T_SHARED: Final = 192  # 3 words: cells with two or three candidates that the first two cells see
T_SIZE: Final = 195


@kernel
def aligned_triplet(g: Words, hint: Words, w: Words) -> bool:
    """Find a triplet: two cells of at least two candidates, then a third of two or three that one of them sees.

    At least two cells of two or three candidates must see all three; a triple of digits that fills one of those is impossible.
    """
    for i in range(3):
        w[T_JUDGES + i] = 0
    for cell in range(81):
        if 2 <= POP[g[CAND + cell]] <= 3:
            w[T_JUDGES + cell // 27] |= 1 << (cell % 27)
    count = 0
    for cell in range(81):
        w[T_IS_BASE + cell] = 0
        if POP[g[CAND + cell]] >= 2:
            near = 0
            for i in range(3):
                near |= PEER_WORDS[cell, i] & w[T_JUDGES + i]
            if near:
                w[T_BASE + count] = cell
                w[T_IS_BASE + cell] = 1
                count += 1
    for j in range(count):
        for i in range(j):
            w[T_CELLS] = w[T_BASE + i]
            w[T_CELLS + 1] = w[T_BASE + j]
            if third(g, hint, w):
                return True
    return False


@kernel
def third(g: Words, hint: Words, w: Words) -> bool:
    """Try third cells: those that the first cell sees, then those that the second sees, in ascending order."""
    for i in range(3):
        w[T_SHARED + i] = PEER_WORDS[w[T_CELLS], i] & PEER_WORDS[w[T_CELLS + 1], i] & w[T_JUDGES + i]
        w[T_TRIED + i] = 0
    if not two_cells(w[T_SHARED], w[T_SHARED + 1], w[T_SHARED + 2]):
        return False
    for turn in range(2):
        for n in range(20):
            cell = PEERS[w[T_CELLS + turn], n]
            bit = 1 << (cell % 27)
            if w[T_IS_BASE + cell] == 0 or w[T_JUDGES + cell // 27] & bit == 0 or w[T_TRIED + cell // 27] & bit:
                continue
            w[T_TRIED + cell // 27] |= bit
            if cell == w[T_CELLS] or cell == w[T_CELLS + 1]:
                continue
            if two_cells(
                w[T_SHARED] & PEER_WORDS[cell, 0],
                w[T_SHARED + 1] & PEER_WORDS[cell, 1],
                w[T_SHARED + 2] & PEER_WORDS[cell, 2],
            ):
                w[T_CELLS + 2] = cell
                gather(g, w)
                if exclude_triple(g, hint, w):
                    return True
    return False


@kernel
def two_cells(w0: int, w1: int, w2: int) -> bool:
    """Tell whether a set of cells, given by its words, has at least two members."""
    several = (w0 & (w0 - 1)) | (w1 & (w1 - 1)) | (w2 & (w2 - 1))
    return several != 0 or (w0 != 0) + (w1 != 0) + (w2 != 0) >= 2


@kernel
def gather(g: Words, w: Words) -> None:
    """List the candidates of the cells with two or three candidates that all three cells see."""
    w[T_COUNT] = 0
    for n in range(20):
        cell = PEERS[w[T_CELLS + 2], n]
        m = g[CAND + cell]
        if SEES[cell, w[T_CELLS]] and SEES[cell, w[T_CELLS + 1]] and 2 <= POP[m] <= 3:
            w[T_MARKS + w[T_COUNT]] = m
            w[T_COUNT] += 1


@kernel
def exclude_triple(g: Words, hint: Words, w: Words) -> bool:
    """Try the triples of digits of the three cells; write the hint and return True if a digit is in no possible triple."""
    one, two, three = w[T_CELLS], w[T_CELLS + 1], w[T_CELLS + 2]
    m1, m2, m3 = g[CAND + one], g[CAND + two], g[CAND + three]
    left1, left2, left3 = 0, 0, 0
    for d1 in range(9):
        if m1 >> d1 & 1 == 0:
            continue
        for d2 in range(9):
            if m2 >> d2 & 1 == 0 or (d1 == d2 and SEES[one, two]):
                continue
            for d3 in range(9):
                if m3 >> d3 & 1 == 0 or (d1 == d3 and SEES[one, three]) or (d2 == d3 and SEES[two, three]):
                    continue
                triple = 1 << d1 | 1 << d2 | 1 << d3
                possible = True
                for n in range(w[T_COUNT]):
                    possible = possible and w[T_MARKS + n] & ~triple != 0
                if possible:
                    left1 |= 1 << d1
                    left2 |= 1 << d2
                    left3 |= 1 << d3
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
