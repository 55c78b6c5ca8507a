"""The search for forcing chains and cycles: which of them are looked for, in which order, and the best of what is found."""

from typing import Final

import numpy as np

from engine._jit import forward_kernel as kernel
from engine.sudoku.rating._chains import CHAIN_ORDER, NONE, SHORTEST, chain_off, chain_on
from engine.sudoku.rating._cycles import cycles
from engine.sudoku.rating._implied import TRY_CYCLE, TRY_OFF, TRY_ON, choose, fresh_digits, imply, note_digits
from engine.sudoku.rating._links import (
    C_BASE,
    C_BEST,
    C_DIGITS,
    C_EVERY,
    C_IMPLIED,
    C_KEPT,
    C_LINKED,
    C_OFF_TO_ON,
    C_ON,
    C_OVER,
    C_POOL_END,
    C_SERIAL,
    C_SOURCE,
    C_SWEEP,
    C_TRY,
    link,
    mark_linked,
)
from engine.sudoku.rating._state import CAND
from engine.sudoku.rating._tables import ALL, LOW, POP, Words

RULES: Final = np.array([0, 2, 1], dtype=np.int64)
"""The rules in the order in which they are searched: X, both, Y."""
EASIEST: Final = np.array([0, 2, 0], dtype=np.int64)
"""Rows of CHAIN_ORDER for their cycles."""


@kernel
def forcing(g: Words, hint: Words, c: Words, r: Words) -> bool:
    """Find all cycles and chains and write the best, by rating, complexity, rule and order of discovery.

    Chains by the X rule may be easier than any by both rules; those are looked for first, and then the others only if they can
    still win. No two hints of different rules are equally good, but for cycles by the X rule and by the Y rule, in this order.
    """
    c[C_EVERY] = 0
    c[C_BEST] = NONE
    c[C_IMPLIED] = 0
    for turn in range(3):
        c[C_SWEEP] = RULES[turn]
        c[C_DIGITS] = ALL if turn else fresh_digits(g, r)
        if CHAIN_ORDER[EASIEST[turn], SHORTEST] >= c[C_BEST]:
            continue
        if choose(g, c, r):
            link(g, c)
            sweep(g, hint, c, r)
        elif turn == 0:
            note_digits(g, c, r)
        elif c[C_BEST] == NONE:
            return False
    return True


@kernel
def every_chain(g: Words, hint: Words, c: Words, r: Words) -> bool:
    """Find all cycles and chains and keep the best for each set of removals; the hint is not used."""
    c[C_KEPT] = 0
    c[C_OVER] = 0
    c[C_SWEEP] = 2
    c[C_DIGITS] = ALL
    c[C_IMPLIED] = imply(g, c, r)
    if c[C_IMPLIED] == 0:
        return False
    c[C_BEST] = NONE
    c[C_EVERY] = 1
    c[C_SERIAL] = 0
    c[C_POOL_END] = 0
    for rule in range(3):
        c[C_SWEEP] = rule
        mark_linked(g, c)
        link(g, c)
        sweep(g, hint, c, r)
    return bool(c[C_KEPT] > 0)


@kernel
def sweep(g: Words, hint: Words, c: Words, r: Words) -> None:
    """Search cycles and chains by the X rule (0), the Y rule (1) or both (2) from the candidates that are worth it."""
    rule = c[C_SWEEP]
    cycle = 2 if rule == 2 else 0  # both rules
    for cell in range(81):
        m = g[CAND + cell]
        if POP[m] < 2 or (rule == 1 and POP[m] != 2):
            continue
        rest = m & c[C_DIGITS]
        while rest:
            source = 9 * cell + LOW[rest]
            rest &= rest - 1
            worth = c[C_TRY + source]
            if worth == 0:
                continue
            c[C_SOURCE] = source
            linked = c[C_LINKED + cell] >> (source - 9 * cell) & 1
            c[C_BASE] = cycle
            if linked and worth & TRY_CYCLE:
                cycles(g, hint, c, r)
            if rule != 1:
                base = cycle if rule else 1
                c[C_BASE] = base
                if worth & TRY_ON and CHAIN_ORDER[base, c[C_ON + source]] < c[C_BEST]:
                    chain_on(g, hint, c)
                if worth & TRY_OFF and CHAIN_ORDER[base, c[C_OFF_TO_ON + source]] < c[C_BEST]:
                    chain_off(g, hint, c)
