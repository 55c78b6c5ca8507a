"""Scrambles: so many random clicks, a true distance, or all states equally likely."""

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

from engine.errors import InvalidInputError
from engine.rings.beam import beam
from engine.rings.ida import deepening
from engine.rings.model import Puzzle, State
from engine.rings.rng import Rng
from engine.rings.solve import Method, solve

LEVELS = {"low": 20, "middle": 40, "high": 60}
"""The thesis's levels in random clicks; they are really about 9, 17 and 24 clicks from solved."""

MAX_CLICKS = 10_000

MAX_DISTANCE = 20
"""True distances are proved by search with one-colour tables: 0.3 s at 18 clicks, 8 s at 20, and so on."""

SCRAMBLE_WIDTH = 200
"""Width of the beam that finds the clicks to a uniform state: a few milliseconds, about 40 clicks."""

NODES_A_STEP = 50_000_000


@dataclass(frozen=True, slots=True)
class Scramble:
    """A scrambled state and clicks that lead to it from the solved one."""

    state: State
    moves: tuple[int, ...]
    distance: int | None = None
    """Its true distance in clicks, where that was proved; `moves` is then a shortest way."""


def random_clicks(puzzle: Puzzle, clicks: int, rng: Rng) -> Scramble:
    """Return the state after `clicks` random clicks, all of them equally likely each time. Raise `InvalidInputError`."""
    if not 0 <= clicks <= MAX_CLICKS:
        raise InvalidInputError(f"{clicks} random clicks: expected 0 to {MAX_CLICKS:,}")
    moves = tuple(rng.below(puzzle.move_count) for _ in range(clicks))
    return Scramble(puzzle.solved.after(moves), moves)


def uniform(puzzle: Puzzle, rng: Rng) -> Scramble:
    """Return a state drawn from all states alike (every placing can be reached), with some clicks that lead to it."""
    beads = list(puzzle.solved.text)
    rng.shuffle(beads)
    state = State("".join(beads), puzzle)
    solution = beam(state, SCRAMBLE_WIDTH)
    if solution is None:
        solution = solve(state, Method.BEAM).moves
    assert solution is not None
    return Scramble(state, puzzle.inverse(solution))


def at_distance(puzzle: Puzzle, distance: int, rng: Rng) -> Scramble:
    """Return a random state whose shortest solution has exactly `distance` clicks, proved. Raise `InvalidInputError`."""
    steps = at_distance_steps(puzzle, distance, rng)
    while True:
        try:
            next(steps)
        except StopIteration as stop:
            return stop.value  # type: ignore[no-any-return]  # a generator's return value is untyped in StopIteration


def at_distance_steps(puzzle: Puzzle, distance: int, rng: Rng) -> Generator[int, Any, Scramble]:
    """Walk like `at_distance`, yielding the distance reached at each step and every 50 million search nodes (a second or two).

    Each click is a random one of those that lead one click farther from solved, so every state at that distance can come;
    states with more such ways to them come more often.
    """
    if not 0 <= distance <= MAX_DISTANCE:
        raise InvalidInputError(
            f"distance {distance}: true distances are made from 0 to {MAX_DISTANCE} clicks; beyond, the proof takes too "
            f"long. For harder states draw them uniformly: those are about 33 clicks from solved"
        )
    moves: list[int] = []
    state = puzzle.solved
    while len(moves) < distance:
        choices = list(range(puzzle.move_count))
        rng.shuffle(choices)
        for move in choices:
            there = state.after((move,))
            nearer = None
            for known in deepening(there, max_clicks=len(moves), step=NODES_A_STEP):
                nearer = known
                yield len(moves)
            if nearer is not None and nearer.lower_bound > len(moves):
                moves.append(move)
                state = there
                break
        else:  # no click leads farther: a dead end, and the steps before it may lead nowhere else
            moves.clear()
            state = puzzle.solved
    return Scramble(state, tuple(moves), distance)
