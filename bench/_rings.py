"""States to measure the rings searches with."""

import csv
from pathlib import Path
from typing import Final

from engine.rings.lines import parse_state_line
from engine.rings.model import Puzzle, State
from engine.rings.rng import Rng

KNOWN_OPTIMA: Final = Path(__file__).resolve().parents[2] / "shared" / "truth" / "rings_optimal.csv"
"""States whose optimum other programs have proved; beside the project, or absent."""


def random_states(count: int, seed: int = 1) -> list[State]:
    """Return states drawn from all alike."""
    rng = Rng(seed)
    states = []
    for _ in range(count):
        beads = list(Puzzle().solved.text)
        rng.shuffle(beads)
        states.append(State("".join(beads)))
    return states


def read_states(path: Path) -> list[State]:
    """Return the states of a file, one a line. Raise `InvalidInputError` for a bad line."""
    with path.open() as lines:
        return [State(text) for text in map(parse_state_line, lines) if text is not None]


def known_optima(path: Path = KNOWN_OPTIMA, column: str = "optimal_clicks") -> dict[State, int]:
    """Return the states with their proved optimum in clicks (columns `state` and `column`); empty if there are none."""
    if not path.exists():
        return {}
    with path.open(newline="") as lines:
        rows = csv.DictReader(lines)
        if not {"state", column} <= set(rows.fieldnames or ()):
            return {}
        return {State(row["state"]): int(row[column]) for row in rows}
