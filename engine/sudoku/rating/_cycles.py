"""Bidirectional cycles: from a source on, layer by layer, until it is reached again; what both ways round remove is a hint."""

from engine._jit import forward_kernel as kernel
from engine.sudoku.lanes.bits import trailing_zeros
from engine.sudoku.rating._chains import CHAIN_ORDER, keep, longest_cycle, open_chain, record_chain
from engine.sudoku.rating._links import (
    C_BACK,
    C_BASE,
    C_BEST,
    C_CELLS,
    C_EVERY,
    C_FORWARD,
    C_FROM,
    C_GONE,
    C_KIND,
    C_LAST,
    C_LENGTH,
    C_OFF,
    C_OFF_FROM,
    C_QUEUE,
    C_SEEN_ON,
    C_SOURCE,
    C_STAMP,
    C_STRONG,
    C_SWEEP,
    CYCLE,
    near_candidate,
    near_linked,
)
from engine.sudoku.rating._net import (
    BITS,
    I_ALL,
    I_BACK,
    I_FRONT,
    I_NUMBER,
    I_STRONG,
    I_WEAK,
    I_WORDS,
    MOST_BACK,
    ROW,
    advance,
    follow,
)
from engine.sudoku.rating._state import BOARD, H_TECHNIQUE, drop
from engine.sudoku.rating._tables import LOW, PEER_WORDS, SIGN, Words
from engine.sudoku.rating.techniques import X_CYCLE


@kernel
def cycles(g: Words, hint: Words, c: Words, r: Words) -> None:
    """Search cycles through the source, layer by layer: an on-node is entered once, an off-node once from each on-node.

    (Unless the off-node is on the path already.) Each return to the source after four links or more is a cycle. On-nodes from
    which the way back is too long for a hint that is better than the best so far are left out, with all that follows from them:
    what comes before one that is in time is in time too.
    """
    most = 0 if c[C_EVERY] else longest_cycle(c, c[C_BASE])
    bounded = 0 < most <= 2 * MOST_BACK
    if bounded:
        way_back(r, r[I_NUMBER + c[C_SOURCE]], most // 2 - 1)
    c[C_STAMP] += 1
    stamp = c[C_STAMP]
    source = c[C_SOURCE]
    base = c[C_BASE]
    c[C_QUEUE] = source
    c[C_SEEN_ON + source] = stamp
    c[C_FROM + source] = -1
    on, on_end, off, off_end = 0, 1, 0, 0
    length = 2
    while on < on_end and CHAIN_ORDER[base, max(length, 4)] < c[C_BEST]:
        layer = on_end
        while on < layer:
            p = c[C_QUEUE + on]
            on += 1
            for t in range(4):
                rest = near_linked(c, p, t)
                while rest:
                    q = near_candidate(p, t, LOW[rest])
                    rest &= rest - 1
                    known = False
                    back = c[C_FROM + p]
                    while back >= 0 and not known:
                        known = c[C_OFF + back] == q
                        back = c[C_FROM + c[C_OFF_FROM + back]]
                    if not known:
                        c[C_OFF + off_end] = q
                        c[C_OFF_FROM + off_end] = p
                        off_end += 1
        while off < off_end:
            q = c[C_OFF + off]
            for i in range(C_STRONG + 4 * q, C_STRONG + 4 * q + 4):
                p = c[i]
                if p < 0:
                    break
                if p == source and length >= 4 and CHAIN_ORDER[base, length] < c[C_BEST]:
                    c[C_LENGTH] = length
                    c[C_LAST] = off
                    judge_cycle(g, hint, c)
                if c[C_SEEN_ON + p] != stamp and (not bounded or returns(r, p, (most - length) // 2)):
                    c[C_SEEN_ON + p] = stamp
                    c[C_FROM + p] = off
                    c[C_QUEUE + on_end] = p
                    on_end += 1
            off += 1
        length += 2


@kernel
def judge_cycle(g: Words, hint: Words, c: Words) -> None:
    """Take the cycle that ends with this off-node as the best hint if it removes anything.

    Removed is what both an on-node and an off-node of the cycle would remove, outside the cells of the cycle.
    """
    for i in range(54):
        c[C_FORWARD + i] = 0
    for i in range(3):
        c[C_CELLS + i] = 0
    k = c[C_LAST]
    while k >= 0:
        for turn in range(2):
            s = c[C_OFF + k] if turn == 0 else c[C_OFF_FROM + k]
            at = (C_BACK if turn == 0 else C_FORWARD) + 3 * (s % 9)
            for w in range(3):
                c[at + w] |= PEER_WORDS[s // 9, w]
            c[C_CELLS + s // 243] |= 1 << (s // 9 % 27)
        k = c[C_FROM + c[C_OFF_FROM + k]]
    found = 0
    for i in range(27):
        c[C_FORWARD + i] &= c[C_BACK + i] & g[BOARD + i] & ~c[C_CELLS + i % 3]
        found |= c[C_FORWARD + i]
    if found == 0:
        return
    if c[C_EVERY]:
        c[C_GONE] = 0
        c[C_KIND] = CYCLE
        for i in range(27):
            rest = c[C_FORWARD + i]
            while rest:
                c[C_GONE] ^= SIGN[9 * (27 * (i % 3) + trailing_zeros(rest)) + i // 3]
                rest &= rest - 1
        keep(c, c[C_LAST])
        return
    open_chain(hint, c)
    hint[H_TECHNIQUE] = X_CYCLE + c[C_SWEEP]
    record_chain(hint, c, c[C_LAST])
    for cell in range(81):
        digits = 0
        for d in range(9):
            if c[C_FORWARD + 3 * d + cell // 27] >> (cell % 27) & 1:
                digits |= 1 << d
        drop(g, hint, cell, digits)


@kernel
def way_back(r: Words, k: int, most: int) -> None:
    """Write for up to so many steps of two links which candidates on lead to candidate k on in them, or in fewer.

    That is so if k off makes them off.
    """
    words = r[I_WORDS]
    for i in range(words):
        r[I_BACK + i] = 0
        r[I_ALL + i] = 0
        r[I_FRONT + i] = r[I_STRONG + ROW * k + i]
    for step in range(1, most + 1):
        row = I_BACK + ROW * step
        follow(r, I_FRONT, I_WEAK, row)
        for i in range(words):
            r[row + i] |= r[row - ROW + i]
        advance(r, I_ALL)


@kernel
def returns(r: Words, p: int, steps: int) -> bool:
    """Tell whether a candidate on leads back in so many steps."""
    k = r[I_NUMBER + p]
    return bool(r[I_BACK + ROW * steps + k // BITS] >> (k % BITS) & 1)
