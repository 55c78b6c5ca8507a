"""Minimal sudokus by number of givens: how often the controlled-bias sampling meets them, more exactly than a sample says.

Reweighting what the sampling accepts takes tens of thousands of puzzles: a puzzle's weight doubles with each given, and those
with 30 givens, one in 2,800, weigh as much as twelve usual ones each. To weigh all descents by their luck is worse: one that
ends at 30 givens has gone only two steps and is a thousand times as lucky as most. Until one is seen, mean and deviation are
low, and their intervals narrow.

Here each descent counts at each step *all* puzzles that are minimal one given further, not only the one that it may go to, each
with the probability of going there. This has the same mean and, for puzzles with many givens, a fraction of the variance.
"""

from dataclasses import dataclass
from math import comb, sqrt
from typing import Final

import numpy as np
import numpy.typing as npt

from engine.sudoku.bias import CEILING, CHANCES, BiasedPuzzles, given, weight_of
from engine.sudoku.grid import Cells
from engine.sudoku.minimal import redundant_givens

Floats = npt.NDArray[np.float64]
GIVENS: Final = np.arange(82)
WEIGHTS: Final = np.array([weight_of(givens) for givens in GIVENS.tolist()])


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure and half the width of its 95 % interval."""

    value: float
    margin: float


@dataclass(frozen=True, slots=True)
class Clues:
    """How many givens puzzles have: mean and standard deviation."""

    mean: Estimate
    deviation: Estimate


def outlook(solutions: Cells, orders: npt.NDArray[np.uint8]) -> tuple[Floats, Floats]:
    """Return how many puzzles of each number of givens blind deletion would meet from these starts, and the sampling take.

    Args:
        solutions: Full grids (n, 81).
        orders: Their cells that are given (n, k), a puzzle with one solution, in random order (`engine.sudoku.bias.descend`).

    Returns:
        For each number of givens (82,) the sum over all starts of an estimate whose mean is the probability; the second times
        `CEILING`, so that both are equal but for what is too lucky.
    """
    met, taken = np.zeros(82), np.zeros(82)
    places = np.full(solutions.shape, 81, np.uint8)
    places[np.arange(len(orders))[:, None], orders] = np.arange(orders.shape[1], dtype=np.uint8)
    puzzles = given(solutions, orders)
    free = redundant_givens(puzzles, solutions)
    lucks = np.ones(len(puzzles))
    clues = orders.shape[1]
    ended = np.count_nonzero(~free.any(axis=1))
    met[clues], taken[clues] = ended, CEILING * ended
    while True:
        on = free.any(axis=1)
        if not on.any():
            return met, taken
        puzzles, solutions, places, free, lucks = puzzles[on], solutions[on], places[on], free[on], lucks[on]
        rows = np.arange(len(puzzles))
        gone = np.where(free, places, np.uint8(81)).argmin(axis=1)
        further, left = puzzles.copy(), free.copy()
        further[rows, gone] = 0
        left[rows, gone] = False
        left = redundant_givens(further, solutions, left)
        redundant = free.sum(axis=1)
        likely = minimal_next(puzzles, solutions, free, gone, left) / redundant
        lucks = lucks * redundant / clues
        clues -= 1
        met[clues] = (likely * lucks).sum()
        taken[clues] = (likely * np.minimum(lucks, CEILING)).sum()
        puzzles, free = further, left


def minimal_next(
    puzzles: Cells, solutions: Cells, free: npt.NDArray[np.bool_], gone: npt.NDArray[np.int64], left: npt.NDArray[np.bool_]
) -> npt.NDArray[np.int64]:
    """Return how many minimal puzzles there are with one given less (n,).

    Args:
        puzzles: Puzzles (n, 81) with one solution.
        solutions: Their solutions (n, 81).
        free: Which givens can go, each alone (n, 81).
        gone: One of them (n,).
        left: Which can go together with that one (n, 81).
    """
    ends = np.logical_not(left.any(axis=1)).astype(np.int64)
    # What can go beside `gone` makes no minimal puzzle alone. Of the others each is tried with the rest until one can go too.
    others = free & ~left
    others[np.arange(len(gone)), gone] = False
    which, cells = np.nonzero(others)
    untried = free[which]
    for known in (cells, gone[which]):
        untried[np.arange(len(which)), known] = False
    while len(which):
        trials = puzzles[which]
        trials[np.arange(len(which)), cells] = 0
        beside = np.zeros_like(untried)
        beside[np.arange(len(which)), untried.argmax(axis=1)] = True
        beside &= untried
        open_ = np.logical_not(redundant_givens(trials, solutions[which], beside).any(axis=1))
        untried &= ~beside
        ended = open_ & ~untried.any(axis=1)
        np.add.at(ends, which[ended], 1)
        open_ &= ~ended
        which, cells, untried = which[open_], cells[open_], untried[open_]
    return ends


def census(seed: int, batches: int) -> tuple[Floats, Floats, int]:
    """Return what `outlook` gives for each batch of `CHANCES` chances (batches, 82), twice, and the number of starts."""
    source = BiasedPuzzles(seed)
    met, taken = np.zeros((batches, 82)), np.zeros((batches, 82))
    starts = 0
    for batch in range(batches):
        solutions, orders, _ = source.starts()
        met[batch], taken[batch] = outlook(solutions, orders)
        starts += len(solutions)
    return met, taken, starts


def clues_of(counts: Floats) -> Clues:
    """Return mean and deviation of the givens of puzzles counted or weighed in batches (batches, 82), each a sample of its own.

    The margins are those of ratios of sums over all batches, to first order. A mean of the batches' own ratios would be off:
    most batches have none of the puzzles with many givens.
    """
    mean = _ratio(counts @ GIVENS, counts.sum(axis=1))
    spread = _ratio(counts @ (GIVENS - mean.value) ** 2, counts.sum(axis=1))
    deviation = sqrt(spread.value)
    return Clues(mean, Estimate(deviation, spread.margin / (2 * deviation)))


def shares_of(counts: Floats) -> list[Estimate]:
    """Return the share of each number of givens, of puzzles counted in batches (batches, 82)."""
    return [_ratio(counts[:, givens], counts.sum(axis=1)) for givens in GIVENS.tolist()]


def total_of(met: Floats, grids: int) -> Estimate:
    """Return the number of all minimal puzzles, of all `grids` full grids, from what was met (batches, 82)."""
    numbers = met @ WEIGHTS / CHANCES * comb(81, 26) * float(grids)
    return Estimate(float(numbers.mean()), 1.96 * float(numbers.std()) / sqrt(len(numbers)))


def _ratio(above: Floats, below: Floats) -> Estimate:
    """Return the ratio of the means of two samples of pairs (batches,)."""
    ratio = float(above.sum() / below.sum())
    return Estimate(ratio, 1.96 * float((above - ratio * below).std()) / sqrt(len(below)) / float(below.mean()))
