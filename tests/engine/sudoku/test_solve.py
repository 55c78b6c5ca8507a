import numpy as np
import pytest
from naive import sudoku as naive

from engine.errors import InvalidInputError
from engine.sudoku import grid, solve
from engine.sudoku.lanes.lane import FORBID

from .samples import HARD, MOST_CANONICAL, SEVENTEEN, cells_of, parts, random_transform, spoiled


def is_solution(puzzle, solution):
    return all(puzzle[c] in (0, solution[c]) for c in range(81)) and all(
        sorted(solution[c] for c in house) == list(range(1, 10)) for house in naive.HOUSES
    )


@pytest.mark.parametrize("limit", [1, 2, 7])
def test_counts_agree_with_the_oracle(limit):
    puzzles = np.concatenate([parts(limit, 50, 23, 40), spoiled(limit + 10, 50, 25, 40)])
    solved = solve.solve_many(puzzles, limit)
    expected = [naive.count(cells.tolist(), limit) for cells in puzzles]
    assert solved.counts.tolist() == expected
    assert {0, 1} <= set(expected)
    for puzzle, solution, count in zip(puzzles, solved.solutions, expected, strict=True):
        if count:
            assert is_solution(puzzle, solution)
        else:
            assert not solution.any()


def test_two_different_solutions_are_shown_where_there_are_several():
    puzzles = parts(3, 100, 20, 26)
    solved = solve.solve_many(puzzles)
    several = solved.counts == 2
    assert several.sum() > 50
    for puzzle, one, other in zip(puzzles[several], solved.solutions[several], solved.second[several], strict=True):
        assert is_solution(puzzle, one)
        assert is_solution(puzzle, other)
        assert (one != other).any()
    assert not solved.second[~several].any()


@pytest.mark.parametrize("puzzle", SEVENTEEN + HARD)
def test_known_puzzles_are_unique(puzzle):
    found = solve.solve(puzzle)
    assert found.status is solve.Status.UNIQUE
    assert is_solution(grid.parse(puzzle), grid.parse(found.solution))


def test_an_answer_does_not_depend_on_its_neighbours():
    puzzles = np.concatenate([cells_of(*HARD), parts(5, 60, 20, 30)])
    together = solve.solve_many(puzzles, 3)
    alone = [solve.solve_many(puzzles[i : i + 1], 3) for i in range(len(puzzles))]
    assert (together.solutions == np.concatenate([one.solutions for one in alone])).all()
    assert (together.second == np.concatenate([one.second for one in alone])).all()
    backwards = solve.solve_many(puzzles[::-1], 3)
    assert (together.solutions == backwards.solutions[::-1]).all()


def test_rearranging_a_puzzle_rearranges_its_solution():
    rng = np.random.default_rng(8)
    puzzles = cells_of(*(SEVENTEEN + HARD) * 8)
    transforms = [random_transform(rng) for _ in puzzles]
    moved = np.array([transform.apply(cells) for transform, cells in zip(transforms, puzzles, strict=True)])
    solutions = solve.solve_many(puzzles).solutions
    expected = np.array([transform.apply(cells) for transform, cells in zip(transforms, solutions, strict=True)])
    found = solve.solve_many(moved)
    assert (found.counts == 1).all()
    assert (found.solutions == expected).all()


def test_statuses():
    full = MOST_CANONICAL
    statuses = [found.status for found in solve.solve_texts([full, "." * 81, "11" + "." * 79, "." + full[1:80] + "1"])]
    assert statuses == ["unique", "multiple", "invalid", "invalid"]
    # No two givens conflict, but r1c9 has no candidate.
    none = "12345678." + "........9" + "." * 63
    assert solve.solve(none).status is solve.Status.NONE
    assert solve.solve("." * 81).second is not None


def test_limit_one_does_not_claim_uniqueness():
    assert solve.solve(SEVENTEEN[0], limit=1).status is solve.Status.MULTIPLE
    assert solve.solve(MOST_CANONICAL, limit=1).status is solve.Status.UNIQUE


def test_counting_many_solutions():
    # Emptying the two rectangles of a grid with a known number of completions.
    cells = grid.parse(MOST_CANONICAL)
    cells[:18] = 0
    expected = naive.count(cells.tolist(), 10_000)
    assert solve.solve_many(cells.reshape(1, 81), 10_000).counts[0] == expected


def test_a_forbidden_digit_is_never_used():
    cells = cells_of(SEVENTEEN[0])
    solution = solve.solve_many(cells).solutions[0]
    empty = int(np.flatnonzero(cells[0] == 0)[0])
    cells[0, empty] = FORBID + solution[empty]
    assert solve.solve_many(cells).counts[0] == 0
    cells[0, empty] = FORBID + solution[empty] % 9 + 1
    assert (solve.solve_many(cells).solutions[0] == solution).all()


def test_nothing_to_solve():
    assert len(solve.solve_many(np.zeros((0, 81), np.uint8)).counts) == 0
    assert solve.solve_texts([]) == []


def test_bad_calls_are_refused():
    with pytest.raises(InvalidInputError, match="at least 1, got 0"):
        solve.solve_many(np.zeros((1, 81), np.uint8), 0)
    with pytest.raises(InvalidInputError, match=r"\(n, 81\), got \(81,\)"):
        solve.solve_many(np.zeros(81, np.uint8))
    with pytest.raises(InvalidInputError, match="got 19"):
        solve.solve_many(np.full((1, 81), 19, np.uint8))
