"""Making minimal sudokus: puzzles a second on one core, beside the figures that the literature gives for both samplings."""

import math
import time
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from bench.result import BenchResult, timed
from engine.errors import InvalidInputError
from engine.jobs import JsonObject
from engine.sudoku.bias import CHANCES, PLAIN_CLUES, BiasedPuzzles, weight_of
from engine.sudoku.dig import Digger
from engine.sudoku.fullgrid import FullGrids, draw_grids

PUZZLES: Final = 5000
DRAWS: Final = 100_000

BIASED: Final = 400
BATCHES: Final = 200

PUBLISHED_MEAN_CLUES: Final = 24.38
"""Of minimal puzzles found top-down: Berthier, "Unbiased statistics of a CSP: a controlled-bias generator", 2009."""
PUBLISHED_BIASED: Final = 25.667
PUBLISHED_UNBIASED: Final = (26.577, 1.1165)
"""Mean and standard deviation of the givens of minimal puzzles, likewise."""
PUBLISHED_PUZZLES: Final = 3.10e37
"""Number of minimal puzzles, likewise (an estimate, as ours)."""
ALL_GRIDS: Final = 6670903752021072936960
"""Felgenhauer and Jarvis, "Mathematics of Sudoku I", 2006."""


def run(path: Path | None, *, repeats: int) -> BenchResult:
    """Make minimal puzzles without symmetry (not rated, not brought to canonical form); reads no file.

    `items` and `per_second` are those of the top-down sampling.

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
            **_controlled_bias(),
        },
    )


def _controlled_bias() -> JsonObject:
    """Measure what the sampling gives, and what all descents say, those that the sampling would refuse with little weight."""
    source = BiasedPuzzles(1)
    source.descents()
    start = time.perf_counter()
    made, _ = source.take(BIASED)
    seconds = time.perf_counter() - start
    accepted = (made > 0).sum(axis=1)
    sums = np.zeros((BATCHES, 5))
    for batch in range(BATCHES):
        puzzles, _, lucks, _ = source.descents(to_the_end=True)
        clues = (puzzles > 0).sum(axis=1)
        weights = lucks * [weight_of(n) for n in clues.tolist()]
        sums[batch] = [part.sum() for part in (lucks, lucks * clues, weights, weights * clues, weights * clues**2)]
    biased, biased_error = _ratio(sums[:, 1], sums[:, 0])
    mean, error = _ratio(sums[:, 3], sums[:, 2])
    square, _ = _ratio(sums[:, 4], sums[:, 2])
    deviation = math.sqrt(square - mean**2)
    # A variance is a mean square less a squared mean, and so is, to first order, what each batch adds to its error.
    shares = sums[:, 4] - square * sums[:, 2] - 2 * mean * (sums[:, 3] - mean * sums[:, 2])
    deviation_error = float(shares.std()) / math.sqrt(BATCHES) / float(sums[:, 2].mean()) / (2 * deviation)
    puzzles_a_grid = sums[:, 2] / CHANCES * math.comb(81, PLAIN_CLUES)
    return {
        "biased_per_second": round(BIASED / seconds, 1),
        "biased_mean_clues": round(float(accepted.mean()), 3),
        "biased_mean_clues_95_percent": round(1.96 * float(accepted.std()) / math.sqrt(BIASED), 3),
        "biased_mean_clues_weighted": round(biased, 3),
        "biased_mean_clues_weighted_95_percent": round(1.96 * biased_error, 3),
        "published_biased_mean_clues": PUBLISHED_BIASED,
        "unbiased_mean_clues": round(mean, 3),
        "unbiased_mean_clues_95_percent": round(1.96 * error, 3),
        "unbiased_clues_sd": round(deviation, 4),
        "unbiased_clues_sd_95_percent": round(1.96 * deviation_error, 4),
        "published_unbiased_mean_clues": PUBLISHED_UNBIASED[0],
        "published_unbiased_clues_sd": PUBLISHED_UNBIASED[1],
        "minimal_puzzles_estimated": float(f"{puzzles_a_grid.mean() * ALL_GRIDS:.3g}"),
        "minimal_puzzles_95_percent": float(f"{1.96 * puzzles_a_grid.std() / math.sqrt(BATCHES) * ALL_GRIDS:.2g}"),
        "published_minimal_puzzles": PUBLISHED_PUZZLES,
    }


def _ratio(above: npt.NDArray[np.float64], below: npt.NDArray[np.float64]) -> tuple[float, float]:
    """Return the ratio of two means over batches, and its standard error."""
    ratio = float(above.sum() / below.sum())
    return ratio, float((above - ratio * below).std() / math.sqrt(len(below)) / below.mean())
