"""Relabelling, transposing and permuting rows, columns, bands and stacks change nothing about a sudoku but its looks."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.sudoku import canon
from engine.sudoku.dig import Digger
from engine.sudoku.enumerate import Enumeration
from engine.sudoku.grid import to_texts
from engine.sudoku.lanes.lane import FORBID
from engine.sudoku.minimal import are_minimal, redundant_givens
from engine.sudoku.solve import solve_many, solve_texts

from .samples import parts, spoiled

threes = st.permutations(range(3))
moves = st.one_of(
    st.tuples(st.just("relabel"), st.permutations(range(1, 10))),
    st.tuples(st.just("transpose")),
    st.tuples(st.just("bands"), threes),
    st.tuples(st.just("stacks"), threes),
    st.tuples(st.just("rows"), st.integers(0, 2), threes),
    st.tuples(st.just("columns"), st.integers(0, 2), threes),
)
rearrangements = st.lists(moves, min_size=1, max_size=8)
seeds = st.integers(0, 2**32 - 1)

unhurried = settings(deadline=None)  # the first call may compile a kernel


def rearrange(grids, steps):
    """Return grids (n, 81), or masks, after the moves one by one; cell codes and zeros as the solver has them."""
    squares = grids.reshape(-1, 9, 9).copy()
    for name, *how in steps:
        if name == "relabel":
            if squares.dtype != bool:
                squares = np.array([0, *how[0], *(FORBID + digit for digit in how[0])], np.uint8)[squares]
        elif name == "transpose":
            squares = squares.transpose(0, 2, 1)
        elif name in ("bands", "stacks"):
            order = np.arange(9).reshape(3, 3)[how[0]].ravel()
            squares = squares[:, order] if name == "bands" else squares[:, :, order]
        else:
            order = np.arange(9)
            order[3 * how[0] : 3 * how[0] + 3] = 3 * how[0] + np.array(how[1])
            squares = squares[:, order] if name == "rows" else squares[:, :, order]
    return np.ascontiguousarray(squares, grids.dtype).reshape(-1, 81)


def assorted(seed):
    """Puzzles with one, several and no solutions."""
    return np.concatenate([parts(seed, 4, 20, 40), spoiled(seed, 2, 24, 40), Digger(seed).take(2)[0]])


def rows_of(grids):
    return sorted(grids.tolist())


@unhurried
@given(seeds, rearrangements, st.sampled_from([2, 3, 50, 1000]))
def test_the_status_and_the_number_of_solutions_stay(seed, steps, limit):
    puzzles = assorted(seed)
    moved = rearrange(puzzles, steps)
    before, after = solve_texts(to_texts(puzzles), limit), solve_texts(to_texts(moved), limit)
    assert [found.status for found in after] == [found.status for found in before]
    assert [found.solutions_found for found in after] == [found.solutions_found for found in before]


@unhurried
@given(seeds, rearrangements)
def test_the_only_solution_is_rearranged_too(seed, steps):
    puzzles, solutions = Digger(seed).take(20)
    found = solve_many(rearrange(puzzles, steps))
    assert (found.counts == 1).all()
    assert (found.solutions == rearrange(solutions, steps)).all()


@unhurried
@given(seeds, rearrangements)
def test_the_set_of_all_solutions_is_rearranged_too(seed, steps):
    for puzzle in assorted(seed):
        before = Enumeration(puzzle, 500)
        solutions = np.concatenate([np.zeros((0, 81), np.uint8), *before])
        after = Enumeration(rearrange(puzzle, steps)[0], 500)
        moved = np.concatenate([np.zeros((0, 81), np.uint8), *after])
        assert (after.complete, after.found) == (before.complete, before.found)
        if before.complete:
            assert rows_of(moved) == rows_of(rearrange(solutions, steps))


@unhurried
@given(seeds, rearrangements)
def test_forbidden_digits_go_along(seed, steps):
    rng = np.random.default_rng(seed)
    puzzles = parts(seed, 10, 26, 40)
    barred = (puzzles == 0) & (rng.random(puzzles.shape) < 0.2)
    puzzles[barred] = FORBID + rng.integers(1, 10, barred.sum())
    before, after = solve_many(puzzles, 100), solve_many(rearrange(puzzles, steps), 100)
    assert (after.counts == before.counts).all()
    unique = before.counts == 1
    assert (after.solutions[unique] == rearrange(before.solutions[unique], steps)).all()


@unhurried
@given(seeds, rearrangements)
def test_the_canonical_form_stays(seed, steps):
    puzzles = np.concatenate([assorted(seed), parts(seed, 2, 81, 81)])
    before, after = canon.canonicalize(puzzles), canon.canonicalize(rearrange(puzzles, steps))
    assert (after.cells == before.cells).all()
    assert (after.automorphisms == before.automorphisms).all()


@unhurried
@given(seeds, rearrangements)
def test_redundant_givens_go_along_and_minimal_puzzles_stay_minimal(seed, steps):
    puzzles, solutions = Digger(seed).take(6)
    assert are_minimal(puzzles, solutions).all()
    assert are_minimal(rearrange(puzzles, steps), rearrange(solutions, steps)).all()
    more = np.random.default_rng(seed).random(puzzles.shape) < 0.05
    puzzles[more] = solutions[more]
    before = redundant_givens(puzzles, solutions)
    after = redundant_givens(rearrange(puzzles, steps), rearrange(solutions, steps))
    assert (after == rearrange(before, steps)).all()


@given(seeds, rearrangements)
def test_moves_turn_grids_into_grids_and_can_be_told_apart(seed, steps):
    rng = np.random.default_rng(seed)
    grids = rng.integers(0, 19, (3, 81)).astype(np.uint8)
    moved = rearrange(grids, steps)
    assert ((moved > FORBID) == rearrange(grids > FORBID, steps)).all()
    assert ((moved == 0) == rearrange(grids == 0, steps)).all()
    assert len(np.unique(moved, axis=0)) == len(np.unique(grids, axis=0))
