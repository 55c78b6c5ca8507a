"""Random full grids, as good as uniform over all 6,670,903,752,021,072,936,960 of them.

The top band and the left stack are drawn exactly uniformly; the remaining four boxes by guessing and propagation, without ever
taking a guess back. A grid reached by guesses among k1, k2, ... candidates had the probability 1 / (k1 * k2 * ...) among the
completions, so accepting it with probability (k1 * k2 * ...) / CEILING makes all grids equally likely - but for those whose
product exceeds the ceiling. They come out a little too seldom: 0.4 % of all grids drawn would have to be replaced to make the
distribution uniform (the total variation distance, measured over 200,000 draws at a ceiling of 65,536).

The tests hold the outcome to what is known exactly: the shares of the 44 classes of bands (all three bands and all three
stacks; chi-square of 24,000 grids), where a digit of box 1 stands in the boxes that share no line with it, and the number of
all grids, which the mean of that product over all draws, failed ones counted as 0, times 9! * 2612736^2 estimates. Draws that
are accepted without a choice fail the first of them.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from engine.sudoku._full_kernels import random_crosses
from engine.sudoku.grid import Cells
from engine.sudoku.rng import seed_streams
from engine.sudoku.solve import descend_many

CEILING: Final = 65536.0
_DRAWS_PER_GRID: Final = 25  # one draw in 24.5 is accepted
_MOST_DRAWS: Final = 16384  # at once; bounds the memory


def draw_grids(seed: int, start: int, count: int) -> tuple[Cells, npt.NDArray[np.bool_], npt.NDArray[np.float64]]:
    """Make draws number `start` to `start + count - 1` of a seed.

    Returns:
        The grids (count, 81), whether each is complete (count,), and its weight: the inverse of its probability among the
        completions of its band and stack (count,).
    """
    draws = np.zeros(count, np.uint64)
    crosses = np.zeros((count, 81), np.uint8)
    with np.errstate(over="ignore"):  # wrap-around is meant; numpy warns of it when the compiler is off
        seed_streams(np.uint64(seed % 2**64), start, draws)
        random_crosses(draws, crosses)
    return descend_many(crosses, draws)


class FullGrids:
    """An endless sequence of random full grids, decided by its seed alone, taken in portions of any size."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._drawn = 0
        self._ready = np.zeros((0, 81), np.uint8)

    def take(self, count: int) -> Cells:
        """Return the next `count` grids (count, 81)."""
        while len(self._ready) < count:
            draws = min(_MOST_DRAWS, _DRAWS_PER_GRID * (count - len(self._ready)) + 64)
            grids, complete, weights = draw_grids(self._seed, self._drawn, draws)
            accepted = complete & (_uniform(self._seed, self._drawn, draws) * CEILING < weights)
            self._ready = np.concatenate([self._ready, grids[accepted]])
            self._drawn += draws
        taken, self._ready = self._ready[:count], self._ready[count:]
        return taken


def _uniform(seed: int, start: int, count: int) -> npt.NDArray[np.float64]:
    """Return one number in [0, 1) for each draw, independent of the choices made in it."""
    states = np.zeros(count, np.uint64)
    with np.errstate(over="ignore"):
        seed_streams(np.uint64(~seed % 2**64), start, states)
    return (states >> np.uint64(11)).astype(np.float64) * 2.0**-53
