"""The boards that have names, and the one door through which a name or a drawing becomes a board."""

import hashlib
import math
import re
from collections.abc import Callable, Iterable
from functools import cache

from engine.pegs.boards import Board
from engine.pegs.drawing import MAX_HOLES, Drawing, looks_drawn, read_drawing
from engine.pegs.errors import UnknownBoardError
from engine.pegs.lattice import Cell, Lattice, normalised

LISTED = (
    "triangle-10", "triangle-15", "triangle-21", "triangle-28", "triangle-36", "triangle-45", "triangle-55",
    "english-33", "european-37", "wiegleb-45", "diamond-13", "diamond-25", "diamond-41", "star-13", "star-37",
    "hexagon-7", "hexagon-19", "hexagon-37", "hexagon-61", "square-16", "square-25", "square-36",
)  # fmt: skip
"""The boards worth a line in a list; any other size of a family (`triangle-3`, `square-49`) is known too."""

_ALIASES = {
    "english": "english-33",
    "central": "english-33",
    "european": "european-37",
    "french": "european-37",
    "french-37": "european-37",
    "wiegleb": "wiegleb-45",
}
_FAMILY_ALIASES = {"hex": "hexagon", "tri": "triangle"}


def _triangle(holes: int) -> Iterable[Cell] | None:
    side = (math.isqrt(8 * holes + 1) - 1) // 2
    return ((r, c) for r in range(side) for c in range(r + 1)) if side * (side + 1) // 2 == holes else None


def _diamond(holes: int) -> Iterable[Cell] | None:
    radius = (math.isqrt(max(0, 2 * holes - 1)) - 1) // 2
    if 2 * radius * (radius + 1) + 1 != holes:
        return None
    return ((r, c) for r in range(-radius, radius + 1) for c in range(-radius, radius + 1) if abs(r) + abs(c) <= radius)


def _square(holes: int) -> Iterable[Cell] | None:
    side = math.isqrt(holes)
    return ((r, c) for r in range(side) for c in range(side)) if side * side == holes else None


def _centred_hexagonal(holes: int, factor: int) -> int | None:
    """Return n for `holes` = factor * n * (n + 1) + 1."""
    return next((n for n in range(1, 6) if factor * n * (n + 1) + 1 == holes), None)


def _hexagon(holes: int) -> Iterable[Cell] | None:
    radius = _centred_hexagonal(holes, 3)
    if radius is None:
        return None
    span = range(-radius, radius + 1)
    return ((r, c) for r in span for c in span if abs(r - c) <= radius)


def _star(holes: int) -> Iterable[Cell] | None:
    n = _centred_hexagonal(holes, 6)
    if n is None:
        return None
    span = range(-2 * n, 2 * n + 1)
    up = {(r, c) for r in span for c in span if c >= -n and r - c >= -n and r <= n}
    return up | {(-r, -c) for r, c in up}


def _english(holes: int) -> Iterable[Cell] | None:
    return ((r, c) for r in range(7) for c in range(7) if 2 <= r <= 4 or 2 <= c <= 4) if holes == 33 else None


def _european(holes: int) -> Iterable[Cell] | None:
    return ((r, c) for r in range(7) for c in range(7) if abs(r - 3) + abs(c - 3) <= 4) if holes == 37 else None


def _wiegleb(holes: int) -> Iterable[Cell] | None:
    return ((r, c) for r in range(9) for c in range(9) if 3 <= r <= 5 or 3 <= c <= 5) if holes == 45 else None


_FAMILIES: dict[str, tuple[Lattice, Callable[[int], Iterable[Cell] | None]]] = {
    "triangle": (Lattice.TRIANGULAR, _triangle),
    "english": (Lattice.SQUARE, _english),
    "european": (Lattice.SQUARE, _european),
    "wiegleb": (Lattice.SQUARE, _wiegleb),
    "diamond": (Lattice.SQUARE, _diamond),
    "star": (Lattice.TRIANGULAR, _star),
    "hexagon": (Lattice.TRIANGULAR, _hexagon),
    "square": (Lattice.SQUARE, _square),
}


@cache
def _find(name: str) -> Board | None:
    name = _ALIASES.get(name, name)
    match = re.fullmatch(r"([a-z]+)-([1-9][0-9]?)", name)
    if match is None:
        return None
    family = _FAMILY_ALIASES.get(match[1], match[1])
    holes = int(match[2])
    if family not in _FAMILIES or not 3 <= holes <= MAX_HOLES:
        return None
    lattice, shape = _FAMILIES[family]
    cells = shape(holes)
    return None if cells is None else Board(lattice, normalised(cells), f"{family}-{holes}")


def named_board(name: str) -> Board:
    """Return the board called `name` (capitals do not matter); raise `UnknownBoardError`, which lists the names, if none is."""
    board = _find(name.strip().lower())
    if board is None:
        raise UnknownBoardError(f"no board {name!r}; boards: {', '.join(LISTED)}; or draw your own in a file")
    return board


@cache
def _names_by_shape() -> dict[Board, str]:
    return {named_board(name): name for name in reversed(LISTED)}


def is_named(board: Board) -> bool:
    """Return whether `named_board(board.name)` is this board."""
    return _find(board.name) == board


def _board_of(drawing: Drawing) -> Board:
    board = Board(drawing.lattice, drawing.cells, "")
    name = _names_by_shape().get(board)
    if name is None:
        digest = hashlib.blake2b(repr((drawing.lattice.value, drawing.cells)).encode(), digest_size=4).hexdigest()
        name = f"drawn-{len(board)}-{digest}"
    return Board(drawing.lattice, drawing.cells, name)


def parse_board(text: str) -> Board:
    """Return the board drawn in `text`, under its name if it has one; raise `BoardTextError` if it cannot be read."""
    return _board_of(read_drawing(text))


def parse_position(text: str) -> tuple[Board, int]:
    """Return the board drawn in `text` and the position of its pegs; raise `BoardTextError` if it cannot be read."""
    drawing = read_drawing(text)
    board = _board_of(drawing)
    return board, board.position_of(i for i, cell in enumerate(board.cells) if cell in drawing.filled)


def find_board(text: str) -> Board:
    """Return the board that `text` names or draws; raise `UnknownBoardError` or `BoardTextError` if it does neither."""
    if _find(text.strip().lower()) is None and looks_drawn(text):
        return parse_board(text)
    return named_board(text)
