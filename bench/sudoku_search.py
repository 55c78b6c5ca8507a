"""Sudokus that chance hardly ever makes: hard ones by directed search and by waiting, and fills of sparse patterns."""

import time
from pathlib import Path
from typing import Final

import numpy as np

from bench.result import BenchResult, timed
from engine.errors import InvalidInputError
from engine.jobs import JsonObject
from engine.sudoku import rating
from engine.sudoku.dig import Digger
from engine.sudoku.generate import generate
from engine.sudoku.generate_job import er_range
from engine.sudoku.pattern import Pattern
from engine.sudoku.symmetry import Symmetry, orbits
from engine.sudoku.wish import Sampling, Wish

HARD: Final = "8.5.."
WANTED: Final = 60

GIVENS: Final = (28, 26, 24, 22)
SYMMETRIES: Final = (Symmetry.ROT180, Symmetry.DIAGONAL, Symmetry.VERTICAL, Symmetry.BOTH_AXES)
PATTERNS: Final = 3  # of each symmetry and number of givens
WALKS: Final = 16  # for each of them


def run(path: Path | None, *, repeats: int) -> BenchResult:
    """Make `WANTED` puzzles of ER 8.5 and up by directed search; reads no file.

    The details have the same by waiting, and for each number of givens of random symmetric patterns how many of them were
    filled by `WALKS` walks, and the fills a second of those.

    Raises:
        InvalidInputError: a file was given.
    """
    if path is not None:
        raise InvalidInputError("this benchmark reads no file")
    start = time.perf_counter()
    rating.warm()
    Digger(0, pattern=Pattern("x" * 81)).take(1)
    compile_seconds = time.perf_counter() - start
    return BenchResult(
        "sudoku.search",
        WANTED,
        timed(lambda: _hard(Sampling.NEIGHBOURS), repeats),
        repeats,
        compile_seconds,
        {
            "wish": f"ER {HARD}, at most {Wish().per_family} of a family",
            "drawn_at_random_per_second": round(WANTED / timed(lambda: _hard(Sampling.TOP_DOWN), 1), 2),
            "patterns": [_patterns(givens) for givens in GIVENS],
        },
    )


def _hard(sampling: Sampling) -> None:
    wish = Wish(sampling=sampling, er=er_range(HARD))
    assert sum(len(batch.records) for batch in generate(1, WANTED, wish, 100_000)) == WANTED


def _patterns(givens: int) -> JsonObject:
    rng = np.random.default_rng(givens)
    filled = found = 0
    seconds = 0.0
    for symmetry in SYMMETRIES:
        for _ in range(PATTERNS):
            start = time.perf_counter()
            made = int(Digger(1, pattern=_random_pattern(rng, symmetry, givens)).take(WALKS)[0].any(axis=1).sum())
            if made:
                filled += 1
                found += made
                seconds += time.perf_counter() - start
    return {
        "givens": givens,
        "patterns": len(SYMMETRIES) * PATTERNS,
        "filled": filled,
        "fills_per_second": round(found / seconds, 1) if found else 0,
    }


def _random_pattern(rng: np.random.Generator, symmetry: Symmetry, givens: int) -> Pattern:
    """Return random orbits of cells, `givens` in all, that leave no two lines of a band or stack blank."""
    masks = orbits(symmetry)
    while True:
        given = np.zeros(81, bool)
        for orbit in rng.permutation(len(masks)):
            if given.sum() + masks[orbit].sum() <= givens:
                given |= masks[orbit]
        square = given.reshape(9, 9)
        lines = [square.any(axis=axis).reshape(3, 3).sum(axis=1).min() for axis in (0, 1)]
        if given.sum() == givens and min(lines) >= 2:
            return Pattern("".join("x" if cell else "." for cell in given))
