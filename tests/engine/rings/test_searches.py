"""Distance tables, IDA* and the beam against plain breadth-first search and known figures."""

from collections import Counter
from functools import cache

import pytest
from hypothesis import given, settings
from naive import rings as naive
from ringkit import FIVE, TINY, outputs_with_and_without_compiler, random_states, sequences, states

from engine.errors import EngineError, InvalidInputError
from engine.rings.beam import MAX_WIDTH, beam
from engine.rings.count import count
from engine.rings.ida import BoundedSearch, deepening, shortest
from engine.rings.model import Puzzle, State
from engine.rings.ordering import sequences as ordered
from engine.rings.tables import distances, distribution, frame, lower_bound

ONE_COLOUR = [
    1, 2, 10, 40, 160, 586, 1888, 5368, 14234, 36717, 88433, 192268, 367955, 610209, 868530, 1051341, 1079876, 936521, 685455,
    424194, 221406, 95528, 33018, 8950, 1688, 142,
]  # fmt: skip
"""Placings of one colour by clicks from home, from independent programs that agree."""


@cache
def listed(puzzle):
    return naive.distances(puzzle.rings, puzzle.beads, puzzle.places)


def test_distribution_of_one_colour():
    assert distribution(FIVE) == ONE_COLOUR
    assert sum(ONE_COLOUR) == 6_724_520


@pytest.mark.parametrize("puzzle", TINY, ids=str)
def test_tables_agree_with_breadth_first_search(puzzle):
    for colour in range(puzzle.rings):
        known = naive.one_colour(puzzle.rings, puzzle.beads, puzzle.places, colour)
        for state in random_states(30, puzzle=puzzle):
            where = "".join("1" if digit == str(colour) else "0" for digit in state.text)
            assert distances(state)[colour] == known.get(where, 255)  # 255: no scramble reaches it


def test_a_puzzle_too_big_for_tables_is_refused():
    with pytest.raises(EngineError, match="too big for distance tables"):
        frame(Puzzle(6, 10, (0, 9)))


@given(states(), sequences(longest=3))
def test_a_click_changes_a_distance_by_at_most_one(state, moves):
    for before, after in zip(distances(state), distances(state.after(moves)), strict=True):
        assert abs(before - after) <= len(moves)


@pytest.mark.parametrize("puzzle", TINY, ids=str)
def test_ida_finds_every_optimum_of_a_puzzle_that_can_be_listed(puzzle):
    known = listed(puzzle)
    texts = sorted(known)
    for text in texts[:: max(1, len(texts) // 150)]:
        state = State(text, puzzle)
        found = shortest(state, max_clicks=99)
        assert found.moves is not None
        assert state.after(found.moves).is_solved
        assert len(found.moves) == found.lower_bound == known[text]
        assert lower_bound(state) <= known[text]


def test_ida_finds_every_optimum_near_the_solved_state():
    known = naive.distances(5, 7, (0, 6), depth=4)
    for text, distance in known.items():
        found = shortest(State(text), max_clicks=9)
        assert found.moves is not None
        assert len(found.moves) == distance


def test_a_longer_known_answer():
    state = FIVE.solved.after(FIVE.parse_moves("D R1 R3' D R2 R5 D' R1' R4 D R3 R3 D' R2 R5'"))
    found = shortest(state, max_clicks=15)
    assert found.moves is not None
    assert state.after(found.moves).is_solved
    assert shortest(state, max_clicks=len(found.moves) - 1).moves is None
    assert shortest(state, max_clicks=len(found.moves) - 1).lower_bound == len(found.moves)


def test_a_search_stopped_after_any_number_of_nodes_goes_on_to_the_same_end():
    state = FIVE.solved.after(FIVE.parse_moves("D R1 R3' D R2 R5 D' R1' R4 D R3 R3 D'"))
    whole = shortest(state, max_clicks=20)
    *_, last = deepening(state, max_clicks=20, step=997)
    assert last == whole
    limited = shortest(state, max_clicks=20, max_nodes=500)
    assert limited.moves is None
    assert limited.nodes <= 500 + FIVE.move_count
    assert limited.lower_bound <= whole.lower_bound
    assert shortest(state, max_clicks=20, max_nodes=0).nodes == 0


def test_searches_by_first_clicks_together_are_the_search():
    state = FIVE.solved.after(FIVE.parse_moves("D R1 R3' D R2 R5 D' R1' R4 D"))
    best = shortest(state, max_clicks=20)
    assert best.moves is not None
    found = []
    for prefix in ordered(FIVE, 3):
        search = BoundedSearch(state, best.lower_bound, prefix)
        assert search.run()
        if search.solution is not None:
            assert search.solution[:3] == prefix
            found.append(search.solution)
    assert found[0] == best.moves
    for prefix in ordered(FIVE, 2):
        search = BoundedSearch(state, best.lower_bound - 1, prefix)
        assert search.run()
        assert search.solution is None


def test_the_solved_state():
    assert shortest(FIVE.solved, max_clicks=0).moves == ()
    assert beam(FIVE.solved) == ()
    assert lower_bound(FIVE.solved) == 0


def test_ordered_sequences():
    # As many as there are different ones of so many clicks and no fewer, by a search in which all beads are told apart.
    assert [sum(1 for _ in ordered(FIVE, length)) for length in range(6)] == [1, 12, 92, 650, 4480, 29912]


@pytest.mark.parametrize("puzzle", TINY, ids=str)
def test_ordered_sequences_reach_every_state_by_a_shortest_way(puzzle):
    known = naive.distances(puzzle.rings, puzzle.beads, puzzle.places, depth=4)
    reached = {puzzle.solved.after(moves).text for length in range(5) for moves in ordered(puzzle, length)}
    assert reached >= set(known)


def depth_counts(puzzle, depth):
    found = {step.depth: step.states for step in count(puzzle, depth)}
    return [found.get(number, 0) for number in range(depth + 1)]


def test_depth_counts():
    # Known figures, equal in three independent programs.
    assert depth_counts(FIVE, 6) == [1, 2, 22, 160, 980, 6240, 39489]


@pytest.mark.parametrize("puzzle", TINY, ids=str)
def test_depth_counts_of_whole_puzzles(puzzle):
    known = Counter(naive.distances(puzzle.rings, puzzle.beads, puzzle.places, depth=6).values())
    assert depth_counts(puzzle, 6) == [known[depth] for depth in range(7)]


@pytest.mark.parametrize("width", [50, 1000])
def test_beam_solutions_solve(width):
    for state in random_states(5, seed=3):
        moves = beam(state, width)
        assert moves is not None
        assert state.after(moves).is_solved
        assert lower_bound(state) <= len(moves) < 60


@pytest.mark.parametrize("puzzle", TINY, ids=str)
def test_a_wide_beam_is_never_below_the_optimum_and_solves(puzzle):
    known = listed(puzzle)
    for state in random_states(10, puzzle=puzzle):
        if state.text not in known:
            continue  # some tiny puzzles have states that no scramble reaches
        moves = beam(state, 5000)
        assert moves is not None
        assert state.after(moves).is_solved
        assert len(moves) >= known[state.text]


def test_the_mean_beam_solution_of_random_states():
    # Measured before at this width: 36.0 by a prototype, 35.8 and 36.2 here on 40 and 60 other states. The seed is fixed.
    lengths = [len(beam(state, 1000) or ()) for state in random_states(25, seed=11)]
    assert 34.5 <= sum(lengths) / len(lengths) <= 37.3


@pytest.mark.parametrize("width", [0, -1, MAX_WIDTH + 1])
def test_a_beam_width_out_of_range_is_refused(width):
    with pytest.raises(InvalidInputError, match="beam width"):
        beam(FIVE.solved, width)


@given(sequences(longest=8))
@settings(deadline=None)
def test_nothing_beats_a_known_way(moves):
    state = FIVE.solved.after(moves)
    found = shortest(state, max_clicks=len(moves))
    assert found.moves is not None
    assert len(found.moves) <= len(moves)


def test_the_kernels_are_plain_python_too():
    """The same searches with compilation off, on a small puzzle, in a process of its own."""
    program = """
from engine.rings.beam import beam
from engine.rings.count import count
from engine.rings.ida import shortest
from engine.rings.model import Puzzle
from engine.rings.tables import distribution
for puzzle in (Puzzle(3, 3, (0, 2)), Puzzle(5, 2, (0,))):
    state = puzzle.solved.after(puzzle.parse_moves("D R1 R2' D' R3 D"))
    found = shortest(state, max_clicks=9)
    moves = beam(state, 20)
    assert state.after(found.moves).is_solved and state.after(moves).is_solved
    print(distribution(puzzle), len(found.moves), found.nodes, moves)
"""
    plain, compiled = outputs_with_and_without_compiler(program)
    assert plain == compiled != ""
