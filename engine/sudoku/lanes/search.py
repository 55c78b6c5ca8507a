"""The driver of the lanes: gives each lane its puzzles, lets it branch when stuck and takes back when dead."""

from typing import Final

import numpy as np
import numpy.typing as npt

from engine._jit import folded, kernel
from engine.sudoku.lanes.bits import trailing_zeros
from engine.sudoku.lanes.branch import choose_cell
from engine.sudoku.lanes.layout import (
    ALL_32,
    CANDIDATES,
    CELL_BAND,
    CELL_BIT,
    CHANGED,
    DEAD,
    HIDDEN,
    LANES,
    MANY,
    PLACED,
    VECTORS,
)
from engine.sudoku.lanes.propagate import one_pass
from engine.sudoku.rng import random_below

FORBID: Final = 16
"""Added to a digit in a cell of a task: the cell must NOT hold that digit."""
DEPTH: Final = 81
"""Most branches open at once: each fixes a cell."""

_ZERO = np.uint32(0)
_UNIT = np.uint32(1)


@folded
def load(tasks: npt.NDArray[np.uint8], task: int, words: npt.NDArray[np.uint32], lane: int) -> None:
    """Put a task (81 cell codes: 0, digit, or FORBID + digit) into a lane; `words` is the 32-bit view of the lane array."""
    for vector in range(VECTORS):
        words[vector * LANES + lane] = _ZERO
    for band in range(3):
        given = _ZERO
        for bit in range(27):
            code = int(tasks[task, 27 * band + bit])
            if 0 < code < FORBID:
                flag = CELL_BIT[bit]
                given |= flag
                words[(CANDIDATES + 3 * (code - 1) + band) * LANES + lane] |= flag
        for digit in range(9):
            words[(CANDIDATES + 3 * digit + band) * LANES + lane] |= ALL_32 & ~given
        for bit in range(27):
            code = int(tasks[task, 27 * band + bit])
            if code > FORBID:
                words[(CANDIDATES + 3 * (code - FORBID - 1) + band) * LANES + lane] &= ~CELL_BIT[bit]


@folded
def store(words: npt.NDArray[np.uint32], lane: int, grids: npt.NDArray[np.uint8], task: int) -> None:
    """Write the digits of a solved lane to `grids[task]`."""
    for band in range(3):
        for digit in range(9):
            left = words[(CANDIDATES + 3 * digit + band) * LANES + lane]
            while left:
                grids[task, 27 * band + trailing_zeros(left)] = digit + 1
                left &= left - _UNIT


@folded
def save(words: npt.NDArray[np.uint32], lane: int, stack: npt.NDArray[np.uint32], level: int) -> None:
    """Copy a lane's candidates to `stack[lane, level]`."""
    for vector in range(27):
        stack[lane, level, vector] = words[vector * LANES + lane]


@folded
def restore(stack: npt.NDArray[np.uint32], level: int, words: npt.NDArray[np.uint32], lane: int) -> None:
    """Copy candidates saved by `save` back into a lane, alive."""
    for vector in range(27):
        words[vector * LANES + lane] = stack[lane, level, vector]
    words[DEAD * LANES + lane] = _ZERO


@folded
def forget_placed(words: npt.NDArray[np.uint32], lane: int) -> None:
    """Clear what the last pass noted for the next one, since the candidates have been changed by hand."""
    for vector in range(27):
        words[(HIDDEN + vector) * LANES + lane] = _ZERO
    for band in range(3):
        words[(PLACED + band) * LANES + lane] = _ZERO


@folded
def guess(words: npt.NDArray[np.uint32], lane: int, cell: int, rank: int) -> int:
    """Leave in `cell` only its candidate number `rank` (0 is the smallest digit); return that digit less one."""
    band = CELL_BAND[cell]
    flag = CELL_BIT[cell]
    chosen = -1
    for digit in range(9):
        at = (CANDIDATES + 3 * digit + band) * LANES + lane
        if words[at] & flag:
            if rank == 0:
                chosen = digit
            else:
                words[at] &= ~flag
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


@kernel
def search(  # noqa: PLR0917  # a kernel takes its arrays by position
    tasks: npt.NDArray[np.uint8],
    limit: int,
    first: npt.NDArray[np.uint8],
    second: npt.NDArray[np.uint8],
    counts: npt.NDArray[np.int64],
    draws: npt.NDArray[np.uint64],
    weights: npt.NDArray[np.float64],
    words64: npt.NDArray[np.uint64],
    words: npt.NDArray[np.uint32],
    stack: npt.NDArray[np.uint32],
    figures: npt.NDArray[np.int64],
) -> None:
    """Search every task (n, 81) for up to `limit` solutions; what a task gives does not depend on its neighbours.

    Fills `first`, `second` (n, 81) and `counts` (n,), which must come in as zeros. With `limit` 0 a task is not searched but
    *descended*: at each stuck point one candidate is drawn at random (state `draws[n]`) and never taken back; then `counts`
    is 1 if a solution was reached, and `weights` (n,), to come in as ones, is the product of the numbers of candidates drawn
    from: the inverse of the probability of that solution. `words64` and `words` are two views of the lane array, `stack` is
    (LANES, DEPTH, 27); `figures` gets the passes and the guesses made.
    """
    descend = limit == 0
    total = tasks.shape[0]
    owner = np.full(LANES, -1, np.int64)
    depth = np.zeros(LANES, np.int64)
    upcoming = 0
    active = 0
    passes = 0
    guesses = 0
    for lane in range(LANES):
        if upcoming < total:
            load(tasks, upcoming, words, lane)
            owner[lane] = upcoming
            upcoming += 1
            active += 1
    while active > 0:
        one_pass(words64)
        passes += 1
        for lane in range(LANES):
            task = owner[lane]
            if task < 0:
                continue
            take_back = False
            if words[DEAD * LANES + lane]:
                take_back = True
            elif words[CHANGED * LANES + lane] == _ZERO:
                many0 = words[MANY * LANES + lane]
                many1 = words[(MANY + 1) * LANES + lane]
                many2 = words[(MANY + 2) * LANES + lane]
                if (many0 | many1 | many2) == _ZERO:
                    if counts[task] == 0:
                        store(words, lane, first, task)
                    elif counts[task] == 1:
                        store(words, lane, second, task)
                    counts[task] += 1
                    if counts[task] >= limit:
                        depth[lane] = 0
                    take_back = True
                elif (
                    (words[PLACED * LANES + lane] & many0)
                    | (words[(PLACED + 1) * LANES + lane] & many1)
                    | (words[(PLACED + 2) * LANES + lane] & many2)
                ) == _ZERO:
                    guesses += 1
                    cell = choose_cell(words, lane)
                    if descend:
                        choices = count_candidates(words, lane, cell)
                        guess(words, lane, cell, random_below(draws[task : task + 1], choices))
                        weights[task] *= choices
                    else:
                        level = depth[lane]
                        save(words, lane, stack, level)
                        digit = guess(words, lane, cell, 0)
                        stack[lane, level, 3 * digit + CELL_BAND[cell]] &= ~CELL_BIT[cell]
                        depth[lane] = level + 1
                    forget_placed(words, lane)
            if take_back:
                if depth[lane] > 0:
                    depth[lane] -= 1
                    restore(stack, depth[lane], words, lane)
                    forget_placed(words, lane)
                elif upcoming < total:
                    load(tasks, upcoming, words, lane)
                    owner[lane] = upcoming
                    upcoming += 1
                else:
                    owner[lane] = -1
                    active -= 1
    figures[0] += passes
    figures[1] += guesses
