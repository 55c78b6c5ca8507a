"""Unique rectangles and loops, types 1 to 4.

A loop is a closed walk over cells that all hold the digits a and b, each house met by it met exactly twice. If no cell had a
further candidate, a and b could be swapped around the loop: a second solution. All hints are compared and the easiest is kept.
"""

from engine._jit import forward_kernel as kernel
from engine.sudoku.rating._loop_types import (
    NONE,
    W_BEST,
    W_BOARD,
    W_BUDGET,
    W_CAME,
    W_CELL,
    W_CHANGED,
    W_CORE,
    W_EXTRA,
    W_INSIDE,
    W_KNOWN,
    W_NEXT,
    W_OLD,
    W_PAIR,
    W_QUIET,
    judge,
)
from engine.sudoku.rating._state import (
    BOARD,
    CAND,
    PLACE,
)
from engine.sudoku.rating._tables import (
    ALL,
    FIRST_BLOCK,
    HOUSE_BITS,
    HOUSE_OF,
    HOUSES,
    LOW,
    POP,
    WALK,
    WALK_BIT,
    WALK_HOUSE,
    Words,
)


@kernel
def unique_loop(g: Words, hint: Words, w: Words) -> bool:
    """Find all unique rectangles and loops and write the easiest (by rating, then type, then order of discovery).

    The walk starts at each bivalue cell and goes on by block, row, column. A cell is entered if it is bivalue, or if just one
    further digit has been seen, or if fewer than two cells with further digits are in the walk. "Seen" includes what neighbours
    tried before from the same cell had, even rejected ones: Sudoku Explainer does so, and ratings depend on it.
    No walk is repeated that closed no loop while the cells with both digits are what they were.
    """
    w[W_BEST] = NONE
    for i in range(3):
        w[W_CHANGED + i] = 0
    for cell in range(81):
        if w[W_OLD + cell] != g[CAND + cell]:
            w[W_CHANGED + cell // 27] |= 1 << (cell % 27)
    for start in range(81):
        w[W_PAIR] = g[CAND + start]
        if POP[w[W_PAIR]] != 2 or (w[W_KNOWN] and w[W_QUIET + start] and is_as_before(w)):
            continue
        w[W_QUIET + start] = 1
        if is_in_core(g, w, start) and walk(g, hint, w, start):
            break
    w[W_KNOWN] = w[W_BEST] == NONE
    if w[W_KNOWN]:
        for cell in range(81):
            w[W_OLD + cell] = g[CAND + cell]
        for i in range(27):
            w[W_BOARD + i] = g[BOARD + i]
    return bool(w[W_BEST] < NONE)


@kernel
def is_as_before(w: Words) -> bool:
    """Tell whether no cell that had both digits of the pair has changed."""
    one = W_BOARD + 3 * LOW[w[W_PAIR]]
    two = W_BOARD + 3 * LOW[w[W_PAIR] & (w[W_PAIR] - 1)]
    changed = 0
    for i in range(3):
        changed |= w[one + i] & w[two + i] & w[W_CHANGED + i]
    return changed == 0


@kernel
def is_in_core(g: Words, w: Words, start: int) -> bool:
    """Tell whether a loop of the pair can go through the cell.

    Each house of each of its cells is met twice, so that there is another cell with both digits in its block, row and column.
    """
    one = LOW[w[W_PAIR]]
    two = LOW[w[W_PAIR] & (w[W_PAIR] - 1)]
    for t in range(3):
        house = WALK_HOUSE[3 * start + t]
        if g[PLACE + house + one] & g[PLACE + house + two] & ~WALK_BIT[3 * start + t] == 0:
            return False
    for i in range(3):
        w[W_CORE + i] = g[BOARD + 3 * one + i] & g[BOARD + 3 * two + i]
    while w[W_CORE + start // 27] >> (start % 27) & 1:
        if not shrink(w):
            return True
    return False


@kernel
def shrink(w: Words) -> bool:
    """Take the cells out of the core that are alone in their block, row or column; tell whether there were any."""
    once, twice = 0, 0
    for i in range(3):
        for k in range(3):
            row = w[W_CORE + i] >> (9 * k) & ALL
            twice |= once & row
            once |= row
    column = twice | twice << 9 | twice << 18
    left = False
    for i in range(3):
        word = w[W_CORE + i]
        kept = word & column
        for k in range(3):
            row = word & ALL << (9 * k)
            block = word & FIRST_BLOCK << (3 * k)
            if row & (row - 1) == 0:
                kept &= ~row
            if block & (block - 1) == 0:
                kept &= ~block
        w[W_CORE + i] = kept
        left = left or kept != word
    return left


@kernel
def walk(g: Words, hint: Words, w: Words, start: int) -> bool:
    """Walk depth first from one start cell; True as soon as the hint is one that no other can beat."""
    pair = w[W_PAIR]
    one = LOW[pair]
    two = LOW[pair & (pair - 1)]
    for i in range(3):
        w[W_INSIDE + i] = 0
    odd = 0
    even = HOUSE_BITS[start]
    w[W_INSIDE + start // 27] |= 1 << (start % 27)
    w[W_CELL] = start
    w[W_NEXT] = 0
    w[W_EXTRA] = 0
    w[W_BUDGET] = 2
    w[W_CAME] = -1
    depth = 0
    while depth >= 0:
        cell = w[W_CELL + depth]
        step = w[W_NEXT + depth]
        if step == 27:
            w[W_INSIDE + cell // 27] &= ~(1 << (cell % 27))
            if depth & 1:
                odd &= ~HOUSE_BITS[cell]
            else:
                even &= ~HOUSE_BITS[cell]
            depth -= 1
            continue
        kind = step // 9
        house = HOUSE_OF[cell, WALK[kind]]
        # Where the house has both digits, from this position on.
        rest = g[PLACE + 9 * house + one] & g[PLACE + 9 * house + two] & (ALL << (step % 9))
        if kind == w[W_CAME + depth] or rest == 0:
            w[W_NEXT + depth] = 9 * kind + 9
            continue
        w[W_NEXT + depth] = 9 * kind + LOW[rest] + 1
        near = HOUSES[house, LOW[rest]]
        if near == start and depth >= 3:
            if odd == even:
                w[W_QUIET + start] = 0
                if judge(g, hint, w, depth + 1):
                    return True
            continue
        if w[W_INSIDE + near // 27] >> (near % 27) & 1:
            continue
        extra = g[CAND + near] & ~pair
        w[W_EXTRA + depth] |= extra
        if extra and POP[w[W_EXTRA + depth]] != 1 and w[W_BUDGET + depth] <= 0:
            continue
        if w[W_CORE + near // 27] >> (near % 27) & 1 == 0:
            continue
        # A house met twice by cells of the same parity spoils every loop that goes on from here.
        if HOUSE_BITS[near] & (even if depth & 1 else odd):
            continue
        if depth & 1:
            even |= HOUSE_BITS[near]
        else:
            odd |= HOUSE_BITS[near]
        w[W_INSIDE + near // 27] |= 1 << (near % 27)
        w[W_EXTRA + depth + 1] = w[W_EXTRA + depth]
        w[W_BUDGET + depth + 1] = w[W_BUDGET + depth] - (1 if extra else 0)
        depth += 1
        w[W_CELL + depth] = near
        w[W_NEXT + depth] = 0
        w[W_CAME + depth] = kind
    return False
