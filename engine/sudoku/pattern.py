"""Patterns: where the givens of a puzzle stand."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
import numpy.typing as npt

from engine.errors import InvalidInputError
from engine.sudoku.grid import cell_name
from engine.sudoku.symmetry import Symmetry, orbits

EXAMPLE: Final = "x..x.x.x........x...x....xxx.xx.......xx.xx.......xx.xxx....x...x........x.x.x..x"
"""26 givens that half a turn leaves where they are; there are many such puzzles."""

GIVEN: Final = "x"
FREE: Final = "?"
EMPTY: Final = "."
_MEANING: Final = {**dict.fromkeys("xX1", GIVEN), FREE: FREE, **dict.fromkeys(".0-", EMPTY)}


@dataclass(frozen=True, slots=True)
class Pattern:
    """For each cell whether it is given (`x`), may be given (`?`) or is empty (`.`): 81 of these marks, row by row."""

    marks: str

    @property
    def fixed(self) -> npt.NDArray[np.bool_]:
        """The cells that are given (81,)."""
        return np.array([mark == GIVEN for mark in self.marks])

    @property
    def allowed(self) -> npt.NDArray[np.bool_]:
        """The cells that are given or may be (81,)."""
        return np.array([mark != EMPTY for mark in self.marks])

    @property
    def exact(self) -> bool:
        """Whether some cells must be given."""
        return GIVEN in self.marks

    def removable(self, symmetry: Symmetry) -> npt.NDArray[np.bool_]:
        """Return the orbits of a symmetry (n, 81) whose cells all may be given, and need not be."""
        barred = np.array([mark != FREE for mark in self.marks])
        masks = [orbit for orbit in orbits(symmetry) if not orbit[barred].any()]
        return np.array(masks, bool).reshape(-1, 81)

    def check_symmetry(self, symmetry: Symmetry) -> None:
        """Raise `InvalidInputError`, naming two cells, if what is given lacks the symmetry."""
        fixed = self.fixed
        for orbit in orbits(symmetry):
            if fixed[orbit].any() and not fixed[orbit].all():
                given, missing = (int(np.flatnonzero(orbit & part)[0]) for part in (fixed, ~fixed))
                raise InvalidInputError(
                    f"the pattern has not the symmetry {symmetry}: {cell_name(given)} is given, {cell_name(missing)} is not"
                )


def read_pattern(text: str) -> Pattern:
    """Return the pattern written in `text`: `x` or `1` for a given, `?` where one may be, `.`, `0` or `-` for an empty cell.

    Raises:
        InvalidInputError: another length or character, or a pattern that no puzzle with one solution has: fewer than 17 places,
            or two rows of a band (columns of a stack) without any, whose digits could change places.
    """
    marks = "".join(text.split())
    if len(marks) != 81:
        raise InvalidInputError(f"a pattern has 81 characters, one a cell, got {len(marks)}")
    if strange := sorted(set(marks) - _MEANING.keys()):
        raise InvalidInputError(f"a pattern is made of x or 1, ?, and . or 0, got {', '.join(map(repr, strange))}")
    pattern = Pattern("".join(_MEANING[mark] for mark in marks))
    square = pattern.allowed.reshape(9, 9)
    if (places := int(square.sum())) < 17:
        raise InvalidInputError(f"a pattern needs 17 places for givens or more, got {places}")
    for name, lines in (("rows", square), ("columns", square.T)):
        empty = np.flatnonzero(~lines.any(axis=1))
        for first, second in pairwise(empty.tolist()):
            if first // 3 == second // 3:
                raise InvalidInputError(
                    f"no puzzle with this pattern has one solution: {name} {first + 1} and {second + 1} have no place for a "
                    "given, so their digits can change places"
                )
    return pattern
