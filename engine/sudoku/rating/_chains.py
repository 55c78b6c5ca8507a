"""Forcing chains and cycles of one or two rules: bidirectional cycles, and chains from a candidate to its own opposite.

A node is a candidate that is "on" (true) or "off" (false). From on to off leads each candidate that sees it: another digit of
the cell (Y rule) or the same digit in a house. From off to on leads the only other candidate of the cell (Y rule) or of a
house (X rule). Three sweeps try the X rule, the Y rule and both; all hints are compared and the best is kept.

Only candidates that can lead from off to on matter on the way, so that each sweep works on the graph of those.
"""

from typing import Final

import numpy as np

from engine._jit import forward_kernel as kernel
from engine.sudoku.rating._links import (
    C_ARRIVED,
    C_BASE,
    C_BEST,
    C_EVERY,
    C_FROM,
    C_GONE,
    C_HINTS,
    C_KEPT,
    C_KIND,
    C_LAST,
    C_LENGTH,
    C_OFF,
    C_OFF_END,
    C_OFF_FROM,
    C_ON_END,
    C_OVER,
    C_POOL,
    C_POOL_END,
    C_QUEUE,
    C_SEEN_OFF,
    C_SEEN_ON,
    C_SERIAL,
    C_SOURCE,
    C_STAMP,
    C_SWEEP,
    CYCLE,
    K_GONE,
    K_KIND,
    K_LENGTH,
    K_NODES,
    K_ORDER,
    K_SERIAL,
    MOST_HINTS,
    MOST_POOL,
    strengthen,
    weaken,
    weakly_linked,
)
from engine.sudoku.rating._state import (
    CAND,
    H_CELL,
    H_COMPLEXITY,
    H_DIGIT,
    H_DIGITS,
    H_LINKS,
    H_NODES,
    H_RATING,
    H_TECHNIQUE,
    MOST_NODES,
    begin,
    drop,
    mark,
)
from engine.sudoku.rating._tables import SIGN, Words
from engine.sudoku.rating.techniques import TURBOT_FISH, X_CHAIN

NONE: Final = 1 << 62
LONGEST: Final = 1500
"""More nodes than any chain has: there are 1458."""
SHORTEST: Final = 4
"""Nodes of the shortest cycle; chains have more."""


def _bonus(complexity: int) -> float:
    """Return what length adds to a rating: 0.1 for each of 4, 6, 8, 12, 16, 24, ... that the complexity less two exceeds."""
    added = 0.0
    step, grow = 4, False
    while complexity - 2 > step:
        added += 0.1
        step = step * 4 // 3 if grow else step * 3 // 2
        grow = not grow
    return added


def _orders() -> tuple[Words, Words]:
    """Ratings in tenths, and order by (rating, complexity), for the bases 6.5 (cycle), 6.6 (X-chain) and 7.0 (both rules)."""
    # As sums of doubles: 6.6 + 0.1 is less than 6.5 + 0.2, and comes first.
    values = {(row, n): base + _bonus(n) for row, base in enumerate((6.5, 6.6, 7.0)) for n in range(LONGEST)}
    places = {pair: place for place, pair in enumerate(sorted({(value, n) for (_, n), value in values.items()}))}
    rating = np.zeros((3, LONGEST), dtype=np.int64)
    order = np.zeros_like(rating)
    for (row, n), value in values.items():
        rating[row, n] = int((value + 0.05) * 10)
        order[row, n] = places[value, n]
    return rating, order


CHAIN_RATING, CHAIN_ORDER = _orders()


@kernel
def longest_cycle(c: Words, base: int) -> int:
    """Return how many nodes a cycle can have to become the best hint; 0 if none can."""
    if CHAIN_ORDER[base, SHORTEST] >= c[C_BEST]:
        return 0
    length = SHORTEST
    while length + 2 < LONGEST and CHAIN_ORDER[base, length + 2] < c[C_BEST]:
        length += 2
    return length


@kernel
def keep(c: Words, last: int) -> None:
    """Keep the hint in hand if it is the best so far with these removals; its nodes are read from this off-node back."""
    gone = c[C_GONE]
    kind = c[C_KIND]
    order = CHAIN_ORDER[c[C_BASE], c[C_LENGTH]]
    serial = c[C_SERIAL]
    c[C_SERIAL] += 1
    k = 0
    while k < c[C_KEPT] and c[C_HINTS + 6 * k + K_GONE] != gone:
        k += 1
    at = C_HINTS + 6 * k
    if k == c[C_KEPT]:
        if k == MOST_HINTS:
            c[C_OVER] = 1
            return
        c[C_KEPT] += 1
    elif c[at + K_ORDER] <= order:
        return
    start = c[C_POOL_END]
    if start + c[C_LENGTH] > MOST_POOL:
        c[C_OVER] = 1
        return
    end = C_POOL + start
    if kind == CYCLE or kind & 1:
        c[end] = 2 * c[C_SOURCE] + 1
        end += 1
    else:
        c[end] = 2 * c[C_SOURCE]
        c[end + 1] = 2 * c[C_ARRIVED] + 1
        end += 2
    j = last
    while j >= 0:
        c[end] = 2 * c[C_OFF + j]
        end += 1
        p = c[C_OFF_FROM + j]
        if p < 0:
            break
        c[end] = 2 * p + 1
        end += 1
        j = c[C_FROM + p]
    c[C_POOL_END] = start + c[C_LENGTH]
    c[at + K_ORDER] = order
    c[at + K_SERIAL] = serial
    c[at + K_GONE] = gone
    c[at + K_KIND] = kind
    c[at + K_NODES] = start
    c[at + K_LENGTH] = c[C_LENGTH]


@kernel
def open_chain(hint: Words, c: Words) -> None:
    """Start the hint of a chain or cycle of the length in the scratch; the technique is that of a chain."""
    length = c[C_LENGTH]
    c[C_BEST] = CHAIN_ORDER[c[C_BASE], length]
    begin(hint)
    hint[H_TECHNIQUE] = X_CHAIN + c[C_SWEEP] // 2
    if c[C_SWEEP] == 0 and length == 6:
        hint[H_TECHNIQUE] = TURBOT_FISH
    hint[H_RATING] = CHAIN_RATING[c[C_BASE], length]
    hint[H_COMPLEXITY] = length
    hint[H_DIGITS] = 0


@kernel
def record_chain(hint: Words, c: Words, last: int) -> None:
    """Append the nodes from this off-node back to where the search began to the hint, and mark their cells and digits."""
    k = last
    while k >= 0:
        add_node(hint, 2 * c[C_OFF + k])
        p = c[C_OFF_FROM + k]
        if p < 0:
            return
        add_node(hint, 2 * p + 1)
        k = c[C_FROM + p]


@kernel
def add_node(hint: Words, node: int) -> None:
    """Append a node to the hint; of a very long chain the end is left out."""
    candidate = node // 2
    mark(hint, candidate // 9)
    hint[H_DIGITS] |= 1 << (candidate % 9)
    if hint[H_LINKS] < MOST_NODES:
        hint[H_NODES + hint[H_LINKS]] = node
        hint[H_LINKS] += 1


@kernel
def chain_on(g: Words, hint: Words, c: Words) -> None:
    """Search the shortest chain from the source on to the source off; if it is the best hint, the source is removed."""
    c[C_STAMP] += 1
    source = c[C_SOURCE]
    base = c[C_BASE]
    c[C_QUEUE] = source
    c[C_SEEN_ON + source] = c[C_STAMP]
    c[C_FROM + source] = -1
    c[C_ON_END] = 1
    c[C_OFF_END] = 0
    on, off, length = 0, 0, 1
    while on < c[C_ON_END] and CHAIN_ORDER[base, length + 1] < c[C_BEST]:
        layer = c[C_ON_END]
        while on < layer:
            p = c[C_QUEUE + on]
            on += 1
            if weakly_linked(c, p, source):
                c[C_LENGTH] = length + 1
                if c[C_EVERY]:
                    c[C_ARRIVED] = p
                    c[C_GONE] = SIGN[source]
                    c[C_KIND] = 2 * source
                    keep(c, c[C_FROM + p])
                    return
                open_chain(hint, c)
                add_node(hint, 2 * source)
                add_node(hint, 2 * p + 1)
                record_chain(hint, c, c[C_FROM + p])
                drop(g, hint, source // 9, 1 << (source % 9))
                return
            weaken(c, p)
        while off < c[C_OFF_END]:
            c[C_LAST] = off
            strengthen(c)
            off += 1
        length += 2


@kernel
def chain_off(g: Words, hint: Words, c: Words) -> None:
    """Search the shortest chain from the source off to the source on; if it is the best hint, the source is placed."""
    c[C_STAMP] += 1
    source = c[C_SOURCE]
    base = c[C_BASE]
    c[C_OFF] = source
    c[C_OFF_FROM] = -1
    c[C_SEEN_OFF + source] = c[C_STAMP]
    c[C_ON_END] = 0
    c[C_OFF_END] = 1
    on, off, length = 0, 0, 1
    while off < c[C_OFF_END] and CHAIN_ORDER[base, length + 1] < c[C_BEST]:
        while off < c[C_OFF_END]:
            c[C_LAST] = off
            strengthen(c)
            off += 1
        if c[C_SEEN_ON + source] == c[C_STAMP]:
            c[C_LENGTH] = length + 1
            if c[C_EVERY]:
                c[C_GONE] = 0
                c[C_KIND] = 2 * source + 1
                for d in range(9):
                    if d != source % 9 and g[CAND + source // 9] >> d & 1:
                        c[C_GONE] ^= SIGN[source - source % 9 + d]
                keep(c, c[C_FROM + source])
                return
            open_chain(hint, c)
            add_node(hint, 2 * source + 1)
            record_chain(hint, c, c[C_FROM + source])
            hint[H_CELL] = source // 9
            hint[H_DIGIT] = source % 9
            drop(g, hint, source // 9, g[CAND + source // 9] & ~(1 << (source % 9)))
            return
        while on < c[C_ON_END]:
            weaken(c, c[C_QUEUE + on])
            on += 1
        length += 2
