"""Canonical (minlex) forms of sudokus: puzzles a second on one core."""

import time
from pathlib import Path

from bench.result import BenchResult, timed
from bench.sudoku_solve import puzzles
from engine.sudoku import canon, grid


def run(path: Path | None, *, repeats: int) -> BenchResult:
    """Canonicalize a list (text or gzip, one puzzle a line); see `bench.sudoku_solve` for the list taken without a file."""
    start = time.perf_counter()
    canon.warm()
    compile_seconds = time.perf_counter() - start
    cells, what = puzzles(path)
    forms = canon.canonicalize(cells)
    return BenchResult(
        "sudoku.canon",
        len(cells),
        timed(lambda: canon.canonicalize(cells), repeats),
        repeats,
        compile_seconds,
        {
            "puzzles": what,
            "different": len(set(grid.to_texts(forms.cells))),
            "with_automorphisms": int((forms.automorphisms > 1).sum()),
        },
    )
