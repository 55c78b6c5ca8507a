"""Proving five rings optima on one core: seconds a proof by length, and how far random states are bounded from below.

Without a file, states made at true distances of 12 to 18 clicks; `seconds` is for all of them.
"""

import time
from collections import defaultdict
from pathlib import Path
from statistics import fmean

from bench._rings import known_optima, random_states, read_states
from bench.result import BenchResult, timed
from engine.jobs import JsonObject
from engine.registry import kind
from engine.rings.ida import Shortest, shortest
from engine.rings.model import Puzzle, State
from engine.rings.prove_job import ProveParams
from engine.rings.rng import Rng
from engine.rings.scramble import at_distance

DISTANCES = (12, 14, 16, 17, 18)
EACH = 4
RANDOM = 8
RANDOM_CLICKS = 24


def run(path: Path | None, *, repeats: int) -> BenchResult:
    """Prove the optimum of the states of `path` (one a line), or of states made at true distances."""
    start = time.perf_counter()
    kind("rings.prove").warm()
    compile_seconds = time.perf_counter() - start
    if path is None:
        rng = Rng(1)
        states = [at_distance(Puzzle(), distance, rng).state for distance in DISTANCES for _ in range(EACH)]
    else:
        states = read_states(path)
    limit = ProveParams().max_clicks
    found: dict[State, Shortest] = {}

    def work() -> None:
        found.update({state: shortest(state, max_clicks=limit) for state in states})

    begin = time.process_time()
    seconds = timed(work, repeats)
    core_seconds = (time.process_time() - begin) / repeats
    nodes = sum(one.nodes for one in found.values())
    truth = known_optima() if path is None else known_optima(path)
    details: JsonObject = {
        "proved": sum(one.moves is not None for one in found.values()),
        "nodes": nodes,
        "core_seconds": round(core_seconds, 3),
        "nodes_per_core_second": round(nodes / core_seconds) if core_seconds else None,
        "by_length": _by_length(found),
        "random_states": _random_states(),
        "known_optima": {"states": len(truth), "met": sum(_clicks(state, limit) == clicks for state, clicks in truth.items())}
        if truth
        else {"absent": "no file with columns state and optimal_clicks given, nor rings_optimal.csv in ../shared/truth"},
    }
    return BenchResult("rings.prove", len(states), seconds, repeats, compile_seconds, details)


def _clicks(state: State, limit: int) -> int | None:
    moves = shortest(state, max_clicks=limit).moves
    return None if moves is None else len(moves)


def _by_length(found: dict[State, Shortest]) -> JsonObject:
    """Return the mean nodes by optimal length."""
    nodes: dict[int, list[int]] = defaultdict(list)
    for one in found.values():
        if one.moves is not None:
            nodes[len(one.moves)].append(one.nodes)
    return {
        str(length): {"states": len(counts), "mean_nodes": round(fmean(counts))} for length, counts in sorted(nodes.items())
    }


def _random_states() -> JsonObject:
    """Return what it takes to show that random states have no solution of RANDOM_CLICKS clicks."""
    start = time.process_time()
    found = [shortest(state, max_clicks=RANDOM_CLICKS) for state in random_states(RANDOM)]
    seconds = time.process_time() - start
    return {
        "states": RANDOM,
        "max_clicks": RANDOM_CLICKS,
        "mean_lower_bound": round(fmean(one.lower_bound for one in found), 2),
        "mean_nodes": round(fmean(one.nodes for one in found)),
        "core_seconds_a_state": round(seconds / RANDOM, 3),
    }
