"""The search for forcing chains and cycles: which of them are looked for, in which order, and the best of what is found."""

from engine._jit import kernel
from engine.sudoku.rating._chains import CHAIN_ORDER, NONE, SHORTEST, chain_off, chain_on, cycles
from engine.sudoku.rating._implied import imply, measure
from engine.sudoku.rating._links import (
    C_BASE,
    C_BEST,
    C_DIGITS,
    C_EVERY,
    C_IMPLIED,
    C_KEPT,
    C_OFF_TO_ON,
    C_ON,
    C_OVER,
    C_POOL_END,
    C_SERIAL,
    C_SOURCE,
    C_STRONG,
    C_SWEEP,
    C_TRY,
    link,
)
from engine.sudoku.rating._single import TRY_CYCLE, TRY_OFF, TRY_ON, imply_single
from engine.sudoku.rating._state import CAND
from engine.sudoku.rating._tables import ALL, POP, Words


@kernel
def forcing(g: Words, hint: Words, c: Words, r: Words) -> bool:
    """Find all cycles and chains and write the best, by rating, complexity, rule and order of discovery.

    Chains by the X rule may be easier than any by both rules; those are looked for first, and then the others only if they can
    still win. No two hints of different rules are equally good, but for cycles by the X rule and by the Y rule, in this order.
    """
    c[C_EVERY] = 0
    c[C_BEST] = NONE
    c[C_IMPLIED] = 0
    if imply_single(g, c, r):
        c[C_SWEEP] = 0
        link(g, c)
        sweep(g, hint, c)
    if c[C_BEST] > CHAIN_ORDER[2, SHORTEST]:
        if not imply(g, c, r):
            return False
        # Only the shortest chains can win; their length bounds the search for cycles.
        shortest = measure(c, r)
        for source in range(729):
            if c[C_TRY + source]:
                c[C_TRY + source] &= TRY_CYCLE
                if c[C_ON + source] == shortest:
                    c[C_TRY + source] |= TRY_ON
                if c[C_OFF_TO_ON + source] == shortest:
                    c[C_TRY + source] |= TRY_OFF
        c[C_BEST] = min(c[C_BEST], CHAIN_ORDER[2, shortest] + 1)
        sweep(g, hint, c)
    else:
        c[C_DIGITS] = ALL
        for source in range(729):
            c[C_TRY + source] = TRY_CYCLE
    if CHAIN_ORDER[0, SHORTEST] < c[C_BEST]:
        c[C_SWEEP] = 1
        link(g, c)
        sweep(g, hint, c)
    return bool(c[C_BEST] < NONE)


@kernel
def every_chain(g: Words, hint: Words, c: Words, r: Words) -> bool:
    """Find all cycles and chains and keep the best for each set of removals; the hint is not used."""
    c[C_KEPT] = 0
    c[C_OVER] = 0
    if not imply(g, c, r):
        return False
    c[C_BEST] = NONE
    c[C_EVERY] = 1
    c[C_SERIAL] = 0
    c[C_POOL_END] = 0
    for rule in range(3):
        c[C_SWEEP] = rule
        link(g, c)
        sweep(g, hint, c)
    return bool(c[C_KEPT] > 0)


@kernel
def sweep(g: Words, hint: Words, c: Words) -> None:
    """Search cycles and chains by the X rule (0), the Y rule (1) or both (2) from the candidates that are worth it."""
    rule = c[C_SWEEP]
    cycle = 2 if rule == 2 else 0  # both rules
    for cell in range(81):
        m = g[CAND + cell]
        if POP[m] < 2 or (rule == 1 and POP[m] != 2):
            continue
        for d in range(9):
            source = 9 * cell + d
            worth = c[C_TRY + source]
            if m & c[C_DIGITS] & 1 << d == 0 or worth == 0:
                continue
            c[C_SOURCE] = source
            linked = c[C_STRONG + 4 * source] >= 0
            c[C_BASE] = cycle
            if linked and worth & TRY_CYCLE:
                cycles(g, hint, c)
            if rule != 1:
                c[C_BASE] = cycle if rule else 1
                if worth & TRY_ON:
                    chain_on(g, hint, c)
                if linked and worth & TRY_OFF:
                    chain_off(g, hint, c)
