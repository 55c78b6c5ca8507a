"""How the five rings commands show states and results to people, and watch a computation on stderr."""

from collections.abc import Callable, Generator
from typing import Any, TypeVar

from engine.errors import UnknownNameError
from engine.rings.model import Puzzle, State
from engine.rings.prove import Standing
from engine.rings.solve import Bound, Solution
from frontends.cli import watching

T = TypeVar("T")
S = TypeVar("S")


def watched(title: str, steps: Generator[S, Any, T], note: Callable[[S], str] = str) -> T:
    """Run a computation to its end and return its result, saying `title: note of the step` on the way."""
    return watching.watched(title, steps, lambda step: f"{title}: {note(step)}")


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
    by = {Bound.SEARCH: "a search", Bound.UNIONS: "tables of two colours", Bound.COLOURS: "the table of one colour"}[
        solution.bound
    ]
    if solution.moves is None:
        known = f"no solution found; none below {solution.lower_bound} clicks, by {by}"
    elif solution.optimal:
        known = f"{solution.clicks} clicks, proved shortest"
    else:
        known = f"{solution.clicks} clicks; none below {solution.lower_bound}, by {by}"
    moves = "" if solution.moves is None else f"\n{solution.state.puzzle.format_moves(solution.moves) or '(solved)'}"
    return f"{solution.state.text}\n{known} ({solution.method}, {seconds:.2f} s){moves}"


def proof_text(standing: Standing) -> str:
    """Return a proof in a few lines: the state, its optimum or bound, the clicks."""
    effort = f"{standing.nodes:,} nodes"
    if standing.moves is None:
        return f"{standing.state}\nno solution below {standing.lower_bound} clicks ({effort})"
    return f"{standing.state}\n{standing.lower_bound} clicks, proved shortest ({effort})\n{standing.moves or '(solved)'}"
