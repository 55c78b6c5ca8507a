"""Nishio, multiple and dynamic forcing chains: conclusions that several suppositions share, or that one refutes.

If a supposition leads to a contradiction, its opposite is true (contradiction, nishio). What a candidate on and off both lead
to is true (double); so is what every candidate of a cell, or every place of a digit in a house, leads to (cell, region).
"""

from typing import Final

import numpy as np

from engine._jit import forward_kernel as kernel
from engine.sudoku.rating._extra import make_run
from engine.sudoku.rating._run import (
    D_BOUND,
    D_LEVEL,
    D_MODE,
    D_OVER,
    D_QUEUE,
    DYNAMIC,
    FIELDS,
    NISHIO,
    NODES,
    R_AT,
    R_CLASH,
    R_COUNT,
    R_END,
    R_NEST,
    R_NODE,
    STATIC,
    Runs,
    ancestors,
    entry,
)
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
from engine.sudoku.rating._tables import HOUSE_OF, HOUSES, LOW, POP, POSITION, WALK, Words
from engine.sudoku.rating.techniques import CELL_CHAINS, DYNAMIC_CONTRADICTION, NISHIO_CHAINS, REGION_CHAINS

# Kinds of hints in the order in which equally complex ones are taken.
DOUBLE: Final = 1
CELL: Final = 5
REGION: Final = 6
CONTRADICTION: Final = 7

# Scratch.
S_MODE: Final = 0
S_LEVEL: Final = 1
S_EVERY: Final = 2  # 1 if all hints are wanted (the best of each conclusion), 0 if only the best
S_SERIAL: Final = 3  # how many hints were found
S_PART_COUNT: Final = 4
S_PARTS: Final = 5  # 9: the suppositions in hand
S_PLACES: Final = 14  # 9: of each the place in its run that a hint is about
S_KIND: Final = 23  # kind and cause of the hints in hand
S_CAUSING: Final = 24
S_ASKED: Final = 25  # 81 and 243: 1 for the cells and regions that are compared
S_WANTED: Final = S_ASKED + 324  # 1458: 1 where the run of a node is needed
S_ORDER: Final = S_WANTED + NODES  # 1458: of the best hint for each conclusion 8 * complexity + kind
S_FOUND: Final = S_ORDER + NODES  # 1458: its number in the order of discovery
S_TARGET: Final = S_FOUND + NODES  # 1458: node that is true
S_CAUSE: Final = (
    S_TARGET + NODES
)  # 1458: node supposed, for a contradiction or double; or CELLS + cell; or HOUSES_AT + 9 * house + digit
S_SUM: Final = S_CAUSE + NODES  # 400: numbers of the nested chains that a hint counts
MOST_SUMMED: Final = 400
S_NISHIO: Final = S_SUM + MOST_SUMMED  # 4 * 9, kept on a path: whether nishio found nothing for the digit, and its board then
S_SIZE: Final = S_NISHIO + 36

CELLS: Final = NODES
REGIONS: Final = NODES + 81
NONE: Final = 1 << 30

# Nested chains: their number, then three words each, from number 1.
N_CHAIN: Final = 0  # hash of the chain: equal chains count once
N_COMPLEXITY: Final = 1
N_HINT: Final = 2  # which hint of the inner search it was
N_FIELDS: Final = 3
MOST_NESTS: Final = 32_000


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
def open_search(w: Words, s: Words, mode: int, level: int, every: int) -> None:
    """Forget all runs and hints."""
    w[D_MODE] = mode
    w[D_LEVEL] = level
    w[D_BOUND] = 0
    s[S_MODE] = mode
    s[S_LEVEL] = level
    s[S_EVERY] = every
    s[S_SERIAL] = 0
    for i in range(NODES):
        s[S_WANTED + i] = 0
        s[S_ORDER + i] = NONE
    for i in range(81 + 243):
        s[S_ASKED + i] = mode == DYNAMIC


@kernel
def want_all(g: Words, s: Words) -> None:
    """Mark the runs of all candidates, on and off, of cells with more than one."""
    for cell in range(81):
        m = g[CAND + cell]
        if POP[m] > 1:
            for d in range(9):
                if m >> d & 1:
                    s[S_WANTED + 2 * (9 * cell + d)] = 1
                    s[S_WANTED + 2 * (9 * cell + d) + 1] = 1


@kernel
def make_runs(g: Words, w: Words, runs: Runs, s: Words) -> None:
    """Make the runs that are marked; plain dynamic ones only as far as the best hint can depend on them.

    A contradiction is a hint, so that no other of more nodes can be the best. With patterns (level 1 and more) nodes of little
    complexity may still follow from nodes that were reached long before.
    """
    plain = s[S_MODE] == DYNAMIC and s[S_LEVEL] == 0 and s[S_EVERY] == 0
    for node in range(NODES):
        if s[S_WANTED + node]:
            run = runs[node]
            make_run(g, w, run, node)
            if plain and run[R_CLASH]:
                total = entry(run, R_COUNT + FIELDS * (run[R_CLASH] - 1)) + entry(run, R_COUNT + FIELDS * run[R_END])
                if w[D_BOUND] == 0 or total < w[D_BOUND]:
                    w[D_BOUND] = total
    if w[D_BOUND]:
        s[S_ORDER] = 8 * w[D_BOUND] + 8


@kernel
def search(g: Words, w: Words, runs: Runs, nests: Words, s: Words) -> bool:
    """Find the hints of the mode and level that the search was opened with, from the runs; tell whether there is one."""
    mode = s[S_MODE]
    for cell in range(81):
        m = g[CAND + cell]
        if POP[m] < 2 or (mode == STATIC and POP[m] == 2):
            continue
        # After the digits of the cell the cell itself.
        for d in range(10):
            if d < 9:
                if m >> d & 1 == 0:
                    continue
                if mode != STATIC:
                    refute(g, w, runs, nests, s, 2 * (9 * cell + d) + 1)
            if mode == NISHIO:
                continue
            for turn in range(4):
                if gather_cause(g, s, cell, d, turn):
                    compare(g, w, runs, nests, s)
    return bool(s[S_SERIAL] > 0)


@kernel
def gather_cause(g: Words, s: Words, cell: int, d: int, turn: int) -> bool:
    """Put the suppositions in hand that are compared next; False if there is nothing to compare.

    For each digit first it on and off, then its places in the block, row and column of which the cell is the first place; in
    the end the digits of the cell.
    """
    s[S_PART_COUNT] = 0
    if d == 9:  # no digit
        if turn or s[S_ASKED + cell] == 0:
            return False
        s[S_KIND] = CELL
        s[S_CAUSING] = CELLS + cell
        for e in range(9):
            if g[CAND + cell] >> e & 1:
                s[S_PARTS + s[S_PART_COUNT]] = 2 * (9 * cell + e) + 1
                s[S_PART_COUNT] += 1
        return True
    if turn == 0:
        if s[S_MODE] != DYNAMIC or POP[g[CAND + cell]] == 2:
            return False
        s[S_KIND] = DOUBLE
        s[S_CAUSING] = 2 * (9 * cell + d)
        s[S_PARTS] = 2 * (9 * cell + d) + 1
        s[S_PARTS + 1] = 2 * (9 * cell + d)
        s[S_PART_COUNT] = 2
        return True
    house = HOUSE_OF[cell, WALK[turn - 1]]
    where = g[PLACE + house * 9 + d]
    if LOW[where] != POSITION[cell, WALK[turn - 1]] or POP[where] < 2 or s[S_ASKED + 81 + 9 * house + d] == 0:
        return False
    s[S_KIND] = REGION
    s[S_CAUSING] = REGIONS + 9 * house + d
    for i in range(9):
        if where >> i & 1:
            s[S_PARTS + s[S_PART_COUNT]] = 2 * (9 * HOUSES[house, i] + d) + 1
            s[S_PART_COUNT] += 1
    return True


@kernel
def refute(g: Words, w: Words, runs: Runs, nests: Words, s: Words, on: int) -> None:  # noqa: PLR0917  # a kernel's arrays
    """Offer the opposite of a candidate on, then off, if it leads to a contradiction."""
    for node in range(on, on - 2, -1):
        run = runs[node]
        if s[S_WANTED + node] and run[R_CLASH]:
            clash(runs, s, node)
            s[S_KIND] = CONTRADICTION
            s[S_CAUSING] = node
            offer(g, w, runs, nests, s, node ^ 1)


@kernel
def clash(runs: Runs, s: Words, node: int) -> None:
    """Put the two nodes in hand that a run makes contradict each other, the on-node first."""
    run = runs[node]
    known = run[R_CLASH] - 1
    new = run[R_END]
    s[S_PARTS] = node
    s[S_PARTS + 1] = node
    s[S_PLACES] = known if run[R_NODE + FIELDS * known] & 1 else new
    s[S_PLACES + 1] = new if run[R_NODE + FIELDS * known] & 1 else known
    s[S_PART_COUNT] = 2


@kernel
def compare(g: Words, w: Words, runs: Runs, nests: Words, s: Words) -> None:
    """Offer the nodes that all suppositions in hand lead to, on-nodes first, in the order of the first supposition."""
    count = s[S_PART_COUNT]
    first = runs[s[S_PARTS]]
    best = s[S_ORDER] if s[S_EVERY] == 0 else NONE
    for on in range(1, -1, -1):
        for n in range(first[R_END]):
            node = entry(first, R_NODE + FIELDS * n)
            if node & 1 != on or 8 * entry(first, R_COUNT + FIELDS * n) >= best:
                continue
            shared = True
            for k in range(1, count):
                at = runs[s[S_PARTS + k], R_AT + node]
                if at == 0:
                    shared = False
                    break
                s[S_PLACES + k] = at - 1
            if shared:
                s[S_PLACES] = n
                offer(g, w, runs, nests, s, node)
                best = s[S_ORDER] if s[S_EVERY] == 0 else NONE


@kernel
def offer(g: Words, w: Words, runs: Runs, nests: Words, s: Words, target: int) -> None:  # noqa: PLR0917  # a kernel's arrays
    """Keep the hint made of the places in hand if it comes before the best so far of its conclusion."""
    kind = s[S_KIND]
    key = 0
    if s[S_EVERY]:
        key = conclusion(g, target)
        if key < 0:
            return
    total = 0
    for k in range(s[S_PART_COUNT]):
        total += runs[s[S_PARTS + k], R_COUNT + FIELDS * s[S_PLACES + k]]
        if 8 * total + kind >= s[S_ORDER + key]:
            return
    if s[S_LEVEL] >= 2:
        total += nested(w, runs, nests, s)
        if 8 * total + kind >= s[S_ORDER + key]:
            return
    s[S_ORDER + key] = 8 * total + kind
    s[S_FOUND + key] = s[S_SERIAL]
    s[S_TARGET + key] = target
    s[S_CAUSE + key] = s[S_CAUSING]
    s[S_SERIAL] += 1


@kernel
def conclusion(g: Words, target: int) -> int:
    """Return a number that is the same for targets that remove the same candidates, -1 if the target removes none."""
    if target & 1 == 0:
        return target
    cell = target // 18
    others = g[CAND + cell] & ~(1 << (target // 2 % 9))
    if others == 0:
        return -1
    return target if others & (others - 1) else int(2 * (9 * cell + LOW[others]))


@kernel
def nested(w: Words, runs: Runs, nests: Words, s: Words) -> int:
    """Return the complexities of all different nested chains that the hint in hand depends on."""
    total = 0
    count = 0
    for k in range(s[S_PART_COUNT]):
        run = runs[s[S_PARTS + k]]
        end = ancestors(w, run, s[S_PLACES + k])
        for i in range(end):
            nest = run[R_NEST + FIELDS * w[D_QUEUE + i]]
            if nest == 0:
                continue
            known = False
            for j in range(count):
                known = known or nests[N_FIELDS * s[S_SUM + j] + N_CHAIN] == nests[N_FIELDS * nest + N_CHAIN]
            if not known and count == MOST_SUMMED:
                w[D_OVER] = 1
            elif not known:
                s[S_SUM + count] = nest
                count += 1
                total += nests[N_FIELDS * nest + N_COMPLEXITY]
    return total


@kernel
def conclude(g: Words, hint: Words, runs: Runs, s: Words) -> None:
    """Write the best hint."""
    complexity = s[S_ORDER] // 8
    kind = s[S_ORDER] % 8
    cause = s[S_CAUSE]
    mode = s[S_MODE]
    dynamic = DYNAMIC_CONTRADICTION + 4 * s[S_LEVEL]
    begin(hint)
    hint[H_COMPLEXITY] = complexity
    hint[H_DIGITS] = 0
    hint[H_RATING] = 75 + 5 * (mode + s[S_LEVEL]) + ADDED[complexity]
    if kind == CELL:
        hint[H_TECHNIQUE] = dynamic + 2 if mode == DYNAMIC else CELL_CHAINS
        mark(hint, cause - CELLS)
        hint[H_DIGITS] = g[CAND + cause - CELLS]
    elif kind == REGION:
        hint[H_TECHNIQUE] = dynamic + 3 if mode == DYNAMIC else REGION_CHAINS
        hint[H_HOUSE] = (cause - REGIONS) // 9
        hint[H_DIGITS] = 1 << ((cause - REGIONS) % 9)
        for i in range(9):
            if g[PLACE + cause - REGIONS] >> i & 1:
                mark(hint, HOUSES[hint[H_HOUSE], i])
    else:
        hint[H_TECHNIQUE] = dynamic + 1
        if kind == CONTRADICTION:
            hint[H_TECHNIQUE] = dynamic if mode == DYNAMIC else NISHIO_CHAINS
            hint[H_NODES] = runs[cause, R_NODE + FIELDS * (runs[cause, R_CLASH] - 1)] & ~1
            hint[H_LINKS] = 1
        hint[H_NODES + hint[H_LINKS]] = cause
        hint[H_LINKS] += 1
        mark(hint, cause // 18)
        hint[H_DIGITS] = 1 << (cause // 2 % 9)
    target = s[S_TARGET] // 2
    if s[S_TARGET] & 1:
        hint[H_CELL] = target // 9
        hint[H_DIGIT] = target % 9
        drop(g, hint, target // 9, g[CAND + target // 9] & ~(1 << (target % 9)))
    else:
        drop(g, hint, target // 9, 1 << (target % 9))
