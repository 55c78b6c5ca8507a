"""One lane at a time: loading a task, storing a solution, guessing and taking back.

`words` is the 32-bit view of the lane array throughout.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from engine._jit import folded
from engine.sudoku.lanes.bits import trailing_zeros
from engine.sudoku.lanes.layout import ALL_32, CANDIDATES, CELL_BAND, CELL_BIT, LANES, MORE, ONE, SAVED

FORBID: Final = 9
"""Added to a digit in a cell of a task: the cell must NOT hold that digit."""
CODES: Final = 19
"""Cell codes: 0 for empty, 1..9 a digit, 10..18 a forbidden digit."""

_ZERO = np.uint32(0)
_UNIT = np.uint32(1)
_S3 = np.uint32(3)
_S6 = np.uint32(6)
_S9 = np.uint32(9)
_S18 = np.uint32(18)
_ROW = np.uint32(0o777)
_BOX = np.uint32(0o007007007)


@folded
def load(
    tasks: npt.NDArray[np.uint8], task: int, words: npt.NDArray[np.uint32], lane: int, codes: npt.NDArray[np.uint32]
) -> None:
    """Put a task (81 cell codes) into a lane; `codes` (3 * CODES,) is scratch."""
    for i in range(3 * CODES):
        codes[i] = _ZERO
    # The bands take turns, so that no addition waits for the one before it.
    for bit in range(27):
        flag = CELL_BIT[bit]
        codes[3 * int(tasks[task, bit])] |= flag
        codes[3 * int(tasks[task, 27 + bit]) + 1] |= flag
        codes[3 * int(tasks[task, 54 + bit]) + 2] |= flag
    for band in range(3):
        given = _ZERO
        for digit in range(9):
            given |= codes[3 * (digit + 1) + band]
        free = ALL_32 & ~given
        for digit in range(9):
            words[(CANDIDATES + 3 * digit + band) * LANES + lane] = codes[3 * (digit + 1) + band] | (
                free & ~codes[3 * (digit + 1 + FORBID) + band]
            )
        words[(ONE + band) * LANES + lane] = given


@folded
def is_solution(words: npt.NDArray[np.uint32], lane: int) -> bool:
    """Return whether a lane in which every cell has one candidate has each digit in every row, column and box."""
    missing = _ZERO
    for digit in range(9):
        columns = _ZERO
        for band in range(3):
            word = words[(CANDIDATES + 3 * digit + band) * LANES + lane]
            rows = word | (word >> _S9) | (word >> _S18)
            columns |= rows
            if (
                (word & _ROW) == _ZERO
                or ((word >> _S9) & _ROW) == _ZERO
                or ((word >> _S18) & _ROW) == _ZERO
                or (word & _BOX) == _ZERO
                or ((word >> _S3) & _BOX) == _ZERO
                or ((word >> _S6) & _BOX) == _ZERO
            ):
                missing = _UNIT
        if (columns & _ROW) != _ROW:
            missing = _UNIT
    return bool(missing == _ZERO)


@folded
def store(words: npt.NDArray[np.uint32], lane: int, grids: npt.NDArray[np.uint8], task: int) -> None:
    """Write the digits of a solved lane to `grids[task]`."""
    for band in range(3):
        for digit in range(9):
            left = words[(CANDIDATES + 3 * digit + band) * LANES + lane]
            for _ in range(3):
                grids[task, 27 * band + trailing_zeros(left)] = digit + 1
                left &= left - _UNIT


@folded
def save(words: npt.NDArray[np.uint32], lane: int, stack: npt.NDArray[np.uint32], level: int) -> None:
    """Copy a lane's state to `stack[lane, level]`."""
    for vector in range(SAVED):
        stack[lane, level, vector] = words[vector * LANES + lane]


@folded
def restore(stack: npt.NDArray[np.uint32], level: int, words: npt.NDArray[np.uint32], lane: int) -> None:
    """Copy a state saved by `save` back into a lane."""
    for vector in range(SAVED):
        words[vector * LANES + lane] = stack[lane, level, vector]


@folded
def place(words: npt.NDArray[np.uint32], lane: int, cell: int, digit: int) -> None:
    """Leave in `cell` only one candidate (digit less one)."""
    band = CELL_BAND[cell]
    flag = CELL_BIT[cell]
    for other in range(9):
        words[(CANDIDATES + 3 * other + band) * LANES + lane] &= ~flag
    words[(CANDIDATES + 3 * digit + band) * LANES + lane] |= flag
    words[(ONE + band) * LANES + lane] |= flag


@folded
def exclude(  # noqa: PLR0917  # a kernel takes its arrays by position
    words: npt.NDArray[np.uint32], lane: int, cell: int, digit: int, stack: npt.NDArray[np.uint32], level: int
) -> None:
    """Take a candidate (digit less one) out of the state saved at `level`: the other branch of a guess."""
    band = CELL_BAND[cell]
    flag = CELL_BIT[cell]
    stack[lane, level, CANDIDATES + 3 * digit + band] &= ~flag
    stack[lane, level, ONE + band] |= flag & ~words[(MORE + band) * LANES + lane]


@folded
def nth_candidate(words: npt.NDArray[np.uint32], lane: int, cell: int, rank: int) -> int:
    """Return candidate number `rank` (0 is the smallest digit) of a cell, less one."""
    band = CELL_BAND[cell]
    flag = CELL_BIT[cell]
    chosen = -1
    for digit in range(9):
        if words[(CANDIDATES + 3 * digit + band) * LANES + lane] & flag:
            if rank == 0:
                chosen = digit
            rank -= 1
    return chosen


@folded
def count_candidates(words: npt.NDArray[np.uint32], lane: int, cell: int) -> int:
    """Return how many candidates a cell has."""
    band = CELL_BAND[cell]
    flag = CELL_BIT[cell]
    count = 0
    for digit in range(9):
        if words[(CANDIDATES + 3 * digit + band) * LANES + lane] & flag:
            count += 1
    return count
