"""Scrambles: so many random clicks, a true distance, or all states equally likely; and levels, which name one of these."""

from collections.abc import Generator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from engine.errors import InvalidInputError, LimitExceededError
from engine.rings._unions import Unions
from engine.rings.beam import beam
from engine.rings.errors import ImpossibleStateError
from engine.rings.ida import deepening
from engine.rings.model import Puzzle, State
from engine.rings.rng import Rng
from engine.rings.solve import Method, solve
from engine.rings.tables import lower_bound
from engine.rings.unions import union_distances, unions
from engine.rings.unionsearch import UnionSearch
from engine.rings.whole import placings

MAX_CLICKS = 10_000

MAX_DISTANCE = 24
"""True distances are proved by search."""

MAX_BY_COLOURS = 20
"""With the one-colour table alone: 0.3 s at 18 clicks, 7 s at 20, and so on. Beyond, unions are needed."""

MAX_DEAD_ENDS = 1_000
"""So many walks that end too near, and a puzzle is taken to have no state so far away (five rings of seven have)."""


class Way(StrEnum):
    """How a scramble is made."""

    CLICKS = "clicks"
    """So many random clicks."""
    DISTANCE = "distance"
    """Exactly so far from solved, proved."""
    UNIFORM = "uniform"
    """All states equally likely."""


@dataclass(frozen=True, slots=True)
class Level:
    """What a level's name stands for: a way to scramble, and from how many to how many clicks."""

    way: Way
    least: int = 0
    most: int = 0

    def draw(self, rng: Rng) -> int:
        """Return one of the level's numbers of clicks or distances, all equally likely. Nothing is drawn if there is one."""
        return self.least + (rng.below(self.most - self.least + 1) if self.most > self.least else 0)


LEVELS = {
    "low": Level(Way.CLICKS, 20, 20),
    "middle": Level(Way.CLICKS, 40, 40),
    "high": Level(Way.CLICKS, 60, 60),
    "true-low": Level(Way.DISTANCE, 1, 10),
    "true-middle": Level(Way.DISTANCE, 11, 17),
    "true-high": Level(Way.DISTANCE, 18, MAX_DISTANCE),
    "extreme": Level(Way.UNIFORM),
}
"""The thesis's three levels are 20, 40 and 60 random clicks, which really lie about 9, 17 and 24 clicks from solved; the true
ones are proved distances; extreme is a state drawn from all, about 33 clicks away."""

SCRAMBLE_WIDTH = 200
"""Width of the beam that finds the clicks to a uniform state: a few milliseconds, about 40 clicks."""

NODES_A_STEP = 50_000_000

UNIONS_FROM = 16
"""Clicks from which on the unions prove faster than the single colours; the answers are the same."""


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


def uniform_state(puzzle: Puzzle, rng: Rng) -> State:
    """Return one of all placings of the beads, each equally likely. With five rings of seven all of them can be solved."""
    beads = list(puzzle.solved.text)
    rng.shuffle(beads)
    return State("".join(beads), puzzle)


def uniform(puzzle: Puzzle, rng: Rng) -> Scramble:
    """Return a state drawn from all that can be reached, each equally likely, with some clicks that lead to it."""
    while True:
        state = uniform_state(puzzle, rng)
        try:
            solution = beam(state, SCRAMBLE_WIDTH)
            if solution is None and placings(puzzle) <= SCRAMBLE_WIDTH:
                continue  # the beam had room for all states, so this one cannot be reached
            if solution is None:
                solution = solve(state, Method.BEAM).moves
        except (ImpossibleStateError, LimitExceededError):  # some small puzzles fall apart; five rings of seven do not
            if puzzle == Puzzle():
                raise
            continue
        assert solution is not None
        return Scramble(state, puzzle.inverse(solution))


def scrambling(puzzle: Puzzle, level: Level, rng: Rng) -> Generator[int, Any, Scramble]:
    """Make a scramble of a level, yielding like `at_distance_steps` where it takes long. Raise `InvalidInputError`."""
    if level.way is Way.CLICKS:
        return random_clicks(puzzle, level.draw(rng), rng)
    if level.way is Way.DISTANCE:
        return (yield from at_distance_steps(puzzle, level.draw(rng), rng))
    return uniform(puzzle, rng)


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
    states with more such ways to them come more often. With the tables of two colours it is quicker; the states are the same.
    Beyond `MAX_BY_COLOURS` clicks it needs them, and raises `InvalidInputError` if they are not there.
    """
    if not 0 <= distance <= MAX_DISTANCE:
        raise InvalidInputError(
            f"distance {distance}: true distances are made from 0 to {MAX_DISTANCE} clicks; beyond, the proof takes too "
            f"long. For harder states draw them uniformly: those are about 34 clicks from solved"
        )
    view = unions(puzzle) if distance > UNIONS_FROM else None
    if distance > MAX_BY_COLOURS and view is None:
        raise InvalidInputError(
            f"distance {distance}: beyond {MAX_BY_COLOURS} clicks the proof needs the tables of two colours; "
            f"`puzzlemill rings tables --unions` builds them"
        )
    moves: list[int] = []
    state = puzzle.solved
    dead_ends = 0
    while len(moves) < distance:
        choices = list(range(puzzle.move_count))
        rng.shuffle(choices)
        for move in choices:
            there = state.after((move,))
            if (yield from _is_beyond(there, len(moves), view)):
                moves.append(move)
                state = there
                break
        else:  # no click leads farther: a dead end, and the steps before it may lead nowhere else
            dead_ends += 1
            if dead_ends == MAX_DEAD_ENDS:
                raise InvalidInputError(f"distance {distance}: no state of {puzzle} was found so far from solved")
            moves.clear()
            state = puzzle.solved
    return Scramble(state, tuple(moves), distance)


def _is_beyond(state: State, clicks: int, view: Unions | None) -> Generator[int, Any, bool]:
    """Return whether the state is more than `clicks` from solved, yielding `clicks` now and then."""
    if state.is_solved:
        return False
    if view is None or clicks < UNIONS_FROM:
        nearer = None
        for known in deepening(state, max_clicks=clicks, step=NODES_A_STEP):
            nearer = known
            yield clicks
        return nearer is not None and nearer.lower_bound > clicks
    for bound in range(max(lower_bound(state), *union_distances(state, view)), clicks + 1):
        search = UnionSearch(state, bound, view)
        while not search.run(NODES_A_STEP // 10):
            yield clicks
        yield clicks
        if search.solution is not None:
            return False
    return True
