"""Proving five rings optima: seconds a proof by length, with the tables of single colours and, if they are built, with unions.

Without a file, states made at true distances of 12 to 18 clicks; `seconds` is for all of them, with single colours on one core.
"""

import time
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import fmean

from bench._rings import known_optima, random_states, read_states
from bench.result import BenchResult, timed
from engine.jobs import JsonObject
from engine.registry import kind
from engine.rings.ida import Shortest, shortest
from engine.rings.model import Puzzle, State
from engine.rings.prove import begin, search_share
from engine.rings.rng import Rng
from engine.rings.scramble import at_distance
from engine.rings.unions import unions

MOST_COLOURS_CLICKS = 24
"""Where a proof with single colours stops."""

DISTANCES = (12, 14, 16, 17, 18)
EACH = 4
RANDOM = 8
RANDOM_CLICKS = 24

SCRAMBLES = 24
SCRAMBLE_CLICKS = 60
"""Random clicks that lead about 24 clicks from solved."""
FAR = 25
"""Scrambles farther from solved than this are left out: they are not what is measured."""

PACE_NODES = 20_000_000
PACE_SHARES = 16
"""The pace is measured on a random state's first bound of so many nodes, cut into so many shares."""


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
    found: dict[State, Shortest] = {}

    def work() -> None:
        found.update({state: shortest(state, max_clicks=MOST_COLOURS_CLICKS) for state in states})

    begin_seconds = time.process_time()
    seconds = timed(work, repeats)
    core_seconds = (time.process_time() - begin_seconds) / repeats
    nodes = sum(one.nodes for one in found.values())
    truth = known_optima() if path is None else known_optima(path)
    there = unions(Puzzle()) is not None
    details: JsonObject = {
        "proved": sum(one.moves is not None for one in found.values()),
        "nodes": nodes,
        "core_seconds": round(core_seconds, 3),
        "nodes_per_core_second": round(nodes / core_seconds) if core_seconds else None,
        "by_length": _by_length(found),
        "random_states": _random_states(),
        "unions": _unions() if there else {"absent": "puzzlemill rings tables --unions builds them"},
        "known_optima": {
            "states": len(truth),
            "met": sum(_clicks(state) == clicks for state, clicks in truth.items()),
            "met_with_unions": sum(_clicks_by_unions(state) == clicks for state, clicks in truth.items()) if there else None,
        }
        if truth
        else {"absent": "no file with columns state and optimal_clicks given, nor rings_optimal.csv in ../shared/truth"},
    }
    return BenchResult("rings.prove", len(states), seconds, repeats, compile_seconds, details)


def _clicks(state: State) -> int | None:
    moves = shortest(state, max_clicks=MOST_COLOURS_CLICKS).moves
    return None if moves is None else len(moves)


def _clicks_by_unions(state: State) -> int | None:
    *_, standing = begin(0, state.text, max_clicks=FAR, max_nodes=2**62, with_unions=True)
    return None if standing.moves is None else len(standing.moves.split())


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


def _unions() -> JsonObject:
    """Return what proofs with unions take on one core, by length, and how fast one core and two are."""
    rng = Rng(1)
    seconds: dict[int, list[float]] = defaultdict(list)
    for _ in range(SCRAMBLES):
        moves = [rng.below(Puzzle().move_count) for _ in range(SCRAMBLE_CLICKS)]
        state = Puzzle().solved.after(moves)
        start = time.process_time()
        *_, standing = begin(0, state.text, max_clicks=FAR, max_nodes=2**62, with_unions=True)
        if standing.moves is not None:
            seconds[standing.lower_bound].append(time.process_time() - start)
    return {
        "core_seconds_by_length": {
            str(length): {"states": len(these), "mean": round(fmean(these), 3), "most": round(max(these), 3)}
            for length, these in sorted(seconds.items())
        },
        "pace": _pace(),
    }


def _pace() -> JsonObject:
    """Return the nodes a second of one core, and of two side by side."""
    state = random_states(1)[0]
    *_, standing = begin(0, state.text, max_clicks=60, max_nodes=PACE_NODES, with_unions=True)

    def one(share: int) -> int:
        *_, (nodes, _) = search_share(state.text, standing.lower_bound, share, PACE_SHARES, with_unions=True)
        return nodes

    figures = {}
    for workers in (1, 2):
        start = time.perf_counter()
        with ThreadPoolExecutor(workers) as pool:
            nodes = sum(pool.map(one, range(PACE_SHARES)))
        figures[f"nodes_a_second_on_{workers}"] = round(nodes / (time.perf_counter() - start))
    return figures
