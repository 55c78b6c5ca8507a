"""The parts of the lanes, each against its meaning."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine._jit import kernel
from engine.sudoku.grid import HOUSES, PEERS, to_cells
from engine.sudoku.lanes import words as w
from engine.sudoku.lanes.bits import population, trailing_zeros
from engine.sudoku.lanes.layout import ALL_32, CANDIDATES, DEAD, LANES, MANY, MORE, NEWS, ONE, SAVED, VECTOR, VECTORS
from engine.sudoku.lanes.propagate import one_pass
from engine.sudoku.solve import solve_many

from .samples import SEVENTEEN, parts

bands = st.integers(0, int(ALL_32))


def cells(word):
    return {bit for bit in range(27) if word >> bit & 1}


def both(low, high):
    return np.uint64(low | high << 32)


def halves(word):
    return int(word) & 0xFFFFFFFF, int(word) >> 32


@settings(deadline=None)  # the first call may compile a kernel
@given(bands, bands)
def test_locked_rows_keeps_what_some_permutation_of_boxes_needs(low, high):
    for given_word, kept in zip((low, high), halves(w.locked_rows(both(low, high))), strict=True):
        minirow = {
            (row, box): {9 * row + 3 * box + i for i in range(3)} & cells(given_word) for row in range(3) for box in range(3)
        }
        expected = set()
        for boxes in itertools.permutations(range(3)):
            parts_of_it = [minirow[row, box] for row, box in enumerate(boxes)]
            if all(parts_of_it):
                expected |= set().union(*parts_of_it)
        assert cells(kept) == expected


@settings(deadline=None)  # the first call may compile a kernel
@given(bands, bands)
def test_boxes_with_less_than_two(low, high):
    for given_word, corners in zip((low, high), halves(w.boxes_with_less_than_two(both(low, high))), strict=True):
        boxes = {box: sum(bit % 9 // 3 == box for bit in cells(given_word)) for box in range(3)}
        assert cells(corners) == {3 * box for box, count in boxes.items() if count < 2}


@settings(deadline=None)  # the first call may compile a kernel
@given(bands, bands)
def test_touched_and_filled_boxes(low, high):
    corners = w.touched_boxes(both(low, high))
    for given_word, corner, filled in zip((low, high), halves(corners), halves(w.fill_boxes(corners)), strict=True):
        boxes = {bit % 9 // 3 for bit in cells(given_word)}
        assert cells(corner) == {3 * box for box in boxes}
        assert cells(filled) == {bit for bit in range(27) if bit % 9 // 3 in boxes}


@settings(deadline=None)  # the first call may compile a kernel
@given(bands, bands)
def test_rows_fold_and_spread(low, high):
    columns = w.fold_rows(both(low, high))
    for given_word, folded, spread in zip((low, high), halves(columns), halves(w.spread_rows(columns)), strict=True):
        assert cells(folded) == {bit % 9 for bit in cells(given_word)}
        assert cells(spread) == {bit for bit in range(27) if bit % 9 in cells(folded)}


@settings(deadline=None)  # the first call may compile a kernel
@given(st.integers(0, 0o777), st.integers(0, 0o777))
def test_columns_turn_within_their_stack(low, high):
    turned = zip(
        (low, high), halves(w.next_in_stack(both(low, high))), halves(w.after_next_in_stack(both(low, high))), strict=True
    )
    for columns, following, after in turned:
        assert cells(following) == {column // 3 * 3 + (column - 1) % 3 for column in cells(columns)}
        assert cells(after) == {column // 3 * 3 + (column - 2) % 3 for column in cells(columns)}


@kernel
def count_bits(words, counts):
    for i in range(words.shape[0]):
        counts[i, 0] = population(words[i])
        counts[i, 1] = trailing_zeros(words[i])


@pytest.mark.parametrize("dtype", [np.uint32, np.uint64])
def test_bits(dtype):
    words = np.random.default_rng(1).integers(1, np.iinfo(dtype).max, 1000, dtype) >> np.arange(1000, dtype=dtype) % dtype(31)
    words = words[words > 0]
    counts = np.zeros((len(words), 2), np.int64)
    count_bits(words, counts)
    assert counts.tolist() == [[w.bit_count(), (w & -w).bit_length() - 1] for w in words.tolist()]


@pytest.mark.parametrize("seed", range(3))
def test_passes_keep_every_candidate_of_the_solution(seed):
    puzzles = np.concatenate([to_cells(SEVENTEEN), parts(seed, LANES - len(SEVENTEEN), 25, 40)])
    solutions = solve_many(puzzles).solutions
    words = np.zeros(VECTORS * VECTOR, np.uint64)
    lanes = words.view(np.uint32).reshape(VECTORS, LANES)
    for lane, puzzle in enumerate(puzzles):
        for cell, digit in enumerate(puzzle.tolist()):
            for candidate in range(9):
                if digit in (0, candidate + 1):
                    lanes[CANDIDATES + 3 * candidate + cell // 27, lane] |= 1 << cell % 27
            if digit:
                lanes[ONE + cell // 27, lane] |= 1 << cell % 27
    before = None
    with np.errstate(over="ignore"):
        while before is None or (before != lanes[:SAVED]).any():
            before = lanes[:SAVED].copy()
            one_pass(words)
    assert not lanes[DEAD].any()
    assert not lanes[NEWS].any()
    for lane, solution in enumerate(solutions):
        left = [{d + 1 for d in range(9) if lanes[CANDIDATES + 3 * d + c // 27, lane] >> (c % 27) & 1} for c in range(81)]
        assert all(digit in left[cell] for cell, digit in enumerate(solution.tolist()))
        for vector, fewest in ((MANY, 2), (MORE, 3)):
            marked = {27 * band + bit for band in range(3) for bit in cells(int(lanes[vector + band, lane]))}
            assert marked == {cell for cell in range(81) if len(left[cell]) >= fewest}
        assert {27 * band + bit for band in range(3) for bit in cells(int(lanes[ONE + band, lane]))} == {
            cell for cell in range(81) if len(left[cell]) == 1
        }
        # No naked or hidden single is left unused.
        for cell in range(81):
            if len(left[cell]) == 1:
                assert all(not left[cell] & left[peer] for peer in PEERS[cell])
        for house in HOUSES:
            for digit in range(1, 10):
                places = [cell for cell in house if digit in left[cell]]
                assert len(places) > 1 or len(left[places[0]]) == 1


def test_a_contradiction_kills_the_lane_only():
    tasks = np.zeros((2, 81), np.uint8)
    tasks[0, :8] = range(1, 9)
    tasks[0, 17] = 9
    solved = solve_many(tasks, 1)
    assert solved.counts.tolist() == [0, 1]
