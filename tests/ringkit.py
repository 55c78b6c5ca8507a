"""Strategies and states shared by the tests of the rings engine."""

import json
import os
import random
import subprocess
import sys

from hypothesis import strategies as st

from engine import registry
from engine.jobs import ChunkSpec, JobOutcome, StageOutcome, run_to_end
from engine.rings.model import Puzzle, State
from engine.rings.rng import Rng
from engine.rings.scramble import at_distance

FIVE = Puzzle()

TINY = [
    Puzzle(3, 3, (0, 2)),
    Puzzle(3, 4, (0, 3)),
    Puzzle(4, 2, (1,)),
    Puzzle(2, 4, (0, 2)),
    Puzzle(3, 2, (0,)),
    Puzzle(2, 5, (0, 1, 3)),
]
"""Puzzles whose states can all be listed."""


def states(puzzle=FIVE):
    return st.permutations(puzzle.solved.text).map(lambda beads: State("".join(beads), puzzle))


def sequences(puzzle=FIVE, longest=30):
    return st.lists(st.integers(0, puzzle.move_count - 1), max_size=longest).map(tuple)


def random_states(count, seed=1, puzzle=FIVE):
    rng = random.Random(seed)
    made = []
    for _ in range(count):
        beads = list(puzzle.solved.text)
        rng.shuffle(beads)
        made.append(State("".join(beads), puzzle))
    return made


def outputs_with_and_without_compiler(program):
    """What a program prints as plain Python, and with its kernels compiled; any warning is an error."""
    return tuple(
        subprocess.run(
            [sys.executable, "-W", "error", "-c", program],
            env=os.environ | {"NUMBA_DISABLE_JIT": flag},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for flag in ("1", "0")
    )


def run_job(name, items=(), *, seed=1, lost=lambda stage, index: False, **given):
    """Run a whole job; return its records, its summary, and the digests of its chunks. `lost` chunks are quarantined."""
    kind = registry.kind(name)
    params = kind.params_model(**given)
    plan = kind.plan(params, list(items))
    stages, records, digests = [], [], []
    while plan is not None:
        summaries = []
        for index, chunk in enumerate(plan.chunks):
            if lost(len(stages), index):
                summaries.append(None)
                continue
            payload = json.loads(json.dumps(chunk.payload))
            spec = ChunkSpec(name, params.model_dump(mode="json"), seed, len(stages), index, payload)
            result = run_to_end(kind, spec)
            summaries.append(json.loads(json.dumps(result.summary)))
            records += result.records
            digests.append(result.digest())
        stages.append(StageOutcome(len(stages), plan.label, summaries))
        outcome = JobOutcome(stages, len({record.natural_key() for record in records}))
        plan = kind.next_stage(params, outcome)
    return records, kind.summarize(params, outcome), digests


def near_states(count, distance, seed=1):
    rng = Rng(seed)
    return [at_distance(FIVE, distance, rng).state.text for _ in range(count)]


def verify(*records):
    return list(registry.families()["rings"].verify(records))
