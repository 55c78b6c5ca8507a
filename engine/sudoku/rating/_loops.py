"""Unique rectangles and loops, types 1 to 4.

A loop is a closed walk over cells that all hold the digits a and b, each house met by it met exactly twice. If no cell had a
further candidate, a and b could be swapped around the loop: a second solution. All hints are compared and the easiest is kept.
"""

from typing import Final

import numpy as np

from engine._jit import forward_kernel as kernel
from engine.sudoku.rating._state import (
    BOARD,
    CAND,
    EMPTY,
    H_DIGITS,
    H_HOUSE,
    H_RATING,
    H_TECHNIQUE,
    PLACE,
    any_common,
    begin,
    drop,
    drop_common,
    drop_house,
    mark,
    mark_house,
    see,
    see_none,
)
from engine.sudoku.rating._tables import (
    ALL,
    FIRST_BLOCK,
    HOUSE_BITS,
    HOUSE_OF,
    HOUSES,
    LOW,
    POP,
    POSITION,
    SUBSET_START,
    SUBSETS,
    WALK,
    WALK_BIT,
    WALK_HOUSE,
    Words,
)
from engine.sudoku.rating.techniques import LONGEST_LOOP, UNIQUE_LOOP

# Scratch, with one entry for each depth of the walk (at most 18 cells, see LONGEST_LOOP).
W_CELL: Final = 0
W_NEXT: Final = 20  # which neighbour to look at next: 9 * (block, row, column) + position
W_EXTRA: Final = 40  # digits other than a and b seen so far, see `unique_loop`
W_BUDGET: Final = 60
W_CAME: Final = 80  # by which type of house the walk came
W_INSIDE: Final = 100  # 3 words: the cells of the loop
W_PAIR: Final = 103  # the digits a and b
W_EXTRAS: Final = 104  # all other candidates of the cells of a closed loop
W_ONE: Final = 105  # the first two cells that have such candidates
W_TWO: Final = 106
W_AT_ONE: Final = 107  # their positions in a house, as masks
W_AT_TWO: Final = 108
W_KIND: Final = 109  # type less one of the hint being looked at
W_SET: Final = 110  # and its rating's step: size of the set of a type 3, else 1
W_LENGTH: Final = 111  # number of cells of the closed loop
W_BEST: Final = 112  # order of the best hint so far
W_CORE: Final = 113  # 3 words: cells that a loop of the pair can go through
W_SIZE: Final = 116
NONE: Final = 1 << 62


def _ratings() -> tuple[Words, Words]:
    """Ratings of loops in tenths, and their order, by half the number of cells, type less one, and set size."""
    rating = np.zeros((LONGEST_LOOP // 2 + 1, 4, 8), dtype=np.int64)
    order = np.zeros_like(rating)
    for half, kind, size in np.ndindex(rating.shape):
        base = {2: 4.5, 3: 4.6, 4: 4.7}.get(half, 5.0)
        value = base + (size - 1) * 0.1 if kind == 2 and size else base
        rating[half, kind, size] = int(value * 10 + 0.5)
        # Hints are sorted by rating as a floating-point sum (4.6 + 0.1 is less than 4.7), then by type. The factor keeps
        # neighbouring doubles apart within 63 bits, and the type's three lowest bits are below that difference.
        order[half, kind, size] = int(value * 1e17) // 8 * 8 + kind
    return rating, order


LOOP_RATING, LOOP_ORDER = _ratings()


@kernel
def unique_loop(g: Words, hint: Words, w: Words) -> bool:
    """Find all unique rectangles and loops and write the easiest (by rating, then type, then order of discovery).

    The walk starts at each bivalue cell and goes on by block, row, column. A cell is entered if it is bivalue, or if just one
    further digit has been seen, or if fewer than two cells with further digits are in the walk. "Seen" includes what neighbours
    tried before from the same cell had, even rejected ones: Sudoku Explainer does so, and ratings depend on it.
    """
    w[W_BEST] = NONE
    for start in range(81):
        w[W_PAIR] = g[CAND + start]
        if POP[w[W_PAIR]] == 2 and is_in_core(g, w, start) and walk(g, hint, w, start):
            break
    return bool(w[W_BEST] < NONE)


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
            if odd == even and judge(g, hint, w, depth + 1):
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


@kernel
def open_hint(hint: Words, w: Words) -> None:
    """Start the hint of the closed loop, of the type and set size in the scratch."""
    n = w[W_LENGTH]
    kind = w[W_KIND]
    w[W_BEST] = LOOP_ORDER[n // 2, kind, w[W_SET]]
    begin(hint)
    hint[H_TECHNIQUE] = UNIQUE_LOOP + 4 * (n // 2 - 2) + kind
    hint[H_RATING] = LOOP_RATING[n // 2, kind, w[W_SET]]
    hint[H_DIGITS] = w[W_PAIR]
    for i in range(n):
        mark(hint, w[W_CELL + i])


@kernel
def judge(g: Words, hint: Words, w: Words, n: int) -> bool:
    """Take the best hint of a closed loop of n cells if it beats the best so far; True if nothing can beat it any more."""
    if LOOP_ORDER[n // 2, 0, 1] >= w[W_BEST]:
        return False
    pair = w[W_PAIR]
    w[W_LENGTH] = n
    w[W_EXTRAS] = 0
    count = 0
    for i in range(n):
        cell = w[W_CELL + i]
        extra = g[CAND + cell] & ~pair
        if extra:
            w[W_EXTRAS] |= extra
            if count < 2:
                w[W_ONE + count] = cell
            count += 1
    if count == 0:
        return False
    w[W_SET] = 1
    if count == 1:
        w[W_KIND] = 0
        open_hint(hint, w)
        drop(g, hint, w[W_ONE], pair)
        return n == 4
    if POP[w[W_EXTRAS]] == 1:
        w[W_KIND] = 1
        if LOOP_ORDER[n // 2, 1, 1] < w[W_BEST]:
            type_two(g, hint, w)
    elif count == 2:
        w[W_KIND] = 2
        type_three(g, hint, w)
    if count == 2 and LOOP_ORDER[n // 2, 3, 1] < w[W_BEST]:
        w[W_KIND] = 3
        w[W_SET] = 1
        type_four(g, hint, w)
    return False


@kernel
def type_two(g: Words, hint: Words, w: Words) -> None:
    """Several cells with the same one extra digit: one of them has it, so cells that see all of them do not."""
    see_none(hint)
    for i in range(w[W_LENGTH]):
        if g[CAND + w[W_CELL + i]] & w[W_EXTRAS]:
            see(hint, w[W_CELL + i])
    digit = LOW[w[W_EXTRAS]]
    if any_common(g, hint, digit):
        open_hint(hint, w)
        hint[H_DIGITS] |= 1 << digit
        drop_common(g, hint, digit)


@kernel
def type_three(g: Words, hint: Words, w: Words) -> None:
    """Two cells that act as one cell with their extra digits, in a naked set or (with a and b hidden) a hidden set."""
    half = w[W_LENGTH] // 2
    for k in range(POP[w[W_EXTRAS]], 8):
        for t in range(3):
            house = HOUSE_OF[w[W_ONE], WALK[t]]
            if HOUSE_OF[w[W_TWO], WALK[t]] != house:
                continue
            w[W_AT_ONE] = 1 << POSITION[w[W_ONE], WALK[t]]
            w[W_AT_TWO] = 1 << POSITION[w[W_TWO], WALK[t]]
            room = POP[g[EMPTY + house]]
            if 2 * k <= room and LOOP_ORDER[half, 2, k] < w[W_BEST]:
                naked_three(g, hint, w, k, house)
            if 2 * k < room and LOOP_ORDER[half, 2, k - 1] < w[W_BEST]:
                hidden_three(g, hint, w, k, house)


@kernel
def naked_three(g: Words, hint: Words, w: Words, k: int, house: int) -> None:
    """Find k - 1 further cells of the house that hold k digits together with the extras."""
    at1 = w[W_AT_ONE]
    fit = at1
    for p in range(9):
        if POP[g[CAND + HOUSES[house, p]]] >= 2:
            fit |= 1 << p
    fit &= ~w[W_AT_TWO]
    shared = g[CAND + w[W_ONE]] & g[CAND + w[W_TWO]] & w[W_EXTRAS]
    for s in range(SUBSET_START[k], SUBSET_START[k + 1]):
        where = SUBSETS[s]
        if where & at1 == 0 or where & ~fit:
            continue
        others = 0
        for p in range(9):
            if where & ~at1 & (1 << p):
                others |= g[CAND + HOUSES[house, p]]
        digits = others | w[W_EXTRAS]
        if POP[digits] != k or POP[others | shared] != k:
            continue
        rest = ALL & ~(where | w[W_AT_TWO])
        if any_candidate(g, house, rest, digits):
            w[W_SET] = k
            open_hint(hint, w)
            hint[H_DIGITS] |= digits
            hint[H_HOUSE] = house
            mark_house(hint, house, where)
            drop_house(g, hint, house, rest, digits)
            return


@kernel
def hidden_three(g: Words, hint: Words, w: Words, k: int, house: int) -> None:
    """Find k - 2 digits that, with a and b, have only k places in the house, counting the two loop cells as one."""
    for s in range(SUBSET_START[k], SUBSET_START[k + 1]):
        digits = SUBSETS[s]
        if ~digits & w[W_PAIR] or digits & w[W_EXTRAS]:
            continue
        where = 0
        homeless = False
        for d in range(9):
            if digits >> d & 1:
                at = g[PLACE + house * 9 + d] & ~w[W_AT_TWO]
                where |= at
                if at == 0:
                    homeless = True
        if homeless or POP[where] != k:
            continue
        rest = where & ~w[W_AT_ONE]
        if any_candidate(g, house, rest, ALL & ~digits):
            w[W_SET] = k - 1
            open_hint(hint, w)
            hint[H_DIGITS] |= digits
            hint[H_HOUSE] = house
            mark_house(hint, house, where)
            drop_house(g, hint, house, rest, ALL & ~digits)
            return


@kernel
def any_candidate(g: Words, house: int, positions: int, digits: int) -> bool:
    """Tell whether a cell at these positions of a house has one of the digits as a candidate."""
    found = 0
    for p in range(9):
        if positions >> p & 1:
            found |= g[CAND + HOUSES[house, p]] & digits
    return found != 0


@kernel
def type_four(g: Words, hint: Words, w: Words) -> None:
    """Two cells that are the only places for a (or b) in a house: neither of them can be b (or a)."""
    for d in range(9):
        if w[W_PAIR] >> d & 1:
            for t in range(3):
                house = HOUSE_OF[w[W_ONE], WALK[t]]
                if HOUSE_OF[w[W_TWO], WALK[t]] == house and POP[g[PLACE + house * 9 + d]] == 2:
                    open_hint(hint, w)
                    hint[H_HOUSE] = house
                    for i in range(2):
                        drop(g, hint, w[W_ONE + i], w[W_PAIR] & ~(1 << d))
                    return
