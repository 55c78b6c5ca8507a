"""Canonical forms of many grids in one call."""

import numpy as np
import numpy.typing as npt

from engine._jit import folded, kernel, scratch_kernel
from engine.sudoku._canon_full import PLAN, search_full
from engine.sudoku._canon_rows import NONE, WORST, Ints
from engine.sudoku._canon_sparse import ROOM, search_sparse


@folded
def _read(puzzles: npt.NDArray[np.uint8], n: int, lines: Ints, houses: Ints) -> int:
    """Take puzzle `n` in, its rows and then its columns; return the number of givens, or -1 if equal ones share a house."""
    for i in range(9):
        lines[9 + i] = 0
    for i in range(12):
        houses[i] = 0
    clues = NONE
    clash = NONE
    for row in range(9):
        line = NONE
        seen = NONE
        for column in range(9):
            digit = int(puzzles[n, 9 * row + column])
            line |= digit << 4 * column
            lines[9 + column] |= digit << 4 * row
            clues += digit != 0
            bit = 1 << digit & ~1
            box = 9 + column // 3
            clash |= (seen | houses[column] | houses[box]) & bit
            seen |= bit
            houses[column] |= bit
            houses[box] |= bit
        lines[row] = line
        if row % 3 == 2:
            for i in range(9, 12):
                houses[i] = 0
    return -1 if clash else int(clues)


@kernel
def _exchanges(lines: Ints, transposed: int) -> int:
    """Return in how many ways blank lines (rows or columns) and blank bands or stacks can be exchanged among themselves."""
    ways = NONE + 1
    blank_bands = 0
    for band in range(3):
        blank = 0
        for i in range(3):
            if lines[9 * transposed + 3 * band + i] == 0:
                blank += 1
        ways *= 1 if blank < 2 else (2 if blank == 2 else 6)
        if blank == 3:
            blank_bands += 1
    return int(ways * (1 if blank_bands < 2 else (2 if blank_bands == 2 else 6)))


@scratch_kernel
def minlex(
    puzzles: npt.NDArray[np.uint8],
    canonical: npt.NDArray[np.uint8],
    automorphisms: Ints,
    transforms: npt.NDArray[np.uint8],
) -> int:
    """Bring puzzles (n, 81) to minlex form; return how many: up to the first with conflicting givens, if there is one.

    Fills `canonical` (n, 81), `automorphisms` (n,) and `transforms` (n, 29): whether the source is transposed first, the
    source row of each row, the source column of each column, the label of each digit 0..9.
    """
    lines = np.zeros(18, np.int64)
    candidates = np.zeros((9, 9, 4), np.int64)
    progress = np.zeros((9, 5), np.int64)
    nodes = np.zeros((ROOM + 1, 4), np.int64)
    plan = np.zeros((PLAN, 9), np.int64)
    rows = np.zeros(9, np.int64)
    best = np.zeros(9, np.int64)
    houses = np.zeros(12, np.int64)
    for n in range(puzzles.shape[0]):
        clues = _read(puzzles, n, lines, houses)
        if clues < 0:
            return n
        for i in range(9):
            best[i] = WORST
        leaves = NONE
        if clues < 81:
            leaves = search_sparse(lines, candidates, progress, best, nodes, transforms, n, rows)
        else:
            leaves = search_full(lines, plan, rows, best, transforms, n)
        for i in range(9):
            for j in range(9):
                canonical[n, 9 * i + j] = best[i] >> 4 * (8 - j) & 15
        automorphisms[n] = leaves * _exchanges(lines, NONE) * _exchanges(lines, NONE + 1)
    return len(puzzles)
