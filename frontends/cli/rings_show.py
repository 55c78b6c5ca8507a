"""How the five rings commands show states and results to people, and watch a computation on stderr."""

import sys
import time
from collections.abc import Callable, Generator
from typing import TypeVar

from engine.errors import UnknownNameError
from engine.registry import kind
from engine.rings.model import Puzzle, State
from engine.rings.prove import Standing
from engine.rings.solve import Solution
from frontends.cli.output import Talk, chatty, say, stderr

T = TypeVar("T")

LINE_SECONDS = 10.0
"""How often `--verbose` says where a computation stands when stderr is not a terminal."""


def prepare(name: str) -> None:
    """Compile the kernels of a job kind, or load them, and map its table; say so where it takes long and someone may watch."""
    begin = time.monotonic()
    warm = kind(name).warm
    if sys.stderr.isatty():
        with stderr.status("compiling kernels (the first time takes about 10 s)"):
            warm()
    else:
        warm()
    if chatty() and (seconds := time.monotonic() - begin) > 2:
        say(f"kernels compiled in {seconds:.0f} s; from now on they are loaded from the cache")


def watched(title: str, steps: Generator[object, None, T]) -> T:
    """Run a computation to its end and return its result, telling stderr how far it is (a terminal, or `--verbose`)."""
    if sys.stderr.isatty():
        with stderr.status(title) as status:
            return _run(steps, lambda note: status.update(f"{title}: {note}"), 0.2)
    return _run(steps, (lambda note: say(f"{title}: {note}")) if Talk.verbose else None, LINE_SECONDS)


def _run(steps: Generator[object, None, T], tell: Callable[[object], None] | None, every: float) -> T:
    due = time.monotonic() + every
    while True:
        try:
            note = next(steps)
        except StopIteration as stop:
            result: T = stop.value
            return result
        if tell is not None and time.monotonic() >= due:
            tell(note)
            due = time.monotonic() + every


def read_state(text: str, puzzle: Puzzle | None = None) -> State:
    """Return the state written in `text`, or the solved one for the word `solved`. Raise the engine's errors."""
    puzzle = puzzle or Puzzle()
    if text.strip().isalpha():
        if text.strip().lower() != "solved":
            raise UnknownNameError(f"{text!r} is no state: give {puzzle.positions} digits, or the word solved")
        return puzzle.solved
    return State.parse(text, puzzle)


def state_text(state: State) -> str:
    """Return the state as digits and as a drawing."""
    return f"{state.text}\n{state.drawn()}"


def solution_text(solution: Solution, seconds: float) -> str:
    """Return a solution in three lines: the state, what is known of it, the clicks."""
    if solution.moves is None:
        known = f"no solution found; none below {solution.lower_bound} clicks"
    elif solution.optimal:
        known = f"{solution.clicks} clicks, proved shortest"
    else:
        known = f"{solution.clicks} clicks; none below {solution.lower_bound}"
    moves = "" if solution.moves is None else f"\n{solution.state.puzzle.format_moves(solution.moves) or '(solved)'}"
    return f"{solution.state.text}\n{known} ({solution.method}, {seconds:.2f} s){moves}"


def proof_text(standing: Standing) -> str:
    """Return a proof in a few lines: the state, its optimum or bound, the clicks."""
    effort = f"{standing.nodes:,} nodes"
    if standing.moves is None:
        return f"{standing.state}\nno solution below {standing.lower_bound} clicks ({effort})"
    return f"{standing.state}\n{standing.lower_bound} clicks, proved shortest ({effort})\n{standing.moves or '(solved)'}"
