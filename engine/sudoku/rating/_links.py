"""The links that cycles and forcing chains follow, and the scratch that they are searched in."""

from typing import Final

from engine._jit import forward_kernel as kernel
from engine.sudoku.rating._state import CAND, PLACE
from engine.sudoku.rating._tables import BESIDE, FIRST_OF, LOW, POP, SEES, WALK_BIT, WALK_HOUSE, Words

# Scratch. Candidates are numbered 9 * cell + digit.
C_STRONG: Final = 0  # 729 * 4: candidates that are on if this one is off; -1 ends the list
C_LINKED: Final = C_STRONG + 729 * 4  # 81: digits of each cell that have such strong links
C_PLACES: Final = C_LINKED + 81  # 27 * 9: their places in each house
C_SEEN_ON: Final = C_PLACES + 243  # 729: stamp of the search that reached the candidate as on
C_SEEN_OFF: Final = C_SEEN_ON + 729  # 729: the same for off
C_FROM: Final = C_SEEN_OFF + 729  # 729: by which off-node an on-node was reached
C_QUEUE: Final = C_FROM + 729  # 730: on-nodes in the order in which they were reached
C_OFF: Final = C_QUEUE + 730  # 729 * 28: candidates of the off-nodes, in that order
C_OFF_FROM: Final = C_OFF + 729 * 28  # 729 * 28: by which on-node each of them was reached
C_STAMP: Final = C_OFF_FROM + 729 * 28
C_SOURCE: Final = C_STAMP + 1
C_SWEEP: Final = C_STAMP + 2  # 0 X rule, 1 Y rule, 2 both
C_BASE: Final = C_STAMP + 3  # row of CHAIN_ORDER
C_BEST: Final = C_STAMP + 4  # order of the best hint so far
C_LENGTH: Final = C_STAMP + 5  # nodes of the chain in question
C_FORWARD: Final = C_STAMP + 6  # 27: for each digit the cells that an on-node of a cycle removes it from
C_BACK: Final = C_FORWARD + 27  # 27: the same for off-nodes
C_ON_END: Final = C_BACK + 27  # number of on-nodes and of off-nodes reached
C_OFF_END: Final = C_ON_END + 1
C_LAST: Final = C_ON_END + 2  # the off-node in hand: the last of a cycle, or the one to go on from
C_CELLS: Final = C_ON_END + 3  # 3: the cells of the cycle
C_EVERY: Final = C_CELLS + 3  # 1 if the best hint of each set of removals is kept, 0 if only the best of all is wanted
C_KEPT: Final = C_EVERY + 1  # how many are kept
C_SERIAL: Final = C_EVERY + 2  # how many were found
C_POOL_END: Final = C_EVERY + 3
C_OVER: Final = C_EVERY + 4  # 1 if hints did not fit
C_ARRIVED: Final = C_EVERY + 5  # the on-node that a chain to its own source off arrives from
C_GONE: Final = C_EVERY + 6  # hash of the removals of the hint in hand
C_KIND: Final = C_EVERY + 7  # CYCLE, or the node that it proves
C_TRY: Final = C_EVERY + 8  # 729: which searches from the candidate can find something: see `_implied`
C_IMPLIED: Final = C_TRY + 729  # 1 if there are chains, so that what follows from each candidate is not known
C_DIGITS: Final = C_IMPLIED + 1  # the digits whose links matter
C_ON: Final = C_IMPLIED + 2  # 729: nodes of the shortest chain from the candidate on to off, if it matters, else 0
C_OFF_TO_ON: Final = C_ON + 729  # 729: from off to on
C_HINTS: Final = C_OFF_TO_ON + 729  # MOST_HINTS * 6: the hints kept
MOST_HINTS: Final = 3000
C_POOL: Final = C_HINTS + 6 * MOST_HINTS  # MOST_POOL: their nodes, each from its end to its start
MOST_POOL: Final = 300_000
C_SIZE: Final = C_POOL + MOST_POOL

# A kept hint.
K_ORDER: Final = 0  # as CHAIN_ORDER
K_SERIAL: Final = 1  # its number in the order of discovery
K_GONE: Final = 2  # hash of its removals
K_KIND: Final = 3  # CYCLE, or the node that a chain proves
K_NODES: Final = 4  # where its nodes start
K_LENGTH: Final = 5  # and how many there are: the complexity
CYCLE: Final = -1


@kernel
def mark_linked(g: Words, c: Words) -> None:
    """Mark the candidates that have strong links under the sweep's rules.

    The two of a cell have (Y rule), and the two places of a digit in a house (X rule); only the digits in C_DIGITS count.
    """
    for cell in range(81):
        m = g[CAND + cell]
        c[C_LINKED + cell] = m if c[C_SWEEP] != 0 and POP[m] == 2 else 0
    if c[C_SWEEP] == 1:
        return
    for h in range(243):
        where = g[PLACE + h]
        if POP[where] == 2 and c[C_DIGITS] >> (h % 9) & 1:
            bit = 1 << (h % 9)
            at = h - h % 9
            c[C_LINKED + FIRST_OF[at + LOW[where]] // 9] |= bit
            c[C_LINKED + FIRST_OF[at + LOW[where & (where - 1)]] // 9] |= bit


@kernel
def link(g: Words, c: Words) -> None:
    """List the strong links of the candidates that have any, and mark their places; they are in C_LINKED."""
    for h in range(243):
        c[C_PLACES + h] = 0
    for cell in range(81):
        m = g[CAND + cell]
        rest = c[C_LINKED + cell]
        while rest:
            d = LOW[rest]
            rest &= rest - 1
            at = C_STRONG + 4 * (9 * cell + d)
            end = at
            if c[C_SWEEP] != 0 and POP[m] == 2:
                c[end] = 9 * cell + LOW[m & ~(1 << d)]
                end += 1
            for t in range(3):
                house = WALK_HOUSE[3 * cell + t]
                bit = WALK_BIT[3 * cell + t]
                c[C_PLACES + house + d] |= bit
                where = g[PLACE + house + d]
                if POP[where] == 2 and c[C_SWEEP] != 1:
                    other = FIRST_OF[house + LOW[where & ~bit]] + d
                    known = False
                    for i in range(at, end):
                        known = known or c[i] == other
                    if not known:
                        c[end] = other
                        end += 1
            if end < at + 4:
                c[end] = -1


@kernel
def near_linked(c: Words, p: int, t: int) -> int:
    """Return which linked candidates p on makes off: digits of its cell (t = 0), places in its block, row, column (1, 2, 3)."""
    cell = p // 9
    d = p - 9 * cell
    if t == 0:
        return int(c[C_LINKED + cell] & ~(1 << d)) if c[C_SWEEP] != 0 else 0
    return int(c[C_PLACES + WALK_HOUSE[3 * cell + t - 1] + d] & BESIDE[3 * cell + t - 1])


@kernel
def near_candidate(p: int, t: int, i: int) -> int:
    """Return the candidate that bit i of the above stands for."""
    cell = p // 9
    if t == 0:
        return 9 * cell + i
    return int(FIRST_OF[WALK_HOUSE[3 * cell + t - 1] + i] + p - 9 * cell)


@kernel
def weakly_linked(c: Words, p: int, q: int) -> bool:
    """Tell whether p on makes q off under the sweep's rules."""
    if p % 9 == q % 9:
        return bool(SEES[p // 9, q // 9])
    return bool(p // 9 == q // 9 and c[C_SWEEP] != 0)


@kernel
def weaken(c: Words, p: int) -> None:
    """Enter the off-nodes that follow from p on and were not reached before."""
    for t in range(4):
        rest = near_linked(c, p, t)
        while rest:
            q = near_candidate(p, t, LOW[rest])
            rest &= rest - 1
            if c[C_SEEN_OFF + q] != c[C_STAMP]:
                c[C_SEEN_OFF + q] = c[C_STAMP]
                c[C_OFF + c[C_OFF_END]] = q
                c[C_OFF_FROM + c[C_OFF_END]] = p
                c[C_OFF_END] += 1


@kernel
def strengthen(c: Words) -> None:
    """Enter the on-nodes that follow from off-node number C_LAST and were not reached before."""
    k = c[C_LAST]
    at = C_STRONG + 4 * c[C_OFF + k]
    for i in range(at, at + 4):
        p = c[i]
        if p < 0:
            break
        if c[C_SEEN_ON + p] != c[C_STAMP]:
            c[C_SEEN_ON + p] = c[C_STAMP]
            c[C_FROM + p] = k
            c[C_QUEUE + c[C_ON_END]] = p
            c[C_ON_END] += 1
