"""Symmetries of the pattern of givens."""

from enum import StrEnum
from functools import cache

import numpy as np
import numpy.typing as npt

from engine.sudoku.grid import Cells


class Symmetry(StrEnum):
    """Which rearrangements of the board leave the pattern of givens as it is: one name for each group of them."""

    NONE = "none"
    ROT180 = "rot180"  # half a turn
    ROT90 = "rot90"  # a quarter turn
    HORIZONTAL = "horizontal"  # mirrored top to bottom, in the horizontal axis
    VERTICAL = "vertical"  # mirrored left to right, in the vertical axis
    BOTH_AXES = "both-axes"
    DIAGONAL = "diagonal"  # mirrored in the diagonal from r1c1 to r9c9
    ANTIDIAGONAL = "antidiagonal"  # mirrored in the diagonal from r1c9 to r9c1
    BOTH_DIAGONALS = "both-diagonals"
    FULL = "full"  # all eight symmetries of the square


def _turned(row: int, column: int) -> tuple[int, int]:
    return column, 8 - row


def _half_turned(row: int, column: int) -> tuple[int, int]:
    return 8 - row, 8 - column


def _upside_down(row: int, column: int) -> tuple[int, int]:
    return 8 - row, column


def _left_right(row: int, column: int) -> tuple[int, int]:
    return row, 8 - column


def _transposed(row: int, column: int) -> tuple[int, int]:
    return column, row


def _antitransposed(row: int, column: int) -> tuple[int, int]:
    return 8 - column, 8 - row


_GENERATORS = {
    Symmetry.NONE: (),
    Symmetry.ROT180: (_half_turned,),
    Symmetry.ROT90: (_turned,),
    Symmetry.HORIZONTAL: (_upside_down,),
    Symmetry.VERTICAL: (_left_right,),
    Symmetry.BOTH_AXES: (_upside_down, _left_right),
    Symmetry.DIAGONAL: (_transposed,),
    Symmetry.ANTIDIAGONAL: (_antitransposed,),
    Symmetry.BOTH_DIAGONALS: (_transposed, _antitransposed),
    Symmetry.FULL: (_turned, _transposed),
}


@cache
def orbits(symmetry: Symmetry) -> npt.NDArray[np.bool_]:
    """Return the orbits of cells under a symmetry, as masks (n orbits, 81): cells that are given or empty together."""
    seen: set[int] = set()
    masks = []
    for start in range(81):
        if start in seen:
            continue
        orbit = {start}
        front = [start]
        while front:
            cell = front.pop()
            for move in _GENERATORS[symmetry]:
                row, column = move(cell // 9, cell % 9)
                if 9 * row + column not in orbit:
                    orbit.add(9 * row + column)
                    front.append(9 * row + column)
        seen |= orbit
        masks.append([cell in orbit for cell in range(81)])
    return np.array(masks)


def has_symmetry(cells: Cells, symmetry: Symmetry) -> bool:
    """Return whether the pattern of givens of a grid (81,) has a symmetry."""
    given = cells > 0
    return all(bool(given[orbit].all() or not given[orbit].any()) for orbit in orbits(symmetry))
