"""Strategies and states shared by the tests of the rings engine."""

import os
import random
import subprocess
import sys

from hypothesis import strategies as st

from engine.rings.model import Puzzle, State

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
