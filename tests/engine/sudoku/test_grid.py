import string

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.sudoku import grid

pytestmark = pytest.mark.small

EASY = ".6...8..7.5.61..9....2.....72...3..5..5..1...9.1..23.6....5..2.......16....3..7.8"

grids = st.lists(st.integers(0, 9), min_size=81, max_size=81).map(lambda cells: np.array(cells, np.uint8))


@settings(deadline=None)  # the first call may compile a kernel
@given(grids)
def test_text_and_cells_are_inverse(cells):
    text = grid.to_text(cells)
    assert len(text) == 81
    assert (grid.parse(text) == cells).all()
    assert (grid.to_cells([text, text]) == cells).all()
    assert grid.to_texts(np.stack([cells, cells])) == [text, text]


@settings(deadline=None)  # the first call may compile a kernel
@given(grids, st.data())
def test_blanks_and_decoration_do_not_matter(cells, data):
    written = []
    for digit in cells.tolist():
        written.append(data.draw(st.sampled_from(["", " ", "|", "-+-", "\n"])))
        written.append(str(digit) if digit else data.draw(st.sampled_from(".0*_")))
    assert (grid.parse("".join(written)) == cells).all()


@pytest.mark.parametrize("tail", [",1.2,1.2,1.2", "; 4.5", "\t17", "  # a comment, with 123 digits", " 7.1", "\n", '","x"'])
def test_what_follows_the_puzzle_is_ignored(tail):
    assert grid.parse_line(EASY + tail) == EASY


def test_quotes_around_a_field():
    assert grid.parse_line(f'"{EASY}",3.4') == EASY


@pytest.mark.parametrize("line", ["", "   ", "# 4...", "puzzle", "Puzzle,er,ep,ed", '"puzzle","er"'])
def test_lines_without_a_puzzle(line):
    assert grid.parse_line(line) is None


@pytest.mark.parametrize("length", [1, 80, 82, 162])
def test_wrong_length_says_how_many(length):
    with pytest.raises(grid.GridError, match=f"81 cells, got {length}$"):
        grid.parse("." * length)


def test_a_short_field_is_not_filled_up_from_the_next():
    with pytest.raises(grid.GridError, match=r"got 3$"):
        grid.parse("123,456" + "." * 80)


def test_too_many_cells_in_a_grid_with_gaps():
    with pytest.raises(grid.GridError, match=r"got 90$"):
        grid.parse("\n".join(["1 . . | . . . | . . ."] * 10))


@settings(deadline=None)  # the first call may compile a kernel
@given(st.sampled_from(sorted(set(string.printable) - set(".0*_123456789,;# \t\r\n|+-:\"'"))), st.integers(0, 80))
def test_bad_character_is_named_with_its_column(character, place):
    text = EASY[:place] + character + EASY[place + 1 :]
    with pytest.raises(grid.GridError) as caught:
        grid.parse(text)
    assert f"bad character {character!r} in column {place + 1};" in str(caught.value)


@settings(deadline=None)  # the first call may compile a kernel
@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(text):
    try:
        puzzle = grid.parse_line(text)
    except grid.GridError as error:
        assert str(error)  # noqa: PT017  # any text may be good or bad: what is tested is that nothing else is raised
    else:
        assert puzzle is None or grid.parse_puzzle(puzzle) == puzzle


@pytest.mark.parametrize(
    ("one", "other", "names"),
    [(0, 8, "r1c1 and r1c9"), (3, 75, "r1c4 and r9c4"), (60, 80, "r7c7 and r9c9")],
)
def test_conflicts_name_both_cells(one, other, names):
    cells = np.zeros(81, np.uint8)
    cells[[one, other]] = 5
    puzzle = grid.to_text(cells)
    with pytest.raises(grid.ConflictError, match=f"{names} are both 5") as caught:
        grid.parse_puzzle(puzzle)
    assert caught.value.puzzle == puzzle


@settings(deadline=None)  # the first call may compile a kernel
@given(grids)
def test_the_quick_conflict_check_agrees_with_the_one_that_explains(cells):
    assert grid._has_conflict(grid.to_text(cells)) == (grid.find_conflict(cells) is not None)


def test_houses_and_peers():
    assert all(len(house) == 9 for house in grid.HOUSES)
    assert len(set(grid.HOUSES)) == 27
    assert all(len(peers) == 20 for peers in grid.PEERS)
    assert grid.cell_name(0) == "r1c1"
    assert grid.cell_name(80) == "r9c9"
