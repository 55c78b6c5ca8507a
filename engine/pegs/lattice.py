"""The two lattices that boards live on: their neighbours, their symmetries, and where a cell sits in a picture.

A cell is (row, column). On the square lattice a hole has four neighbours. On the triangular lattice it has six: along the row
(0, ±1), along the column (±1, 0) and along the diagonal ±(1, 1); a triangle is then the cells 0 <= column <= row.
"""

from collections.abc import Callable, Iterable
from enum import Enum
from typing import TypeAlias

Cell: TypeAlias = tuple[int, int]
LinearMap: TypeAlias = Callable[[Cell], Cell]


class Lattice(Enum):
    """How holes are joined: `SQUARE` (4 directions) or `TRIANGULAR` (6 directions)."""

    SQUARE = "square"
    TRIANGULAR = "triangular"

    @property
    def directions(self) -> tuple[Cell, ...]:
        """Return the steps to a hole's neighbours."""
        half = ((0, 1), (1, 0)) if self is Lattice.SQUARE else ((0, 1), (1, 0), (1, 1))
        return half + tuple((-row, -column) for row, column in half)

    @property
    def point_group(self) -> tuple[LinearMap, ...]:
        """Return the lattice's rotations and reflections about a cell: 8 (square) or 12 (triangular), the identity first."""
        turn, mirror, order = (
            (_turn_square, _mirror_square, 4) if self is Lattice.SQUARE else (_turn_triangular, _mirror_triangular, 6)
        )
        turns = [_power(turn, k) for k in range(order)]
        return (*turns, *(_then(mirror, rotation) for rotation in turns))

    def picture_column(self, cell: Cell) -> int:
        """Return the cell's horizontal place in half steps: two from hole to hole, triangular rows staggered by one."""
        row, column = cell
        return 2 * column if self is Lattice.SQUARE else 2 * column - row


def _turn_square(cell: Cell) -> Cell:
    return cell[1], -cell[0]


def _mirror_square(cell: Cell) -> Cell:
    return cell[0], -cell[1]


def _turn_triangular(cell: Cell) -> Cell:
    # 60 degrees: the row direction becomes the diagonal one, the diagonal becomes the column.
    return cell[1], cell[1] - cell[0]


def _mirror_triangular(cell: Cell) -> Cell:
    return cell[0], cell[0] - cell[1]


def _then(first: LinearMap, second: LinearMap) -> LinearMap:
    return lambda cell: second(first(cell))


def _power(turn: LinearMap, times: int) -> LinearMap:
    def turned(cell: Cell) -> Cell:
        for _ in range(times):
            cell = turn(cell)
        return cell

    return turned


def normalised(cells: Iterable[Cell]) -> tuple[Cell, ...]:
    """Return the cells moved so that the smallest row and the smallest column are 0, in row-major order."""
    listed = list(cells)
    top = min(row for row, _ in listed)
    left = min(column for _, column in listed)
    return tuple(sorted((row - top, column - left) for row, column in listed))


def symmetries(lattice: Lattice, cells: tuple[Cell, ...]) -> tuple[tuple[int, ...], ...]:
    """Return the board's symmetry group as permutations of hole numbers: `p[i]` is where hole i goes; the identity first.

    `cells` must be normalised. Only the lattice's own rotations and reflections count, so every one maps jumps to jumps.
    """
    number = {cell: i for i, cell in enumerate(cells)}
    group: dict[tuple[int, ...], None] = {}
    for linear in lattice.point_group:
        images = [linear(cell) for cell in cells]
        top = min(row for row, _ in images)
        left = min(column for _, column in images)
        moved = [(row - top, column - left) for row, column in images]
        if all(cell in number for cell in moved):
            group[tuple(number[cell] for cell in moved)] = None
    return tuple(group)


def jumps(lattice: Lattice, cells: tuple[Cell, ...]) -> tuple[tuple[int, int, int], ...]:
    """Return every jump as hole numbers (from, over, to), sorted."""
    number = {cell: i for i, cell in enumerate(cells)}
    found = []
    for (row, column), origin in number.items():
        for down, right in lattice.directions:
            over = number.get((row + down, column + right))
            to = number.get((row + 2 * down, column + 2 * right))
            if over is not None and to is not None:
                found.append((origin, over, to))
    return tuple(sorted(found))
