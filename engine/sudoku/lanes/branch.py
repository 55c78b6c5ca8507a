"""Where a stuck lane guesses, and its other choice for later.

A guess is a cell, a digit to put there, and the only other digit possible there if there are just two: in one integer,
other << 11 | cell << 4 | digit, digits less one, other = NO_OTHER if there are more; a cell is 32 * band + bit.
"""

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from engine._jit import folded
from engine.sudoku.lanes.bits import eight_digits_at, population, trailing_zeros, weigh
from engine.sudoku.lanes.lane import Index, Stack, Words, candidates, place
from engine.sudoku.lanes.layout import CANDIDATES, CELLS, GUESSED, LANES, MANY, ONE, ONE_UP, PAIRS_LOW, PAIRS_UP, PEERS

PAIRS_TRIED: Final = 9
"""Cells with two candidates that are compared: with more of them the choice gets better more slowly than it gets dearer."""
ENOUGH_BLAMED: Final = 3
"""With so many of them among the blamed cells, no others are compared."""
NO_OTHER: Final = 15

_TRIED: Any = np.int64(PAIRS_TRIED)
_ENOUGH: Any = np.int64(ENOUGH_BLAMED)
_ZERO: Any = np.int64(0)
_BAND_2: Any = np.int64(64)
_UP_ELEMENTS: Any = np.int64(0x5555)
_LOW_ELEMENTS: Any = np.int64(0xAAAA)
_CELLS = np.uint64(CELLS)
_NINTH: Any = np.int64(1 << 16)
_EVEN: Any = np.int64(~1)
_TEN: Any = np.int64(10)
_NULL = np.uint64(0)
_UNIT = np.uint64(1)
_UNIT_32 = np.uint32(1)


@folded
def _pair(stack: Stack, at: Index, bit: int, elements: int) -> int:
    """Return which digits a cell with two candidates has, as even bits: bit 2 * (digit - 1) or the one above it.

    The ninth digit's bit is always set: it counts if there is only one other.
    """
    return (eight_digits_at(stack, at, bit) & elements) | _NINTH  # type: ignore[no-any-return]  # a numpy integer


@folded
def choose(words: Words, lane: int, stack: Stack, at: Index, blame: npt.NDArray[np.uint32]) -> int:
    """Return the guess for a stuck lane whose state is in the frame at `stack[at]`.

    Of the first cells with two candidates it is the one whose two digits touch most: each peer with the digit counts 1, one
    that has two candidates itself 4, and each branch that died right after a guess in the cell 1 (`blame`, see `layout`).
    Without such cells it is one with fewest candidates. The digit is the cell's smallest.
    """
    left = stack[at + np.uint64(PAIRS_UP)]
    low = stack[at + np.uint64(PAIRS_LOW)]
    count = population(left) + population(low)
    if count == 0:
        return _choose_fewest(words, lane)
    mine = np.uint64(lane) * _CELLS
    best = _ZERO
    offset = _ZERO
    elements = _UP_ELEMENTS
    for _ in range(min(count, _TRIED)):
        if left == _NULL:
            left = low
            offset = _BAND_2
            elements = _LOW_ELEMENTS
        bit = trailing_zeros(left)
        left &= left - _UNIT
        digits = np.uint64(_pair(stack, at, bit, elements))
        one = trailing_zeros(digits) & _EVEN
        other = trailing_zeros(digits & (digits - _UNIT)) & _EVEN
        cell = offset + bit
        # One number to compare, and no branch: which is better cannot be predicted.
        best = max(best, (weigh(stack, at, one, other, PEERS, cell) << 7) + np.int64(blame[mine + np.uint64(cell)]))
    cell = best & 127
    digits = np.uint64(_pair(stack, at, cell & 63, _LOW_ELEMENTS if cell >= 64 else _UP_ELEMENTS))
    one = trailing_zeros(digits) >> 1
    other = trailing_zeros(digits & (digits - _UNIT)) >> 1
    return (other << 11) | (cell << 4) | one  # type: ignore[no-any-return]  # a numpy integer


@folded
def _choose_fewest(words: Words, lane: int) -> int:
    chosen = 0
    fewest = _TEN
    for band in range(3):
        left = words[(MANY + band) * LANES + lane]
        while left:
            cell = 32 * band + trailing_zeros(left)
            left &= left - _UNIT_32
            digits = np.uint64(candidates(words, lane, cell))
            count = population(digits)
            if count < fewest:
                fewest = count
                chosen = (NO_OTHER << 11) | (cell << 4) | trailing_zeros(digits)
    return chosen


@folded
def follow(words: Words, lane: int, guess: int) -> None:
    """Put a guess into its lane."""
    cell = (guess >> 4) & 127
    other = guess >> 11
    if other == NO_OTHER:
        place(words, lane, cell, guess & 15)
    else:
        band = cell >> 5
        flag = _UNIT_32 << np.uint32(cell & 31)
        words[(CANDIDATES + 3 * other + band) * LANES + lane] &= ~flag
        words[(ONE + band) * LANES + lane] |= flag


@folded
def refuse(guess: int, stack: Stack, at: Index) -> None:
    """Take a guess's candidate out of the frame at `stack[at]`, from which it was chosen: the other choice."""
    cell = (guess >> 4) & 127
    low = np.uint64(cell >> 6)
    flag = _UNIT << np.uint64(cell & 63)
    stack[at + low + np.uint64(2 * (guess & 15))] &= ~flag
    stack[at + np.uint64(GUESSED)] = np.uint64(cell)
    if guess >> 11 != NO_OTHER:
        stack[at + low + np.uint64(ONE_UP)] |= flag
