"""Runs: what follows from one supposition, until nothing more follows or a contradiction appears.

A node is a candidate that is "on" (true) or "off" (false). Pending on-nodes always go before pending off-nodes, one at a time.
In dynamic mode each off-node is also taken from a working grid, so that strong links appear on the way; such a link depends
on all the off-nodes that made it, its parents. The complexity of a node is the number of nodes that it depends on, itself
included. A run is kept with all its nodes: their order, parents and complexities decide which hint is the best.
"""

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine._jit import forward_kernel as kernel
from engine.sudoku.lanes.bits import population
from engine.sudoku.rating._state import BOARD, CAND, COPIED, PLACE
from engine.sudoku.rating._tables import BESIDE, FIRST_OF, LOW, WALK, WALK_BIT, WALK_HOUSE, Words

Run: TypeAlias = NDArray[np.int16]
"""[R_SIZE] one run."""
Runs: TypeAlias = NDArray[np.int16]
"""[1458, R_SIZE] the runs of all nodes; a node's number is 2 * candidate + (1 if on), a candidate's 9 * cell + digit."""

# Modes.
NISHIO: Final = 0  # dynamic, links within one digit only
STATIC: Final = 1
DYNAMIC: Final = 2

NODES: Final = 1458
MOST: Final = NODES + 2
MOST_PARENTS: Final = 15000
# A run. Its nodes are numbered in the order in which they were reached.
R_AT: Final = 0  # 1458: 1 + the place of the node in this order, 0 if it was not reached
R_END: Final = R_AT + NODES  # how many were reached
R_CLASH: Final = R_END + 1  # 1 + the place of the node that the contradiction meets, its opposite stands behind the last; or 0
# Then for each node, side by side because most runs are short:
FIELDS: Final = 5
R_NODE: Final = R_CLASH + 1  # the node itself
R_COUNT: Final = R_NODE + 1  # its complexity, without that of nested chains
R_CAUSE: Final = R_NODE + 2  # of an on-node, which rule led to it: see below
R_NEST: Final = R_NODE + 3  # the number of the nested chain that led to it, or 0
R_FIRST: Final = R_NODE + 4  # where its parents start; the next node's start is their end
R_PARENTS: Final = R_NODE + FIELDS * (MOST + 1)
R_SIZE: Final = R_PARENTS + MOST_PARENTS

# Causes. 2, 3, 4 are the only place in a block, column, row.
SUPPOSED: Final = 0
LAST_DIGIT: Final = 1
LAST_PLACE: Final = 2

# Scratch of a run; the working grid comes first.
D_NEXT_ON: Final = COPIED
D_NEXT_OFF: Final = D_NEXT_ON + 1
D_OVER: Final = D_NEXT_ON + 2  # 1 if a run was cut off because it did not fit: it proves nothing
D_MODE: Final = D_NEXT_ON + 3
D_LEVEL: Final = D_NEXT_ON + 4
D_CAUSE: Final = D_NEXT_ON + 5  # why the node in hand is reached
D_NEST: Final = D_NEXT_ON + 6  # number of the nested chain whose removals are in hand, or 0
D_PARENT_COUNT: Final = D_NEXT_ON + 7
D_BOUND: Final = D_NEXT_ON + 8  # nodes of this complexity or more are of no interest; 0: all are
D_PARENTS: Final = D_NEXT_ON + 9  # 740: the parents (places in the run) of the node in hand
D_GONE_COUNT: Final = D_PARENTS + 740
D_GONE: Final = D_GONE_COUNT + 1  # 81: the removals of a pattern, cell << 9 | digits
D_QUEUE: Final = D_GONE + 81  # MOST: a node and those that it depends on, nearest first
D_SEEN: Final = D_QUEUE + MOST  # 1458: stamps of that walk
D_STAMP: Final = D_SEEN + NODES
D_ABOVE: Final = D_STAMP + 1  # MOST * 25: for each place in the run the places that it depends on, 60 a word
WORDS: Final = 25
BITS: Final = 60
D_SIZE: Final = D_ABOVE + MOST * WORDS


@kernel
def entry(run: Run, i: int) -> int:
    """Return an entry of a run, as a number that does not overflow where the run's own type would."""
    return int(np.int64(run[i]))


@kernel
def start_run(g: Words, w: Words, run: Run, node: int) -> None:
    """Set up the supposition of one node on a grid, in the mode in D_MODE."""
    if w[D_MODE] == NISHIO:
        # Only one digit's places are looked at, and only its nodes are reached.
        d = node // 2 % 9
        for house in range(27):
            w[PLACE + 9 * house + d] = g[PLACE + 9 * house + d]
        for cell in range(81):
            run[R_AT + 2 * (9 * cell + d)] = 0
            run[R_AT + 2 * (9 * cell + d) + 1] = 0
        run[R_END] = 0
        run[R_CLASH] = 0
    else:
        for i in range(COPIED):
            w[i] = g[i]
        for i in range(R_NODE):
            run[i] = 0
    run[R_FIRST] = 0
    w[D_NEXT_ON] = 0
    w[D_NEXT_OFF] = 0
    w[D_PARENT_COUNT] = 0
    w[D_CAUSE] = SUPPOSED
    enter(w, run, node)


@kernel
def settle(g: Words, w: Words, run: Run) -> None:
    """Follow all pending nodes up, if there is a bound until only nodes follow that do not matter.

    What follows from a node is more complex than the node.
    """
    on = w[D_NEXT_ON]
    off = w[D_NEXT_OFF]
    bound = w[D_BOUND]
    light = 0
    while run[R_CLASH] == 0:
        end = run[R_END]
        while on < end and run[R_NODE + FIELDS * on] & 1 == 0:
            on += 1
        if on < end:
            turn_off(w, run, on)
            on += 1
            continue
        while off < end and run[R_NODE + FIELDS * off] & 1:
            off += 1
        if off == end:
            break
        if bound and run[R_COUNT + FIELDS * off] >= bound:
            light = max(light, off)
            while light < end and (run[R_NODE + FIELDS * light] & 1 or run[R_COUNT + FIELDS * light] >= bound):
                light += 1
            if light == end:
                break
        turn_on(g, w, run, off)
        off += 1
    w[D_NEXT_ON] = on
    w[D_NEXT_OFF] = off


@kernel
def turn_off(w: Words, run: Run, n: int) -> None:
    """Enter the off-nodes that follow from an on-node, unless one of them contradicts a known on-node."""
    p = entry(run, R_NODE + FIELDS * n) >> 1
    cell = p // 9
    d = p - 9 * cell
    complexity = run[R_COUNT + FIELDS * n] + 1
    end = entry(run, R_END)
    first = entry(run, R_FIRST + FIELDS * end)
    for t in range(-1, 3):
        if t < 0:
            rest = 0 if w[D_MODE] == NISHIO else w[CAND + cell] & ~(1 << d)
            house = 0
        else:
            house = WALK_HOUSE[3 * cell + t]
            rest = w[PLACE + house + d] & BESIDE[3 * cell + t]
        while rest:
            i = LOW[rest]
            rest &= rest - 1
            node = 2 * (9 * cell + i if t < 0 else FIRST_OF[house + i] + d)
            opposite = run[R_AT + node + 1]
            if opposite == 0 and run[R_AT + node]:
                continue
            run[R_NODE + FIELDS * end] = node
            run[R_COUNT + FIELDS * end] = complexity
            run[R_CAUSE + FIELDS * end] = SUPPOSED
            run[R_NEST + FIELDS * end] = 0
            run[R_PARENTS + first] = n
            first += 1
            run[R_FIRST + FIELDS * (end + 1)] = first
            if opposite:
                run[R_CLASH] = opposite
                run[R_END] = end
                recount(w, run, node)
                return
            end += 1
            run[R_AT + node] = end
    run[R_END] = end


@kernel
def turn_on(g: Words, w: Words, run: Run, n: int) -> None:
    """Enter the on-nodes that follow from an off-node, unless one of them contradicts a known off-node.

    They are the other candidate of its cell and the other place of a house. They depend on this node and on all that emptied
    the cell or house. In dynamic mode the off-node leaves the working grid.
    """
    mode = w[D_MODE]
    q = entry(run, R_NODE + FIELDS * n) >> 1
    cell = q // 9
    d = q - 9 * cell
    for t in range(-1, 3):
        if t < 0:
            at = CAND + cell
            gone = 1 << d
            house = 0
        else:
            house = WALK_HOUSE[3 * cell + t]
            at = PLACE + house + d
            gone = WALK_BIT[3 * cell + t]
        rest = w[at] & ~gone
        if mode != STATIC:
            w[at] = rest
        if rest == 0 or rest & (rest - 1) or (t < 0 and mode == NISHIO):
            continue
        i = LOW[rest]
        node = 2 * (9 * cell + i if t < 0 else FIRST_OF[house + i] + d) + 1
        if run[R_AT + node - 1] == 0 and run[R_AT + node]:
            continue
        w[D_PARENTS] = n
        w[D_PARENT_COUNT] = 1
        if mode != STATIC:
            gone = g[at] & ~(rest | gone)
            while gone:
                i = LOW[gone]
                add_parent(w, run, 9 * cell + i if t < 0 else FIRST_OF[house + i] + d)
                gone &= gone - 1
        w[D_CAUSE] = LAST_DIGIT if t < 0 else LAST_PLACE + WALK[t]
        if reach(w, run, node):
            return
    if mode != STATIC:
        w[BOARD + 3 * d + cell // 27] &= ~(1 << (cell % 27))


@kernel
def add_parent(w: Words, run: Run, candidate: int) -> None:
    """Append the off-node of a candidate, which the run has reached, to the parents in hand."""
    w[D_PARENTS + w[D_PARENT_COUNT]] = run[R_AT + 2 * candidate] - 1
    w[D_PARENT_COUNT] += 1


@kernel
def reach(w: Words, run: Run, node: int) -> bool:
    """Enter a node with the parents in hand if it is new; True if its opposite was reached, which ends the run."""
    opposite = run[R_AT + (node ^ 1)]
    if opposite:
        run[R_CLASH] = opposite
        describe(w, run, node)
        recount(w, run, node)
        return True
    if run[R_AT + node] == 0:
        enter(w, run, node)
    return False


@kernel
def enter(w: Words, run: Run, node: int) -> None:
    """Append a node that was not reached before, with the parents in hand."""
    describe(w, run, node)
    run[R_END] += 1
    run[R_AT + node] = run[R_END]


@kernel
def describe(w: Words, run: Run, node: int) -> None:
    """Write the node behind the last one, with the parents in hand and its complexity."""
    n = entry(run, R_END)
    run[R_NODE + FIELDS * n] = node
    run[R_CAUSE + FIELDS * n] = w[D_CAUSE]
    run[R_NEST + FIELDS * n] = 0
    first = run[R_FIRST + FIELDS * n]
    count = w[D_PARENT_COUNT]
    # Those with one parent, which are not counted here, must fit behind.
    if first + count > MOST_PARENTS - MOST:
        w[D_OVER] = 1
        count = 0
    run[R_FIRST + FIELDS * (n + 1)] = first + count
    for i in range(count):
        run[R_PARENTS + first + i] = w[D_PARENTS + i]
    if w[D_MODE] == STATIC:
        run[R_COUNT + FIELDS * n] = run[R_COUNT + FIELDS * w[D_PARENTS]] + 1 if count else 1
        return
    at = D_ABOVE + WORDS * n
    last = n // BITS
    for i in range(last + 1):
        w[at + i] = 0
    w[at + last] = 1 << (n % BITS)
    for k in range(count):
        parent = w[D_PARENTS + k]
        if follows_alone(run, parent):
            w[at + parent // BITS] |= 1 << (parent % BITS)
            parent = entry(run, R_PARENTS + run[R_FIRST + FIELDS * parent])
        above = D_ABOVE + WORDS * parent
        for i in range(parent // BITS + 1):
            w[at + i] |= w[above + i]
    if count == 1:
        run[R_COUNT + FIELDS * n] = run[R_COUNT + FIELDS * w[D_PARENTS]] + 1
        return
    total = 0
    for i in range(last + 1):
        total += population(w[at + i])
    run[R_COUNT + FIELDS * n] = total


@kernel
def follows_alone(run: Run, n: int) -> bool:
    """Tell whether a node is an off-node that follows from one on-node: these have no set of their own in D_ABOVE."""
    if run[R_NODE + FIELDS * n] & 1 or run[R_FIRST + FIELDS * (n + 1)] - run[R_FIRST + FIELDS * n] != 1:
        return False
    return bool(run[R_NODE + FIELDS * (run[R_PARENTS + run[R_FIRST + FIELDS * n]])] & 1)


@kernel
def recount(w: Words, run: Run, node: int) -> None:
    """Correct the complexity of a contradiction's last node if it was reached before: what led to it then need not count."""
    if run[R_AT + node]:
        run[R_COUNT + FIELDS * run[R_END]] = ancestors(w, run, entry(run, R_END))


@kernel
def ancestors(w: Words, run: Run, n: int) -> int:
    """Write the places of a node and of all that it depends on into D_QUEUE, nearest first; return how many there are."""
    w[D_STAMP] += 1
    stamp = w[D_STAMP]
    w[D_QUEUE] = n
    w[D_SEEN + run[R_NODE + FIELDS * n]] = stamp
    end = 1
    at = 0
    while at < end:
        k = w[D_QUEUE + at]
        for i in range(run[R_FIRST + FIELDS * k], run[R_FIRST + FIELDS * (k + 1)]):
            parent = run[R_PARENTS + i]
            if w[D_SEEN + run[R_NODE + FIELDS * parent]] != stamp:
                w[D_SEEN + run[R_NODE + FIELDS * parent]] = stamp
                w[D_QUEUE + end] = parent
                end += 1
        at += 1
    return end
