"""Chains nested in the runs of dynamic chains: every hint that a search finds on a run's working grid extends the run.

A nested hint counts only if it was not there before the supposition: it depends on the off-nodes of the run that made its
links. Its complexity is added to that of each hint of the outer search that depends on it, once for equal chains.
"""

from typing import Final

from engine._jit import forward_kernel as kernel
from engine.sudoku.rating._extra import strike
from engine.sudoku.rating._forcing import every_chain
from engine.sudoku.rating._links import (
    C_HINTS,
    C_KEPT,
    C_OVER,
    C_POOL,
    CYCLE,
    K_KIND,
    K_LENGTH,
    K_NODES,
    K_ORDER,
    K_SERIAL,
)
from engine.sudoku.rating._run import (
    D_GONE,
    D_GONE_COUNT,
    D_NEST,
    D_OVER,
    D_PARENT_COUNT,
    D_QUEUE,
    FIELDS,
    LAST_DIGIT,
    LAST_PLACE,
    NODES,
    R_AT,
    R_CAUSE,
    R_NODE,
    SUPPOSED,
    Run,
    Runs,
    add_parent,
    ancestors,
    entry,
)
from engine.sudoku.rating._search import (
    CELL,
    CELLS,
    CONTRADICTION,
    DOUBLE,
    MOST_NESTS,
    N_CHAIN,
    N_COMPLEXITY,
    N_FIELDS,
    N_HINT,
    NONE,
    REGION,
    REGIONS,
    S_CAUSE,
    S_FOUND,
    S_ORDER,
    S_PART_COUNT,
    S_PARTS,
    S_PLACES,
    S_TARGET,
    clash,
)
from engine.sudoku.rating._state import CAND, PLACE
from engine.sudoku.rating._tables import HOUSE_OF, HOUSES, LOW, PEERS, POP, WALK, Words

# Scratch.
F_STAMP: Final = 0
F_TAKEN: Final = 1  # 729: stamps of the candidates that are parents already
F_SORTED: Final = 730  # 3000: hints in the order in which they are taken
F_KEYS: Final = 3730  # 3000: what they are sorted by
F_FORWARD: Final = 6730  # 729: stamps of the candidates that an on-node of a cycle sees
F_BACK: Final = 7459  # 729: and that an off-node sees
F_INSIDE: Final = 8188  # 81: stamps of the cells of a cycle
F_SIZE: Final = 8269

MASK: Final = (1 << 43) - 1


@kernel
def nest_chains(g: Words, w: Words, run: Run, c: Words, r: Words, f: Words, nests: Words) -> bool:  # noqa: PLR0917  # a kernel's arrays
    """Extend the run by all cycles and forcing chains of its working grid; tell whether there were any that count."""
    if not every_chain(w, f, c, r):
        return False
    if c[C_OVER]:
        w[D_OVER] = 1
    count = c[C_KEPT]
    for k in range(count):
        f[F_KEYS + k] = c[C_HINTS + 6 * k + K_ORDER] << 24 | c[C_HINTS + 6 * k + K_SERIAL]
    sort(f, count)
    found = False
    for i in range(count):
        at = C_HINTS + 6 * f[F_SORTED + i]
        first = C_POOL + c[at + K_NODES]
        length = c[at + K_LENGTH]
        kind = c[at + K_KIND]
        begin_parents(w, f)
        chain_parents(g, w, run, c, f, first, length, kind)
        if w[D_PARENT_COUNT] == 0:
            continue
        code = 2 if kind == CYCLE else 1
        for n in range(first, first + length):
            code = (code * 262139 + c[n]) & MASK
        w[D_GONE_COUNT] = 0
        if kind == CYCLE:
            cycle_removals(w, c, f, first, length)
        else:
            conclude_nested(w, kind)
        w[D_NEST] = add_nest(w, nests, code, length, f[F_SORTED + i])
        strike(w, run)
        found = True
    return found


@kernel
def nest_search(g: Words, w: Words, run: Run, f: Words, nests: Words, inner: Words, runs: Runs, s: Words) -> bool:  # noqa: PLR0917  # a kernel's arrays
    """Extend the run by all hints of a search on its working grid, made with its own scratch `inner`, `runs` and `s`."""
    count = 0
    for key in range(NODES):
        if s[S_ORDER + key] < NONE:
            f[F_KEYS + count] = (s[S_ORDER + key] << 24 | s[S_FOUND + key]) << 11 | key
            count += 1
    sort(f, count)
    found = False
    for i in range(count):
        key = f[F_KEYS + f[F_SORTED + i]] & 2047
        gather(w, runs, s, key)
        begin_parents(w, f)
        code = s[S_PART_COUNT]
        for k in range(s[S_PART_COUNT]):
            part = runs[s[S_PARTS + k]]
            end = ancestors(inner, part, s[S_PLACES + k])
            for j in range(end):
                n = inner[D_QUEUE + j]
                node = entry(part, R_NODE + FIELDS * n)
                code = (code * 262139 + node) & MASK
                if node & 1:
                    cause = entry(part, R_CAUSE + FIELDS * n)
                    if n == 0 and s[S_ORDER + key] % 8 == CELL:
                        cause = LAST_DIGIT
                    elif n == 0 and s[S_ORDER + key] % 8 == REGION:
                        cause = LAST_PLACE + (s[S_CAUSE + key] - REGIONS) // 81
                    rule_parents(g, w, run, f, node // 2, cause)
        if w[D_PARENT_COUNT] == 0:
            continue
        w[D_GONE_COUNT] = 0
        conclude_nested(w, s[S_TARGET + key])
        w[D_NEST] = add_nest(w, nests, code, s[S_ORDER + key] // 8, key)
        strike(w, run)
        found = True
    return found


@kernel
def sort(f: Words, count: int) -> None:
    """Sort the numbers of the hints by their keys, which differ."""
    for i in range(count):
        j = i
        while j > 0 and f[F_KEYS + f[F_SORTED + j - 1]] > f[F_KEYS + i]:
            f[F_SORTED + j] = f[F_SORTED + j - 1]
            j -= 1
        f[F_SORTED + j] = i


@kernel
def add_nest(w: Words, nests: Words, code: int, complexity: int, hint: int) -> int:
    """Enter a nested chain and return its number."""
    if nests[0] == MOST_NESTS:
        w[D_OVER] = 1
        return 0
    nests[0] += 1
    nests[N_FIELDS * nests[0] + N_CHAIN] = code
    nests[N_FIELDS * nests[0] + N_COMPLEXITY] = complexity
    nests[N_FIELDS * nests[0] + N_HINT] = hint
    return int(nests[0])


@kernel
def begin_parents(w: Words, f: Words) -> None:
    """Start the list of the off-nodes that a nested hint depends on."""
    f[F_STAMP] += 1
    w[D_PARENT_COUNT] = 0


@kernel
def rule_parents(g: Words, w: Words, run: Run, f: Words, candidate: int, cause: int) -> None:  # noqa: PLR0917  # a kernel's arrays
    """Append the off-nodes that made a candidate the last of its cell or the last place in a house."""
    cell = candidate // 9
    if cause == LAST_DIGIT:
        lost = g[CAND + cell] & ~w[CAND + cell]
        while lost:
            take_parent(w, run, f, 9 * cell + LOW[lost])
            lost &= lost - 1
    elif cause != SUPPOSED:
        d = candidate % 9
        house = HOUSE_OF[cell, cause - LAST_PLACE]
        lost = g[PLACE + 9 * house + d] & ~w[PLACE + 9 * house + d]
        while lost:
            take_parent(w, run, f, 9 * HOUSES[house, LOW[lost]] + d)
            lost &= lost - 1


@kernel
def take_parent(w: Words, run: Run, f: Words, candidate: int) -> None:
    """Append one, unless it is in the list."""
    if f[F_TAKEN + candidate] != f[F_STAMP]:
        f[F_TAKEN + candidate] = f[F_STAMP]
        if run[R_AT + 2 * candidate]:
            add_parent(w, run, candidate)
        else:
            w[D_OVER] = 1


@kernel
def strong_cause(w: Words, q: int, p: int) -> int:
    """Return by which rule q off makes p on."""
    if q // 9 == p // 9:
        return LAST_DIGIT
    for t in range(3):
        house = HOUSE_OF[p // 9, WALK[t]]
        if HOUSE_OF[q // 9, WALK[t]] == house and POP[w[PLACE + 9 * house + p % 9]] == 2:
            return LAST_PLACE + int(WALK[t])
    return SUPPOSED


@kernel
def weak_cause(p: int, q: int) -> int:
    """Return by which rule p on makes q off."""
    if q // 9 == p // 9:
        return LAST_DIGIT
    for t in range(3):
        if HOUSE_OF[q // 9, WALK[t]] == HOUSE_OF[p // 9, WALK[t]]:
            return LAST_PLACE + int(WALK[t])
    return SUPPOSED


@kernel
def chain_parents(g: Words, w: Words, run: Run, c: Words, f: Words, first: int, length: int, kind: int) -> None:  # noqa: PLR0917  # a kernel's arrays
    """Append what made the on-nodes of a chain or cycle; in a cycle also its off-nodes, which are on the other way round."""
    for n in range(first, first + length - 1):
        if c[n] & 1:
            rule_parents(g, w, run, f, c[n] // 2, strong_cause(w, c[n + 1] // 2, c[n] // 2))
    if kind == CYCLE:
        for n in range(first + length - 1, first, -1):
            if c[n] & 1 == 0:
                before = c[n + 1] if n + 1 < first + length else c[first]
                rule_parents(g, w, run, f, c[n] // 2, weak_cause(before // 2, c[n] // 2))


@kernel
def conclude_nested(w: Words, target: int) -> None:
    """Write the removals of a hint that proves one node."""
    cell = target // 18
    digits = 1 << (target // 2 % 9)
    if target & 1:
        digits = w[CAND + cell] & ~digits
    w[D_GONE] = cell << 9 | digits
    w[D_GONE_COUNT] = 1


@kernel
def cycle_removals(w: Words, c: Words, f: Words, first: int, length: int) -> None:
    """Write the removals of a cycle, cells in the order in which its on-nodes see them, from the end of the cycle back."""
    f[F_STAMP] += 1
    stamp = f[F_STAMP]
    for n in range(first, first + length):
        f[F_INSIDE + c[n] // 18] = stamp
        if c[n] & 1 == 0:
            for i in range(20):
                f[F_BACK + 9 * PEERS[c[n] // 18, i] + c[n] // 2 % 9] = stamp
    for n in range(first, first + length):
        if c[n] & 1 == 0:
            continue
        d = c[n] // 2 % 9
        for i in range(20):
            cell = PEERS[c[n] // 18, i]
            candidate = 9 * cell + d
            if f[F_FORWARD + candidate] == stamp:
                continue
            f[F_FORWARD + candidate] = stamp
            if f[F_BACK + candidate] != stamp or f[F_INSIDE + cell] == stamp or w[CAND + cell] >> d & 1 == 0:
                continue
            k = 0
            while k < w[D_GONE_COUNT] and w[D_GONE + k] >> 9 != cell:
                k += 1
            if k == w[D_GONE_COUNT]:
                w[D_GONE + k] = cell << 9
                w[D_GONE_COUNT] += 1
            w[D_GONE + k] |= 1 << d


@kernel
def gather(g: Words, runs: Runs, s: Words, key: int) -> None:
    """Put the runs that a hint is made of in hand, each with its place."""
    kind = s[S_ORDER + key] % 8
    cause = s[S_CAUSE + key]
    target = s[S_TARGET + key]
    if kind == CONTRADICTION:
        clash(runs, s, cause)
        return
    s[S_PART_COUNT] = 0
    if kind == DOUBLE:
        add_part(runs, s, cause ^ 1, target)
        add_part(runs, s, cause, target)
    elif kind == CELL:
        for d in range(9):
            if g[CAND + cause - CELLS] >> d & 1:
                add_part(runs, s, 2 * (9 * (cause - CELLS) + d) + 1, target)
    else:
        for i in range(9):
            if g[PLACE + cause - REGIONS] >> i & 1:
                add_part(runs, s, 2 * (9 * HOUSES[(cause - REGIONS) // 9, i] + (cause - REGIONS) % 9) + 1, target)


@kernel
def add_part(runs: Runs, s: Words, node: int, target: int) -> None:
    """Append the run of a node, at its place of the target."""
    s[S_PARTS + s[S_PART_COUNT]] = node
    s[S_PLACES + s[S_PART_COUNT]] = runs[node, R_AT + target] - 1
    s[S_PART_COUNT] += 1
