from dataclasses import replace

import numpy as np
import pytest

from bench import sudoku_check
from bench.sudoku_check import Expected, check
from engine.sudoku.dig import Digger
from engine.sudoku.fullgrid import FullGrids
from engine.sudoku.grid import to_texts
from engine.sudoku.solve import solve_many


def spoil(monkeypatch, **changed):
    """Let the solver give other results for the puzzles as they are; rearranged they are solved as ever."""

    def spoiled(cells):
        solved = solve_many(cells)
        return solved if (cells != puzzles()[0]).any() else replace(solved, **changed)

    monkeypatch.setattr(sudoku_check, "solve_many", spoiled)


def puzzles():
    return Digger(3).take(50)


def test_what_is_right_passes():
    cells, _ = puzzles()
    assert check("made", cells, Expected(50)) == {"puzzles": 50, "unique": 50, "multiple": 0, "none": 0}
    emptier = FullGrids(3).take(20)
    emptier[:, :40] = 0
    assert check("made", emptier, Expected(20, unique=False))["multiple"] == 20
    assert check("made", np.concatenate([cells, emptier]), None) == {"puzzles": 70, "unique": 50, "multiple": 20, "none": 0}


def test_another_number_of_puzzles_or_solutions_than_known_is_found():
    cells, solutions = puzzles()
    with pytest.raises(AssertionError, match="made: 50 puzzles, 49 are known"):
        check("made", cells, Expected(49))
    cells[7] = np.where(np.arange(81) < 20, 0, solutions[7])
    cells[7, 20:60] = 0
    with pytest.raises(AssertionError, match=r"made, puzzle 8 .* known to have one solution"):
        check("made", cells, Expected(50))


def test_a_solution_that_is_none_is_found(monkeypatch):
    _, solutions = puzzles()
    wrong = solutions.copy()
    wrong[4, [0, 1]] = wrong[4, [1, 0]]  # the row and the box stay whole, two columns do not
    spoil(monkeypatch, solutions=wrong)
    with pytest.raises(AssertionError, match=r"made, puzzle 5 \(.{81}\): what it calls the solution is none"):
        check("made", puzzles()[0], None)


def test_a_solution_of_another_puzzle_is_found(monkeypatch):
    _, solutions = puzzles()
    spoil(monkeypatch, solutions=np.roll(solutions, 1, axis=0))
    with pytest.raises(AssertionError, match=r"puzzle 1 .* what it calls the solution is none"):
        check("made", puzzles()[0], None)


@pytest.mark.parametrize(
    ("count", "second", "fault"),
    [
        (2, 0, "another solution is none"),
        (2, 1, "the two solutions are the same"),
        (0, 0, "no solution is counted, but one is shown"),
    ],
)
def test_a_wrong_count_is_found(monkeypatch, count, second, fault):
    _, solutions = puzzles()
    counts = np.ones(50, np.int64)
    counts[49] = count
    others = np.zeros_like(solutions)
    others[49] = second * solutions[49]
    spoil(monkeypatch, counts=counts, second=others)
    with pytest.raises(AssertionError, match=rf"puzzle 50 .* {fault}"):
        check("made", puzzles()[0], None)


def test_a_missed_second_solution_is_found(monkeypatch):
    emptier = FullGrids(3).take(5)
    emptier[:, :40] = 0
    solved = solve_many(emptier)
    pretended = replace(solved, counts=np.ones(5, np.int64), second=np.zeros_like(solved.second))
    monkeypatch.setattr(sudoku_check, "solve_many", lambda cells: pretended if (cells == emptier).all() else solve_many(cells))
    with pytest.raises(AssertionError, match="rearranged has another number of solutions"):
        check("made", emptier, None)


def test_the_command_checks_a_file(tmp_path):
    path = tmp_path / "list.txt"
    path.write_text("\n".join(to_texts(puzzles()[0])))
    result = sudoku_check.run(path, repeats=1).as_json()
    assert (result["items"], result["unique"], result["lists"], result["missing"]) == (50, 50, {"list.txt": 50}, [])


def test_lists_that_are_not_there_are_named(tmp_path, monkeypatch):
    monkeypatch.setattr(sudoku_check, "FOLDER", tmp_path)
    monkeypatch.setattr(sudoku_check, "MADE", 30)
    result = sudoku_check.run(None, repeats=1).as_json()
    assert result["missing"] == sorted(sudoku_check.LISTS)
    assert result["lists"] == {"30 minimal puzzles made (no lists beside the project)": 30}
