"""Making minimal sudokus: puzzles a second on one core, beside the figures that the literature gives for both samplings."""

import math
import time
from pathlib import Path
from typing import Final

import numpy as np

from bench._census import GIVENS, WEIGHTS, Estimate, Floats, census, clues_of, shares_of, total_of
from bench.result import BenchResult, timed
from engine.errors import InvalidInputError
from engine.jobs import JsonObject
from engine.sudoku.bias import BiasedPuzzles
from engine.sudoku.dig import Digger
from engine.sudoku.fullgrid import FullGrids, draw_grids

PUZZLES: Final = 5000
DRAWS: Final = 100_000

BIASED: Final = 2000
BATCHES: Final = 1000
"""Of chances, some 570 starts each: see `census`."""

PUBLISHED_MEAN_CLUES: Final = 24.38
"""Of minimal puzzles found top-down: Berthier, "Unbiased statistics of a CSP: a controlled-bias generator", 2009."""
PUBLISHED_BIASED: Final = 25.667
PUBLISHED_UNBIASED: Final = (26.577, 1.1165)
"""Mean and standard deviation of the givens of minimal puzzles, likewise."""
PUBLISHED_PERCENT: Final = {
    20: 1.32e-7,
    21: 3.4e-5,
    22: 0.00348,
    23: 0.148,
    24: 2.28,
    25: 13.42,
    26: 31.91,
    27: 32.71,
    28: 15.48,
    29: 3.598,
    30: 0.41,
    31: 0.0241,
    32: 0.00102,
}
"""Of all minimal puzzles, those with so many givens: Berthier, "The real distribution of minimal puzzles", 2013."""
PUBLISHED_PUZZLES: Final = 3.1055e37
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
    """Measure what the sampling gives, and what its descents say of all minimal puzzles and of the ceiling's cost."""
    source = BiasedPuzzles(1)
    source.descents()
    start = time.perf_counter()
    made, _ = source.take(BIASED)
    seconds = time.perf_counter() - start
    accepted = np.zeros((BIASED, len(GIVENS)))
    accepted[np.arange(BIASED), (made > 0).sum(axis=1)] = 1
    sampled, weighted = clues_of(accepted).mean, clues_of(accepted * WEIGHTS).mean
    met, taken, starts = census(1, BATCHES)
    biased, unbiased = clues_of(met), clues_of(met * WEIGHTS)
    total = total_of(met, ALL_GRIDS)
    return {
        "biased_per_second": round(BIASED / seconds, 1),
        **_estimate("biased_mean_clues", sampled),
        **_estimate("biased_mean_clues_weighted", weighted),
        "census_starts": starts,
        **_estimate("census_biased_mean_clues", biased.mean),
        "published_biased_mean_clues": PUBLISHED_BIASED,
        **_estimate("unbiased_mean_clues", unbiased.mean),
        **_estimate("unbiased_clues_sd", unbiased.deviation),
        "published_unbiased_mean_clues": PUBLISHED_UNBIASED[0],
        "published_unbiased_clues_sd": PUBLISHED_UNBIASED[1],
        "percent_by_clues": _by_clues(met),
        "ceiling_costs_percent": round(100 * (1 - float(taken.sum() / met.sum())), 2),
        "ceiling_shifts_biased_mean_clues": round(clues_of(taken).mean.value - biased.mean.value, 3),
        "ceiling_shifts_unbiased_mean_clues": round(clues_of(taken * WEIGHTS).mean.value - unbiased.mean.value, 3),
        "minimal_puzzles_estimated": float(f"{total.value:.4g}"),
        "minimal_puzzles_95_percent": float(f"{total.margin:.2g}"),
        "published_minimal_puzzles": PUBLISHED_PUZZLES,
    }


def _estimate(name: str, estimate: Estimate) -> JsonObject:
    return {name: round(estimate.value, 4), f"{name}_95_percent": round(estimate.margin, 4)}


def _by_clues(met: Floats) -> JsonObject:
    """Return for each number of givens its share of all minimal puzzles, in percent: ours, half its interval, the published."""
    shares = shares_of(met * WEIGHTS)
    return {
        str(clues): [float(f"{100 * figure:.4g}") for figure in (shares[clues].value, shares[clues].margin)] + [published]
        for clues, published in PUBLISHED_PERCENT.items()
    }
