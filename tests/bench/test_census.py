import math
from itertools import combinations

import numpy as np
import pytest

from bench._census import WEIGHTS, census, clues_of, minimal_next, outlook, shares_of, total_of
from engine.sudoku.bias import CEILING, CHANCES, BiasedPuzzles, descend, given, weight_of
from engine.sudoku.minimal import are_minimal, redundant_givens
from engine.sudoku.solve import solve_many

ALL_GRIDS = 6670903752021072936960
MINIMAL_PUZZLES = 3.1055e37  # Berthier 2009, as the other figures
ORDERS = 3000


@pytest.fixture(scope="module")
def start():
    """A full grid and the cells of it that are given where a descent starts; few of these givens can go."""
    solutions, orders, _ = BiasedPuzzles(2).starts()
    chosen = redundant_givens(given(solutions, orders), solutions).sum(axis=1).argmin()
    return solutions[chosen], orders[chosen]


@pytest.fixture(scope="module")
def ends(start):
    """All minimal puzzles in it, by looking at every subset of the givens that can go."""
    solution, cells = start
    (free,) = np.nonzero(redundant_givens(given(solution[None], cells[None]), solution[None])[0])
    needed = [cell for cell in cells.tolist() if cell not in free]
    puzzles = np.zeros((2 ** len(free), 81), np.uint8)
    subsets = (some for size in range(len(free) + 1) for some in combinations(free.tolist(), size))
    for puzzle, some in zip(puzzles, subsets, strict=True):
        kept = needed + list(some)
        puzzle[kept] = solution[kept]
    puzzles = puzzles[solve_many(puzzles).counts == 1]
    return puzzles[are_minimal(puzzles, np.tile(solution, (len(puzzles), 1)))]


@pytest.fixture(scope="module")
def orders(start):
    return np.random.default_rng(1).permuted(np.tile(start[1], (ORDERS, 1)), axis=1)


def near(sample, expected):
    """Whether a mean over random orders is what is expected, within five standard errors."""
    return abs(sample.mean(axis=0) - expected) < 5 * sample.std(axis=0, ddof=1) / math.sqrt(len(sample)) + 1e-15


def test_every_minimal_puzzle_is_met_with_the_probability_of_blind_deletion(start, ends, orders):
    """That is 1 / C(k, n) for each of n givens of k, whatever it looks like: what the sampling claims, puzzle by puzzle."""
    puzzles, lucks = descend(np.tile(start[0], (ORDERS, 1)), orders, np.zeros(ORDERS))
    met = (puzzles[:, None] == ends).all(axis=2)
    assert len(ends) > 5
    assert met.any(axis=1).all()
    assert len(set((ends > 0).sum(axis=1).tolist())) > 1
    blind = [1 / math.comb(len(start[1]), n) for n in (ends > 0).sum(axis=1).tolist()]
    assert near(met * lucks[:, None], blind).all()


def test_the_outlook_is_the_probability_of_blind_deletion_with_less_chance(start, ends, orders):
    expected = np.zeros(82)
    for clues in (ends > 0).sum(axis=1).tolist():
        expected[clues] += 1 / math.comb(len(start[1]), clues)
    single = np.array([outlook(start[0][None], order[None])[0] for order in orders])
    assert near(single, expected).all()
    together, _ = outlook(np.tile(start[0], (ORDERS, 1)), orders)
    assert together == pytest.approx(single.sum(axis=0))
    puzzles, lucks = descend(np.tile(start[0], (ORDERS, 1)), orders, np.zeros(ORDERS))
    clues = (puzzles > 0).sum(axis=1)
    most = np.flatnonzero(expected).max()
    assert single[:, most].std() < 0.7 * (lucks * (clues == most)).std()


def test_what_is_too_lucky_is_taken_no_oftener_than_the_ceiling():
    solutions, orders, _ = BiasedPuzzles(3).starts()
    met, taken = outlook(solutions, orders)
    assert (taken <= met * (1 + 1e-12)).all()
    assert taken[:25] == pytest.approx(met[:25])  # of so few givens none is lucky
    puzzles = given(solutions[:1], orders[:1])
    minimal, _ = descend(solutions[:1], orders[:1], np.zeros(1))
    cells = np.flatnonzero(minimal[0])[None].astype(np.uint8)
    clues = cells.shape[1]
    met, taken = outlook(solutions[:1], cells)  # a start with nothing to delete is met for certain
    assert (met[clues], met.sum()) == (1, 1)
    assert (taken[clues], taken.sum()) == (CEILING, CEILING)
    assert (puzzles > 0).sum() > clues


def test_minimal_puzzles_one_given_further_are_all_counted():
    solutions, orders, _ = BiasedPuzzles(4).starts()
    # Near the end of a descent, where some of what comes next is minimal.
    puzzles, _ = descend(solutions, orders, np.full(len(solutions), 1e-3))
    free = redundant_givens(puzzles, solutions)
    on = free.any(axis=1)
    puzzles, solutions, free = puzzles[on], solutions[on], free[on]
    which, cells = np.nonzero(free)
    children = puzzles[which]
    children[np.arange(len(which)), cells] = 0
    expected = np.bincount(which[are_minimal(children, solutions[which])], minlength=len(puzzles))
    assert len(set(expected.tolist())) > 2
    for pick in (np.argmax(free, axis=1), 80 - np.argmax(free[:, ::-1], axis=1)):
        further, left = puzzles.copy(), free.copy()
        further[np.arange(len(puzzles)), pick] = 0
        left[np.arange(len(puzzles)), pick] = False
        left = redundant_givens(further, solutions, left)
        assert (minimal_next(puzzles, solutions, free, pick, left) == expected).all()


def test_all_minimal_puzzles_are_as_published():
    """Within 2.5 times the margins, five standard errors, that the census itself gives; these must be small.

    With up to 28 givens, 96 % of all: so few batches see too little of the others to know how much they miss.
    """
    met, _, starts = census(5, 60)
    assert starts > 30_000
    biased = clues_of(met)
    assert abs(biased.mean.value - 25.667) < 2.5 * biased.mean.margin < 0.2
    assert abs(biased.deviation.value - 1.1166) < 2.5 * biased.deviation.margin < 0.2
    met[:, 29:] = 0
    published = np.zeros((2, 82))
    published[:, 22:29] = 0.00348, 0.148, 2.28, 13.42, 31.91, 32.71, 15.48
    ours, his = clues_of(met * WEIGHTS), clues_of(published)
    assert abs(ours.mean.value - his.mean.value) < 2.5 * ours.mean.margin < 0.2
    assert abs(ours.deviation.value - his.deviation.value) < 2.5 * ours.deviation.margin < 0.1
    for mine, share in zip(shares_of(met * WEIGHTS)[22:29], shares_of(published)[22:29], strict=True):
        assert abs(mine.value - share.value) < 2.5 * mine.margin < 0.6 * share.value
    total = total_of(met, ALL_GRIDS)
    assert abs(total.value - 0.9596 * MINIMAL_PUZZLES) < 2.5 * total.margin < 0.2 * MINIMAL_PUZZLES


@pytest.mark.small
def test_estimates_of_counted_puzzles():
    counts = np.zeros((4, 82))
    counts[:, 24] = 1, 1, 3, 3
    counts[:, 26] = 3, 3, 1, 1
    clues = clues_of(counts)
    assert (clues.mean.value, clues.deviation.value) == (25, 1)
    # Each batch adds its own givens beyond the mean: -2, -2, 2, 2 of 4 puzzles, whose variation is 2.
    assert clues.mean.margin == pytest.approx(1.96 * 2 / math.sqrt(4) / 4)
    assert clues.deviation.margin == 0
    shares = shares_of(counts)
    assert (shares[24].value, shares[25].value, shares[26].value) == (0.5, 0, 0.5)
    whole = total_of(np.eye(82)[[26]] * CHANCES, 10)
    assert whole.value == pytest.approx(10 * math.comb(81, 26))
    assert whole.margin == 0
    assert WEIGHTS[27] == weight_of(27)
