"""Suppositions: what follows if a candidate is on, or off, until nothing more follows or a contradiction appears.

Pending on-nodes always go before pending off-nodes, one at a time. In dynamic mode each off-node is also taken from a working
grid, so that strong links appear on the way; such a link depends on all the off-nodes that made it. The complexity of a node is
the number of distinct nodes that it depends on, itself included.
"""

from typing import Final

from engine._jit import kernel
from engine.sudoku.rating._state import CAND, PLACE
from engine.sudoku.rating._tables import HOUSE_OF, HOUSES, LOW, POP, POSITION, WALK, WALK_PEERS, Words

# Modes.
NISHIO: Final = 0  # dynamic, links within one digit only
STATIC: Final = 1
DYNAMIC: Final = 2

# Scratch. Candidates are numbered 9 * cell + digit, nodes 2 * candidate + (1 if on).
D_CAND: Final = 0  # 81 and 243: candidates and places of the working grid
D_PLACE: Final = 81
D_ON: Final = 324  # 730: on-nodes in the order in which they were reached
D_OFF: Final = D_ON + 730  # 730: off-nodes
D_ON_COUNT: Final = D_OFF + 730  # 729: complexity of the candidate's on-node, 0 if it was not reached
D_OFF_COUNT: Final = D_ON_COUNT + 729  # 729: the same for off
D_PARENTS: Final = D_OFF_COUNT + 729  # 4 * 10: for each strong link in hand its on-node and what it depends on; -1 ends it
D_LINKS: Final = D_PARENTS + 40  # number of strong links in hand
D_ON_END: Final = D_LINKS + 1
D_OFF_END: Final = D_LINKS + 2
D_CLASH: Final = D_LINKS + 3  # candidate that is on and off, -1 if there is no contradiction
D_CLASH_COUNT: Final = D_LINKS + 4  # complexity of its two nodes together
D_MODE: Final = D_LINKS + 5
D_UNION: Final = D_LINKS + 6  # 25: nodes that a link in hand depends on
D_ABOVE: Final = D_UNION + 25  # 1458 * 25: for each node the nodes that it depends on, 60 a word
D_SIZE: Final = D_ABOVE + 1458 * 25

WORDS: Final = 25
BITS: Final = 60


@kernel
def suppose(g: Words, w: Words, node: int, mode: int) -> None:
    """Follow up the supposition of one node."""
    for i in range(81):
        w[D_CAND + i] = g[CAND + i]
    for i in range(243):
        w[D_PLACE + i] = g[PLACE + i]
    for i in range(D_ON_COUNT, D_PARENTS):
        w[i] = 0
    w[D_MODE] = mode
    w[D_CLASH] = -1
    w[D_ON_END] = 0
    w[D_OFF_END] = 0
    for i in range(WORDS):
        w[D_UNION + i] = 0
    if node & 1:
        enter_on(w, node // 2, node & 1)
    else:
        enter_off(w, node // 2, (node & 1) + 1)
    next_on = 0
    next_off = 0
    while w[D_CLASH] < 0:
        if next_on < w[D_ON_END]:
            turn_off(w, w[D_ON + next_on])
            next_on += 1
        elif next_off < w[D_OFF_END]:
            turn_on(g, w, w[D_OFF + next_off])
            next_off += 1
        else:
            break


@kernel
def enter_on(w: Words, s: int, complexity: int) -> None:
    """Enter an on-node that was not reached before; D_UNION holds what it depends on."""
    w[D_ON + w[D_ON_END]] = s
    w[D_ON_END] += 1
    w[D_ON_COUNT + s] = complexity
    depend(w, 2 * s + 1)


@kernel
def enter_off(w: Words, s: int, complexity: int) -> None:
    """Enter an off-node that was not reached before; D_UNION holds what it depends on."""
    w[D_OFF + w[D_OFF_END]] = s
    w[D_OFF_END] += 1
    w[D_OFF_COUNT + s] = complexity
    depend(w, 2 * s)


@kernel
def depend(w: Words, node: int) -> None:
    """Note what a node depends on: D_UNION and itself. In static mode every node has one parent, and the count is enough."""
    if w[D_MODE] == STATIC:
        return
    at = D_ABOVE + WORDS * node
    for i in range(WORDS):
        w[at + i] = w[D_UNION + i]
    w[at + node // BITS] |= 1 << (node % BITS)


@kernel
def turn_off(w: Words, p: int) -> None:
    """Enter the off-nodes that follow from an on-node, unless one of them contradicts a known on-node."""
    cell = p // 9
    d = p % 9
    complexity = w[D_ON_COUNT + p] + 1
    if w[D_MODE] != STATIC:
        at = D_ABOVE + WORDS * (2 * p + 1)
        for i in range(WORDS):
            w[D_UNION + i] = w[at + i]
    for i in range(29):
        q = p
        if i < 9:
            if w[D_MODE] != NISHIO and i != d and w[D_CAND + cell] >> i & 1:
                q = 9 * cell + i
        elif w[D_CAND + WALK_PEERS[cell, i - 9]] >> d & 1:
            q = 9 * WALK_PEERS[cell, i - 9] + d
        if q == p:
            continue
        if w[D_ON_COUNT + q]:
            w[D_CLASH] = q
            w[D_CLASH_COUNT] = w[D_ON_COUNT + q] + complexity
            return
        if w[D_OFF_COUNT + q] == 0:
            enter_off(w, q, complexity)


@kernel
def turn_on(g: Words, w: Words, q: int) -> None:
    """Enter the on-nodes that follow from an off-node, unless one of them contradicts a known off-node."""
    cell = q // 9
    d = q % 9
    find_links(g, w, q)
    if w[D_MODE] != STATIC:
        w[D_CAND + cell] &= ~(1 << d)
        for t in range(3):
            w[D_PLACE + HOUSE_OF[cell, t] * 9 + d] &= ~(1 << POSITION[cell, t])
    for n in range(w[D_LINKS]):
        at = D_PARENTS + 10 * n
        p = w[at]
        if w[D_ON_COUNT + p]:
            continue
        complexity = w[D_OFF_COUNT + q] + 1
        if w[D_MODE] != STATIC:
            complexity = unite(w, at + 1) + 1
        if w[D_OFF_COUNT + p]:
            w[D_CLASH] = p
            w[D_CLASH_COUNT] = w[D_OFF_COUNT + p] + complexity
            return
        enter_on(w, p, complexity)


@kernel
def find_links(g: Words, w: Words, q: int) -> None:
    """List the strong links of an off-node in the working grid: the other candidate of its cell, the other place of a house.

    Each comes with the off-nodes that it depends on: this one, and all that emptied the cell or house.
    """
    cell = q // 9
    d = q % 9
    w[D_LINKS] = 0
    m = w[D_CAND + cell]
    if w[D_MODE] != NISHIO and POP[m] == 2:
        at = D_PARENTS
        w[at] = 9 * cell + LOW[m & ~(1 << d)]
        w[at + 1] = q
        end = at + 2
        gone = g[CAND + cell] & ~m
        for e in range(9):
            if gone >> e & 1:
                w[end] = 9 * cell + e
                end += 1
        if end < at + 10:
            w[end] = -1
        w[D_LINKS] = 1
    for t in range(3):
        house = HOUSE_OF[cell, WALK[t]]
        where = w[D_PLACE + house * 9 + d]
        if POP[where] != 2:
            continue
        p = 9 * HOUSES[house, LOW[where & ~(1 << POSITION[cell, WALK[t]])]] + d
        known = False
        for n in range(w[D_LINKS]):
            known = known or w[D_PARENTS + 10 * n] == p
        if known:
            continue
        at = D_PARENTS + 10 * w[D_LINKS]
        w[at] = p
        w[at + 1] = q
        end = at + 2
        gone = g[PLACE + house * 9 + d] & ~where
        for i in range(9):
            if gone >> i & 1:
                w[end] = 9 * HOUSES[house, i] + d
                end += 1
        if end < at + 10:
            w[end] = -1
        w[D_LINKS] += 1


@kernel
def unite(w: Words, at: int) -> int:
    """Make D_UNION what the off-nodes of a list depend on, themselves included; return how many nodes that are."""
    for i in range(WORDS):
        w[D_UNION + i] = w[D_ABOVE + WORDS * 2 * w[at] + i]
    if w[at + 1] < 0:
        return int(w[D_OFF_COUNT + w[at]])
    n = 1
    while n < 9 and w[at + n] >= 0:
        above = D_ABOVE + WORDS * 2 * w[at + n]
        for i in range(WORDS):
            w[D_UNION + i] |= w[above + i]
        n += 1
    total = 0
    for i in range(WORDS):
        x = w[D_UNION + i]
        x -= x >> 1 & 0x5555555555555555
        x = (x & 0x3333333333333333) + (x >> 2 & 0x3333333333333333)
        x = (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0F
        x += x >> 8
        x += x >> 16
        x += x >> 32
        total += x & 0x7F
    return total
