import numpy as np
import pytest
from naive import sudoku as naive

from engine.sudoku.dig import Digger
from engine.sudoku.minimal import are_minimal, redundant_givens
from engine.sudoku.pattern import Pattern
from engine.sudoku.solve import solve_many
from engine.sudoku.symmetry import Symmetry, has_symmetry, orbits


def test_puzzles_are_unique_and_minimal_says_the_oracle():
    puzzles, solutions = Digger(1).take(2)
    for puzzle, solution in zip(puzzles, solutions, strict=True):
        assert list(naive.solutions(puzzle.tolist())) == [solution.tolist()]
        assert naive.is_minimal(puzzle.tolist())


def test_redundant_givens_agree_with_the_oracle():
    puzzles, solutions = Digger(2, targets=(27, 27)).take(3)
    found = redundant_givens(puzzles, solutions)
    for puzzle, mask in zip(puzzles, found, strict=True):
        cells = puzzle.tolist()
        expected = [bool(cells[c]) and naive.count([*cells[:c], 0, *cells[c + 1 :]], 2) == 1 for c in range(81)]
        assert mask.tolist() == expected
    assert found.any()


@pytest.mark.parametrize("symmetry", Symmetry)
def test_symmetric_puzzles_are_minimal_within_their_symmetry(symmetry):
    puzzles, solutions = Digger(3, symmetry).take(20)
    solved = solve_many(puzzles)
    assert (solved.counts == 1).all()
    assert (solved.solutions == solutions).all()
    for puzzle in puzzles:
        assert has_symmetry(puzzle, symmetry)
        without = [np.where(orbit, 0, puzzle) for orbit in orbits(symmetry) if puzzle[orbit].any()]
        assert (solve_many(np.array(without, np.uint8)).counts == 2).all()


ORBITS = {
    "none": 81,
    "rot180": 41,
    "rot90": 21,
    "horizontal": 45,
    "vertical": 45,
    "both-axes": 25,
    "diagonal": 45,
    "antidiagonal": 45,
    "both-diagonals": 25,
    "full": 15,
}


def test_orbits_partition_the_board():
    assert {str(symmetry): len(orbits(symmetry)) for symmetry in Symmetry} == ORBITS
    for symmetry in Symmetry:
        assert (orbits(symmetry).sum(axis=0) == 1).all()


def test_the_sequence_depends_on_the_arguments_alone():
    whole, solutions = Digger(4).take(60)
    portions = Digger(4)
    parts = [portions.take(n) for n in (7, 0, 33, 20)]
    assert (np.concatenate([puzzles for puzzles, _ in parts]) == whole).all()
    assert (np.concatenate([grids for _, grids in parts]) == solutions).all()


def test_digging_stops_at_the_target():
    puzzles, solutions = Digger(5, targets=(30, 34)).take(100)
    clues = (puzzles > 0).sum(axis=1)
    assert set(clues.tolist()) == set(range(30, 35))
    assert (solve_many(puzzles).counts == 1).all()
    assert not are_minimal(puzzles, solutions).all()


def test_givens_keep_to_a_pattern():
    allowed = np.random.default_rng(1).random(81) < 0.3
    allowed |= allowed[::-1]
    allowed[np.flatnonzero(allowed)[0]] = False
    pattern = Pattern("".join("?" if may else "." for may in allowed))
    puzzles, solutions = Digger(7, Symmetry.ROT180, pattern=pattern).take(60)
    made = puzzles.any(axis=1)
    assert made.any()
    assert not puzzles[:, ~allowed].any()
    assert not puzzles[:, ~allowed[::-1]].any()  # nor what half a turn takes there
    assert (solve_many(puzzles[made]).counts == 1).all()
    assert (solve_many(puzzles[made]).solutions == solutions[made]).all()
    assert all(has_symmetry(puzzle, Symmetry.ROT180) for puzzle in puzzles)
    puzzles, solutions = Digger(8, pattern=pattern).take(60)
    made = puzzles.any(axis=1)
    assert not puzzles[:, ~allowed].any()
    assert are_minimal(puzzles[made], solutions[made]).all()


def test_mean_number_of_givens_is_the_published_one():
    # 24.38 for minimal puzzles found top-down (Berthier 2009); the standard deviation of one is about 1.1.
    puzzles, _ = Digger(6).take(4000)
    assert abs((puzzles > 0).sum(axis=1).mean() - 24.38) < 0.1
