"""The puzzle as a value: parsing, clicks, symmetries, pictures, the definition file."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from naive import rings as naive
from ringkit import FIVE, TINY, random_states, sequences, states

from engine.errors import InvalidInputError
from engine.rings.errors import ImpossibleStateError, InvalidMoveError, InvalidPuzzleError, InvalidStateError
from engine.rings.model import Puzzle, State

pytestmark = pytest.mark.small

SCRAMBLED = "00001402311112322222143333340444410"


def test_the_default_is_five_rings_of_seven():
    assert Puzzle(rings=5, beads=7, places=(0, 6)) == FIVE
    assert FIVE.solved.text == "0" * 7 + "1" * 7 + "2" * 7 + "3" * 7 + "4" * 7
    assert FIVE.solved.is_solved
    assert FIVE.move_count == 12
    assert [FIVE.move_name(move) for move in (0, 1, 9, 10, 11)] == ["R1", "R1'", "R5'", "D", "D'"]


def test_known_answer():
    state = State.parse(SCRAMBLED)
    assert state.after(FIVE.parse_moves("R1 R1 D' R2' R5 D D")).is_solved


@given(states())
def test_text_and_repr_round_trip(state):
    assert State.parse(state.text) == state
    assert eval(repr(state)) == state
    assert hash(State.parse(str(state))) == hash(state)


def test_repr_of_another_puzzle_round_trips():
    state = TINY[1].solved.after((0, 6))
    assert eval(repr(state)) == state
    assert state != State(state.text, Puzzle(3, 4, (1, 2)))


def test_blanks_between_digits_are_ignored():
    assert State.parse(" 0000140 2311112\t322222143333340444410\n").text == SCRAMBLED


@pytest.mark.parametrize(
    ("text", "error", "words"),
    [
        (SCRAMBLED[:-1], InvalidStateError, "34 digits"),
        (SCRAMBLED + "0", InvalidStateError, "36 digits"),
        ("", InvalidStateError, "0 digits"),
        (SCRAMBLED[:-1] + "5", InvalidStateError, "character 35 is '5'"),
        ("x" + SCRAMBLED[1:], InvalidStateError, "character 1 is 'x'"),
        ("²" + SCRAMBLED[1:], InvalidStateError, "character 1"),
        ("1" + SCRAMBLED[1:], ImpossibleStateError, "impossible state: 6 of colour 0, 8 of colour 1"),
    ],
)
def test_bad_states_are_refused_with_a_reason(text, error, words):
    with pytest.raises(error, match=words) as caught:
        State.parse(text)
    assert isinstance(caught.value, InvalidInputError)
    assert isinstance(caught.value, ValueError)


@given(st.text())
def test_any_text_is_a_state_or_refused(text):
    try:
        state = State.parse(text)
    except InvalidStateError:
        return
    assert len(state.text) == 35


@given(sequences())
def test_moves_round_trip(moves):
    assert FIVE.parse_moves(FIVE.format_moves(moves)) == moves


def test_moves_are_read_with_a_typographic_apostrophe_too():
    assert FIVE.parse_moves("R1\u2019 D\u2019") == (1, 11)


@pytest.mark.parametrize("word", ["R0", "R6", "R", "X", "D2", "R1''", "r1", "R1'D", "R10"])
def test_bad_moves_are_refused(word):
    with pytest.raises(InvalidMoveError, match="is no click; clicks are R1 to R5 and D"):
        FIVE.parse_moves(f"R1 {word}")


@given(states(), sequences())
def test_the_inverse_undoes(state, moves):
    assert state.after(moves).after(FIVE.inverse(moves)) == state
    assert FIVE.inverse(FIVE.inverse(moves)) == moves


@pytest.mark.parametrize("puzzle", [FIVE, *TINY], ids=str)
def test_clicks_agree_with_beads_turned_one_by_one(puzzle):
    for state in random_states(5, puzzle=puzzle):
        for move in range(puzzle.move_count):
            turned = naive.turned(naive.from_text(state.text, puzzle.beads), puzzle.move_name(move), puzzle.places)
            assert state.after((move,)).text == naive.to_text(turned)


def test_there_are_ten_symmetries():
    assert len(FIVE.symmetries()) == 10
    assert len({symmetry.positions for symmetry in FIVE.symmetries()}) == 10


@pytest.mark.parametrize("puzzle", [FIVE, *TINY], ids=str)
def test_symmetric_clicks_turn_symmetric_states(puzzle):
    assert puzzle.symmetries()[0].positions == tuple(range(puzzle.positions))
    for symmetry in puzzle.symmetries():
        assert puzzle.solved.image(symmetry).is_solved
        for state in random_states(3, puzzle=puzzle):
            for move in range(puzzle.move_count):
                assert state.after((move,)).image(symmetry) == state.image(symmetry).after((symmetry.moves[move],))


@given(states(), st.integers(0, 9))
def test_symmetric_states_have_one_canonical_state(state, number):
    assert state.image(FIVE.symmetries()[number]).canonical() == state.canonical()
    assert state.canonical().canonical() == state.canonical()


@given(states())
def test_canonical_states_agree_with_pictures_turned_and_mirrored(state):
    assert state.canonical().text == naive.canonical(naive.from_text(state.text, 7))


def test_classes_of_states_by_depth():
    # Known figures: 1, 1, 3, 16, 100 classes under the ten symmetries (of 1, 2, 22, 160, 980 states).
    found = naive.distances(5, 7, (0, 6), depth=4)
    classes = [{State(text).canonical().text for text, d in found.items() if d == depth} for depth in range(5)]
    assert [len(c) for c in classes] == [1, 1, 3, 16, 100]


@pytest.mark.parametrize(
    ("rings", "beads", "places"),
    [(1, 7, (0,)), (11, 3, (0,)), (5, 1, (0,)), (5, 7, ()), (5, 7, (6, 0)), (5, 7, (0, 7)), (5, 7, (0, 0)), (9, 7, (0, 6))],
)
def test_impossible_puzzles_are_refused(rings, beads, places):
    with pytest.raises(InvalidPuzzleError):
        Puzzle(rings, beads, places)


def test_the_definition_file():
    lines = FIVE.tws().splitlines()
    assert lines[:3] == ["Name FiveRings7", "Set BEAD 35 1", "Solved"]
    assert lines[4] == " ".join(str(1 + p // 7) for p in range(35))
    moves = {lines[k].split()[1]: lines[k + 2].split() for k in range(6, len(lines), 4)}
    assert list(moves) == ["R1", "R2", "R3", "R4", "R5", "D"]
    assert moves["R1"][:8] == ["7", "1", "2", "3", "4", "5", "6", "8"]
    assert moves["D"][:8] == ["29", "2", "3", "4", "5", "6", "35", "1"]
    assert all(sorted(map(int, row)) == list(range(1, 36)) for row in moves.values())


@pytest.mark.parametrize("puzzle", [FIVE, *TINY], ids=str)
def test_pictures_in_text(puzzle):
    state = puzzle.solved.after((puzzle.move_count - 2, 0))
    assert len(state.drawn().splitlines()) == puzzle.rings + 1
    assert "*" not in puzzle.solved.drawn()
    assert state.drawn().count("*") == sum(state.bead(r, p) != r for r in range(puzzle.rings) for p in range(puzzle.beads))
