"""All solutions of one sudoku, in batches as they are found, in bounded memory.

Depth first over parts of the puzzle, many at a time. Each part is searched for two solutions: with one it is done, with none it
is dropped, and with two it is split by the digits of a cell in which the two differ. So every split part has at least two
children that live, there are fewer splits than solutions, and the work grows in proportion to the number of solutions.
"""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from engine.errors import InvalidInputError
from engine.sudoku.grid import Cells
from engine.sudoku.lanes.lane import FORBID
from engine.sudoku.solve import solve_many

PARTS_AT_ONCE = 1024
"""Parts searched together: enough that their number no longer matters for speed, few enough that solutions come at once."""

_ALL_DIGITS = 0b111_111_111
_GIVEN = np.array([0, *(1 << digit for digit in range(9)), *[0] * 9], np.uint16)
"""For each cell code the bit of the digit that stands there."""
_BARRED = np.array([0] * (FORBID + 1) + [1 << digit for digit in range(9)], np.uint16)
"""For each cell code the bit of the digit that is forbidden there."""
_POPULATION = np.array([bits.bit_count() for bits in range(_ALL_DIGITS + 1)], np.uint8)
_NOT_TO_SPLIT = 10
"""More candidates than a cell can have."""


class Enumeration:
    """Iterating gives the solutions of a sudoku as arrays (k, 81), k >= 1, each solution once, in an order that never varies.

    The order depends on the puzzle and on the engine's version, not on the limit or the machine. After the iteration `complete`
    says whether there are more. At no time are more than 9 x `PARTS_AT_ONCE` parts of 81 bytes kept for each level of splits:
    58 MiB with the most levels there could be; in practice one MiB, and ten for the empty grid.
    """

    def __init__(self, puzzle: Cells, limit: int | None = None) -> None:
        """Enumerate the solutions of `puzzle` (81,), cell codes as in `engine.sudoku.solve.solve_many`, up to `limit`.

        Raises:
            InvalidInputError: a wrong shape or cell code, or a limit below 1.
        """
        if np.shape(puzzle) != (81,):
            raise InvalidInputError(f"the puzzle must be an array of shape (81,), got {np.shape(puzzle)}")
        if limit is not None and limit < 1:
            raise InvalidInputError(f"the limit of solutions must be at least 1, got {limit}")
        self._puzzle = np.array(puzzle, np.uint8)
        self._limit = limit
        self.found = 0
        """Solutions given so far."""
        self.complete = False
        """True once the iteration has ended and there is no other solution."""

    def __iter__(self) -> Iterator[Cells]:
        """Yield batches of solutions; each call begins anew."""
        self.found = 0
        self.complete = False
        waiting = [self._puzzle.reshape(1, 81)]
        while waiting:
            parts = _take(waiting, PARTS_AT_ONCE)
            solved = solve_many(parts, 2)
            batch = solved.solutions[solved.counts == 1]
            several = solved.counts > 1
            if self._limit is not None:
                # One more solution than wanted is looked for, so that it is known whether there is one.
                left = self._limit - self.found
                if len(batch) > left or (len(batch) == left and several.any()):
                    self.found = self._limit
                    if left:
                        yield batch[:left]
                    return
            if len(batch):
                self.found += len(batch)
                yield batch
            if several.any():
                waiting.append(_split(parts[several], solved.solutions[several], solved.second[several]))
        self.complete = True


def _take(waiting: list[Cells], most: int) -> Cells:
    """Remove the last `most` parts and return them in their order.

    Taking the last keeps `waiting` sorted by level: whatever stays is no deeper than what is taken, and so less deep than its
    children. When parts of a level are split, all deeper ones have been taken, so no level ever holds more than their children.
    """
    taken: list[Cells] = []
    while waiting and most:
        last = waiting.pop()
        if len(last) > most:
            waiting.append(last[:-most])
            last = last[-most:]
        taken.append(last)
        most -= len(last)
    return np.concatenate(taken[::-1])


def _split(parts: Cells, one: Cells, other: Cells) -> Cells:
    """Return the children (m, 81) of parts (n, 81), by the digits of the differing cell that has the fewest candidates."""
    free = _candidates(parts)
    choices = np.where(one == other, np.uint8(_NOT_TO_SPLIT), _POPULATION[free])
    cell = choices.argmin(axis=1)
    digits = free[np.arange(len(parts)), cell]
    parent, digit = np.nonzero(digits[:, None] >> np.arange(9, dtype=np.uint16) & 1)
    children = parts[parent]
    children[np.arange(len(children)), cell[parent]] = digit + 1
    return children


def _candidates(parts: Cells) -> npt.NDArray[np.uint16]:
    """Return for each cell of the parts (n, 81) the digits, as bits 0..8, that no peer has and that are not forbidden there."""
    # Axes: part, band, row in the band, stack, column in the stack. Or-ing slices is three times as fast as reducing axes.
    given = _GIVEN[parts].reshape(-1, 3, 3, 3, 3)
    minirows = given[..., 0] | given[..., 1] | given[..., 2]
    rows = minirows[..., 0] | minirows[..., 1] | minirows[..., 2]
    boxes = minirows[:, :, 0] | minirows[:, :, 1] | minirows[:, :, 2]
    bands = given[:, :, 0] | given[:, :, 1] | given[:, :, 2]
    columns = bands[:, 0] | bands[:, 1] | bands[:, 2]
    houses = rows[..., None] | boxes[:, :, None, :]
    taken = (houses[..., None] | columns[:, None, None]).reshape(-1, 81)
    free: npt.NDArray[np.uint16] = ~(taken | _BARRED[parts]) & np.uint16(_ALL_DIGITS)
    return free
