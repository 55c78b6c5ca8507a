"""Where a stuck lane guesses."""

import numpy as np
import numpy.typing as npt

from engine._jit import folded
from engine.sudoku.lanes.bits import population, trailing_zeros
from engine.sudoku.lanes.layout import BOX_MASK, CANDIDATES, COLUMN_MASK, LANES, MANY, MORE, ROW_MASK

_UNIT = np.uint32(1)


@folded
def choose_cell(words: npt.NDArray[np.uint32], lane: int) -> int:
    """Return the cell (0..80) at which to guess in a lane that is stuck.

    Among cells with two candidates the one with the most such cells among its peers (they fall like dominoes); without any, a
    cell with fewest candidates. `words` is the 32-bit view of the lane array.
    """
    two0 = words[MANY * LANES + lane] & ~words[MORE * LANES + lane]
    two1 = words[(MANY + 1) * LANES + lane] & ~words[(MORE + 1) * LANES + lane]
    two2 = words[(MANY + 2) * LANES + lane] & ~words[(MORE + 2) * LANES + lane]
    cell = -1
    if two0 | two1 | two2:
        most = -1
        for band in range(3):
            own = two0 if band == 0 else (two1 if band == 1 else two2)
            left = own
            while left:
                bit = trailing_zeros(left)
                left &= left - _UNIT
                column = COLUMN_MASK[bit]
                count = (
                    population(own & ROW_MASK[bit])
                    + population(own & BOX_MASK[bit])
                    + population(two0 & column)
                    + population(two1 & column)
                    + population(two2 & column)
                )
                if count > most:
                    most = count
                    cell = 27 * band + bit
        return cell
    fewest = 10
    for band in range(3):
        left = words[(MANY + band) * LANES + lane]
        while left:
            bit = trailing_zeros(left)
            left &= left - _UNIT
            count = 0
            for digit in range(9):
                count += (words[(CANDIDATES + 3 * digit + band) * LANES + lane] >> np.uint32(bit)) & _UNIT
            if count < fewest:
                fewest = count
                cell = 27 * band + bit
    return cell
