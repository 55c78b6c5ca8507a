import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import sudoku as naive

from engine.errors import InvalidInputError
from engine.sudoku import canon, grid
from engine.sudoku.dig import Digger
from engine.sudoku.symmetry import Symmetry

from .samples import HARD, MOST_CANONICAL, SEVENTEEN, cells_of, parts, random_transform


@pytest.mark.parametrize("puzzle", SEVENTEEN + HARD)
def test_known_puzzles_agree_with_the_oracle(puzzle):
    form, automorphisms = naive.minlex(grid.parse(puzzle).tolist())
    result = canon.canonicalize(cells_of(puzzle))
    assert result.cells[0].tolist() == form
    assert result.automorphisms[0] == automorphisms


def test_random_puzzles_agree_with_the_oracle():
    puzzles = np.concatenate([Digger(4).take(10)[0], Digger(5, Symmetry.FULL).take(4)[0], parts(6, 6, 12, 20)])
    result = canon.canonicalize(puzzles)
    for puzzle, form, automorphisms in zip(puzzles, result.cells, result.automorphisms, strict=True):
        assert (form.tolist(), automorphisms) == naive.minlex(puzzle.tolist())


@settings(deadline=None)  # the first call may compile a kernel
@given(st.integers(0, 2**32 - 1), st.integers(0, 30))
def test_equivalent_grids_have_one_form(seed, clues):
    rng = np.random.default_rng(seed)
    cells = parts(seed % 50, 1, clues, clues)[0]
    transforms = [random_transform(rng) for _ in range(3)]
    moved = np.array([cells, *(transform.apply(cells) for transform in transforms)])
    result = canon.canonicalize(moved)
    assert (result.cells == result.cells[0]).all()
    assert (result.automorphisms == result.automorphisms[0]).all()
    for i, start in enumerate(moved):
        assert (result.transform(i).apply(start) == result.cells[i]).all()
    assert (canon.canonicalize(result.cells).cells == result.cells).all()


def test_different_puzzles_have_different_forms():
    puzzles, _ = Digger(9).take(500)
    assert len(set(grid.to_texts(canon.canonicalize(puzzles).cells))) == 500


ALL_REARRANGEMENTS = 2 * 6**8


@pytest.mark.parametrize(
    ("puzzle", "form", "automorphisms"),
    [
        ("." * 81, "." * 81, ALL_REARRANGEMENTS),
        # One given can stand in any of 81 cells.
        ("." * 40 + "5" + "." * 40, "." * 80 + "1", ALL_REARRANGEMENTS // 81),
        # Two in one house, equal digits apart: 81 * 36 / 2 unordered pairs of cells that see neither row, column nor box.
        ("7" + "." * 79 + "7", "." * 53 + "1" + "." * 23 + "1...", ALL_REARRANGEMENTS // (81 * 36 // 2)),
        # A full row: 9 rows and 9 columns to choose from, and 6^4 orders of its cells, each with a relabelling.
        ("123456789" + "." * 72, "." * 72 + "123456789", ALL_REARRANGEMENTS // 18),
        (MOST_CANONICAL, MOST_CANONICAL, 648),
    ],
)
def test_automorphisms_of_sparse_and_full_grids(puzzle, form, automorphisms):
    assert canon.canonical_texts([puzzle]) == ([form], [automorphisms])


def test_sparse_grids_do_not_take_long():
    sparse = np.concatenate([parts(seed, 20, 0, 12) for seed in range(10)])
    canon.warm()
    start = time.process_time()
    canon.canonicalize(sparse)
    assert time.process_time() - start < 10


def equally_canonical(grids, moved):
    """Return the canonical forms of `moved`, having compared them with those of `grids` and with their own transforms."""
    first, second = canon.canonicalize(grids), canon.canonicalize(moved)
    assert (first.cells == second.cells).all()
    assert (first.automorphisms == second.automorphisms).all()
    for i, cells in enumerate(moved):
        assert (second.transform(i).apply(cells) == second.cells[i]).all()
    return second


def test_full_grids():
    rng = np.random.default_rng(3)
    grids = np.concatenate([parts(11, 5, 81, 81), cells_of(MOST_CANONICAL)])
    moved = np.array([random_transform(rng).apply(cells) for cells in grids])
    second = equally_canonical(grids, moved)
    form, automorphisms = naive.minlex(moved[0].tolist())
    assert (second.cells[0].tolist(), second.automorphisms[0]) == (form, automorphisms)


def moved_part(kept, source: str = MOST_CANONICAL) -> np.ndarray:
    """Return the cells of a full grid for which `kept(row, column, digit)` holds, rearranged."""
    square = cells_of(source).reshape(9, 9)
    rows, columns = np.indices((9, 9))
    cells = np.where(kept(rows, columns, square), square, 0).reshape(81)
    return random_transform(np.random.default_rng(12)).apply(cells)


@pytest.mark.parametrize(
    "cells",
    [
        moved_part(lambda _r, _c, _d: True),
        moved_part(lambda row, column, _d: row + column > 0),
        parts(8, 1, 79, 79)[0],
        # These have more ways to the best first band (3888, 3888, 216 and 108) than the search keeps in its list.
        moved_part(lambda row, _c, _d: row % 3 == 0),
        moved_part(lambda row, _c, _d: row % 3 == 0, grid.to_text(parts(8, 1, 81, 81)[0])),
        moved_part(lambda row, column, _d: row // 3 == column // 3),
        moved_part(lambda _r, _c, digit: digit < 4),
    ],
    ids=["full", "80 givens", "79 givens", "three rows", "three other rows", "three boxes", "three digits"],
)
def test_grids_with_many_ties_agree_with_the_oracle(cells):
    result = canon.canonicalize(cells[None])
    assert (result.cells[0].tolist(), result.automorphisms[0]) == naive.minlex(cells.tolist())
    assert (result.transform(0).apply(cells) == result.cells[0]).all()


@pytest.mark.small
def test_what_needs_no_compiler():
    rng = np.random.default_rng(6)
    grids = np.concatenate([cells_of(*SEVENTEEN), parts(3, 3, 5, 30), parts(4, 1, 81, 81), parts(5, 1, 79, 79)])
    moved = np.array([random_transform(rng).apply(cells) for cells in grids])
    equally_canonical(grids, moved)


def test_conflicting_givens_are_refused():
    with pytest.raises(grid.ConflictError, match="r1c1 and r1c2 are both 1"):
        canon.canonical("11" + "." * 79)
    with pytest.raises(grid.ConflictError, match="r1c1 and r3c3 are both 1"):
        canon.canonicalize(cells_of(SEVENTEEN[0], "1" + "." * 19 + "1" + "." * 60))


def test_bad_arrays_are_refused():
    with pytest.raises(InvalidInputError, match="shape"):
        canon.canonicalize(np.zeros(81, np.uint8))
    assert len(canon.canonicalize(np.zeros((0, 81), np.uint8)).cells) == 0
