"""One lane at a time: loading a task, storing a solution, keeping a state aside and taking it back.

`words` is the lane array throughout; a frame keeps one lane's state, see `layout`. A cell is 32 * band + bit.

Frames are given as the array of all frames and the index of their first element: arrays within arrays would be counted
references to, at a cost that shows. That index is unsigned, since any other is checked for being below zero.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from engine._jit import folded
from engine.sudoku.lanes.bits import SKIPS, STARTS, equal_cells, write_band
from engine.sudoku.lanes.layout import (
    ALL_32,
    CANDIDATES,
    LANES,
    LOW,
    MANY,
    MORE,
    ONE,
    ONE_LOW,
    ONE_UP,
    PAIRS_LOW,
    PAIRS_UP,
    UP,
)

FORBID: Final = 9
"""Added to a digit in a cell of a task: the cell must NOT hold that digit."""
CODES: Final = 19
"""Cell codes: 0 for empty, 1..9 a digit, 10..18 a forbidden digit."""

Words = npt.NDArray[np.uint32]
Stack = npt.NDArray[np.uint64]
Index = np.uint64

_ZERO = np.uint32(0)
_UNIT = np.uint32(1)
_HALF = np.uint64(32)


@folded
def load(tasks: npt.NDArray[np.uint8], task: int, words: Words, lane: int) -> None:
    """Put a task (81 cell codes) into a lane."""
    for band in range(3):
        start = STARTS[band]
        skip = np.uint32(SKIPS[band])
        given = _ZERO
        for digit in range(9):
            word = (equal_cells(tasks, task, start, digit + 1) >> skip) & ALL_32
            words[(CANDIDATES + 3 * digit + band) * LANES + lane] = word
            given |= word
        words[(ONE + band) * LANES + lane] = given
        free = ALL_32 & ~given
        if (equal_cells(tasks, task, start, 0) >> skip) & ALL_32 == free:
            for digit in range(9):
                words[(CANDIDATES + 3 * digit + band) * LANES + lane] |= free
        else:
            for digit in range(9):
                forbidden = equal_cells(tasks, task, start, digit + 1 + FORBID) >> skip
                words[(CANDIDATES + 3 * digit + band) * LANES + lane] |= free & ~forbidden


@folded
def store(words: Words, lane: int, grids: npt.NDArray[np.uint8], grid: int) -> None:
    """Write the digits of a solved lane to `grids[grid]`."""
    for band in range(3):
        write_band(words, lane, band, grids, grid)


@folded
def save(words: Words, lane: int, stack: Stack, at: Index) -> None:
    """Copy a lane's state to the frame at `stack[at]`."""
    for digit in range(9):
        word = (CANDIDATES + 3 * digit) * LANES + lane
        stack[at + np.uint64(UP + 2 * digit)] = np.uint64(words[word]) | np.uint64(words[word + LANES]) << _HALF
        stack[at + np.uint64(LOW + 2 * digit)] = np.uint64(words[word + 2 * LANES])
    stack[at + np.uint64(ONE_UP)] = np.uint64(words[ONE * LANES + lane]) | np.uint64(words[(ONE + 1) * LANES + lane]) << _HALF
    stack[at + np.uint64(ONE_LOW)] = np.uint64(words[(ONE + 2) * LANES + lane])
    stack[at + np.uint64(PAIRS_UP)] = np.uint64(words[MANY * LANES + lane] & ~words[MORE * LANES + lane]) | (
        np.uint64(words[(MANY + 1) * LANES + lane] & ~words[(MORE + 1) * LANES + lane]) << _HALF
    )
    stack[at + np.uint64(PAIRS_LOW)] = np.uint64(words[(MANY + 2) * LANES + lane] & ~words[(MORE + 2) * LANES + lane])


@folded
def restore(stack: Stack, at: Index, words: Words, lane: int) -> None:
    """Copy the state in the frame at `stack[at]` back into a lane."""
    for digit in range(9):
        word = (CANDIDATES + 3 * digit) * LANES + lane
        words[word] = np.uint32(stack[at + np.uint64(UP + 2 * digit)])
        words[word + LANES] = np.uint32(stack[at + np.uint64(UP + 2 * digit)] >> _HALF)
        words[word + 2 * LANES] = np.uint32(stack[at + np.uint64(LOW + 2 * digit)])
    words[ONE * LANES + lane] = np.uint32(stack[at + np.uint64(ONE_UP)])
    words[(ONE + 1) * LANES + lane] = np.uint32(stack[at + np.uint64(ONE_UP)] >> _HALF)
    words[(ONE + 2) * LANES + lane] = np.uint32(stack[at + np.uint64(ONE_LOW)])


@folded
def place(words: Words, lane: int, cell: int, digit: int) -> None:
    """Leave in a cell only one candidate (digit less one)."""
    band = cell >> 5
    flag = _UNIT << np.uint32(cell & 31)
    for other in range(9):
        words[(CANDIDATES + 3 * other + band) * LANES + lane] &= ~flag
    words[(CANDIDATES + 3 * digit + band) * LANES + lane] |= flag
    words[(ONE + band) * LANES + lane] |= flag


@folded
def candidates(words: Words, lane: int, cell: int) -> int:
    """Return the candidates of a cell as a mask: bit d for digit d + 1."""
    word = (CANDIDATES + (cell >> 5)) * LANES + lane
    bit = np.uint32(cell & 31)
    digits = _ZERO
    for digit in range(9):
        digits |= (words[word + 3 * digit * LANES] >> bit & _UNIT) << np.uint32(digit)
    return np.int64(digits)  # type: ignore[return-value]  # a numpy integer
