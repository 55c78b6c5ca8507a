"""Boards: geometry, names, numbers, symmetries, drawings."""

import re
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import pegs as naive

from engine.pegs.boards import Board
from engine.pegs.catalogue import LISTED, find_board, named_board, parse_board, parse_position
from engine.pegs.errors import BoardTextError, IllegalJumpError, UnknownBoardError, UnknownHoleError
from engine.pegs.lattice import Lattice, normalised
from engine.pegs.parity import position_class, possible_finishes

pytestmark = pytest.mark.small

CELLS = st.sets(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=24)
BOARDS = st.builds(lambda lattice, cells: Board(lattice, normalised(cells), "drawn"), st.sampled_from(list(Lattice)), CELLS)


@pytest.mark.parametrize(
    ("name", "holes", "jumps", "symmetries", "starts"),
    [
        ("triangle-15", 15, 36, 6, 4),
        ("english-33", 33, 76, 8, 7),
        ("european-37", 37, 92, 8, 8),
        ("wiegleb-45", 45, 108, 8, 9),
        ("diamond-41", 41, 100, 8, 9),
        ("star-13", 13, 30, 12, 3),
        ("hexagon-19", 19, 54, 12, 4),
    ],
)
def test_figures_of_named_boards(name, holes, jumps, symmetries, starts):
    board = named_board(name)
    assert (len(board), len(board.jumps), len(board.symmetries), len(board.start_classes)) == (holes, jumps, symmetries, starts)


@pytest.mark.parametrize("name", LISTED)
def test_a_named_board_is_found_again_by_its_drawing(name):
    board = named_board(name)
    assert parse_board(board.text()) == board
    assert parse_board(board.text()).name == name
    assert eval(repr(board), {"named_board": named_board}) == board


@pytest.mark.parametrize(
    ("alias", "name"),
    [("French-37", "european-37"), ("ENGLISH", "english-33"), ("hex-7", "hexagon-7"), ("triangle-6", "triangle-6")],
)
def test_aliases_and_other_sizes(alias, name):
    assert named_board(alias).name == name


def test_an_unknown_board_lists_the_names():
    for name in ("triangle-14", "english-34", "octagon-8", "triangle-0", "", "   ", "triangle-66"):
        with pytest.raises((UnknownBoardError, BoardTextError)):
            find_board(name)
    with pytest.raises(UnknownBoardError, match=r"triangle-15.*english-33.*draw your own"):
        named_board("solitaire")


def test_holes_by_number_and_name():
    board = named_board("english-33")
    assert (board.hole("d4"), board.hole("16"), board.hole(16), board.hole(" D4 ")) == (16, 16, 16, 16)
    assert board.hole_names[1] == "d1"
    assert named_board("triangle-15").hole_names[4] == "b3"
    for bad in ("a1", "33", "-1", "d8", "", "d", "4d", "16.0", "9" * 5000):
        with pytest.raises(UnknownHoleError, match="0 to 32"):
            board.hole(bad)


@pytest.mark.parametrize("name", ["triangle-15", "english-33", "star-13"])
def test_jumps_are_what_geometry_says(name):
    board = named_board(name)
    expected = naive.jumps_of(board.cells, board.lattice is Lattice.TRIANGULAR)
    assert [tuple(board.cells[hole] for hole in jump) for jump in board.jumps] == sorted(expected)


@settings(deadline=None)
@given(BOARDS)
def test_symmetries_form_a_group_that_keeps_jumps(board):
    group = set(board.symmetries)
    assert board.symmetries[0] == tuple(range(len(board)))
    assert {tuple(a[i] for i in b) for a in group for b in group} == group
    jumps = set(board.jumps)
    for s in group:
        assert {(s[a], s[b], s[c]) for a, b, c in jumps} == jumps


@settings(deadline=None)
@given(BOARDS, st.data())
def test_a_drawing_is_read_back(board, data):
    position = data.draw(st.integers(0, board.full))
    text = board.text(position)
    again, pegs = parse_position(text)
    assert (again, pegs) == (board, position)
    assert again.shape_hash == board.shape_hash
    assert eval(repr(again), {"parse_board": parse_board, "named_board": named_board}) == board


@settings(deadline=None)
@given(st.text(alphabet="o.x1 *_0\n#?\tlattice: square", max_size=60))
def test_any_text_is_a_board_or_a_refusal_with_its_line(text):
    refusal = None
    try:
        board, position = parse_position(text)
    except BoardTextError as error:
        refusal = error
    if refusal is None:
        assert 1 <= len(board) <= 60
        assert 0 <= position <= board.full
    else:
        assert 1 <= refusal.line <= max(1, len(text.splitlines()))
        assert f"line {refusal.line}" in str(refusal)


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("ooo\no?o", 2, 2),
        ("ooo\n\too", 2, 1),
        ("# remark\no o o\n o o\n  o o\no o   o\n o", 5, 1),
        ("lattice: triangular\noo", 2, 2),
        ("lattice: round\noo", 1, None),
        ("   \n\n", 1, None),
        ("\n".join(["o" * 9] * 8), 8, None),
    ],
)
def test_malformed_drawings_name_the_place(text, line, column):
    with pytest.raises(BoardTextError) as caught:
        parse_board(text)
    assert (caught.value.line, caught.value.column) == (line, column)


def test_drawings_close_spaced_and_staggered():
    close = "  ooo\n  ooo\nooooooo\nooo.ooo\nooooooo\n  ooo\n  ooo\n"
    board, position = parse_position(close)
    assert board == named_board("english")
    assert position == board.vacancy(16)
    assert parse_board("# five rows\n    o\n   o .\n  o x 1\n o * O X\no o _ 0 .") == named_board("triangle-15")
    assert parse_board("o o\no o") == parse_board("oo\noo")
    assert parse_board("o o\no o").lattice is Lattice.SQUARE
    assert parse_board("lattice: triangular\no o o").lattice is Lattice.TRIANGULAR


def test_equal_shapes_have_equal_hashes_and_others_not():
    hashes = {named_board(name).shape_hash for name in LISTED}
    assert len(hashes) == len(LISTED)
    assert all(re.fullmatch(r"[0-9a-f]{32}", shape) for shape in hashes)


def test_svg_is_well_formed_and_has_each_hole():
    board = named_board("star-13")
    for picture in (board.svg(board.vacancy(6)), board._repr_svg_()):
        root = ET.fromstring(picture)
        assert len([e for e in root.iter() if e.tag.endswith("circle")]) == 13


def test_a_jump_must_be_legal():
    board = named_board("triangle-15")
    position = board.jump(board.vacancy(0), 3, 0)
    assert board.holes_of(position) == tuple(h for h in range(15) if h not in (1, 3))
    for origin, to in ((3, 0), (0, 14), (10, 10), (99, 0)):
        with pytest.raises(IllegalJumpError, match=f"from hole {origin} to hole {to}"):
            board.jump(position, origin, to)


@settings(deadline=None)
@given(st.sampled_from(["english-33", "triangle-15", "star-13", "european-37"]), st.data())
def test_jumps_stay_in_the_position_class(name, data):
    board = named_board(name)
    position = data.draw(st.integers(1, board.full))
    legal = board.legal_jumps(position)
    if legal:
        jump = data.draw(st.sampled_from(legal))
        assert position_class(board, board.jump(position, jump.origin, jump.to)) == position_class(board, position)


def test_rule_of_three_on_the_english_board():
    """From the centre the last peg can only be in the centre or an edge's middle (Beasley, The Ins and Outs of Solitaire)."""
    board = named_board("english-33")
    assert possible_finishes(board, board.vacancy(16)) == (1, 13, 16, 19, 31)
    assert possible_finishes(named_board("hexagon-19"), named_board("hexagon-19").vacancy(9)) == ()
