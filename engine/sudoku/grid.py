"""Sudoku grids as text and as arrays: tolerant reading, canonical writing, and the houses of the 9 x 9 board.

Cells are numbered 0..80 row by row. In an array a cell holds its digit 1..9, or 0 if it is empty. In text an empty cell is `.`.
"""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from engine.errors import InvalidInputError

Cells = npt.NDArray[np.uint8]
"""A grid as an array of shape (81,), or many as (n, 81), dtype uint8, 0 for an empty cell."""

ROW = np.arange(81) // 9
COLUMN = np.arange(81) % 9
BOX = ROW // 3 * 3 + COLUMN // 3

HOUSES = tuple(
    tuple(int(cell) for cell in np.flatnonzero(index == number)) for index in (ROW, COLUMN, BOX) for number in range(9)
)
"""The cells of the 27 houses: rows 0..8, columns 9..17, boxes 18..26."""

PEERS = tuple(tuple(sorted({cell for house in HOUSES if own in house for cell in house} - {own})) for own in range(81))
"""For each cell the 20 others that share a house with it."""

_BLANKS = ".0*_"
_DECORATION = frozenset(" \t\r\n|+-:\"'")
_VALUE = {**dict.fromkeys(_BLANKS, 0), **{str(digit): digit for digit in range(1, 10)}}
_FIELD_ENDS = frozenset(" \t\r\n,;#|\"'")
_NORMAL = re.compile(r"[.1-9]{81}")
_HOUSE_BITS = tuple(
    1 << 10 * int(row) | 1 << 10 * (9 + int(column)) | 1 << 10 * (18 + int(box))
    for row, column, box in zip(ROW, COLUMN, BOX, strict=True)
)
"""For each cell a bit for its row, column and box, ten apart, so that a shift by the digit gives house-digit pairs."""
_TEXT = np.frombuffer(b".123456789", np.uint8)


class GridError(InvalidInputError):
    """Text that is not a sudoku grid. The message says which character, or how many cells were found."""

    code: ClassVar[str] = "bad-sudoku"


class ConflictError(GridError):
    """A grid in which two equal givens share a house, so that it can have no solution. `puzzle` is its 81 characters."""

    code: ClassVar[str] = "conflicting-givens"

    def __init__(self, message: str, puzzle: str) -> None:
        super().__init__(message)
        self.puzzle = puzzle


def cell_name(cell: int) -> str:
    """Return the usual name of a cell, `r1c1` to `r9c9`."""
    return f"r{cell // 9 + 1}c{cell % 9 + 1}"


def parse(text: str) -> Cells:
    """Return the cells (81,) of a grid written as text; the givens may still conflict (see `find_conflict`).

    An empty cell is `.`, `0`, `*` or `_`; white space, `|`, `+`, `-`, `:` and quotes between cells are decoration. Whatever
    follows the 81st cell behind white space, a comma, semicolon or `#` (a rating, a comment, further CSV fields) is ignored.

    Raises:
        GridError: another character, or not 81 cells.
    """
    cells: list[int] = []
    spaced = False
    for column, character in enumerate(text, start=1):
        value = _VALUE.get(character)
        if value is not None:
            cells.append(value)
        elif len(cells) >= 81 and character in _FIELD_ENDS:
            if spaced and set(text[column:]) <= _VALUE.keys() | _DECORATION:
                # The grid itself is written with gaps, so that what looks like a second field is more cells.
                cells.extend(_VALUE[more] for more in text[column:] if more in _VALUE)
            break
        elif character in _DECORATION:
            spaced = spaced or (bool(cells) and character.isspace())
        elif character in ",;#" and cells:
            break
        else:
            raise GridError(
                f"bad character {character!r} in column {column}; a cell is a digit 1-9, or one of {_BLANKS} if it is empty"
            )
    if len(cells) != 81:
        raise GridError(f"a grid has 81 cells, got {len(cells)}")
    return np.array(cells, np.uint8)


def parse_puzzle(text: str) -> str:
    """Return a puzzle in normal form: 81 characters, `.` for an empty cell.

    Raises:
        GridError: as `parse`.
        ConflictError: two equal givens share a house.
    """
    puzzle = normalize(text)
    if _has_conflict(puzzle):
        raise ConflictError(find_conflict(parse(puzzle)) or "conflicting givens", puzzle)
    return puzzle


def normalize(text: str) -> str:
    """Return a grid in normal form as `parse_puzzle` does, but with conflicting givens let through.

    Raises:
        GridError: as `parse`.
    """
    return text if _NORMAL.fullmatch(text) else to_text(parse(text))


def _has_conflict(puzzle: str) -> bool:
    """Return whether equal givens share a house: quick, for long lists, but without a word on which."""
    seen = 0
    for digit, bits in zip(puzzle, _HOUSE_BITS, strict=True):
        if digit != ".":
            mark = bits << int(digit)
            if seen & mark:
                return True
            seen |= mark
    return False


def parse_line(text: str) -> str | None:
    """Return the puzzle on one line of a file as `parse_puzzle` does, or None for a blank, comment (`#`) or heading line.

    A heading is a line that begins with the word `puzzle`, as CSV files have it.
    """
    return None if is_heading(text) else parse_puzzle(text)


def is_heading(text: str) -> bool:
    """Return whether a line of a file holds no grid: it is blank, a comment (`#`), or begins with the word `puzzle`."""
    stripped = text.strip().strip("\"'")
    return not stripped or stripped.startswith("#") or stripped[:6].lower() == "puzzle"


def find_conflict(cells: Cells) -> str | None:
    """Return a sentence naming two equal givens in one house, or None if there are none."""
    values = cells.tolist()
    for house in HOUSES:
        seen: dict[int, int] = {}
        for cell in house:
            digit = values[cell]
            if digit and digit in seen:
                return f"conflicting givens: {cell_name(seen[digit])} and {cell_name(cell)} are both {digit}"
            seen[digit] = cell
    return None


def to_text(cells: Cells) -> str:
    """Return a grid's 81 characters, `.` for an empty cell."""
    return _TEXT[cells].tobytes().decode("ascii")


def to_texts(grids: Cells) -> list[str]:
    """Return the texts of many grids (n, 81), in order."""
    text = _TEXT[grids].tobytes().decode("ascii")
    return [text[start : start + 81] for start in range(0, len(text), 81)]


def to_cells(puzzles: Sequence[str] | Iterable[str]) -> Cells:
    """Return the cells (n, 81) of puzzles in normal form, the inverse of `to_texts`.

    Raises:
        GridError: one of them is not 81 characters of `.` and digits.
    """
    texts = list(puzzles)
    for text in texts:
        if len(text) != 81:
            raise GridError(f"a grid has 81 cells, got {len(text)}")
    raw = np.frombuffer("".join(texts).encode("ascii", "replace"), np.uint8).reshape(-1, 81)
    cells = np.where(raw == ord("."), 0, raw - ord("0")).astype(np.uint8)
    if cells.size and cells.max() > 9:
        row, column = np.argwhere(cells > 9)[0]
        raise GridError(f"bad character {texts[row][column]!r} in column {column + 1}")
    return cells
