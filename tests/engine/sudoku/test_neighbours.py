import numpy as np
import pytest

from engine.sudoku.dig import Digger
from engine.sudoku.minimal import are_minimal
from engine.sudoku.neighbours import POOL, Neighbours
from engine.sudoku.solve import solve_many
from engine.sudoku.symmetry import Symmetry, has_symmetry, orbits


def neighbours(seed, symmetry=Symmetry.NONE):
    return Neighbours(seed, orbits(symmetry), Digger(seed, symmetry))


def test_without_parents_all_are_drawn_afresh():
    made, solutions = neighbours(1).take(10)
    drawn, grids = Digger(1).take(10)
    assert (made == drawn).all()
    assert (solutions == grids).all()


def test_moves_keep_most_of_the_parent_and_are_minimal():
    source = neighbours(2)
    parent, solution = (part[:1] for part in source.take(1))
    source.learn(parent, solution, np.zeros(1))
    puzzles, solutions = (part[15:] for part in source.take(60))  # a quarter is drawn afresh
    made = puzzles.any(axis=1)
    assert made.sum() > 20
    puzzles, solutions = puzzles[made], solutions[made]
    solved = solve_many(puzzles)
    assert (solved.counts == 1).all()
    assert (solved.solutions == solutions).all()
    assert are_minimal(puzzles, solutions).all()
    shared = ((puzzles == parent) & (parent > 0)).sum(axis=1)
    assert (shared < (parent > 0).sum()).all()
    assert shared.mean() > 0.6 * (parent > 0).sum()
    assert len({puzzle.tobytes() for puzzle in puzzles}) > 15


@pytest.mark.parametrize("symmetry", [Symmetry.ROT180, Symmetry.FULL])
def test_moves_keep_the_symmetry(symmetry):
    source = neighbours(3, symmetry)
    source.learn(*source.take(8), np.zeros(8))
    puzzles, solutions = source.take(80)
    made = puzzles.any(axis=1)
    assert made.sum() > 25
    assert all(has_symmetry(puzzle, symmetry) for puzzle in puzzles)
    assert (solve_many(puzzles[made]).solutions == solutions[made]).all()


def test_the_pool_keeps_the_nearest_and_of_equals_the_latest():
    source = neighbours(4)
    puzzles, solutions = Digger(4).take(2 * POOL)
    far = np.ones(POOL)
    source.learn(puzzles[:POOL], solutions[:POOL], far)
    source.learn(puzzles[POOL:], solutions[POOL:], np.where(np.arange(POOL) < 3, 0.0, far))
    # Only the three that are as wished are parents now: every puzzle made by a move shares many givens with one of them.
    made, _ = (part[30:] for part in source.take(120))
    made = made[made.any(axis=1)]
    shared = ((made[:, None] == puzzles[None]) & (made[:, None] > 0)).sum(axis=2).argmax(axis=1)
    assert set(shared.tolist()) == {POOL, POOL + 1, POOL + 2}


def test_the_sequence_depends_on_seed_and_verdicts_alone():
    def sequence(fault):
        source = neighbours(5)
        parts = []
        for _ in range(3):
            puzzles, solutions = source.take(20)
            parts.append(puzzles)
            source.learn(puzzles, solutions, np.full(20, fault))
        return np.concatenate(parts)

    assert (sequence(0.0) == sequence(0.0)).all()
