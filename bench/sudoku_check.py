"""Checking every solution of whole sudoku lists, in ways that are not the solver's."""

import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from bench.result import BenchResult, timed
from bench.sudoku_solve import puzzles
from engine.sudoku.dig import Digger
from engine.sudoku.grid import Cells, to_text
from engine.sudoku.solve import solve_many, warm

FOLDER = Path(__file__).resolve().parents[2] / "shared" / "data"
MADE = 20_000

_ALL = 0b11_1111_1110
"""The digits 1 to 9 as bits."""
_LABELS = np.array([0, 4, 7, 1, 9, 2, 8, 6, 3, 5], np.uint8)
_CELLS = np.arange(81).reshape(9, 9).T[np.ix_([5, 4, 3, 0, 2, 1, 7, 8, 6], [2, 0, 1, 8, 6, 7, 4, 3, 5])].ravel()
"""A rearrangement that keeps no digit and no line where it was, so that the solver takes other ways to the same answers."""


@dataclass(frozen=True, slots=True)
class Expected:
    """What is known of a list: how many puzzles it has, and whether all are unique or all have several solutions."""

    puzzles: int
    unique: bool = True


LISTS = {
    "sudoku_17_clue.txt.gz": Expected(49_158),
    "sudoku_diabolical.txt.gz": Expected(39_719),
    "sudoku_easy.txt.gz": Expected(1_000),
    "sudoku_hardest_1106.txt.gz": Expected(375),
    "sudoku_hardest_11plus.txt.gz": Expected(48_766),
    "sudoku_many_solutions.txt.gz": Expected(10_000, unique=False),
    "sudoku_top1465.txt.gz": Expected(1_465),
}


def run(path: Path | None, *, repeats: int) -> BenchResult:
    """Solve a list and check every solution; without a file, all the lists that lie beside the project.

    A solution must be a full grid that keeps the givens, two solutions must differ, and the puzzle rearranged must have
    as many solutions, and if that is one, the same. Lists beside the project must also have the known number of puzzles, all
    unique or all with several solutions. `missing` names those that are not there; without any, minimal puzzles are made.

    Raises:
        AssertionError: something is wrong; the message names the list and the puzzle.
    """
    start = time.perf_counter()
    warm()
    compile_seconds = time.perf_counter() - start
    known = LISTS if path is None else {}
    missing = sorted(name for name in known if not (FOLDER / name).exists())
    lists = {name: puzzles(FOLDER / name)[0] for name in known if name not in missing}
    if path is not None:
        lists = {path.name: puzzles(path)[0]}
    elif not lists:
        lists = {f"{MADE} minimal puzzles made (no lists beside the project)": Digger(1).take(MADE)[0]}
    checked = {name: check(name, cells, known.get(name)) for name, cells in lists.items()}
    total = sum(checked.values(), Counter())
    return BenchResult(
        "sudoku.check",
        total["puzzles"],
        timed(lambda: [check(name, cells, None) for name, cells in lists.items()], repeats),
        repeats,
        compile_seconds,
        {
            "unique": total["unique"],
            "multiple": total["multiple"],
            "none": total["none"],
            "lists": {name: counts["puzzles"] for name, counts in checked.items()},
            "missing": missing,
        },
    )


def check(name: str, cells: Cells, expected: Expected | None) -> Counter[str]:
    """Return the number of `puzzles` (n, 81), and how many of them are `unique`, `multiple` and `none`.

    Raises:
        AssertionError: as `run`.
    """
    solved = solve_many(cells)
    one, several = solved.counts > 0, solved.counts > 1
    verify(name, cells, one <= are_solutions(cells, solved.solutions), "what it calls the solution is none")
    verify(name, cells, several <= are_solutions(cells, solved.second), "what it calls another solution is none")
    differ = (solved.solutions != solved.second).any(axis=1)
    verify(name, cells, several <= differ, "the two solutions are the same")
    verify(name, cells, one | ~solved.solutions.any(axis=1), "no solution is counted, but one is shown")
    moved = solve_many(rearranged(cells))
    verify(name, cells, moved.counts == solved.counts, "the same puzzle rearranged has another number of solutions")
    same = (moved.solutions == rearranged(solved.solutions)).all(axis=1)
    verify(name, cells, several | same, "the same puzzle rearranged has another solution")
    if expected is not None:
        if len(cells) != expected.puzzles:
            raise AssertionError(f"{name}: {len(cells):,} puzzles, {expected.puzzles:,} are known")
        known = "one solution" if expected.unique else "several solutions"
        verify(name, cells, solved.counts == (1 if expected.unique else 2), f"it is known to have {known}")
    return Counter(
        puzzles=len(cells),
        unique=int((solved.counts == 1).sum()),
        multiple=int(several.sum()),
        none=int((solved.counts == 0).sum()),
    )


def verify(name: str, cells: Cells, holds: npt.NDArray[np.bool_], fault: str) -> None:
    """Raise `AssertionError` naming the first of the puzzles (n, 81) for which `holds` (n,) is false."""
    if not holds.all():
        first = int(np.flatnonzero(~holds)[0])
        raise AssertionError(f"{name}, puzzle {first + 1} ({to_text(cells[first])}): {fault}")


def are_solutions(cells: Cells, grids: Cells) -> npt.NDArray[np.bool_]:
    """Return for puzzles and grids (n, 81) whether each grid has all digits in all houses and keeps the givens (n,)."""
    squares = (np.uint16(1) << grids.astype(np.uint16)).reshape(-1, 3, 3, 3, 3)
    houses = [np.bitwise_or.reduce(squares, axis=axes) for axes in ((3, 4), (1, 2), (2, 4))]
    whole = np.all([(house.reshape(-1, 9) == _ALL).all(axis=1) for house in houses], axis=0)
    kept = ((cells == 0) | (cells == grids)).all(axis=1)
    both: npt.NDArray[np.bool_] = whole & kept
    return both


def rearranged(cells: Cells) -> Cells:
    """Return the grids (n, 81) relabelled, transposed, and with other orders of rows and columns, all in the same way."""
    return _LABELS[cells[:, _CELLS]]
