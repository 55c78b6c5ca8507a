"""Boards and positions drawn in text, read and written.

A peg is one of `o O x X * 1`, an empty hole one of `. _ 0`, a space is no hole at all. Square boards may be drawn close
(`ooo`) or spaced (`o o o`); triangular ones are spaced, each row staggered by one place against its neighbours:

      o
     o .
    o o o

Lines that begin with `#` are remarks. A line `lattice: square` or `lattice: triangular` settles a drawing that could be either.
"""

from dataclasses import dataclass

from engine.pegs.errors import BoardTextError
from engine.pegs.lattice import Cell, Lattice, normalised

PEG = "o"
EMPTY = "."
PEG_MARKS = frozenset("oOxX*1")
EMPTY_MARKS = frozenset("._0")
MAX_HOLES = 64
"""A position is one 64-bit word, a bit for each hole."""

_HEADING = "lattice:"


@dataclass(frozen=True, slots=True)
class Drawing:
    """What a drawing says: the lattice, its cells in row-major order, and which of them hold a peg."""

    lattice: Lattice
    cells: tuple[Cell, ...]
    filled: frozenset[Cell]


def looks_drawn(text: str) -> bool:
    """Return whether `text` can only be meant as a drawing: more than one line, or nothing but marks and spaces."""
    return "\n" in text.strip("\n") or all(mark in PEG_MARKS | EMPTY_MARKS | {" "} for mark in text)


def read_drawing(text: str) -> Drawing:
    """Read a drawn board; raise `BoardTextError` with line and column if a mark is unknown or a hole is off the lattice."""
    stated: Lattice | None = None
    marks: dict[Cell, str] = {}
    line_of_row: list[int] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if line.startswith("#"):
            continue
        if line.startswith(_HEADING):
            stated = _stated_lattice(line, number)
            continue
        if not line.strip() and not marks:
            continue
        line_of_row.append(number)
        for column, mark in enumerate(line.rstrip()):
            if mark in PEG_MARKS or mark in EMPTY_MARKS:
                marks[len(line_of_row) - 1, column] = mark
            elif mark != " ":
                what = "a tab; draw with spaces" if mark == "\t" else f"{mark!r} is neither a peg (o), a hole (.) nor a space"
                raise BoardTextError(what, number, column + 1)
    if not marks:
        raise BoardTextError("no holes drawn; draw each as o (peg) or . (empty)", 1)
    if len(marks) > MAX_HOLES:
        raise BoardTextError(f"{len(marks)} holes drawn; at most {MAX_HOLES} are supported", line_of_row[-1])
    lattice, cell_of = _fit(marks, stated, line_of_row)
    left, top = min(c for _, c in cell_of.values()), min(r for r, _ in cell_of.values())
    cells = {place: (row - top, column - left) for place, (row, column) in cell_of.items()}
    filled = frozenset(cells[place] for place, mark in marks.items() if mark in PEG_MARKS)
    return Drawing(lattice, normalised(cells.values()), filled)


def _stated_lattice(line: str, number: int) -> Lattice:
    word = line.removeprefix(_HEADING).strip().lower()
    try:
        return Lattice(word)
    except ValueError:
        raise BoardTextError(f"lattice {word!r} is unknown; say square or triangular", number) from None


def _fit(marks: dict[Cell, str], stated: Lattice | None, line_of_row: list[int]) -> tuple[Lattice, dict[Cell, Cell]]:
    """Find the lattice that all marks lie on, and each mark's cell."""
    places = sorted(marks)
    touching = next(((row, column) for row, column in places if (row, column + 1) in marks), None)
    if touching is not None:
        if stated is Lattice.TRIANGULAR:
            row, column = touching
            raise BoardTextError(
                "two holes side by side; in a triangular drawing leave a space between them", line_of_row[row], column + 2
            )
        return Lattice.SQUARE, {place: place for place in places}
    row, column = places[0]
    square_odd = next((p for p in places if (p[1] - column) % 2), None)
    staggered_odd = next((p for p in places if (p[1] - column - (p[0] - row)) % 2), None)
    if square_odd is None and stated is not Lattice.TRIANGULAR:
        return Lattice.SQUARE, {place: (place[0], (place[1] - column) // 2) for place in places}
    if staggered_odd is None and stated is not Lattice.SQUARE:
        return Lattice.TRIANGULAR, {(r, c): (r, (c - column + (r - row)) // 2) for r, c in places}
    off = square_odd if stated is Lattice.SQUARE or staggered_odd is None else staggered_odd
    assert off is not None
    raise BoardTextError(
        "this hole is off the lattice; align columns (square) or stagger each row by one place (triangular)",
        line_of_row[off[0]],
        off[1] + 1,
    )


def draw(lattice: Lattice, marks: dict[Cell, str]) -> str:
    """Return the picture of `marks`, one text for each cell, padded to a common width; no newline at the end."""
    width = max(len(mark) for mark in marks.values())
    left = min(lattice.picture_column(cell) for cell in marks)
    rows: dict[int, dict[int, str]] = {row: {} for row in range(max(row for row, _ in marks) + 1)}
    for cell, mark in marks.items():
        rows[cell[0]][lattice.picture_column(cell) - left] = mark
    step = (width + 1 + 1) // 2  # characters for each half step; 1 for single marks
    lines = []
    for row in rows.values():
        line = ""
        for half, mark in sorted(row.items()):
            line = line.ljust(half * step) + mark.rjust(width)
        lines.append(line)
    return "\n".join(lines)


def heading(lattice: Lattice) -> str:
    """Return the line that settles the lattice of a drawing."""
    return f"{_HEADING} {lattice.value}\n"
