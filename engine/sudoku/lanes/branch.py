"""Where a stuck lane guesses."""

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from engine._jit import folded
from engine.sudoku.lanes.bits import population, trailing_zeros
from engine.sudoku.lanes.layout import CANDIDATES, LANES, MANY, MORE, PEERS_LOW, PEERS_UP

PAIRS_WORTH_CHOOSING: Final = 18
"""With more cells of two candidates than this a puzzle has many solutions or an easy way out: any choice does."""

_FEW: Any = np.int64(1)
_ALL: Any = np.int64(81)
_NOTHING: Any = np.int64(-1)
_TEN: Any = np.int64(10)
_NO_DIGITS: Any = np.int64(0)
_UNIT = np.uint64(1)
_S32 = np.uint64(32)
_FIVE: Any = np.int64(5)

Words64 = npt.NDArray[np.uint64]


@folded
def _digits_in(words: Words64, bit: int) -> int:
    """Return which of nine words have a bit set, as a mask: bit d for word d."""
    digits = _NO_DIGITS
    for digit in range(9):
        digits |= np.int64((words[digit] >> np.uint64(bit)) & _UNIT) << digit
    return digits  # type: ignore[no-any-return]  # a numpy integer


@folded
def _touched(  # noqa: PLR0917  # a kernel takes its arrays by position
    up: Words64, low: Words64, pairs_up: np.uint64, pairs_low: np.uint64, digits: int, cell: int
) -> int:
    """Return what the two digits of a cell touch: each peer with the digit 1, one that has two candidates itself 3 more."""
    one = trailing_zeros(np.uint64(digits))
    other = trailing_zeros(np.uint64(digits & (digits - 1)))
    one_up = up[one] & PEERS_UP[cell]
    one_low = low[one] & PEERS_LOW[cell]
    other_up = up[other] & PEERS_UP[cell]
    other_low = low[other] & PEERS_LOW[cell]
    peers = population(one_up) + population(one_low) + population(other_up) + population(other_low)
    falling = (
        population(one_up & pairs_up)
        + population(one_low & pairs_low)
        + population(other_up & pairs_up)
        + population(other_low & pairs_low)
    )
    return peers + 3 * falling


@folded
def choose(words: npt.NDArray[np.uint32], lane: int, up: Words64, low: Words64) -> int:
    """Return where to guess in a lane that is stuck, as 16 * cell + (digit - 1).

    Of the cells with two candidates it is the one whose digits touch most (see `_touched`); without such cells, one with fewest
    candidates. The digit is the cell's smallest. `words` is the 32-bit view of the lane array; `up` and `low` (9,) are scratch:
    each digit's candidates in bands 0 and 1 (halves of one element), and in band 2.
    """
    pairs_up = np.uint64(words[MANY * LANES + lane] & ~words[MORE * LANES + lane]) | (
        np.uint64(words[(MANY + 1) * LANES + lane] & ~words[(MORE + 1) * LANES + lane]) << _S32
    )
    pairs_low = np.uint64(words[(MANY + 2) * LANES + lane] & ~words[(MORE + 2) * LANES + lane])
    for digit in range(9):
        up[digit] = np.uint64(words[(CANDIDATES + 3 * digit) * LANES + lane]) | (
            np.uint64(words[(CANDIDATES + 3 * digit + 1) * LANES + lane]) << _S32
        )
        low[digit] = np.uint64(words[(CANDIDATES + 3 * digit + 2) * LANES + lane])
    count = population(pairs_up) + population(pairs_low)
    if count == 0:
        return _choose_fewest(words, lane, up, low)
    tries = _ALL if count <= PAIRS_WORTH_CHOOSING else _FEW
    chosen = 0
    most = _NOTHING
    left = pairs_up
    while left and tries:
        tries -= 1
        bit = trailing_zeros(left)
        left &= left - _UNIT
        cell = bit - (bit >> 5) * _FIVE
        digits = _digits_in(up, bit)
        score = _touched(up, low, pairs_up, pairs_low, digits, cell)
        if score > most:
            most = score
            chosen = 16 * cell + trailing_zeros(np.uint64(digits))
    left = pairs_low
    while left and tries:
        tries -= 1
        bit = trailing_zeros(left)
        left &= left - _UNIT
        digits = _digits_in(low, bit)
        score = _touched(up, low, pairs_up, pairs_low, digits, 54 + bit)
        if score > most:
            most = score
            chosen = 16 * (54 + bit) + trailing_zeros(np.uint64(digits))
    return chosen


@folded
def _choose_fewest(words: npt.NDArray[np.uint32], lane: int, up: Words64, low: Words64) -> int:
    chosen = 0
    fewest = _TEN
    for band in range(3):
        left = words[(MANY + band) * LANES + lane]
        while left:
            bit = trailing_zeros(left)
            left &= left - np.uint32(1)
            digits = _digits_in(low, bit) if band == 2 else _digits_in(up, bit + 32 * band)
            count = population(np.uint64(digits))
            if count < fewest:
                fewest = count
                chosen = 16 * (27 * band + bit) + trailing_zeros(np.uint64(digits))
    return chosen
