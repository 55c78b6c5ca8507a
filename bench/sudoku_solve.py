"""Solving sudokus with proof of uniqueness: puzzles a second on one core."""

import gzip
import time
from pathlib import Path

from bench.result import BenchResult, timed
from engine.sudoku import grid, solve
from engine.sudoku.dig import Digger

SHARED_LIST = Path(__file__).resolve().parents[2] / "shared" / "data" / "sudoku_17_clue.txt.gz"
MADE = 20_000


def run(path: Path | None, *, repeats: int) -> BenchResult:
    """Solve a list (text or gzip, one puzzle a line) to the second solution.

    Without a file it is the 17-clue list, where that lies beside the project, else minimal puzzles made for the occasion.
    """
    start = time.perf_counter()
    solve.warm()
    compile_seconds = time.perf_counter() - start
    cells, what = puzzles(path)
    solved = solve.solve_many(cells)
    # One puzzle alone, as a person waits for it: nothing to fill the other lanes with.
    some = [cells[i : i + 1] for i in range(min(1000, len(cells)))]
    alone = timed(lambda: [solve.solve_many(one) for one in some], repeats) / len(some)
    return BenchResult(
        "sudoku.solve",
        len(cells),
        timed(lambda: solve.solve_many(cells), repeats),
        repeats,
        compile_seconds,
        {
            "puzzles": what,
            "unique": int((solved.counts == 1).sum()),
            "multiple": int((solved.counts > 1).sum()),
            "none": int((solved.counts == 0).sum()),
            "alone_microseconds": round(alone * 1e6, 2),
        },
    )


def puzzles(path: Path | None) -> tuple[grid.Cells, str]:
    """Return the cells (n, 81) of the puzzles to measure with, and what they are."""
    if path is None and not SHARED_LIST.exists():
        return Digger(1).take(MADE)[0], f"{MADE} minimal puzzles made (no file given, and no 17-clue list beside the project)"
    source = path or SHARED_LIST
    with gzip.open(source, "rt") if source.suffix == ".gz" else source.open() as lines:
        texts = [puzzle for puzzle in map(grid.parse_line, lines) if puzzle is not None]
    return grid.to_cells(texts), source.name
