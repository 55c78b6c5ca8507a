"""Rating sudokus: puzzles a second on one core, and, where the published ratings are at hand, how many come out exactly.

Without a file, the 1,200 rated puzzles beside the project are taken; where they are absent, 500 minimal puzzles made here.
"""

import csv
import gzip
import json
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from bench.result import BenchResult, timed
from engine.jobs import JsonObject
from engine.sudoku import grid, rating
from engine.sudoku.dig import Digger
from engine.sudoku.rating.techniques import LIMIT, NAMES

if TYPE_CHECKING:
    from engine.sudoku.records import Rating

TRUTH: Final = Path(__file__).resolve().parents[2] / "shared" / "truth"
MADE: Final = 500


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
        details |= compare(truth) if truth else {"truth": "absent: looked for sudoku_se_ratings.csv in ../shared/truth"}
    return BenchResult("sudoku.rate", len(puzzles), seconds, repeats, compile_seconds, details)


def compare(truth: dict[str, tuple[float, float, float]]) -> JsonObject:
    """Return how the ratings of all puzzles compare with the published ones, and the paths with the recorded ones."""
    counts: Counter[str] = Counter()
    for (er, ep, ed), one in zip(truth.values(), rating.rate_many(list(truth)), strict=True):
        kind = "up_to_5.0" if er <= 5.0 else "below_limit" if er * 10 < LIMIT else "beyond"
        counts[f"{kind}.puzzles"] += 1
        if one.bound:
            sound = one.er <= er and all(value in (given, one.er) for value, given in ((one.ep, ep), (one.ed, ed)))
            counts[f"{kind}.{'sound_bound' if sound else 'wrong_bound'}"] += 1
        else:
            counts[f"{kind}.{'exact' if (one.er, one.ep, one.ed) == (er, ep, ed) else 'different'}"] += 1
    return {"compared": dict(sorted(counts.items())), "paths": compare_paths()}


def compare_paths() -> JsonObject:
    """Return how many steps of the recorded paths ours follow, up to the first technique that is not built."""
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
                    counts["wrong_stops"] += _kebab(theirs["technique"]) in NAMES
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
    return name.lower().replace(" ", "-")
