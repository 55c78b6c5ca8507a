"""What static links imply: the shortest chains, which cycles are worth a search, and which cells and regions lead to something.

Every link runs both ways: if p on makes q off, q on makes p off; if q off makes p on, p off makes q on. So the implications of
one grid are closed under contraposition, and what they prove can be read off sets of bits, layer by layer:

- A forcing chain from p exists if and only if p on implies p off, or p off implies p on.
- Whatever a cycle of n nodes removes has a chain of at most n + 2 nodes. Let x see the on-node p and the off-node q of the
  cycle. x on makes q off, which leads round the cycle and makes p on, which makes x off. And so x on makes each on-node of
  the cycle on, going on round it, and off, going round it the other way.
- If there is no such chain, no supposition leads to a contradiction, and all that follows from it is found whatever the order.

The searches themselves, in their order and with their lengths, are made only for what is left.
"""

from typing import Final

import numpy as np

from engine._jit import forward_kernel as kernel
from engine.sudoku.lanes.bits import trailing_zeros
from engine.sudoku.rating._chains import CHAIN_ORDER, LONGEST, NONE, SHORTEST, longest_cycle
from engine.sudoku.rating._links import C_BEST, C_DIGITS, C_LINKED, C_OFF_TO_ON, C_ON, C_SWEEP, C_TRY
from engine.sudoku.rating._net import (
    BITS,
    I_AFTER,
    I_ALL,
    I_CANDIDATE,
    I_COUNT,
    I_FRONT,
    I_NEXT,
    I_NUMBER,
    I_ON,
    I_SEEN,
    I_STRONG,
    I_WEAK,
    I_WORDS,
    NET_SIZE,
    ROW,
    advance,
    build,
    chain_from_off,
    chain_from_on,
    close,
    follow,
    see_linked,
)
from engine.sudoku.rating._state import BOARD, CAND
from engine.sudoku.rating._tables import LOW, Words

TRY_ON: Final = 1
TRY_OFF: Final = 2
TRY_CYCLE: Final = 4

# Scratch, behind the net.
I_SOURCES: Final = NET_SIZE  # candidates that a useful cycle can go through
I_ROUND: Final = I_SOURCES + ROW  # the same for one candidate that the cycle would remove
I_ASKED: Final = I_ROUND + ROW  # those that are of interest
I_DEPTHS: Final = I_ASKED + ROW  # 370 rows: what is on after each number of steps
I_AGAINST: Final = I_DEPTHS + 370 * ROW  # 370 rows: what is off after one link more
I_BOARDS: Final = I_AGAINST + 370 * ROW  # 27: places of each digit for which no chain by the X rule exists
I_END: Final = I_BOARDS + 27
MOST_STEPS: Final = 369
"""A layer is new in one of 729 candidates at most, and those of a chain come in pairs."""


def _longest_cycles() -> Words:
    """For X-chains by their number of nodes: how many an X-cycle can have that is not harder."""
    longest = np.zeros(LONGEST, dtype=np.int64)
    cycle = SHORTEST
    for nodes in range(LONGEST):
        while cycle + 2 < LONGEST and CHAIN_ORDER[0, cycle + 2] <= CHAIN_ORDER[1, nodes]:
            cycle += 2
        longest[nodes] = cycle
    return longest


X_CYCLES = _longest_cycles()


@kernel
def choose(g: Words, c: Words, r: Words) -> bool:
    """Mark in C_TRY what each candidate is worth as a source of the sweep; False if no chain or cycle can become the best.

    Only the shortest chains can. They bound the search for cycles.
    """
    rule = c[C_SWEEP]
    build(g, c, r)
    close(r)
    most = 2 * LONGEST
    if c[C_BEST] < NONE:
        most = longest_cycle(c, rule // 2 * 2) + 2
    shortest = measure(g, c, r, most)
    if shortest == 0:
        return False
    if rule != 1:
        c[C_BEST] = min(c[C_BEST], CHAIN_ORDER[1 + rule // 2, shortest] + 1)
    most = longest_cycle(c, rule // 2 * 2)
    for i in range(r[I_WORDS]):
        r[I_SOURCES + i] = 0
    first = 729
    for cell in range(81):
        rest = g[CAND + cell] & c[C_DIGITS]
        while rest:
            p = 9 * cell + LOW[rest]
            rest &= rest - 1
            worth = 0
            if c[C_ON + p] == shortest:
                worth |= TRY_ON
            if c[C_OFF_TO_ON + p] == shortest:
                worth |= TRY_OFF
            c[C_TRY + p] = worth
            if worth and rule == 2:
                first = min(first, p)
    # Of two rules equally long chains and cycles are equally good: the first counts.
    if rule == 2 and most == shortest:
        gather_sources(g, c, r, shortest - 2, 729)
    else:
        first = 729
    gather_sources(g, c, r, most, first)
    mark_cycles(c, r)
    return True


@kernel
def gather_sources(g: Words, c: Words, r: Words, most: int, last: int) -> None:
    """Add to I_SOURCES the candidates up to `last` through which a cycle of at most so many nodes can remove a candidate."""
    if most < SHORTEST:
        return
    for i in range(r[I_WORDS]):
        r[I_ASKED + i] = 0
    for k in range(r[I_COUNT]):
        if r[I_CANDIDATE + k] <= last:
            r[I_ASKED + k // BITS] |= 1 << (k % BITS)
    for cell in range(81):
        rest = g[CAND + cell] & c[C_DIGITS]
        while rest:
            p = 9 * cell + LOW[rest]
            rest &= rest - 1
            if 0 < c[C_ON + p] <= most + 2:
                go_round(c, r, p, most)


@kernel
def mark_cycles(c: Words, r: Words) -> None:
    """Mark the candidates in I_SOURCES as sources of cycles."""
    for w in range(r[I_WORDS]):
        rest = r[I_SOURCES + w]
        while rest:
            c[C_TRY + r[I_CANDIDATE + BITS * w + trailing_zeros(rest)]] |= TRY_CYCLE
            rest &= rest - 1


@kernel
def measure(g: Words, c: Words, r: Words, most: int) -> int:
    """Measure the shortest chains of all candidates, and return the number of nodes of the shortest of all, 0 if there is none.

    C_ON and C_OFF_TO_ON get the number of nodes from the candidate on to off, and from off to on; 0 where there is none, or
    where it has more than `most` or is too long beside others for a cycle to be built on it.
    """
    rule = c[C_SWEEP]
    best = 2 * LONGEST
    for cell in range(81):
        rest = g[CAND + cell] & c[C_DIGITS]
        while rest:
            p = 9 * cell + LOW[rest]
            bit = rest & -rest
            rest ^= bit
            length = chain_from_on(r, most) if implies_off(c, r, p) else 0
            c[C_ON + p] = length
            c[C_OFF_TO_ON + p] = 0
            if rule != 1 and c[C_LINKED + cell] & bit and implies_on(r, r[I_NUMBER + p]):
                back = chain_from_off(r, r[I_NUMBER + p], min(most, best))
                c[C_OFF_TO_ON + p] = back
                if length == 0 or (back and back < length):
                    length = back
            if length and length < best:
                best = length
                if rule != 1:
                    most = min(most, (X_CYCLES[length] if rule == 0 else length) + 2)
    return best if best < 2 * LONGEST else 0


@kernel
def see(c: Words, r: Words, p: int) -> None:
    """Write those that see a candidate into I_SEEN."""
    see_linked(c, r, p)
    if c[C_LINKED + p // 9] >> (p % 9) & 1:
        k = r[I_NUMBER + p]
        r[I_SEEN + k // BITS] &= ~(1 << (k % BITS))


@kernel
def implies_off(c: Words, r: Words, p: int) -> bool:
    """Tell whether a candidate on leads to it off; I_SEEN has those that see it, I_ON all that follows."""
    see(c, r, p)
    follow(r, I_SEEN, I_AFTER, I_ON + ROW * p)
    met = 0
    for i in range(r[I_WORDS]):
        met |= r[I_ON + ROW * p + i] & r[I_SEEN + i]
    return met != 0


@kernel
def implies_on(r: Words, k: int) -> bool:
    """Tell whether a linked candidate off leads to it on."""
    return bool(r[I_AFTER + ROW * k + k // BITS] >> (k % BITS) & 1)


@kernel
def go_round(c: Words, r: Words, p: int, most: int) -> None:
    """Add to I_SOURCES the on-nodes of all cycles of at most so many nodes that can remove a candidate.

    Two nodes of the cycle, q off and then after k nodes p on, see the candidate, and its chain has k + 2. From the candidate
    on, an on-node between them is on after i steps of two links and off after j, one link more, where i + j = k / 2. One in
    the rest of the cycle is on at most (n - k) / 2 steps after p, and off after less than n / 2.
    """
    words = r[I_WORDS]
    deepest = most // 2
    last = spread(c, r, p, deepest)
    left = 0
    for w in range(words):
        r[I_FRONT + w] = r[I_DEPTHS + ROW * last + w] & r[I_AGAINST + w]
        r[I_ALL + w] = 0
        r[I_ROUND + w] = 0
        left |= r[I_FRONT + w]
    if c[C_ON + p] <= most and left:
        for _ in range((most + 2 - c[C_ON + p]) // 2):
            if not advance(r, I_ALL):
                break
        off = I_AGAINST + ROW * min(deepest - 1, last)
        for w in range(words):
            r[I_ROUND + w] = (r[I_ALL + w] | r[I_FRONT + w]) & r[off + w]
    for i in range(1, deepest + 1):
        on = I_DEPTHS + ROW * min(i, last)
        off = I_AGAINST + ROW * min(deepest - i, last)
        for w in range(words):
            r[I_ROUND + w] |= r[on + w] & r[off + w]
    add_sources(r, most)


@kernel
def add_sources(r: Words, most: int) -> None:
    """Add to I_SOURCES those in I_ROUND through which there is a cycle within I_ROUND."""
    for w in range(r[I_WORDS]):
        rest = r[I_ROUND + w] & r[I_ASKED + w] & ~r[I_SOURCES + w]
        while rest:
            bit = rest & -rest
            if is_on_cycle(r, BITS * w + trailing_zeros(rest), most):
                r[I_SOURCES + w] |= bit
            rest ^= bit


@kernel
def is_on_cycle(r: Words, k: int, most: int) -> bool:
    """Tell whether a candidate on leads back to itself within I_ROUND, the last off-node being another than the first."""
    words = r[I_WORDS]
    word = k // BITS
    own = 1 << (k % BITS)
    for w in range(words):
        rest = r[I_STRONG + ROW * k + w]
        while rest:
            bit = rest & -rest
            last = BITS * w + trailing_zeros(rest)
            rest ^= bit
            for i in range(words):
                r[I_SEEN + i] = r[I_WEAK + ROW * k + i]
                r[I_ALL + i] = ~r[I_ROUND + i]
            r[I_SEEN + w] &= ~bit
            follow(r, I_SEEN, I_STRONG, I_FRONT)
            r[I_ALL + word] |= own
            for i in range(words):
                r[I_FRONT + i] &= ~r[I_ALL + i]
            for _ in range(1, most // 2):
                met = 0
                for i in range(words):
                    met |= r[I_FRONT + i] & r[I_WEAK + ROW * last + i]
                if met:
                    return True
                if not advance(r, I_ALL):
                    break
    return False


@kernel
def spread(c: Words, r: Words, p: int, deepest: int) -> int:
    """Write what follows from a candidate on into I_DEPTHS and I_AGAINST, by steps; return the last that has anything new."""
    words = r[I_WORDS]
    see(c, r, p)
    for w in range(words):
        r[I_DEPTHS + w] = 0
        r[I_AGAINST + w] = r[I_SEEN + w]
        r[I_ALL + w] = 0
    follow(r, I_SEEN, I_STRONG, I_FRONT)
    step = 0
    while step < min(deepest, MOST_STEPS):
        new = 0
        for w in range(words):
            new |= r[I_FRONT + w]
        if new == 0:
            break
        step += 1
        follow(r, I_FRONT, I_WEAK, I_NEXT)
        for w in range(words):
            r[I_DEPTHS + ROW * step + w] = r[I_DEPTHS + ROW * (step - 1) + w] | r[I_FRONT + w]
            r[I_AGAINST + ROW * step + w] = r[I_AGAINST + ROW * (step - 1) + w] | r[I_NEXT + w]
        advance(r, I_ALL)
    return step


@kernel
def imply(g: Words, c: Words, r: Words) -> bool:
    """Mark in C_TRY which searches from each candidate can find anything, whatever its length; tell whether any can.

    I_ON gets all that follows from each candidate if none can.
    """
    build(g, c, r)
    close(r)
    if measure_all(g, c, r) == 0:
        return False
    mark_cycles(c, r)
    return True


@kernel
def measure_all(g: Words, c: Words, r: Words) -> int:
    """Mark the candidates that have chains, gather the sources of cycles, and return how many chains there are."""
    words = r[I_WORDS]
    found = 0
    for i in range(words):
        r[I_SOURCES + i] = 0
        r[I_ASKED + i] = -1
    for cell in range(81):
        rest = g[CAND + cell] & c[C_DIGITS]
        while rest:
            bit = rest & -rest
            p = 9 * cell + LOW[rest]
            rest ^= bit
            worth = 0
            if implies_off(c, r, p):
                worth |= TRY_ON
                last = spread(c, r, p, MOST_STEPS)
                for i in range(words):
                    r[I_ROUND + i] = r[I_DEPTHS + ROW * last + i] & r[I_AGAINST + ROW * last + i]
                add_sources(r, 2 * LONGEST)
            if c[C_LINKED + cell] & bit and implies_on(r, r[I_NUMBER + p]):
                worth |= TRY_OFF
            c[C_TRY + p] = worth
            found += worth
    return found


@kernel
def fresh_digits(g: Words, r: Words) -> int:
    """Return the digits whose places are not those for which `note_digits` knows that there is no chain."""
    fresh = 0
    for d in range(9):
        for i in range(3 * d, 3 * d + 3):
            if r[I_BOARDS + i] != g[BOARD + i]:
                fresh |= 1 << d
    return fresh


@kernel
def note_digits(g: Words, c: Words, r: Words) -> None:
    """Note for the digits in C_DIGITS that no chain by the X rule exists for the places they have now."""
    for i in range(27):
        if c[C_DIGITS] >> (i // 3) & 1:
            r[I_BOARDS + i] = g[BOARD + i]
