"""Ratings through the public door: known figures, bounds, refusals, and that all ways to ask agree."""

import pytest

from engine.errors import InvalidInputError
from engine.sudoku.grid import ConflictError, GridError
from engine.sudoku.rating import EFFORTS, LEVELS, RATER, check, er_range, explain, level_of, rate, rate_many
from engine.sudoku.solve import solve

FULL = "123456789456789123789123456231564897564897231897231564312645978645978312978312645"
WIKIPEDIA = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
INKALA_2012 = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."


def test_an_easy_puzzle_is_rated_exactly() -> None:
    rating = rate(WIKIPEDIA)
    assert (rating.er, rating.ep, rating.ed, rating.bound) == (1.2, 1.2, 1.2, False)
    assert (rating.level, rating.rater) == ("easy", RATER)
    assert rating.techniques == {"hidden-single": 51}
    assert rating.score == 51 * 14


@pytest.mark.parametrize(("effort", "er"), [(8.5, 9.0), (9.0, 10.0)])
def test_a_puzzle_beyond_the_effort_gets_a_bound(effort: float, er: float) -> None:
    rating = rate(INKALA_2012, effort)
    assert (rating.bound, rating.er) == (True, er)
    assert rating.level == level_of(rating.er)


@pytest.mark.parametrize(
    ("puzzle", "ratings"),
    [
        # "AI Escargot" and the "world's hardest sudoku" of 2012, both by A. Inkala; ratings as published.
        ("1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..", (10.5, 1.2, 1.2)),
        (INKALA_2012, (10.7, 10.7, 9.7)),
    ],
)
def test_nested_chains_solve_the_hardest(puzzle: str, ratings: tuple[float, float, float]) -> None:
    explanation = explain(puzzle)
    assert (explanation.er, explanation.ep, explanation.ed) == ratings
    assert not explanation.bound
    solution = solve(puzzle).solution
    assert solution is not None
    assert check(explanation, solution) is None


def test_more_effort_never_lowers_a_bound() -> None:
    found = [rate(INKALA_2012, effort) for effort in EFFORTS]
    assert [one.er for one in found] == sorted(one.er for one in found)
    assert [one.bound for one in found] == [True, True, False, False, False]


def test_one_missing_cell_is_the_last_of_its_house() -> None:
    rating = rate("." + FULL[1:])
    assert (rating.er, rating.techniques) == (1.0, {"hidden-single": 1})


def test_a_full_grid_needs_no_step() -> None:
    rating = rate(FULL)
    assert (rating.er, rating.ep, rating.ed, rating.bound, rating.score) == (0.0, 0.0, 0.0, False, 0)


def test_the_empty_grid_gives_nothing_to_go_by() -> None:
    rating = rate("." * 81, 9.0)
    assert (rating.bound, rating.er, rating.ep, rating.ed) == (True, 9.5, 9.5, 9.5)


def test_any_way_to_write_a_puzzle_is_read() -> None:
    spaced = "\n".join(WIKIPEDIA[row * 9 : row * 9 + 9].replace(".", "0") for row in range(9))
    assert rate(spaced.replace("\n", " ")) == rate(WIKIPEDIA)


def test_all_ways_to_ask_agree() -> None:
    puzzles = [WIKIPEDIA, INKALA_2012, WIKIPEDIA]
    assert rate_many(puzzles) == [rate(puzzle) for puzzle in puzzles] == [explain(puzzle).rating for puzzle in puzzles]


def test_rating_nothing_gives_nothing() -> None:
    assert rate_many([]) == []


def test_conflicting_givens_are_named() -> None:
    with pytest.raises(ConflictError, match="r1c1 and r1c9 are both 5"):
        rate("5.......5" + "." * 72)


def test_a_puzzle_that_shows_no_solution_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="no solution"):
        rate("12345678." + "........9" + "." * 63)


@pytest.mark.parametrize("text", ["", "1" * 80, WIKIPEDIA[:-1] + "x"])
def test_what_is_no_grid_is_refused(text: str) -> None:
    with pytest.raises(GridError):
        rate(text)


def test_levels_cover_the_scale_without_gaps() -> None:
    assert [level_of(level.er) for level in LEVELS] == [level.name for level in LEVELS]
    ranges = [er_range(level.name) for level in LEVELS]
    assert [low for low, _ in ranges[1:]] == [high for _, high in ranges[:-1]]
    assert ranges[-1][1] == float("inf")
    assert level_of(11.9) == LEVELS[-1].name


def test_an_unknown_level_is_an_error() -> None:
    with pytest.raises(KeyError):
        er_range("fiendish")
