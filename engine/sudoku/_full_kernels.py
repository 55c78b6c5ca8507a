"""Random top bands and left stacks, exactly uniform."""

from typing import Any

import numpy as np
import numpy.typing as npt

from engine._jit import kernel, scratch_kernel
from engine.sudoku.rng import random_below, shuffle

# Typed constants: the compiler makes one more copy of a function for each literal integer that it is called with.
_ONE: Any = np.int64(1)
_NINE: Any = np.int64(9)
_BAND_TYPES: Any = np.int64(56)


@kernel
def _extend_box(
    draw: npt.NDArray[np.uint64],
    cells: npt.NDArray[np.uint8],
    line_step: int,
    place_step: int,
    scratch: npt.NDArray[np.uint8],
) -> None:
    """Extend box 1 of a grid (81,) to a band, or to a stack with the steps exchanged, every extension equally likely.

    If j digits of the box's second line go to the first line of the next box, then the first j digits of every line (in random
    order) go to the line before it there and the other 3 - j to the line after it, cyclically; the third box has it the other
    way round. That makes C(3, j)^3 choices for each j, 56 in all, and each of the six new minilines has 6 orders.
    """
    drawn = random_below(draw, _BAND_TYPES)
    j = 0 if drawn < 1 else (1 if drawn < 28 else (2 if drawn < 55 else 3))
    for line in range(3):
        for place in range(3):
            scratch[3 * line + place] = cells[line * line_step + place * place_step]
        shuffle(draw, scratch[3 * line : 3 * line + 3])
    for line in range(3):
        after = 3 * ((line + 1) % 3)
        before = 3 * ((line + 2) % 3)
        for i in range(3):
            scratch[9 + i] = scratch[after + i] if i < j else scratch[before + i]
            scratch[12 + i] = scratch[before + i] if i < j else scratch[after + i]
        shuffle(draw, scratch[9:12])
        shuffle(draw, scratch[12:15])
        for place in range(6):
            cells[line * line_step + (3 + place) * place_step] = scratch[9 + place]


@scratch_kernel
def random_crosses(draws: npt.NDArray[np.uint64], grids: npt.NDArray[np.uint8]) -> None:
    """Fill band 1 and stack 1 of blank grids (n, 81), each of the 9! * 2612736^2 fillings equally likely.

    2612736 = 56 * 6^6 is the number of bands (and of stacks) with a given first box. `draws` (n,) are the random states.
    """
    scratch = np.zeros(15, np.uint8)
    box = np.zeros(9, np.uint8)
    for n in range(grids.shape[0]):
        draw = draws[n : n + 1]
        for i in range(9):
            box[i] = i + 1
        shuffle(draw, box)
        for i in range(9):
            grids[n, 9 * (i // 3) + i % 3] = box[i]
        _extend_box(draw, grids[n], _NINE, _ONE, scratch)
        _extend_box(draw, grids[n], _ONE, _NINE, scratch)
