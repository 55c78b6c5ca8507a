import tracemalloc

import numpy as np
import pytest
from naive import sudoku as naive

from engine.errors import InvalidInputError
from engine.sudoku import enumerate as enumeration
from engine.sudoku.enumerate import Enumeration
from engine.sudoku.grid import HOUSES, parse, to_texts
from engine.sudoku.lanes.lane import FORBID
from engine.sudoku.solve import solve_many

from .samples import HARD, MOST_CANONICAL, SEVENTEEN, parts, spoiled

EMPTY = np.zeros(81, np.uint8)


def collect(puzzle, limit=None):
    """Return the solutions in order, and the finished enumeration."""
    every = Enumeration(puzzle, limit)
    batches = list(every)
    assert all(len(batch) for batch in batches)
    grids = np.concatenate([np.zeros((0, 81), np.uint8), *batches])
    assert every.found == len(grids)
    return grids, every


def are_solutions(puzzle, grids):
    bits = np.uint16(1) << grids.astype(np.uint16)
    whole = [np.bitwise_or.reduce(bits[:, house], axis=1) == 0b11_1111_1110 for house in HOUSES]
    return np.all(whole) and all(
        (grids[:, cell] == digit).all() for cell, digit in enumerate(puzzle.tolist()) if 0 < digit < 10
    )


@pytest.mark.parametrize(("fewest", "most", "made"), [(24, 30, parts), (27, 40, parts), (24, 40, spoiled)])
def test_all_solutions_of_random_puzzles_are_those_of_the_oracle(fewest, most, made):
    for puzzle in made(fewest + most, 100, fewest, most):
        expected = naive.complete(puzzle.tolist(), 301)
        grids, every = collect(puzzle, 300)
        assert every.complete == (len(expected) <= 300)
        assert len(grids) == min(len(expected), 300)
        if every.complete:
            assert sorted(grids.tolist()) == sorted(expected)


@pytest.mark.parametrize(
    ("puzzle", "count"),
    [
        # In each band of this grid a column's digits are 1 4 7, 2 5 8 or 3 6 9, and a stack has one column of each kind. With a
        # band emptied, each kind fills its three columns as a Latin square of three rows; there are 12 of that order.
        ("." * 27 + MOST_CANONICAL[27:], 12**3),
        (MOST_CANONICAL[:27] + "." * 27 + MOST_CANONICAL[54:], 12**3),
        # Counted once with the slow oracle.
        ("......4.3.....7586..6......9...5...1..59...4....3.....68.7......4......9...51..3.", 9_275),
        (".73....9.....39..7...7.5.6...81.37.9..9...........6.8.............2...3...23....5", 559_515),
    ],
)
def test_known_counts(puzzle, count):
    grids, every = collect(parse(puzzle))
    assert every.complete
    assert len(grids) == count == len(set(to_texts(grids)))
    assert are_solutions(parse(puzzle), grids)
    assert solve_many(parse(puzzle).reshape(1, 81), count + 1).counts[0] == count


@pytest.mark.parametrize("puzzle", [SEVENTEEN[0], HARD[0], MOST_CANONICAL])
def test_a_unique_puzzle_has_its_one_solution(puzzle):
    grids, every = collect(parse(puzzle), 1)
    assert every.complete
    assert (grids == solve_many(parse(puzzle).reshape(1, 81)).solutions).all()


@pytest.mark.parametrize("puzzle", ["12345678." + "........9" + "." * 63, "11" + "." * 79, "1" + MOST_CANONICAL[:80]])
def test_a_puzzle_without_solution_has_none(puzzle):
    grids, every = collect(parse(puzzle), 10)
    assert every.complete
    assert len(grids) == 0


def test_the_limit_stops_it_and_it_says_whether_there_are_more():
    puzzle = parse("." * 27 + MOST_CANONICAL[27:])
    everything, _ = collect(puzzle)
    for limit in (1, 2, 700, 1727):
        grids, every = collect(puzzle, limit)
        assert not every.complete
        assert (grids == everything[:limit]).all()
        assert len(grids) == limit
    for limit in (1728, 1729):
        grids, every = collect(puzzle, limit)
        assert every.complete
        assert (grids == everything).all()


def test_it_can_be_left_and_begun_again():
    every = Enumeration(EMPTY, 5000)
    first = next(iter(every))
    assert 0 < every.found < 5000
    assert not every.complete
    again = np.concatenate(list(every))
    assert len(again) == every.found == 5000
    assert (again[: len(first)] == first).all()


def test_the_empty_grid_takes_little_memory():
    Enumeration(EMPTY, 1)  # whatever is loaded once
    tracemalloc.start()
    try:
        count = sum(len(batch) for batch in Enumeration(EMPTY, 50_000))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert count == 50_000
    assert peak < 16 << 20


def test_solutions_of_the_empty_grid_are_different():
    grids, every = collect(EMPTY, 30_000)
    assert not every.complete
    assert len(set(to_texts(grids))) == 30_000
    assert are_solutions(EMPTY, grids)


def test_the_work_is_in_proportion_to_the_solutions(monkeypatch):
    searched, split = [], []

    def watched(grids, limit):
        solved = solve_many(grids, limit)
        searched.append(len(grids))
        split.append(int((solved.counts > 1).sum()))
        return solved

    monkeypatch.setattr(enumeration, "solve_many", watched)
    for puzzle in parts(77, 20, 23, 27):
        searched.clear()
        split.clear()
        grids, every = collect(puzzle, 20_000)
        if every.complete:
            assert sum(split) < len(grids)
            assert sum(searched) <= 1 + 9 * sum(split)


def test_forbidden_digits_are_kept_out():
    puzzle = parse("." * 27 + MOST_CANONICAL[27:])
    everything, _ = collect(puzzle)
    puzzle[[0, 10, 20]] = FORBID + np.array([1, 5, 9])
    grids, every = collect(puzzle)
    allowed = (everything[:, 0] != 1) & (everything[:, 10] != 5) & (everything[:, 20] != 9)
    assert every.complete
    assert sorted(grids.tolist()) == sorted(everything[allowed].tolist())


def test_bad_calls_are_refused():
    with pytest.raises(InvalidInputError, match="at least 1, got 0"):
        Enumeration(EMPTY, 0)
    with pytest.raises(InvalidInputError, match=r"\(81,\), got \(1, 81\)"):
        Enumeration(EMPTY.reshape(1, 81))
    with pytest.raises(InvalidInputError, match="got 19"):
        list(Enumeration(EMPTY + 19))
