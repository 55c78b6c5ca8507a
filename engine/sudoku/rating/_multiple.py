"""Nishio, multiple and dynamic forcing chains: conclusions that several suppositions share, or that one refutes.

If a supposition leads to a contradiction, its opposite is true (contradiction, nishio). What a candidate on and off both lead
to is true (double); so is what every candidate of a cell, or every place of a digit in a house, leads to (cell, region).
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine._jit import kernel
from engine.sudoku.rating._state import (
    CAND,
    H_CELL,
    H_COMPLEXITY,
    H_DIGIT,
    H_DIGITS,
    H_HOUSE,
    H_LINKS,
    H_NODES,
    H_RATING,
    H_TECHNIQUE,
    PLACE,
    begin,
    drop,
    mark,
)
from engine.sudoku.rating._suppose import (
    D_CLASH,
    D_CLASH_COUNT,
    D_OFF,
    D_OFF_COUNT,
    D_OFF_END,
    D_ON,
    D_ON_COUNT,
    D_ON_END,
    D_SIZE,
    DYNAMIC,
    NISHIO,
    STATIC,
    suppose,
)
from engine.sudoku.rating._tables import HOUSE_OF, HOUSES, LOW, POP, POSITION, WALK, Words
from engine.sudoku.rating.techniques import (
    CELL_CHAINS,
    DYNAMIC_CELL,
    DYNAMIC_CONTRADICTION,
    DYNAMIC_DOUBLE,
    DYNAMIC_REGION,
    NISHIO_CHAINS,
    REGION_CHAINS,
)

Memo = NDArray[np.int16]
"""[4, 729, 730] what each candidate on leads to: complexities of on-nodes and off-nodes, and both lists, length first."""

# Kinds of hints in the order in which equally complex ones are taken.
DOUBLE: Final = 1
CELL: Final = 5
REGION: Final = 6
CONTRADICTION: Final = 7

# Scratch, behind that of a supposition.
M_KNOWN: Final = D_SIZE  # 729: 1 where the memo holds the candidate
M_CLASH: Final = M_KNOWN + 729  # 729: candidate of the contradiction that it leads to, or -1
M_CLASH_COUNT: Final = M_CLASH + 729  # 729: its complexity
M_PARTS: Final = M_CLASH_COUNT + 729  # 9: the candidates whose suppositions are compared
M_PART_COUNT: Final = M_PARTS + 9
M_MODE: Final = M_PARTS + 10
M_BEST: Final = M_PARTS + 11  # order of the best hint so far: 8 * complexity + kind
M_TARGET: Final = M_PARTS + 13  # node that is true: 2 * candidate + (1 if on)
M_CAUSE: Final = M_PARTS + 14  # node supposed, for a contradiction or double; cell; or 81 + 9 * house + digit for a region
M_REFUTED: Final = M_PARTS + 15  # candidate of the contradiction
M_SIZE: Final = M_PARTS + 16

NONE: Final = 1 << 30


def _added() -> Words:
    """Return what length adds to a rating, in tenths, by complexity: 1 for each of 4, 6, 8, 12, ... that it exceeds by 2."""
    added = np.zeros(30000, dtype=np.int64)
    step, grow = 4, False
    while step < len(added):
        added[step + 3 :] += 1
        step = step * 4 // 3 if grow else step * 3 // 2
        grow = not grow
    return added


ADDED = _added()


@kernel
def suppositions(g: Words, hint: Words, w: Words, memo: Memo, mode: int) -> bool:
    """Find all hints of a mode and write the best by complexity, kind and order of discovery."""
    for s in range(729):
        w[M_KNOWN + s] = 0
    w[M_MODE] = mode
    w[M_BEST] = NONE
    w[M_TARGET] = -1
    for cell in range(81):
        m = g[CAND + cell]
        if POP[m] < 2 or (mode == STATIC and POP[m] == 2):
            continue
        for d in range(9):
            if m >> d & 1:
                s = 9 * cell + d
                if mode == NISHIO:
                    refute(g, w, s)
                else:
                    if mode == DYNAMIC:
                        learn(g, w, memo, s)
                        both_ways(g, w, memo, s, POP[m] > 2)
                    regions(g, w, memo, cell, d)
        if mode != NISHIO:
            w[M_PART_COUNT] = 0
            for d in range(9):
                if m >> d & 1:
                    w[M_PARTS + w[M_PART_COUNT]] = 9 * cell + d
                    w[M_PART_COUNT] += 1
            compare(g, w, memo, cell)
    if w[M_TARGET] < 0:
        return False
    conclude(g, hint, w)
    return True


@kernel
def learn(g: Words, w: Words, memo: Memo, s: int) -> None:
    """Put what a candidate on leads to into the memo, if it is not there."""
    if w[M_KNOWN + s]:
        return
    w[M_KNOWN + s] = 1
    suppose(g, w, 2 * s + 1, w[M_MODE])
    for i in range(729):
        memo[0, s, i] = w[D_ON_COUNT + i]
        memo[1, s, i] = w[D_OFF_COUNT + i]
    memo[2, s, 0] = w[D_ON_END]
    for i in range(w[D_ON_END]):
        memo[2, s, i + 1] = w[D_ON + i]
    memo[3, s, 0] = w[D_OFF_END]
    for i in range(w[D_OFF_END]):
        memo[3, s, i + 1] = w[D_OFF + i]
    w[M_CLASH + s] = w[D_CLASH]
    w[M_CLASH_COUNT + s] = w[D_CLASH_COUNT]


@kernel
def offer(w: Words, order: int, target: int, cause: int) -> None:
    """Keep a hint if it comes before the best so far; `order` is 8 * complexity + kind."""
    if order < w[M_BEST]:
        w[M_BEST] = order
        w[M_TARGET] = target
        w[M_CAUSE] = cause
        w[M_REFUTED] = w[D_CLASH]


@kernel
def refute(g: Words, w: Words, s: int) -> None:
    """Offer what follows if a candidate on, or off, leads to a contradiction."""
    for on in range(1, -1, -1):
        suppose(g, w, 2 * s + on, w[M_MODE])
        if w[D_CLASH] >= 0:
            offer(w, 8 * w[D_CLASH_COUNT] + CONTRADICTION, 2 * s + 1 - on, 2 * s + on)


@kernel
def both_ways(g: Words, w: Words, memo: Memo, s: int, double: bool) -> None:  # noqa: FBT001  # a kernel's flag
    """Offer contradictions of a candidate on and off and, if the cell has three candidates, what both lead to."""
    if w[M_CLASH + s] >= 0:
        w[D_CLASH] = w[M_CLASH + s]
        offer(w, 8 * w[M_CLASH_COUNT + s] + CONTRADICTION, 2 * s, 2 * s + 1)
    suppose(g, w, 2 * s, w[M_MODE])
    if w[D_CLASH] >= 0:
        offer(w, 8 * w[D_CLASH_COUNT] + CONTRADICTION, 2 * s + 1, 2 * s)
    if double:
        for i in range(1, memo[2, s, 0] + 1):
            t = memo[2, s, i]
            if w[D_ON_COUNT + t]:
                offer(w, 8 * (w[D_ON_COUNT + t] + memo[0, s, t]) + DOUBLE, 2 * t + 1, 2 * s)
        for i in range(1, memo[3, s, 0] + 1):
            t = memo[3, s, i]
            if w[D_OFF_COUNT + t]:
                offer(w, 8 * (w[D_OFF_COUNT + t] + memo[1, s, t]) + DOUBLE, 2 * t, 2 * s)


@kernel
def regions(g: Words, w: Words, memo: Memo, cell: int, d: int) -> None:
    """Offer what all places of a digit lead to, for the houses of which this cell is the digit's first place."""
    for t in range(3):
        house = HOUSE_OF[cell, WALK[t]]
        where = g[PLACE + house * 9 + d]
        if LOW[where] != POSITION[cell, WALK[t]] or POP[where] < 2:
            continue
        w[M_PART_COUNT] = 0
        for i in range(9):
            if where >> i & 1:
                w[M_PARTS + w[M_PART_COUNT]] = 9 * HOUSES[house, i] + d
                w[M_PART_COUNT] += 1
        compare(g, w, memo, 81 + 9 * house + d)


@kernel
def compare(g: Words, w: Words, memo: Memo, cause: int) -> None:
    """Offer the nodes that all suppositions in hand lead to, on-nodes first, in the order of the first supposition."""
    kind = CELL if cause < 81 else REGION
    for n in range(w[M_PART_COUNT]):
        learn(g, w, memo, w[M_PARTS + n])
    first = w[M_PARTS]
    for turn in range(2):
        for i in range(1, memo[2 + turn, first, 0] + 1):
            target = memo[2 + turn, first, i]
            total = 0
            for n in range(w[M_PART_COUNT]):
                complexity = memo[turn, w[M_PARTS + n], target]
                total += complexity
                if complexity == 0 or total * 8 + kind >= w[M_BEST]:
                    total = NONE
                    break
            if total < NONE:
                offer(w, 8 * total + kind, 2 * target + 1 - turn, cause)


@kernel
def conclude(g: Words, hint: Words, w: Words) -> None:
    """Write the best hint."""
    complexity = w[M_BEST] // 8
    kind = w[M_BEST] % 8
    cause = w[M_CAUSE]
    dynamic = w[M_MODE] == DYNAMIC
    begin(hint)
    hint[H_COMPLEXITY] = complexity
    hint[H_DIGITS] = 0
    hint[H_RATING] = 75 + 5 * w[M_MODE] + ADDED[complexity]
    if kind == CELL:
        hint[H_TECHNIQUE] = DYNAMIC_CELL if dynamic else CELL_CHAINS
        mark(hint, cause)
        hint[H_DIGITS] = g[CAND + cause]
    elif kind == REGION:
        hint[H_TECHNIQUE] = DYNAMIC_REGION if dynamic else REGION_CHAINS
        hint[H_HOUSE] = (cause - 81) // 9
        hint[H_DIGITS] = 1 << ((cause - 81) % 9)
        for i in range(9):
            if g[PLACE + cause - 81] >> i & 1:
                mark(hint, HOUSES[hint[H_HOUSE], i])
    else:
        hint[H_TECHNIQUE] = DYNAMIC_DOUBLE
        if kind == CONTRADICTION:
            hint[H_TECHNIQUE] = DYNAMIC_CONTRADICTION if dynamic else NISHIO_CHAINS
            hint[H_NODES] = 2 * w[M_REFUTED]
            hint[H_LINKS] = 1
        hint[H_NODES + hint[H_LINKS]] = cause
        hint[H_LINKS] += 1
        mark(hint, cause // 18)
        hint[H_DIGITS] = 1 << (cause // 2 % 9)
    s = w[M_TARGET] // 2
    if w[M_TARGET] & 1:
        hint[H_CELL] = s // 9
        hint[H_DIGIT] = s % 9
        drop(g, hint, s // 9, g[CAND + s // 9] & ~(1 << (s % 9)))
    else:
        drop(g, hint, s // 9, 1 << (s % 9))
