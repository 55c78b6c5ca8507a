"""The parts of the lanes, each against its meaning."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine._jit import kernel
from engine.sudoku.grid import HOUSES, PEERS, to_cells
from engine.sudoku.lanes import words as w
from engine.sudoku.lanes.bits import STARTS, eight_digits_at, equal_cells, population, trailing_zeros, weigh, write_band
from engine.sudoku.lanes.layout import ALL, CANDIDATES, FRAME, LANES, MANY, MORE, ONE, PAIRS_UP, SAVED, VECTORS
from engine.sudoku.lanes.machine import choose, vector_program
from engine.sudoku.lanes.propagate import DEAD_SHIFT, MANY_SHIFT, NEWS_SHIFT, one_pass
from engine.sudoku.solve import solve_many

from .samples import SEVENTEEN, parts

flags = st.integers(0, ALL)
bands = st.lists(flags, min_size=3, max_size=3)


def vector(word):
    return np.full(LANES, word, np.uint32)


def bits(words):
    """Return the set bits of the 27 that count, the same in all lanes."""
    assert len(set(words.tolist())) == 1
    return {bit for bit in range(27) if int(words[0]) >> bit & 1}


def cells(word):
    return {bit for bit in range(27) if word >> bit & 1}


def clean(words):
    return not (words >> 27).any()


def permutations_in(rows):
    """Return the places (row, column) of a 3 x 3 table of flags that lie on a permutation all of whose places are flagged."""
    kept = set()
    for columns in itertools.permutations(range(3)):
        places = set(enumerate(columns))
        if places <= rows:
            kept |= places
    return kept


@given(bands)
def test_minirow_and_column_flags(words):
    three = tuple(vector(word) for word in words)
    minirows = w.minirow_flags(three)
    columns = w.column_flags(three)
    assert clean(minirows)
    assert clean(columns)
    assert bits(minirows) == {9 * (bit // 9) + 3 * (bit % 9 // 3) + band for band in range(3) for bit in cells(words[band])}
    assert bits(columns) == {9 * band + bit % 9 for band in range(3) for bit in cells(words[band])}


@given(flags)
def test_flags_fill_their_minirows_and_columns(word):
    for band, filled in enumerate(w.fill_minirows(vector(word))):
        assert bits(filled) == {9 * (f // 9) + 3 * (f % 9 // 3) + i for f in cells(word) if f % 3 == band for i in range(3)}
    for band, filled in enumerate(w.fill_columns(vector(word))):
        assert bits(filled) == {9 * row + f % 9 for f in cells(word) if f // 9 == band for row in range(3)}


@given(flags)
def test_other_rows(word):
    assert bits(w.other_rows(vector(word))) == {(f + 9 * i) % 27 for f in cells(word) for i in (1, 2)}


@given(flags)
def test_locked_minirows_keeps_what_some_permutation_of_boxes_needs(word):
    expected = set()
    for band in range(3):
        rows = {(f // 9, f % 9 // 3) for f in cells(word) if f % 3 == band}
        expected |= {9 * row + 3 * box + band for row, box in permutations_in(rows)}
    assert bits(w.locked_minirows(vector(word))) == expected


@given(flags)
def test_locked_columns_keeps_what_some_permutation_of_columns_needs(word):
    expected = set()
    for stack in range(3):
        rows = {(f // 9, f % 3) for f in cells(word) if f % 9 // 3 == stack}
        expected |= {9 * band + 3 * stack + column for band, column in permutations_in(rows)}
    assert bits(w.locked_columns(vector(word))) == expected


@given(bands)
def test_lone_minirows_are_those_of_boxes_with_one_candidate(words):
    three = tuple(vector(word) for word in words)
    lone = bits(w.lone_minirows(w.minirow_flags(three), w.column_flags(three)))
    expected = set()
    for band in range(3):
        for box in range(3):
            held = [bit for bit in cells(words[band]) if bit % 9 // 3 == box]
            if len(held) == 1:
                expected.add(9 * (held[0] // 9) + 3 * box + band)
    assert lone == expected


@given(flags)
def test_stacks_open(word):
    opened = bits(w.stacks_open(vector(word))) & {2, 5, 8}
    assert opened == {3 * stack + 2 for stack in range(3) if word >> 3 * stack & 7}


def _arithmetic(memory):
    a, b = memory[0], memory[1]
    memory[2] = choose(0o123456701, a, b)
    memory[3] = (a + b) - ((a << 3) >> 5)
    memory[4] = (a & 0xF0F0F0F0) | (~b ^ a)
    return a & b, memory[2] - a


arithmetic = vector_program(_arithmetic)


@kernel
def run_arithmetic(words, result):
    result[0] = arithmetic(words)


def test_a_program_gives_what_its_operators_say():
    random = np.random.default_rng(3)
    words = random.integers(0, 2**32, 5 * LANES, np.uint32)
    words[:3] = words[LANES : LANES + 3] = 0
    before = words.reshape(5, LANES).astype(object)
    result = np.zeros(1, np.int64)
    run_arithmetic(words, result)
    a, b = before[0], before[1]
    mask = 0o123456701
    after = words.reshape(5, LANES).tolist()
    assert after[2] == [x & mask | y & ~mask for x, y in zip(a, b, strict=True)]
    assert after[3] == [(x + y - ((x << 3) % 2**32 >> 5)) % 2**32 for x, y in zip(a, b, strict=True)]
    assert after[4] == [(x & 0xF0F0F0F0 | (~y ^ x)) % 2**32 for x, y in zip(a, b, strict=True)]
    expected = sum(1 << lane for lane in range(LANES) if a[lane] & b[lane])
    expected |= sum(1 << LANES + lane for lane in range(LANES) if after[2][lane] != a[lane])
    assert result[0] == expected


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


@kernel
def call_on_frame(stack, at, peers, cells, results):
    for i in range(cells.shape[0]):
        results[i, 0] = eight_digits_at(stack, at, cells[i] & 63)
        results[i, 1] = weigh(stack, at, 2 * (i % 9), 2 * (i // 9 % 9), peers, cells[i])


def test_frames_are_read_a_vector_at_a_time():
    random = np.random.default_rng(2)
    stack = random.integers(0, 2**63, 3 * FRAME, np.uint64)
    # 20 peers, as a cell has: that is what the sum has room for.
    peers = np.array([sum(1 << int(bit) for bit in random.permutation(64)[:10]) for _ in range(192)], np.uint64)
    peers = np.tile(peers.reshape(96, 2), (1, 2))
    stack[FRAME : FRAME + 2] = stack[FRAME + PAIRS_UP : FRAME + PAIRS_UP + 2] = np.iinfo(np.uint64).max
    asked = random.integers(0, 96, 200)
    results = np.zeros((200, 2), np.int64)
    call_on_frame(stack, np.uint64(FRAME), peers, asked, results)
    elements = stack[FRAME : 2 * FRAME].tolist()
    for i, cell in enumerate(asked.tolist()):
        weight = 0
        for digit in (i % 9, i // 9 % 9):
            for half in range(2):
                touched = elements[2 * digit + half] & int(peers[cell, half])
                weight += touched.bit_count() + 3 * (touched & elements[PAIRS_UP + half]).bit_count()
        assert results[i].tolist() == [sum((elements[e] >> (cell & 63) & 1) << e for e in range(16)), weight]


@kernel
def call_on_grids(grids, words, marks, out):
    for band in range(3):
        for code in range(19):
            marks[band, code] = equal_cells(grids, 1, STARTS[band], code)
        write_band(words, 5, band, out, 1)


def test_cells_are_compared_and_written_a_band_at_a_time():
    random = np.random.default_rng(4)
    grids = random.integers(0, 19, (3, 81)).astype(np.uint8)
    solution = np.array([(3 * (r % 3) + r // 3 + c) % 9 + 1 for r in range(9) for c in range(9)], np.uint8)
    words = np.zeros(VECTORS * LANES, np.uint32)
    for cell, digit in enumerate(solution.tolist()):
        words[(CANDIDATES + 3 * (digit - 1) + cell // 27) * LANES + 5] |= 1 << cell % 27
    marks = np.zeros((3, 19), np.uint32)
    out = np.full((3, 81), 77, np.uint8)
    call_on_grids(grids, words, marks, out)
    assert (out[1] == solution).all()
    assert (out[[0, 2]] == 77).all()
    for band, start in enumerate(STARTS):
        for code in range(19):
            assert marks[band, code] == sum(1 << i for i in range(32) if grids[1, start + i] == code)


@kernel
def run_pass(words, report):
    report[0] = one_pass(words)


@pytest.mark.parametrize("seed", range(3))
def test_passes_keep_every_candidate_of_the_solution(seed):
    puzzles = np.concatenate([to_cells(SEVENTEEN), parts(seed, LANES - len(SEVENTEEN), 25, 40)])
    solutions = solve_many(puzzles).solutions
    words = np.zeros(VECTORS * LANES, np.uint32)
    lanes = words.reshape(VECTORS, LANES)
    for lane, puzzle in enumerate(puzzles):
        for cell, digit in enumerate(puzzle.tolist()):
            for candidate in range(9):
                if digit in (0, candidate + 1):
                    lanes[CANDIDATES + 3 * candidate + cell // 27, lane] |= 1 << cell % 27
            if digit:
                lanes[ONE + cell // 27, lane] |= 1 << cell % 27
    before = None
    report = np.zeros(1, np.int64)
    while before is None or (before != lanes[:SAVED]).any():
        before = lanes[:SAVED].copy()
        run_pass(words, report)
    assert not report[0] >> DEAD_SHIFT & 0xFFFF
    assert not report[0] >> NEWS_SHIFT & 0xFFFF
    for lane, solution in enumerate(solutions):
        left = [{d + 1 for d in range(9) if lanes[CANDIDATES + 3 * d + c // 27, lane] >> (c % 27) & 1} for c in range(81)]
        assert all(digit in left[cell] for cell, digit in enumerate(solution.tolist()))
        assert (report[0] >> MANY_SHIFT + lane & 1) == any(len(candidates) > 1 for candidates in left)
        for first, fewest in ((MANY, 2), (MORE, 3)):
            marked = {27 * band + bit for band in range(3) for bit in cells(int(lanes[first + band, lane]))}
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


@given(st.permutations(range(9)), st.integers(0, 80), st.integers(1, 8))
@settings(deadline=None)  # the first call may compile a kernel
def test_a_full_grid_is_solved_or_dead(labels, cell, shift):
    right = np.array([labels[(3 * (r % 3) + r // 3 + c) % 9] + 1 for r in range(9) for c in range(9)], np.uint8)
    wrong = right.copy()
    wrong[cell] = (wrong[cell] - 1 + shift) % 9 + 1
    # Two digits exchanged in all their cells of a band: its rows and boxes still look right, its columns as a rule do not.
    exchanged = right.copy()
    exchanged[:27][right[:27] == 1] = 2
    exchanged[:27][right[:27] == 2] = 1
    good = all(len({int(exchanged[cell]) for cell in house}) == 9 for house in HOUSES)
    assert solve_many(np.stack([right, wrong, exchanged])).counts.tolist() == [1, 0, int(good)]


def test_a_contradiction_kills_the_lane_only():
    tasks = np.zeros((2, 81), np.uint8)
    tasks[0, :8] = range(1, 9)
    tasks[0, 17] = 9
    solved = solve_many(tasks, 1)
    assert solved.counts.tolist() == [0, 1]


@pytest.mark.parametrize("limit", [1, 2, 3, 1000])
def test_lanes_that_help_at_the_end_change_nothing(limit):
    """One grid alone is searched by all sixteen lanes, among hundreds by one."""
    few = parts(11, 12, 20, 24)
    many = np.tile(few, (40, 1))
    among = solve_many(many, limit)
    for i in range(len(few)):
        alone = solve_many(few[i : i + 1], limit)
        assert alone.counts[0] == among.counts[i]
        assert (alone.solutions[0] == among.solutions[i]).all()
        assert (alone.second[0] == among.second[i]).all()
