"""Random subsets of cells, and which of them surely leave a full grid another solution."""

import numpy as np
import numpy.typing as npt

from engine._jit import kernel, scratch_kernel
from engine.sudoku.rng import random_below

_ONE = np.uint64(1)
_NOTHING = np.uint64(0)
_HALF = 41  # cells in the first of the two words of a set of cells


@scratch_kernel
def draw_subsets(draws: npt.NDArray[np.uint64], orders: npt.NDArray[np.uint8]) -> None:
    """Fill each row of `orders` (n, k) with k different cells in random order, from the row's own state in `draws` (n,)."""
    cells = np.zeros(81, np.uint8)
    for n in range(orders.shape[0]):
        for cell in range(81):
            cells[cell] = cell
        for place in range(orders.shape[1]):
            other = place + random_below(draws[n : n + 1], 81 - place)
            orders[n, place] = cells[other]
            cells[other] = cells[place]


@kernel
def learn_sets(
    grids: npt.NDArray[np.uint8],
    which: npt.NDArray[np.int64],
    others: npt.NDArray[np.uint8],
    sets: npt.NDArray[np.uint64],
    counts: npt.NDArray[np.int64],
) -> None:
    """Add to the sets of grid `which[n]` the cells in which `others[n]` (81,), another full grid, differs from it.

    `sets` is (grids, most, 2): two words a set, cells 0..40 and 41..80; `counts` (grids,) are the sets in use. What finds no
    room is left out.
    """
    for n in range(which.shape[0]):
        grid = which[n]
        place = counts[grid]
        if place < sets.shape[1]:
            for half in range(2):
                word = _NOTHING
                for cell in range(_HALF * half, min(_HALF * half + _HALF, 81)):
                    if others[n, cell] != grids[grid, cell]:
                        word |= _ONE << np.uint64(cell - _HALF * half)
                sets[grid, place, half] = word
            counts[grid] = place + 1


@kernel
def miss_none(
    orders: npt.NDArray[np.uint8],
    which: npt.NDArray[np.int64],
    sets: npt.NDArray[np.uint64],
    counts: npt.NDArray[np.int64],
    fit: npt.NDArray[np.bool_],
) -> None:
    """Fill `fit` (n,): whether the cells in `orders[n]` meet every known set of grid `which[n]` (see `learn_sets`)."""
    for n in range(orders.shape[0]):
        low = _NOTHING
        high = _NOTHING
        for place in range(orders.shape[1]):
            cell = orders[n, place]
            if cell < _HALF:
                low |= _ONE << np.uint64(cell)
            else:
                high |= _ONE << np.uint64(cell - _HALF)
        grid = which[n]
        fit[n] = True
        for i in range(counts[grid]):
            if (sets[grid, i, 0] & low) | (sets[grid, i, 1] & high) == _NOTHING:
                fit[n] = False
                break
