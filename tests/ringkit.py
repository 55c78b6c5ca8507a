"""Strategies and states shared by the tests of the rings engine."""

import random

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
