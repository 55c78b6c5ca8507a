"""Enumeration against the slow oracle and against published figures."""

import os
import subprocess
import sys
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import pegs as naive

from engine.errors import LimitExceededError
from engine.pegs.boards import Board
from engine.pegs.catalogue import named_board
from engine.pegs.cost import expected_cost
from engine.pegs.enumeration import enumerate_from
from engine.pegs.errors import BoardTooLargeError
from engine.pegs.group import group_tables
from engine.pegs.lattice import Lattice, normalised
from engine.pegs.levels import Level, LevelSearch
from engine.steps import result_of

pytestmark = pytest.mark.small

# Hole, solutions, of these ending in the start hole (Durango Bill, "Peg Solitaire"); games, which for all 15 starts together
# are 7,335,390 (A. Baldoza, TrianglePegGame); positions by jumps (J. Scherphuis, "Triangular Peg Solitaire").
TRIANGLE_15 = [
    (0, 29760, 6816, 568630, [1, 2, 8, 35, 122, 293, 530, 679, 623, 414, 212, 75, 18, 4]),
    (1, 14880, 720, 294543, [1, 2, 6, 24, 79, 193, 375, 525, 519, 366, 196, 70, 17, 4]),
    (3, 85258, 51452, 1149568, [1, 4, 16, 59, 186, 446, 760, 931, 840, 583, 285, 98, 23, 5]),
    (4, 1550, 0, 137846, [1, 2, 6, 21, 58, 139, 260, 350, 351, 261, 142, 49, 10, 1]),
]

SMALL = st.builds(
    lambda lattice, cells: Board(lattice, normalised(cells), "drawn"),
    st.sampled_from(list(Lattice)),
    st.sets(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=3, max_size=10),
)


def cells(board, position):
    return frozenset(board.cells[hole] for hole in board.holes_of(position))


def check_against_oracle(board, start):
    jumps = naive.jumps_of(board.cells, board.lattice is Lattice.TRIANGULAR)
    pegs = cells(board, start)
    levels = naive.levels(pegs, jumps)
    maps = [dict(zip(board.cells, (board.cells[i] for i in s), strict=True)) for s in board.symmetries]
    ends, finishes = Counter(), Counter()
    for played, left in naive.games(pegs, jumps):
        ends[len(played)] += 1
        if len(left) == 1:
            finishes[board.cells.index(next(iter(left)))] += 1
    found = enumerate_from(board, start)
    assert found.positions_by_jumps == tuple(len(level) for level in levels)
    assert found.classes_by_jumps == tuple(naive.classes(level, maps) for level in levels)
    assert found.stuck_by_jumps == tuple(sum(not naive.legal(p, jumps) for p in level) for level in levels)
    assert found.games_by_jumps == tuple(ends[k] for k in range(len(levels)))
    assert found.solutions_by_finish == dict(sorted(finishes.items()))
    assert found.shortest_game == min(ends)
    assert found.solutions == sum(finishes.values())


@pytest.mark.parametrize(
    ("name", "hole"),
    [("triangle-10", h) for h in range(10)]
    + [("triangle-15", 4), ("star-13", 2), ("diamond-13", 1), ("hexagon-7", 0), ("hexagon-7", 3), ("square-16", 0)],
)
def test_named_boards_against_the_oracle(name, hole):
    board = named_board(name)
    if name == "square-16":  # too many games for the oracle from a vacancy: begin with half the pegs
        check_against_oracle(board, board.position_of([0, 1, 4, 5, 6, 9, 10, 12]))
    else:
        check_against_oracle(board, board.vacancy(hole))


@settings(max_examples=60, deadline=None)
@given(SMALL, st.data())
def test_any_board_and_position_against_the_oracle(board, data):
    check_against_oracle(board, data.draw(st.integers(1, board.full)))


@pytest.mark.parametrize(("hole", "solutions", "home", "games", "positions"), TRIANGLE_15)
def test_triangle_15(hole, solutions, home, games, positions):
    board = named_board("triangle-15")
    found = enumerate_from(board, board.vacancy(hole))
    assert found.solutions == solutions
    assert found.solutions_by_finish.get(hole, 0) == home
    assert found.games == games
    assert list(found.positions_by_jumps) == positions
    assert found.positions == sum(positions)


def test_symmetric_starts_have_symmetric_figures():
    board = named_board("triangle-15")
    first = enumerate_from(board, board.vacancy(1))
    for s in board.symmetries:
        assert first.moved(s) == enumerate_from(board, board.vacancy(s[1]))


def test_english_from_the_centre_begins_as_published():
    """Classes: OEIS A112737. Positions: Durango Bill, "33 hole peg solitaire", by number of jumps."""
    board = named_board("english-33")
    search = LevelSearch(group_tables(board))
    level = search.first([board.vacancy(16)])
    classes, positions = [], []
    for _ in range(11):
        following, figures = result_of(search.expand(level, ""))
        classes.append(figures.classes)
        positions.append(figures.positions)
        level = following
    assert classes == [1, 1, 2, 8, 39, 171, 719, 2757, 9751, 31312, 89927]
    assert positions == [1, 4, 12, 60, 296, 1338, 5648, 21842, 77559, 249690, 717788]
    assert len(level) == 229614


def test_hexagon_19_cannot_be_solved():
    board = named_board("hexagon-19")
    for holes in board.start_classes:
        assert enumerate_from(board, board.vacancy(holes[0])).solutions == 0


def test_counts_carry_into_the_high_word_and_overflow_is_an_error():
    board = named_board("triangle-15")
    search = LevelSearch(group_tables(board, board.stabiliser(board.vacancy(0))))
    start = board.vacancy(0)
    level = Level(15, np.array([[start, 2**64 - 1]], np.uint64))
    while len(level):
        last = level
        level, figures = result_of(search.expand(level, ""))
    assert figures.games == sum(last.count(i) for i in range(len(last))) == 29760 * (2**64 - 1)
    full = Level(15, np.array([[start | ((1 << 49) - 1) << 15, 2**64 - 1]], np.uint64))
    with pytest.raises(LimitExceededError, match="113 bits"):
        result_of(search.expand(full, ""))


def test_memory_limit_is_kept():
    board = named_board("triangle-21")
    with pytest.raises(BoardTooLargeError, match=r"more than 1 MiB.*more symmetric start"):
        enumerate_from(board, board.vacancy(1), memory_mib=1)
    with pytest.raises(BoardTooLargeError, match="at most 60"):
        enumerate_from(named_board("square-64"), 1)


@settings(deadline=None)
@given(st.sampled_from(["triangle-15", "english-33", "star-13", "diamond-41"]), st.data())
def test_canonical_form_is_one_of_the_images_and_the_same_for_all(name, data):
    board = named_board(name)
    group = group_tables(board)
    position = data.draw(st.integers(0, board.full))
    canonical = group.canonical(position)
    images = [board.moved(position, s) for s in board.symmetries]
    assert group.images(position) == images
    assert canonical == min(images)
    assert {group.canonical(image) for image in images} == {canonical}


def test_the_same_code_without_the_compiler():
    code = (
        "from engine.pegs.catalogue import named_board as n\n"
        "from engine.pegs.enumeration import enumerate_from as e\n"
        "from engine.pegs.build import build_graph as g\n"
        "from engine.pegs.sweeps import fewest_moves as f\n"
        "from engine.pegs._kernels import expand\n"
        "b = n('triangle-10')\n"
        "graph = g(b, b.vacancy(1))\n"
        "assert not hasattr(expand, 'py_func')\n"
        "print(e(b, b.vacancy(1)).games, graph.total, len(list(graph.solutions())), f(graph).by_finish)\n"
    )
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert ran.stderr == ""
    assert ran.stdout == "93 14 14 {2: 5}\n"


def test_cost_is_guessed_to_a_factor_of_three():
    """Measured on one core: English-33 from the centre 11 s of enumeration and 20 s for its graph, Triangle-28 from a3 27 s."""
    english, triangle = named_board("english-33"), named_board("triangle-28")
    whole = expected_cost(english, english.vacancy(16), enumerate_all=True, graph=True)
    assert 31 / 3 < whole.core_seconds < 31 * 3
    assert 420 / 3 < whole.memory_mib < 620 * 3
    assert 9 < expected_cost(triangle, triangle.vacancy(3), enumerate_all=True, graph=False).core_seconds < 81
    hexagon = named_board("hexagon-37")
    assert expected_cost(hexagon, hexagon.vacancy(18), enumerate_all=False, graph=True).core_seconds == 0
