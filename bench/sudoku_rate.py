"""Rating sudokus: puzzles a second on one core, and, where the published ratings are at hand, how many come out exactly.

Without a file, the 1,200 rated puzzles beside the project are taken; where they are absent, 500 minimal puzzles made here.
"""

import csv
import gzip
import json
import resource
import time
from collections import Counter
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from bench.result import BenchResult, timed
from engine.jobs import JsonObject
from engine.sudoku import grid, rating
from engine.sudoku.bias import BiasedPuzzles, weight_of
from engine.sudoku.dig import Digger
from engine.sudoku.rating import levels

if TYPE_CHECKING:
    from engine.sudoku.records import Rating

TRUTH: Final = Path(__file__).resolve().parents[2] / "shared" / "truth"
MADE: Final = 500
BIASED: Final = 600


def run(path: Path | None, *, repeats: int) -> BenchResult:
    """Rate a list: one puzzle a line in `path`, plain or gzip; see the module for what is taken without one."""
    start = time.perf_counter()
    rating.warm()
    compile_seconds = time.perf_counter() - start
    truth = _ratings()
    if path is not None:
        puzzles = _read(path)
    elif truth:
        puzzles = list(truth)
    else:
        puzzles = grid.to_texts(Digger(seed=1).take(MADE)[0])
    found: list[Rating] = []

    def work() -> None:
        found[:] = rating.rate_many(puzzles)

    seconds = timed(work, repeats)
    exact = sum(not one.bound for one in found)
    details: JsonObject = {
        "rated_exactly": exact,
        "bounds": len(found) - exact,
        "levels": dict(Counter(one.level for one in found)),
        "rater": rating.RATER,
    }
    if path is None:
        details |= compare(truth, found) if truth else {"truth": "absent: looked for sudoku_se_ratings.csv in ../shared/truth"}
        details |= unbiased(repeats)
    details["peak_mib"] = round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    return BenchResult("sudoku.rate", len(puzzles), seconds, repeats, compile_seconds, details)


def unbiased(repeats: int) -> JsonObject:
    """Return the speed on minimal puzzles all alike: controlled-bias puzzles, timed by number of givens and reweighted."""
    made, _ = BiasedPuzzles(1).take(BIASED)
    clues = (made > 0).sum(axis=1)
    seconds = weights = plain = 0.0
    found: dict[int, list[Rating]] = {}

    def work(givens: int, group: list[str]) -> None:
        found[givens] = rating.rate_many(group)

    for givens in np.unique(clues).tolist():
        group = grid.to_texts(made[clues == givens])
        took = timed(partial(work, givens, group), repeats)
        weight = weight_of(givens)
        plain += took
        seconds += took * weight
        weights += len(group) * weight
    return {
        "controlled_bias_puzzles": BIASED,
        "controlled_bias_per_second": round(BIASED / plain),
        "unbiased_per_second": round(weights / seconds),
        "controlled_bias_up_to_8": round(sum(one.er <= 8.0 for group in found.values() for one in group) / BIASED, 3),
    }


RANGES: Final = (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 6.5, 7.0, 7.5, 8.0, 8.5, 9.0, 9.5)
"""Where the rows of the table by ER start."""


def compare(truth: dict[str, tuple[float, float, float]], found: "list[Rating]") -> JsonObject:
    """Return how many ratings equal the published ones: a row for each range of ER, and all together."""
    rows: dict[str, Counter[str]] = {}
    for (er, ep, ed), one in zip(truth.values(), found, strict=True):
        low = max(start for start in RANGES if start <= er)
        high = next((start for start in RANGES if start > low), None)
        for name in (f"ER {low:.1f} to {high - 0.1:.1f}" if high else f"ER {low:.1f} and more", "all"):
            row = rows.setdefault(name, Counter())
            row["puzzles"] += 1
            row["ER"] += one.er == er and not one.bound
            row["EP"] += one.ep == ep and not one.bound
            row["ED"] += one.ed == ed and not one.bound
            row["bounds"] += one.bound
    return {
        "equal_to_published": {name: dict(rows[name]) for name in sorted(rows)},
        "paths": compare_paths(),
        "hodoku": compare_hodoku(dict(zip(truth, found, strict=True))),
    }


def compare_hodoku(found: "dict[str, Rating]") -> JsonObject:
    """Return how our scores and levels go with HoDoKu's: rank correlations, and how often the level is the same."""
    file = TRUTH / "sudoku_hodoku.csv"
    if not file.exists():
        return {"absent": file.name}
    with file.open(newline="") as lines:
        rows = [row for row in csv.DictReader(lines) if row["puzzle"] in found]
    ours = [found[row["puzzle"]] for row in rows]
    theirs = np.array([float(row["score"]) for row in rows])
    steps = np.array([levels.NAMES.index(one.level) for one in ours]) - [HODOKU.index(row["level"].lower()) for row in rows]
    return {
        "puzzles": len(rows),
        "spearman_score": round(spearman(np.array([one.score for one in ours]), theirs), 3),
        "spearman_er": round(spearman(np.array([one.er for one in ours]), theirs), 3),
        "same_level": int(np.count_nonzero(steps == 0)),
        "level_next_to_it": int(np.count_nonzero(abs(steps) == 1)),
    }


HODOKU: Final = ("easy", "medium", "hard", "unfair", "extreme")


def spearman(a: NDArray[Any], b: NDArray[Any]) -> float:
    """Return the rank correlation of two samples; equal values share the mean of their ranks."""
    return float(np.corrcoef(_ranks(a), _ranks(b))[0, 1])


def _ranks(values: NDArray[Any]) -> NDArray[np.float64]:
    _, group, size = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(size) - (size - 1) / 2)[group]


def compare_paths() -> JsonObject:
    """Return how many steps of the recorded paths are equal to ours, up to the first that differs."""
    counts: Counter[str] = Counter()
    for name in ("sudoku_se_paths.jsonl", "sudoku_se_paths_hard.jsonl"):
        file = TRUTH / name
        for line in file.read_text().splitlines() if file.exists() else ():
            recorded = json.loads(line)
            ours = rating.explain(recorded["puzzle"])
            counts["paths"] += 1
            counts["paths_to_the_end"] += len(ours.steps) == len(recorded["steps"])
            for number, theirs in enumerate(recorded["steps"]):
                if number == len(ours.steps):
                    counts["short"] += 1
                    break
                if not _same(ours.steps[number], theirs):
                    counts["different_steps"] += 1
                    break
                counts["equal_steps"] += 1
    return dict(counts)


def _ratings() -> dict[str, tuple[float, float, float]]:
    file = TRUTH / "sudoku_se_ratings.csv"
    if not file.exists():
        return {}
    with file.open(newline="") as lines:
        return {row["puzzle"]: (float(row["ER"]), float(row["EP"]), float(row["ED"])) for row in csv.DictReader(lines)}


def _read(path: Path) -> list[str]:
    raw = path.read_bytes()
    text = (gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw).decode()
    return [puzzle for puzzle in map(grid.parse_line, text.splitlines()) if puzzle is not None]


def _same(step: rating.Step, theirs: dict[str, Any]) -> bool:
    """Compare technique, rating, placement and removals."""
    ours = step.as_json()
    return (
        ours["technique"] == _kebab(theirs["technique"])
        and ours["rating"] == theirs["rating"]
        and ours["complexity"] == theirs["complexity"]
        and ours["place"] == theirs["place"]
        and sorted(ours["remove"]) == sorted(theirs["remove"])
    )


def _kebab(name: str) -> str:
    return name.lower().replace(" (+)", "-plus").replace(" (+", "-plus").replace(")", "").replace(" ", "-")
