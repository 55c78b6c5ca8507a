"""Explanations: their forms, and a check that finds any fault put into them."""

import json
from dataclasses import replace

import pytest

from engine.sudoku.rating import Explanation, check, explain
from engine.sudoku.solve import solve

pytestmark = pytest.mark.small

PUZZLE = ".2.8...94.3.2..1.59...6..3...9......76..4...921..874..1..72...8..2......68..9...."
"""Needs pointing; made for this."""


@pytest.fixture
def explanation() -> Explanation:
    return explain(PUZZLE)


@pytest.fixture
def solution() -> str:
    found = solve(PUZZLE).solution
    assert found is not None
    return found


def test_text_has_a_line_a_step(explanation: Explanation) -> None:
    lines = explanation.text().splitlines()
    assert len(lines) == len(explanation.steps)
    assert lines[0].startswith("  1. ")


def test_text_says_where_the_path_stops() -> None:
    assert "ER is at least" in explain("." * 81, 8.5).text().splitlines()[-1]


def test_json_can_be_written_and_uses_r1c2_notation(explanation: Explanation) -> None:
    data = json.loads(json.dumps(explanation.as_json()))
    assert {"puzzle", "er", "ep", "ed", "bound", "level", "score", "rater", "steps"} <= data.keys()
    assert {"technique", "rating", "place", "remove", "cells", "digits"} <= data["steps"][0].keys()
    placed = [step["place"] for step in data["steps"] if step["place"]]
    assert len(placed) == PUZZLE.count(".")
    locked = next(step for step in data["steps"] if step["technique"] == "pointing")
    assert all("<>" in candidate for candidate in locked["remove"])


def test_er_ep_ed_come_from_the_steps(explanation: Explanation) -> None:
    ratings = [step.rating for step in explanation.steps]
    assert explanation.er == max(ratings)
    assert explanation.ed == ratings[0]
    assert not explanation.bound


def test_a_path_holds_against_its_solution(explanation: Explanation, solution: str) -> None:
    assert check(explanation, solution) is None


def test_check_finds_a_wrong_placement(explanation: Explanation, solution: str) -> None:
    first = explanation.steps[0]
    assert first.place is not None
    cell, digit = first.place
    wrong = replace(explanation, steps=(replace(first, place=(cell, digit % 9 + 1)), *explanation.steps[1:]))
    assert "step 1, " in (check(wrong, solution) or "")


def test_check_finds_a_removal_of_the_solution(explanation: Explanation, solution: str) -> None:
    at = next(i for i, step in enumerate(explanation.steps) if step.remove)
    empty = next(step.place for step in explanation.steps[at:] if step.place)
    steps = list(explanation.steps)
    steps[at] = replace(steps[at], remove=(empty,))
    assert "but the solution has it" in (check(replace(explanation, steps=tuple(steps)), solution) or "")


def test_check_finds_a_step_twice(explanation: Explanation, solution: str) -> None:
    steps = (explanation.steps[0], *explanation.steps)
    assert "candidate is not there" in (check(replace(explanation, steps=steps), solution) or "")


def test_check_finds_a_step_that_does_nothing(explanation: Explanation, solution: str) -> None:
    idle = replace(explanation.steps[0], place=None)
    assert "does nothing" in (check(replace(explanation, steps=(idle, *explanation.steps)), solution) or "")


def test_check_finds_a_path_that_ends_early(explanation: Explanation, solution: str) -> None:
    assert "empty at the end" in (check(replace(explanation, steps=explanation.steps[:-1]), solution) or "")


@pytest.mark.parametrize("name", ["er", "ep", "ed"])
def test_check_finds_a_wrong_rating(explanation: Explanation, solution: str, name: str) -> None:
    wrong = replace(explanation, rating=replace(explanation.rating, **{name: 5.0}))
    assert f"{name} is given as 5.0" in (check(wrong, solution) or "")
