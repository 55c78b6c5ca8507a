"""Solving five rings positions on one core: seconds a state and mean clicks, by method and beam width, and known optima met.

Without a file, 40 random states; `seconds` is the beam of the default width over all of them. `curve` is what a wider beam
brings: clicks and core seconds by width, on up to 500 random states (or the file's), the same ones first for every width.
`python -m bench.rings_solve WIDTH STATES` measures one point of the curve.
"""

import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

from bench._rings import KNOWN_OPTIMA, known_optima, random_states, read_states
from bench._spread import spread
from bench.result import BenchResult, timed
from engine.jobs import JsonObject
from engine.registry import kind
from engine.rings.beam import WIDTH
from engine.rings.model import State
from engine.rings.solve import Method, Solution, solve
from engine.rings.tables import lower_bound

STATES = 40

CURVE = ((100, 500), (1_000, 500), (10_000, 200), (WIDTH, 30))
"""Beam widths, and on how many states each is measured: half a minute to a minute in all on one core."""

BASE_WIDTH = 1_000
"""The width that the others are compared with, state by state."""


def run(path: Path | None, *, repeats: int) -> BenchResult:
    """Solve the states of `path` (one a line), or random ones, by every method."""
    start = time.perf_counter()
    kind("rings.solve").warm()
    compile_seconds = time.perf_counter() - start
    states = random_states(STATES) if path is None else read_states(path)
    seconds = timed(lambda: [solve(state, Method.BEAM) for state in states], repeats)
    details: JsonObject = {
        "beam_width": WIDTH,
        "mean_table_bound": _mean([lower_bound(state) for state in states]),
        "methods": {
            "beam": _method(states, Method.BEAM, WIDTH),
            "beam of 1,000": _method(states, Method.BEAM, 1000),
            "best": _method(states, Method.BEST, WIDTH),
            "thesis": _method(states, Method.THESIS, WIDTH),
        },
        "curve": curve(random_states(max(count for _, count in CURVE)) if path is None else states),
        "known_optima": _optima(path),
    }
    return BenchResult("rings.solve", len(states), seconds, repeats, compile_seconds, details)


def curve(states: Sequence[State], points: Sequence[tuple[int, int]] = CURVE) -> list[JsonObject]:
    """Return for each (width, number of states) the clicks of the beam over the first so many states, and what they cost.

    Means come with half their 95 % confidence interval; `against_base` is the mean difference to `BASE_WIDTH` on the same
    states, which is known better than either mean.
    """
    if not states:
        return []
    most = max(min(count, len(states)) for _, count in points)
    base, _ = _clicks(states[:most], BASE_WIDTH)
    found: list[JsonObject] = []
    for width, count in points:
        clicks, seconds = _clicks(states[:count], width)
        known = spread(clicks)
        less = spread([ours - theirs for ours, theirs in zip(clicks, base, strict=False)])
        found.append(
            {
                "width": width,
                "states": len(clicks),
                "core_seconds_a_state": round(seconds / len(clicks), 5),
                **{key: known[key] for key in ("mean", "mean_within", "sd", "min", "max")},
                "against_base": less["mean"],
                "against_base_within": less["mean_within"],
            }
        )
    return found


def _clicks(states: Sequence[State], width: int) -> tuple[list[int], float]:
    """Return the lengths of the beam's solutions, all checked, and the core seconds they took."""
    start = time.process_time()
    found = [solve(state, Method.BEAM, width=width) for state in states]
    seconds = time.process_time() - start
    assert all(_solves(solution) for solution in found)
    return [solution.clicks or 0 for solution in found], seconds


def _method(states: list[State], method: Method, width: int) -> JsonObject:
    start = time.process_time()
    found = [solve(state, method, width=width) for state in states]
    seconds = time.process_time() - start
    assert all(_solves(solution) for solution in found)
    return {
        "core_seconds_a_state": round(seconds / max(1, len(found)), 5),
        "mean_clicks": _mean([solution.clicks or 0 for solution in found]),
        "most_clicks": max((solution.clicks or 0 for solution in found), default=0),
        "mean_lower_bound": _mean([solution.lower_bound for solution in found]),
        "optimal": sum(solution.optimal for solution in found),
    }


def _optima(path: Path | None) -> JsonObject:
    """Return how method best does on the states whose optimum is known: those of the file, or those beside the project."""
    truth = known_optima(KNOWN_OPTIMA if path is None else path)
    if not truth:
        return {"absent": "no file with columns state and optimal_clicks given, nor rings_optimal.csv in ../shared/truth"}
    start = time.process_time()
    found = {state: solve(state) for state in truth}
    seconds = time.process_time() - start
    met = [state for state, solution in found.items() if solution.clicks == truth[state] and _solves(solution)]
    return {
        "states": len(truth),
        "met": len(met),
        "proved": sum(found[state].optimal for state in met),
        "core_seconds": round(seconds, 3),
    }


def _solves(solution: Solution) -> bool:
    return solution.moves is not None and solution.state.after(solution.moves).is_solved


def _mean(values: list[int]) -> float | None:
    return round(fmean(values), 3) if values else None


if __name__ == "__main__":
    kind("rings.solve").warm()
    of_width, of_states = (int(argument) for argument in sys.argv[1:3])
    sys.stdout.write(json.dumps(curve(random_states(of_states), [(of_width, of_states)])[0]) + "\n")
