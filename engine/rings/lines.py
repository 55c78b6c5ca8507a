"""Reads a state from a line of a list: bare, first in a line of comma-separated values, or in a JSON object."""

import json

from engine.errors import InvalidInputError
from engine.rings.model import Puzzle, State


def parse_state_line(text: str, puzzle: Puzzle | None = None) -> str | None:
    """Return the line's state as digits, or None for a blank line, a comment (`#`) or a heading (`state,...`).

    The state is one of `puzzle`, by default of five rings of seven: 35 digits.
    Accepted are a state (blanks between its digits are ignored), a line of comma-separated values that starts with one, and
    an object of JSON Lines with the key `state`, as `puzzlemill rings scramble --json` prints. Raise `InvalidInputError`
    otherwise.
    """
    line = text.strip()
    if not line or line.startswith("#"):
        return None
    if line.startswith("{"):
        return _from_json(line, puzzle)
    first = line.split(",", 1)[0].strip().strip('"')
    if first.lower() == "state":
        return None
    return State.parse(first, puzzle).text


def _from_json(line: str, puzzle: Puzzle | None) -> str:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InvalidInputError(f"not a JSON object: {error}") from None
    state = value.get("state") if isinstance(value, dict) else None
    if not isinstance(state, str):
        raise InvalidInputError("a JSON object without the text `state`")
    return State.parse(state, puzzle).text
