"""Making minimal sudokus: puzzles a second on one core, with the figures that the literature gives for top-down digging."""

import math
import time
from pathlib import Path
from typing import Final

from bench.result import BenchResult, timed
from engine.errors import InvalidInputError
from engine.sudoku.dig import Digger
from engine.sudoku.fullgrid import FullGrids, draw_grids

PUZZLES: Final = 5000
DRAWS: Final = 100_000

PUBLISHED_MEAN_CLUES: Final = 24.38
"""Of minimal puzzles found top-down: Berthier, "Unbiased statistics of a CSP: a controlled-bias generator", 2009."""
ALL_GRIDS: Final = 6670903752021072936960
"""Felgenhauer and Jarvis, "Mathematics of Sudoku I", 2006."""


def run(path: Path | None, *, repeats: int) -> BenchResult:
    """Make minimal puzzles without symmetry (not rated, not brought to canonical form); reads no file.

    Raises:
        InvalidInputError: a file was given.
    """
    if path is not None:
        raise InvalidInputError("this benchmark reads no file")
    start = time.perf_counter()
    Digger(0).take(1)
    compile_seconds = time.perf_counter() - start
    made, _ = Digger(1).take(PUZZLES)
    clues = (made > 0).sum(axis=1)
    _, complete, weights = draw_grids(1, 0, DRAWS)
    estimates = complete * weights * (math.factorial(9) * 2612736**2)
    return BenchResult(
        "sudoku.generate",
        PUZZLES,
        timed(lambda: Digger(1).take(PUZZLES), repeats),
        repeats,
        compile_seconds,
        {
            "mean_clues": round(float(clues.mean()), 3),
            "mean_clues_95_percent": round(1.96 * float(clues.std()) / math.sqrt(PUZZLES), 3),
            "published_mean_clues": PUBLISHED_MEAN_CLUES,
            "full_grids_per_second": round(PUZZLES / timed(lambda: FullGrids(1).take(PUZZLES), repeats)),
            "all_grids_estimated": float(f"{estimates.mean():.4g}"),
            "all_grids_95_percent": float(f"{1.96 * estimates.std() / math.sqrt(DRAWS):.2g}"),
            "all_grids": float(f"{ALL_GRIDS:.4g}"),
        },
    )
