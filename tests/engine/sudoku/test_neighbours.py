import numpy as np
import pytest

from engine.sudoku.dig import Digger
from engine.sudoku.minimal import are_minimal
from engine.sudoku.neighbours import KIN, PATIENCE, POOL, RARE, Neighbours
from engine.sudoku.solve import solve_many
from engine.sudoku.symmetry import Symmetry, has_symmetry, orbits

from .samples import SEVENTEEN, cells_of


def neighbours(seed, symmetry=Symmetry.NONE, *, patient=False):
    return Neighbours(seed, orbits(symmetry), Digger(seed, symmetry), patient=patient)


def test_without_parents_all_are_drawn_afresh():
    source = neighbours(1)
    assert not source.moving
    made, solutions, families = source.take(10)
    drawn, grids = Digger(1).take(10)
    assert (made == drawn).all()
    assert (solutions == grids).all()
    assert families.tolist() == list(range(10))


def test_moves_keep_most_of_the_parent_and_are_minimal():
    source = neighbours(2)
    parent, solution, family = (part[:1] for part in source.take(1))
    source.learn(parent, solution, family, np.zeros(1))
    puzzles, solutions, families = (part[30:] for part in source.take(120))  # a quarter is drawn afresh
    assert set(families.tolist()) == {0}
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
    puzzles, solutions, _ = source.take(80)
    made = puzzles.any(axis=1)
    assert made.sum() > 25
    assert all(has_symmetry(puzzle, symmetry) for puzzle in puzzles)
    assert (solve_many(puzzles[made]).solutions == solutions[made]).all()


def test_the_nearest_are_parents_once_they_are_enough():
    source = neighbours(4)
    puzzles, solutions, families = source.take(2 * POOL)
    faults = np.ones(2 * POOL)
    few, many = np.arange(5), np.arange(2 * KIN + 1)
    source.learn(puzzles, solutions, families, np.where(np.isin(families, few), 0.0, faults))
    moved = source.take(200)[2][50:]
    assert 0.45 < np.isin(moved, few).mean() < 0.7  # five good ones: the rest of the pool has a chance too
    source.learn(puzzles, solutions, families, np.where(np.isin(families, many), 0.0, faults))
    moved = source.take(200)[2][50:]
    assert set(moved.tolist()) == set(many.tolist())


def test_no_family_fills_the_pool_and_a_retired_one_leaves_it():
    source = neighbours(5)
    puzzles, solutions = Digger(5).take(60)
    families = np.where(np.arange(60) < 40, -1, np.arange(60))
    source.learn(puzzles, solutions, families, np.where(families < 0, 0.0, 1.0))
    moved = source.take(400)[2][100:]
    assert 0.5 < (moved == -1).mean() < 0.75  # the good half of the moves, and 4 places of 24 in the other
    source.retire(-1)
    assert -1 not in source.take(400)[2]
    source.learn(puzzles[:5], solutions[:5], families[:5], np.zeros(5))
    assert -1 not in source.take(400)[2]


def test_a_patient_search_moves_only_if_what_is_wanted_is_rare():
    for wanted, moves in ((PATIENCE // RARE + 1, False), (1, True)):
        source = neighbours(6, patient=True)
        made = source.take(PATIENCE)
        faults = np.ones(PATIENCE)
        faults[:wanted] = 0
        assert not source.moving
        source.learn(*made, faults)
        assert source.moving is moves
        assert (len(set(source.take(100)[2].tolist())) < 100) is moves


def test_known_puzzles_begin_families_of_their_own():
    source = neighbours(7, patient=True)
    several = np.zeros((1, 81), np.uint8)
    puzzles, solutions, families = source.begin_with(np.concatenate([several, cells_of(*SEVENTEEN)]))
    assert (puzzles == cells_of(*SEVENTEEN)).all()
    assert (solve_many(puzzles).solutions == solutions).all()
    assert families.tolist() == [-1, -2, -3]
    source.learn(puzzles, solutions, families, np.zeros(3))
    assert set(source.take(40)[2][10:].tolist()) == {-1, -2, -3}


def test_the_sequence_depends_on_seed_and_verdicts_alone():
    def sequence(fault):
        source = neighbours(8)
        parts = []
        for _ in range(3):
            made = source.take(20)
            parts.append(made[0])
            source.learn(*made, np.full(20, fault))
        return np.concatenate(parts)

    assert (sequence(0.0) == sequence(0.0)).all()
