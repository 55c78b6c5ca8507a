"""The batch solver against the slow oracle: 10^5 random puzzles with one, several and no solutions."""

from collections import Counter

import numpy as np
import pytest
from naive import sudoku as naive

from engine.sudoku.dig import Digger
from engine.sudoku.enumerate import Enumeration
from engine.sudoku.grid import to_texts
from engine.sudoku.lanes.lane import FORBID
from engine.sudoku.solve import solve_many, solve_texts

from .samples import parts

KINDS = {"fuller": 3000, "random": 2900, "sparse": 100, "fewer": 1000, "altered": 1500, "clashing": 300, "barred": 1200}
ROUNDS = 10
PEERS = np.array([sorted(peers) for peers in naive.PEERS])
HOUSES = np.array(naive.HOUSES)


def test_there_are_a_hundred_thousand():
    assert ROUNDS * sum(KINDS.values()) == 100_000


def fuller(seed, count, fewest, most):
    """Minimal puzzles with `fewest` to `most` more givens of their solution: unique."""
    rng = np.random.default_rng(seed)
    puzzles, solutions = Digger(seed).take(count)
    turn = np.where(puzzles > 0, 2.0, rng.random(puzzles.shape)).argsort(axis=1).argsort(axis=1)
    return np.where(turn < rng.integers(fewest, most + 1, (count, 1)), solutions, puzzles)


def fewer(seed, count):
    """Such puzzles without two or three of their givens: some unique, some with a few solutions."""
    rng = np.random.default_rng(seed)
    puzzles = fuller(seed, count, 3, 8)
    turn = np.where(puzzles == 0, 2.0, rng.random(puzzles.shape)).argsort(axis=1).argsort(axis=1)
    return np.where(turn < rng.integers(2, 4, (count, 1)), 0, puzzles).astype(np.uint8)


def altered(seed, count, *, clash):
    """Such puzzles with one given changed: to a digit that a peer has, or to one that no peer has."""
    rng = np.random.default_rng(seed)
    puzzles = fuller(seed, count, 2, 8)
    rows = np.arange(count)
    cell = np.where(puzzles > 0, rng.random(puzzles.shape), -1).argmax(axis=1)
    seen = np.zeros((count, 10), bool)
    seen[rows[:, None], puzzles[rows[:, None], PEERS[cell]]] = True
    fits = seen if clash else ~seen
    fits[:, 0] = False
    fits[rows, puzzles[rows, cell]] = False
    digit = np.where(fits, rng.random(fits.shape), -1).argmax(axis=1)
    changed = fits.any(axis=1)
    puzzles[rows[changed], cell[changed]] = digit[changed]
    return puzzles


def barred(seed, count):
    """Unique and other puzzles with digits forbidden in some empty cells, now and then the right one."""
    rng = np.random.default_rng(seed)
    puzzles = np.concatenate([fuller(seed, count // 2, 2, 8), parts(seed, count - count // 2, 28, 40)])
    marks = (puzzles == 0) & (rng.random(puzzles.shape) < rng.choice([0.02, 0.1, 0.3], (count, 1)))
    return np.where(marks, FORBID + rng.integers(1, 10, puzzles.shape), puzzles).astype(np.uint8)


def make(kind, seed, count):
    match kind:
        case "fuller":
            return fuller(seed, count, 2, 10)
        case "random":
            return parts(seed, count, 28, 45)
        case "sparse":
            return parts(seed, count, 25, 28)
        case "fewer":
            return fewer(seed, count)
        case "barred":
            return barred(seed, count)
        case _:
            return altered(seed, count, clash=kind == "clashing")


def are_solutions(puzzles, grids):
    """Return for each pair whether the grid is full, agrees with the givens and does not hold what is forbidden."""
    whole = (np.sort(grids[:, HOUSES], axis=2) == np.arange(1, 10)).all(axis=(1, 2))
    kept = np.where(puzzles > FORBID, grids != puzzles - FORBID, (puzzles == 0) | (grids == puzzles)).all(axis=1)
    return whole & kept


@pytest.mark.parametrize("number", range(ROUNDS))
@pytest.mark.parametrize("kind", KINDS)
def test_the_solver_agrees_with_the_oracle(kind, number):
    # Sparse puzzles are mostly counted to the end: only then does a branch that was lost show.
    limit = 600 if kind == "sparse" else 2 + number % 5 * 3
    puzzles = make(kind, 10 * number + list(KINDS).index(kind), KINDS[kind])
    oracle = [naive.complete(cells, limit) for cells in puzzles.tolist()]
    counts = np.array([len(solutions) for solutions in oracle])

    proved = solve_many(puzzles)
    counted = solve_many(puzzles, limit)
    assert (proved.counts == np.minimum(counts, 2)).all()
    assert (counted.counts == counts).all()
    assert (proved.solutions == counted.solutions).all()
    assert (proved.second == counted.second).all()

    some, several = counts > 0, counts > 1
    assert are_solutions(puzzles[some], counted.solutions[some]).all()
    assert are_solutions(puzzles[several], counted.second[several]).all()
    assert (counted.solutions[several] != counted.second[several]).any(axis=1).all()
    assert not counted.solutions[~some].any()
    assert not counted.second[~several].any()
    for i in np.flatnonzero(counts == 1):
        assert counted.solutions[i].tolist() == oracle[i][0]
    for i in np.flatnonzero(several & (counts < limit))[:50]:
        every = np.concatenate(list(Enumeration(puzzles[i])))
        assert sorted(every.tolist()) == sorted(oracle[i])


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "barred"])
def test_statuses_in_words(kind):
    puzzles = make(kind, 77, 200)
    clash = (puzzles[:, :, None] == puzzles[:, PEERS]).any(axis=2) & (puzzles > 0)
    for found, cells, clashes in zip(solve_texts(to_texts(puzzles)), puzzles.tolist(), clash.any(axis=1), strict=True):
        count = len(naive.complete(cells, 2))
        assert found.solutions_found == count
        assert found.status == ("unique" if count == 1 else "multiple" if count else "invalid" if clashes else "none")


def test_all_cases_occur():
    seen = {
        kind: Counter(np.minimum(solve_many(make(kind, 5, 1000)).counts, 2).tolist())
        for kind in ("random", "fewer", "altered", "clashing", "barred")
    }
    assert min(seen["random"][1], seen["random"][2]) > 100
    assert (solve_many(make("sparse", 5, 1000), 600).counts < 600).sum() > 400
    assert min(seen["fewer"][1], seen["fewer"][2]) > 100
    assert min(seen["altered"][0], seen["altered"][1]) > 100
    assert seen["clashing"][0] == 1000
    assert min(seen["barred"].values()) > 100


def test_the_oracles_agree_with_each_other():
    for cells in np.concatenate([parts(1, 8, 30, 36), altered(2, 5, clash=False), altered(3, 5, clash=True)]).tolist():
        expected = list(naive.solutions(cells))
        assert sorted(naive.complete(cells, 100_000)) == sorted(expected)
        assert len(naive.complete(cells, 3)) == min(3, len(expected))
