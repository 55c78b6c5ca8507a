"""The canonical (minlex) form of sudokus, the transform that leads there, and the number of automorphisms.

Two puzzles are equivalent if one becomes the other by relabelling digits, permuting bands, rows within a band, stacks,
columns within a stack, and transposing. Written as 81 characters with 0 for an empty cell, the smallest text of all
equivalent puzzles is their canonical form; it is given here in the bank's normal form, with `.` for an empty cell.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from engine.errors import InvalidInputError
from engine.sudoku._canon_kernels import minlex
from engine.sudoku.grid import Cells, ConflictError, find_conflict, parse_puzzle, to_cells, to_text, to_texts


@dataclass(frozen=True, slots=True)
class Transform:
    """A rearrangement of a sudoku: transpose it (or not), then take rows and columns in a new order, then relabel."""

    transposed: bool
    rows: tuple[int, ...]
    """For each target row 0..8 the source row (after transposing)."""
    columns: tuple[int, ...]
    """For each target column 0..8 the source column (after transposing)."""
    labels: tuple[int, ...]
    """For each digit 0..9 what it becomes; 0 stays 0."""

    def apply(self, cells: Cells) -> Cells:
        """Return the cells (81,) of the rearranged grid."""
        square = cells.reshape(9, 9)
        if self.transposed:
            square = square.T
        moved = square[np.ix_(self.rows, self.columns)]
        return np.array(self.labels, np.uint8)[moved].reshape(81)


@dataclass(frozen=True, slots=True)
class Canonical:
    """Canonical forms of n grids."""

    cells: Cells
    """(n, 81)"""
    automorphisms: npt.NDArray[np.int64]
    """(n,): how many rearrangements of cells, each with some relabelling, leave the grid as it is; 1 if only doing nothing
    does. It is counted by rearrangements: that labels of digits which do not occur may be chosen freely adds nothing."""
    transforms: npt.NDArray[np.uint8]
    """(n, 29): transposed, 9 rows, 9 columns, 10 labels."""

    def transform(self, i: int) -> Transform:
        """Return a transform that takes grid number `i` to its canonical form."""
        values = self.transforms[i].tolist()
        return Transform(bool(values[0]), tuple(values[1:10]), tuple(values[10:19]), tuple(values[19:29]))


def canonicalize(grids: Cells) -> Canonical:
    """Return the canonical forms of grids (n, 81), puzzles or full.

    Raises:
        InvalidInputError: a wrong shape.
        ConflictError: equal givens share a house.
    """
    grids = np.ascontiguousarray(grids, np.uint8)
    if grids.ndim != 2 or grids.shape[1] != 81 or (grids.size and grids.max() > 9):
        raise InvalidInputError(f"grids must be an array of shape (n, 81) of 0..9, got shape {grids.shape}")
    result = Canonical(np.zeros(grids.shape, np.uint8), np.zeros(len(grids), np.int64), np.zeros((len(grids), 29), np.uint8))
    done = minlex(grids, result.cells, result.automorphisms, result.transforms)
    if done < len(grids):
        raise ConflictError(find_conflict(grids[done]) or "conflicting givens", to_text(grids[done]))
    return result


def canonical_texts(puzzles: Sequence[str]) -> tuple[list[str], list[int]]:
    """Return the canonical forms of puzzles in normal form, and their numbers of automorphisms, in order."""
    result = canonicalize(to_cells(puzzles))
    return to_texts(result.cells), result.automorphisms.tolist()


def canonical(text: str) -> str:
    """Return the canonical form of one puzzle, written in any way that `engine.sudoku.grid.parse` reads.

    Raises:
        GridError: the text is not a grid.
        ConflictError: equal givens share a house.
    """
    return canonical_texts([parse_puzzle(text)])[0][0]


def warm() -> None:
    """Compile the kernel, or load it from the cache."""
    canonicalize(np.zeros((1, 81), np.uint8))
