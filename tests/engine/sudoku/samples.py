"""Puzzles for the tests: known ones, and random parts of random grids."""

import numpy as np

from engine.sudoku.canon import Transform
from engine.sudoku.fullgrid import FullGrids
from engine.sudoku.grid import to_cells

SEVENTEEN = (
    ".................1.....2.3......3.2...1.4......5....6..3......4.7..8...962...7...",
    ".................1.....2.3......3.2...4....5...6.1.....3......6.7..8...952.7.....",
    ".................1.....2.3......425...6.......17....8.....7...64...6....9..8...1.",
)
HARD = (
    "........8..3...4...9..2..6.....79.......612...6.5.2.7...8...5...1.....2.4.5.....3",
    "98.7..6..75..4......3..8.7.5....7.3...94.........2.1..3.......1.9...5.8...52....6",
    "4...3.......6..8..........1....5..9..8....6...7.2........1.27..5.3....4.9........",
)
MOST_CANONICAL = "123456789456789123789123456231564897564897231897231564312645978645978312978312645"
"""The smallest full grid of all, with 648 automorphisms, the most there are (Russell and Jarvis, 2006)."""


def parts(seed: int, count: int, fewest: int, most: int) -> np.ndarray:
    """Return random full grids (count, 81) with all but `fewest` to `most` cells emptied: some unique, most not."""
    rng = np.random.default_rng(seed)
    grids = FullGrids(seed).take(count)
    for cells in grids:
        cells[rng.permutation(81)[rng.integers(fewest, most + 1) :]] = 0
    return grids


def spoiled(seed: int, count: int, fewest: int, most: int) -> np.ndarray:
    """Return such parts with one given changed to a digit that no peer has, if there is one: few have a solution."""
    rng = np.random.default_rng(seed)
    grids = parts(seed, count, fewest, most)
    for cells in grids:
        for cell in rng.permutation(np.flatnonzero(cells)):
            changed = cells.copy()
            for digit in rng.permutation(9) + 1:
                changed[cell] = digit
                square = changed.reshape(9, 9)
                row, column = divmod(int(cell), 9)
                box = square[row // 3 * 3 : row // 3 * 3 + 3, column // 3 * 3 : column // 3 * 3 + 3]
                if digit != cells[cell] and all((house == digit).sum() == 1 for house in (square[row], square[:, column], box)):
                    cells[cell] = digit
                    break
            else:
                continue
            break
    return grids


def random_transform(rng: np.random.Generator) -> Transform:
    def lines() -> tuple[int, ...]:
        return tuple(int(3 * band + line) for band in rng.permutation(3) for line in rng.permutation(3))

    labels = (0, *(int(label) for label in rng.permutation(9) + 1))
    return Transform(bool(rng.integers(2)), lines(), lines(), labels)


def cells_of(*puzzles: str) -> np.ndarray:
    return to_cells(puzzles)
