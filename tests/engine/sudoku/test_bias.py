import math

import numpy as np
import pytest
from naive import sudoku as naive

from engine.sudoku._bias_kernels import draw_subsets, learn_sets, miss_none
from engine.sudoku.bias import CEILING, CHANCES, BiasedPuzzles, descend, weight_of
from engine.sudoku.fullgrid import FullGrids
from engine.sudoku.minimal import are_minimal
from engine.sudoku.rng import seed_streams
from engine.sudoku.solve import solve_many

MEAN_GRIDS_A_PUZZLE = 257_514  # Berthier 2009
BY_CLUES = (821_009, 1_814_413, 2_002_349, 1_288_572)  # his puzzles with 24 givens and fewer, 25, 26, 27 and more


def test_puzzles_are_minimal_and_their_solutions_are_theirs():
    puzzles, solutions = BiasedPuzzles(1).take(20)
    solved = solve_many(puzzles)
    assert (solved.counts == 1).all()
    assert (solved.solutions == solutions).all()
    assert are_minimal(puzzles, solutions).all()
    assert naive.is_minimal(puzzles[0].tolist())


def test_the_sequence_depends_on_the_seed_alone():
    whole, solutions = BiasedPuzzles(2).take(12)
    portions = BiasedPuzzles(2)
    parts = [portions.take(n) for n in (5, 0, 7)]
    assert (np.concatenate([puzzles for puzzles, _ in parts]) == whole).all()
    assert (np.concatenate([grids for _, grids in parts]) == solutions).all()
    assert not (BiasedPuzzles(3).take(12)[0] == whole).all(axis=1).any()


def to_the_end(source):
    """What the next descents come to if none is given up: puzzles, lucks, and the floors that would have decided."""
    solutions, orders, floors = source.starts()
    return *descend(solutions, orders, np.zeros_like(floors)), floors


def test_a_refused_puzzle_is_given_up_early_and_changes_no_other():
    _, _, lucks, floors = BiasedPuzzles(4).descents()
    _, whole, same = to_the_end(BiasedPuzzles(4))
    assert (floors == same).all()
    accepted = whole > floors
    assert (accepted == (lucks > floors)).all()
    assert (lucks[accepted] == whole[accepted]).all()
    assert (lucks >= whole).all()
    assert (lucks > whole).any()


def test_statistics_are_the_published_ones():
    """Means over batches, each a sample of its own, within five standard errors that the sample itself gives.

    What they say of all minimal puzzles needs more: see `tests/bench/test_census.py`.
    """
    batches = 24
    source = BiasedPuzzles(5)
    sums = np.zeros((batches, 2))
    for batch in range(batches):
        puzzles, lucks, _ = to_the_end(source)
        sums[batch] = lucks.sum(), lucks @ (puzzles > 0).sum(axis=1)
    mean = sums[:, 1].sum() / sums[:, 0].sum()
    error = _error(sums[:, 1] - mean * sums[:, 0]) / sums[:, 0].mean()
    assert abs(mean - 25.667) < 5 * error < 1
    probability = sums[:, 0] / CHANCES
    assert abs(probability.mean() * MEAN_GRIDS_A_PUZZLE - 1) < 5 * _error(probability) * MEAN_GRIDS_A_PUZZLE < 1


def _error(values):
    return values.std(ddof=1) / math.sqrt(len(values))


def test_givens_of_what_is_accepted():
    """Against the published collection; one chance in 100,000 to fail (chi-square, three degrees of freedom)."""
    puzzles, _ = BiasedPuzzles(6).take(150)
    clues = (puzzles > 0).sum(axis=1)
    found = np.array([(clues <= 24).sum(), (clues == 25).sum(), (clues == 26).sum(), (clues >= 27).sum()])
    expected = len(clues) * np.array(BY_CLUES) / sum(BY_CLUES)
    assert ((found - expected) ** 2 / expected).sum() < 26


def test_floors_are_uniform_below_the_ceiling():
    _, _, floors = BiasedPuzzles(8).starts()
    parts = floors / CEILING
    assert (parts >= 0).all()
    assert (parts < 1).all()
    assert abs(parts.mean() - 0.5) < 5 * _error(parts)
    assert abs((parts < 0.1).mean() - 0.1) < 5 * _error(parts < 0.1)


@pytest.mark.small
def test_weights_follow_from_the_bias():
    assert weight_of(26) == 1
    for clues in range(17, 41):
        assert weight_of(clues + 1) / weight_of(clues) == pytest.approx((81 - clues) / (clues + 1))


@pytest.mark.small
def test_subsets_are_different_cells_uniformly():
    draws = np.zeros(300, np.uint64)
    orders = np.zeros((300, 32), np.uint8)
    with np.errstate(over="ignore"):
        seed_streams(np.uint64(9), 0, draws)
        draw_subsets(draws, orders)
    assert all(len(set(row)) == 32 for row in orders.tolist())
    expected = 300 * 32 / 81
    chi = ((np.bincount(orders.ravel(), minlength=81) - expected) ** 2 / expected).sum()
    assert chi < 80 + 5 * math.sqrt(160)


@pytest.mark.small
def test_known_sets_must_be_met():
    grids = np.tile(np.arange(81, dtype=np.uint8) % 9 + 1, (2, 1))
    others = grids.copy()
    others[0, [3, 44]] = 0
    others[1, [40, 41, 80]] = 0
    sets = np.zeros((2, 2, 2), np.uint64)
    counts = np.zeros(2, np.int64)
    learn_sets(grids, np.array([0, 1, 1, 1]), others[[0, 1, 1, 0]], sets, counts)
    assert counts.tolist() == [1, 2]  # no room for the fourth
    rows = [([0, 44], 0), ([1, 2], 0), ([3, 80], 1), ([3, 39], 1), ([40, 1], 1), ([41, 1], 1)]
    fit = np.zeros(len(rows), bool)
    orders = np.array([cells for cells, _ in rows], np.uint8)
    miss_none(orders, np.array([grid for _, grid in rows]), sets, counts, fit)
    assert fit.tolist() == [True, False, True, False, True, True]


@pytest.mark.small
def test_luck_is_the_product_of_the_shares_that_can_go():
    solutions = FullGrids(7).take(1)
    orders = np.arange(81, dtype=np.uint8)[None, ::-1]
    puzzle, luck = descend(solutions, orders[:, :], np.full(1, 0.95))
    # All 81 givens can go, each alone, and so on: luck stays 1 until a first given has become needed.
    clues = int((puzzle > 0).sum())
    assert 20 < clues < 81
    assert 0 < luck[0] <= 0.95
    assert (puzzle[0, orders[0, :10]] == 0).all()
