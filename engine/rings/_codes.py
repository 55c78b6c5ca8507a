"""Distances kept in four bits: modulo fifteen, with the sixteenth value for what was never reached.

A click changes a distance by at most one. Whoever knows a distance exactly can therefore read it, from its code, after up to
seven clicks: it lies within seven of what it was, and no two of those fifteen values have the same code.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine._jit import folded

MODULUS = 15

UNSEEN = 15
"""The code of an entry that no clicks reach, and, while a table is being filled, of one that is not reached yet."""

SPAN = MODULUS - 1
"""How far below a known upper bound a distance may lie and still be told by its code."""


@folded
def code_at(codes: NDArray[Any], number: Any) -> Any:
    """Return the code of an entry: two to a byte, the even one in the lower half."""
    place = np.int64(number)
    return (np.int64(codes[place >> 1]) >> ((place & 1) << 2)) & 15


@folded
def set_code(codes: NDArray[Any], number: Any, code: Any) -> None:
    """Write the code of an entry that is UNSEEN so far."""
    place = np.int64(number)
    codes[place >> 1] &= 255 ^ ((15 ^ code) << ((place & 1) << 2))


@folded
def at_most(ceiling: Any, code: Any) -> Any:
    """Return the distance of this code that is at most `ceiling` and less than fifteen below it; `ceiling` is -1 or more."""
    return ceiling - (ceiling + MODULUS - code) % MODULUS
