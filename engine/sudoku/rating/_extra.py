"""What dynamic chains "plus" add to a run when nothing more follows: locking, hidden pairs, naked pairs, X-wings.

The patterns are looked for on the run's working grid. Each counts only if it was not there before the supposition: it depends
on the off-nodes that made it. The first of the four rules that finds anything gives all its finds, then the run goes on.
"""

from engine._jit import forward_kernel as kernel
from engine.sudoku.rating._run import (
    D_CAUSE,
    D_GONE,
    D_GONE_COUNT,
    D_LEVEL,
    D_NEST,
    D_PARENT_COUNT,
    FIELDS,
    R_AT,
    R_CLASH,
    R_END,
    R_NEST,
    SUPPOSED,
    Run,
    add_parent,
    enter,
    settle,
    start_run,
)
from engine.sudoku.rating._state import CAND, EMPTY, PLACE, PLACED
from engine.sudoku.rating._tables import ALL, CROSS, HOUSES, LOCK_FIRST, LOCK_SECOND, LOW, POP, Words


@kernel
def make_run(g: Words, w: Words, run: Run, node: int) -> None:
    """Follow up the supposition of one node, with these rules from level 1 on."""
    start_run(g, w, run, node)
    go_on(g, w, run)


@kernel
def go_on(g: Words, w: Words, run: Run) -> None:
    """Follow all pending nodes up, at level 1 and above with these rules whenever there are none."""
    going = True
    while going:
        settle(g, w, run)
        going = w[D_LEVEL] > 0 and run[R_CLASH] == 0 and extend(g, w, run)


@kernel
def extend(g: Words, w: Words, run: Run) -> bool:
    """Enter what the first of the four rules removes that finds anything."""
    w[D_NEST] = 0
    return locked(g, w, run) or hidden_pairs(g, w, run) or naked_pairs(g, w, run) or x_wings(g, w, run)


@kernel
def strike(w: Words, run: Run) -> None:
    """Enter off-nodes for the removals in hand, with the parents in hand.

    Sudoku Explainer keeps the removals of a hint in a hash map by cell and takes them in that order: by cell number modulo the
    size of the table, which is doubled beyond three quarters. The order decides which node comes first, so it is kept.
    """
    w[D_CAUSE] = SUPPOSED
    n = w[D_GONE_COUNT]
    size = 16
    while 4 * n > 3 * size:
        size *= 2
    for bucket in range(size):
        for i in range(n):
            cell = w[D_GONE + i] >> 9
            if cell % size == bucket:
                digits = w[D_GONE + i] & ALL
                while digits:
                    node = 2 * (9 * cell + LOW[digits])
                    if run[R_AT + node] == 0:
                        enter(w, run, node)
                        run[R_NEST + FIELDS * (run[R_END] - 1)] = w[D_NEST]
                    digits &= digits - 1


@kernel
def gone_from(w: Words, house: int, positions: int, digits: int) -> None:
    """Append the removals of digits from the cells at some positions of a house."""
    while positions:
        cell = HOUSES[house, LOW[positions]]
        present = w[CAND + cell] & digits
        if present:
            w[D_GONE + w[D_GONE_COUNT]] = cell << 9 | present
            w[D_GONE_COUNT] += 1
        positions &= positions - 1


@kernel
def parents_from(w: Words, run: Run, house: int, positions: int, digit: int) -> None:
    """Append the off-nodes of a digit at some positions of a house to the parents in hand."""
    while positions:
        add_parent(w, run, 9 * HOUSES[house, LOW[positions]] + digit)
        positions &= positions - 1


@kernel
def locked(g: Words, w: Words, run: Run) -> bool:
    """Pointing and claiming: the digit's lost places in the first house are the parents."""
    found = False
    for kind in range(4):
        for d in range(9):
            for i in range(9):
                h1 = LOCK_FIRST[kind] + i
                where = w[PLACE + h1 * 9 + d]
                lost = g[PLACE + h1 * 9 + d] & ~where
                if lost == 0:
                    continue
                h2 = LOCK_SECOND[kind, i, where]
                if h2 < 0:
                    continue
                lost &= ~CROSS[h1, h2]
                gone = w[PLACE + h2 * 9 + d] & ~CROSS[h2, h1]
                if lost and gone:
                    w[D_PARENT_COUNT] = 0
                    parents_from(w, run, h1, lost, d)
                    w[D_GONE_COUNT] = 0
                    gone_from(w, h2, gone, 1 << d)
                    strike(w, run)
                    found = True
    return found


@kernel
def hidden_pairs(g: Words, w: Words, run: Run) -> bool:
    """Two digits with the same two places in a house: their lost places are the parents."""
    found = False
    for h in range(27):
        if POP[g[EMPTY + h]] <= 4:
            continue
        at = PLACE + 9 * h
        for b in range(1, 9):
            where = w[at + b]
            if POP[where] != 2:
                continue
            for a in range(b):
                if w[at + a] != where or (g[at + a] | g[at + b]) == where:
                    continue
                w[D_GONE_COUNT] = 0
                gone_from(w, h, where, ALL & ~(1 << a | 1 << b))
                if w[D_GONE_COUNT] == 0:
                    continue
                w[D_PARENT_COUNT] = 0
                for p in range(9):
                    if where >> p & 1 == 0:
                        if g[at + a] >> p & 1:
                            add_parent(w, run, 9 * HOUSES[h, p] + a)
                        if g[at + b] >> p & 1:
                            add_parent(w, run, 9 * HOUSES[h, p] + b)
                strike(w, run)
                found = True
    return found


@kernel
def naked_pairs(g: Words, w: Words, run: Run) -> bool:
    """Two cells of a house with the same two candidates: their lost candidates are the parents."""
    found = False
    for h in range(27):
        if POP[g[EMPTY + h]] < 4:
            continue
        for p in range(1, 9):
            two = HOUSES[h, p]
            digits = w[CAND + two]
            if POP[digits] != 2:
                continue
            for o in range(p):
                one = HOUSES[h, o]
                if w[CAND + one] != digits or (g[CAND + one] | g[CAND + two]) == digits:
                    continue
                w[D_GONE_COUNT] = 0
                gone_from(w, h, ALL & ~(1 << o | 1 << p), digits)
                if w[D_GONE_COUNT] == 0:
                    continue
                w[D_PARENT_COUNT] = 0
                for cell in (one, two):
                    lost = g[CAND + cell] & ~digits
                    while lost:
                        add_parent(w, run, 9 * cell + LOW[lost])
                        lost &= lost - 1
                strike(w, run)
                found = True
    return found


@kernel
def x_wings(g: Words, w: Words, run: Run) -> bool:
    """A digit with the same two places in two columns (rows): its lost places there are the parents."""
    found = False
    for across in range(2):
        base = 9 + 9 * across
        cover = 18 - 9 * across
        for j in range(1, 9):
            for i in range(j):
                for d in range(9):
                    one = PLACE + 9 * (base + i) + d
                    two = PLACE + 9 * (base + j) + d
                    where = w[one]
                    if where != w[two] or POP[where] != 2 or (g[one] | g[two]) == where or g[PLACED + d] > 5:
                        continue
                    w[D_GONE_COUNT] = 0
                    for k in range(9):
                        if where >> k & 1:
                            gone_from(w, cover + k, ALL & ~(1 << i | 1 << j), 1 << d)
                    if w[D_GONE_COUNT] == 0:
                        continue
                    w[D_PARENT_COUNT] = 0
                    parents_from(w, run, base + i, g[one] & ~where, d)
                    parents_from(w, run, base + j, g[two] & ~where, d)
                    strike(w, run)
                    found = True
    return found
