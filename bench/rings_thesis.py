"""The thesis's three-step method against ours and the optimum: clicks on 500 random states, and on states with a known optimum.

`python -m bench.rings_thesis FILE.svg [OPTIMA.csv]` writes the distributions as a picture. A file with the columns state and
optimum adds the optimum; its states are then solved by the thesis and by us as well, and compared.
"""

import json
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Final

from bench._plot import histogram_svg
from bench._rings import known_optima, random_states, read_states
from bench._spread import spread
from bench.result import BenchResult, timed
from engine.jobs import JsonObject
from engine.registry import kind
from engine.rings.beam import beam
from engine.rings.model import State
from engine.rings.solve import solve
from engine.rings.thesis import STEPS, ThesisSolution, thesis

STATES: Final = 500

WIDTH: Final = 10_000
"""Of the beam that stands for our methods here: 0.03 s a state. Wider ones are in `rings.solve`."""


def run(path: Path | None, *, repeats: int) -> BenchResult:
    """Measure on the states of `path` (one a line), or on random ones; `seconds` are the thesis's method alone."""
    start = time.perf_counter()
    kind("rings.solve").warm()
    compile_seconds = time.perf_counter() - start
    states = random_states(STATES) if path is None else read_states(path)
    seconds = timed(lambda: [thesis(state) for state in states], repeats)
    solutions, ours = _solutions(states)
    details: JsonObject = {
        "thesis": spread([len(solution.moves) for solution in solutions]),
        "steps": {
            name: spread([len(solution.steps[number][1]) for solution in solutions]) for number, name in enumerate(STEPS)
        },
        f"beam of {WIDTH:,}": spread(ours),
        "known_optima": _against_optima(path),
    }
    return BenchResult("rings.thesis", len(states), seconds, repeats, compile_seconds, details)


def picture(states: Sequence[State], optima: Mapping[State, int]) -> str:
    """Return the distributions of clicks over the states, and of the proved optima of others, as SVG."""
    solutions, ours = _solutions(states)
    proved = {f"optimum ({len(optima)} states)": list(optima.values())} if optima else {}
    return histogram_svg(
        f"Clicks for {len(states)} random states of five rings",
        "clicks",
        proved
        | {
            f"beam of {WIDTH:,}": ours,
            "thesis, step 1 alone": [len(solution.filling) for solution in solutions],
            "thesis": [len(solution.moves) for solution in solutions],
        },
    )


def comparison(optima: Mapping[State, int]) -> JsonObject:
    """Return clicks of the thesis, of method best, of the known optimum, and by how many ours are above that."""
    states = list(optima)
    ours = [solve(state).clicks or 0 for state in states]
    return {
        "thesis": spread([len(thesis(state).moves) for state in states]),
        "best": spread(ours),
        "optimum": spread(list(optima.values())),
        "best_above_optimum": spread([clicks - optima[state] for clicks, state in zip(ours, states, strict=True)]),
    }


def _solutions(states: Sequence[State]) -> tuple[list[ThesisSolution], list[int]]:
    """Return the thesis's solutions and the lengths of the beam's, all checked."""
    solutions = [thesis(state) for state in states]
    assert all(state.after(solution.moves).is_solved for state, solution in zip(states, solutions, strict=True))
    ours = [beam(state, WIDTH) or () for state in states]
    assert all(state.after(moves).is_solved for state, moves in zip(states, ours, strict=True))
    return solutions, [len(moves) for moves in ours]


def _against_optima(path: Path | None) -> JsonObject:
    """Return mean clicks of the thesis, of method best, and of the optimum, on the states whose optimum is known."""
    truth = known_optima() if path is None else known_optima(path)
    if not truth:
        return {"absent": "no file with columns state and optimal_clicks given, nor rings_optimal.csv in ../shared/truth"}
    return {
        "states": len(truth),
        "thesis": round(fmean(len(thesis(state).moves) for state in truth), 3),
        "best": round(fmean(solve(state).clicks or 0 for state in truth), 3),
        "optimum": round(fmean(truth.values()), 3),
    }


if __name__ == "__main__":
    known = known_optima(Path(sys.argv[2]), "optimum") if len(sys.argv) > 2 else {}
    Path(sys.argv[1]).write_text(picture(random_states(STATES), known), encoding="utf-8")
    if known:
        sys.stdout.write(json.dumps(comparison(known), indent=1) + "\n")
