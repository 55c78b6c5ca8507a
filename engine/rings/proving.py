"""Proves one state on all cores of this process, without a queue: shares of a bound run side by side in threads.

The kernels let go of the interpreter's lock, and threads share the tables, so that nothing is gained by processes.
"""

import os
from collections.abc import Generator
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass
from threading import Event

from engine.jobs import JsonObject
from engine.rings.prove import Standing, begin, folded, search_share

SHARES = 64
"""Into how many shares a bound is split, however many cores there are: then nodes and solution are the same everywhere."""

ALONE_NODES = 5_000_000
"""A bound expected to take fewer is not split."""

SECONDS_A_STEP = 0.2


@dataclass(frozen=True, slots=True)
class Proving:
    """How far a proof is: what stands, and at the bound being searched, the clicks tried so far."""

    standing: Standing
    nodes: int = 0


def cores() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def proving(text: str, *, max_clicks: int, with_unions: bool, workers: int) -> Generator[Proving, None, Standing]:
    """Prove one state's shortest solution of at most `max_clicks` clicks, yielding where it stands; return the end."""
    standing = None
    for standing in begin(0, text, max_clicks=max_clicks, max_nodes=ALONE_NODES, with_unions=with_unions):
        yield Proving(standing)
    assert standing is not None  # it yields at least once
    while standing.is_open(max_clicks):
        standing = yield from _next_bound(standing, workers)
        yield Proving(standing)
    return standing


def _next_bound(standing: Standing, workers: int) -> Generator[Proving, None, Standing]:
    """Search the next bound share by share; what comes after a share with a solution is given up."""
    tried = [0] * SHARES
    found: dict[int, JsonObject] = {}
    stops = [Event() for _ in range(SHARES)]
    with ThreadPoolExecutor(workers) as pool:
        running = {pool.submit(_run_share, standing, share, tried, stops[share]) for share in range(SHARES)}
        try:
            while running:
                done, running = wait(running, timeout=SECONDS_A_STEP, return_when=FIRST_COMPLETED)
                for one in done:
                    result = one.result()
                    if result is None:
                        continue
                    found[result["share"]] = result
                    if result["moves"] is not None:
                        for stop in stops[result["share"] + 1 :]:
                            stop.set()
                yield Proving(standing, sum(tried))
        finally:
            for stop in stops:
                stop.set()
    return folded(standing, list(found.values()))


def _run_share(standing: Standing, share: int, tried: list[int], stop: Event) -> JsonObject | None:
    """Search a share; return what the job kind's chunk would, or None if it was stopped."""
    step: tuple[int, str | None] = (0, None)
    for step in search_share(standing.state, standing.lower_bound, share, SHARES, with_unions=standing.with_unions):
        tried[share] = step[0]
        if stop.is_set():
            return None
    return {"share": share, "shares": SHARES, "nodes": step[0], "moves": step[1]}
