"""What a closed loop of a unique rectangle or loop gives: types 1 to 4, and how good each hint is."""

from typing import Final

import numpy as np

from engine._jit import forward_kernel as kernel
from engine.sudoku.rating._state import (
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
    HOUSE_OF,
    HOUSES,
    LOW,
    POP,
    POSITION,
    SUBSET_START,
    SUBSETS,
    WALK,
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
# What is kept from one search of a path to the next, out of the way of the scratch of fish and graves.
W_KNOWN: Final = 170  # 1 if a search of this path found nothing
W_OLD: Final = 171  # 81: the candidates that it found
W_BOARD: Final = 252  # 27: and where each digit could go
W_QUIET: Final = 279  # 81: 1 if no walk from the cell closed a loop
W_CHANGED: Final = 360  # 3 words: cells that have lost candidates since
W_SIZE: Final = 363
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
