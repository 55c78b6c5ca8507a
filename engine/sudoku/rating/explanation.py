"""Explain a rating: the path step by step, as objects, text and JSON; and check such a path against the solution."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from engine.jobs import JsonObject
from engine.sudoku.grid import PEERS, Cells, cell_name, parse, to_text
from engine.sudoku.rating import techniques as t
from engine.sudoku.rating._path import S_STEPS
from engine.sudoku.rating._state import (
    H_CELL,
    H_COMPLEXITY,
    H_COUNT,
    H_DIGIT,
    H_DIGITS,
    H_HOUSE,
    H_LINKS,
    H_OTHER,
    H_PATTERN,
    H_RATING,
    H_REMOVE,
    H_TECHNIQUE,
)
from engine.sudoku.rating._tables import Words
from engine.sudoku.rating.ratings import MOST_EFFORT, summarize, walk
from engine.sudoku.records import Rating

Candidate = tuple[int, int]
"""A cell 0..80 and a digit 1..9."""

Node = tuple[int, int, bool]
"""A cell 0..80, a digit 1..9, and whether the chain has the candidate on (true) or off (false)."""

_FISH: Final = frozenset(t.NAMES[code] for code in (t.X_WING, t.SWORDFISH, t.JELLYFISH))


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a path. Cells are numbered 0..80 row by row, digits are 1..9."""

    technique: str
    rating: float
    place: Candidate | None
    """The cell that is filled and its digit, if the step fills one."""
    remove: tuple[Candidate, ...]
    """The candidates that the step removes by itself, by cell and digit (not those that a placement clears from its peers)."""
    cells: tuple[int, ...]
    """The cells of the pattern."""
    digits: tuple[int, ...]
    """The digits of the pattern."""
    houses: tuple[str, ...]
    """The houses of the pattern ("block 1", "row 9"): the base houses of fish, the house whose digit is locked, ..."""
    others: tuple[str, ...] = ()
    """The other houses: the cover houses of fish, the house that locks, if any."""
    complexity: int | None = None
    """Of chains and cycles: how many nodes they have."""
    chain: tuple[Node, ...] = ()
    """The nodes of a chain from its start to its end, or of a cycle. Of a supposition only what is supposed and, if that is
    refuted, the candidate that it makes both true and false."""

    def text(self) -> str:
        """Return one line, e.g. `pointing (2.6): 4 of block 1 lies in column 3 (r1c3 r2c3): r7c3<>4`."""
        effects = ([f"{cell_name(self.place[0])}={self.place[1]}"] if self.place else []) + _crossed(self.remove)
        return f"{self.technique} ({self.rating:.1f}): {self._why()}: {', '.join(effects)}"

    def as_json(self) -> JsonObject:
        """Return the step as a JSON object; candidates are written `r1c2=4` (placed) and `r1c2<>4` (removed)."""
        return {
            "technique": self.technique,
            "rating": self.rating,
            "place": f"{cell_name(self.place[0])}={self.place[1]}" if self.place else None,
            "remove": _crossed(self.remove),
            "cells": [cell_name(cell) for cell in self.cells],
            "digits": list(self.digits),
            "houses": list(self.houses),
            "others": list(self.others),
            "complexity": self.complexity,
            "chain": _nodes(self.chain),
            "text": self.text(),
        }

    def _why(self) -> str:
        digits = _list(map(str, self.digits))
        cells = " ".join(cell_name(cell) for cell in self.cells)
        house = _list(self.houses)
        name = self.technique
        if name == "hidden-single":
            only = "is the last digit" if self.rating < 1.1 else "has one place left"
            return f"{digits} {only} in {house}"
        if name == "naked-single":
            return f"{cells} has one candidate left"
        if name.endswith(("pointing", "claiming")):
            return f"{digits} of {house} lies in {_list(self.others)} ({cells})"
        if name in _FISH:
            return f"{digits} of {house} lies in {_list(self.others)}"
        if "hidden" in name:
            return f"{digits} of {house} have only the places {cells}"
        if name.startswith("naked"):
            return f"{cells} of {house} hold only {digits}"
        if name.startswith("unique"):
            return f"{cells} hold a loop that cannot be of two digits alone ({digits}{f' in {house}' if house else ''})"
        if name.startswith("bug"):
            return f"{cells} keep the candidates from all coming in twos ({digits}{f' in {house}' if house else ''})"
        if name.startswith("aligned"):
            return f"{cells} have no possible {'pair' if 'pair' in name else 'triple'} of digits with {digits}"
        if "forcing-chains" in name:
            return self._why_supposed(digits, house)
        if self.chain:
            return " -> ".join(_nodes(self.chain))
        return f"{cells} hold {digits}"

    def _why_supposed(self, digits: str, house: str) -> str:
        name = self.technique
        if "cell" in name:
            return f"each of {digits} in {cell_name(self.cells[0])} leads to it"
        if "region" in name:
            return f"each place of {digits} in {house} leads to it"
        supposed = _nodes(self.chain)[0]
        if "double" in name:
            return f"{supposed} leads to it, and so does its opposite"
        cell, digit, _ = self.chain[1]
        return f"{supposed} leads to {cell_name(cell)} being {digit} and not being {digit}"


@dataclass(frozen=True, slots=True)
class Explanation:
    """A puzzle's rating with the path that it comes from."""

    puzzle: str
    rating: Rating
    steps: tuple[Step, ...]

    @property
    def er(self) -> float:
        """Rating of the hardest step; at least that if `bound`."""
        return self.rating.er

    @property
    def ep(self) -> float:
        """Rating of the hardest step up to the first placement."""
        return self.rating.ep

    @property
    def ed(self) -> float:
        """Rating of the first step."""
        return self.rating.ed

    @property
    def bound(self) -> bool:
        """Whether the path stops before the puzzle is solved."""
        return self.rating.bound

    @property
    def level(self) -> str:
        """Name of the level."""
        return self.rating.level

    @property
    def score(self) -> int:
        """Sum of the steps' scores."""
        return self.rating.score

    def text(self) -> str:
        """Return one numbered line a step, and a last line that says if the path stops."""
        lines = [f"{number:3}. {step.text()}" for number, step in enumerate(self.steps, start=1)]
        if self.bound:
            lines.append(f"     the next step needs more effort than was allowed: ER is at least {self.er:.1f}")
        return "\n".join(lines)

    def as_json(self) -> JsonObject:
        """Return the explanation as a JSON object."""
        return {
            "puzzle": self.puzzle,
            "er": self.er,
            "ep": self.ep,
            "ed": self.ed,
            "bound": self.bound,
            "level": self.level,
            "score": self.score,
            "rater": self.rating.rater,
            "steps": [step.as_json() for step in self.steps],
        }


def explain(puzzle: str, max_effort: float = MOST_EFFORT) -> Explanation:
    """Return the rating of a puzzle with its path. The path is that of `rate`: the same kernels, their steps kept.

    Raises:
        GridError, ConflictError, InvalidInputError: as `engine.sudoku.rating.rate`.
    """
    cells = parse(puzzle)
    summary, path = walk(cells, max_effort)
    steps = []
    at = 0
    for _ in range(summary[S_STEPS]):
        end = at + H_REMOVE + int(path[at + H_COUNT]) + int(path[at + H_LINKS])
        steps.append(_step(path[at:end]))
        at = end
    return Explanation(to_text(cells), summarize(summary), tuple(steps))


def check(explanation: Explanation, solution: str) -> str | None:
    """Return None if the path holds against the solution (81 digits), else a sentence on the first thing that is wrong.

    The path is replayed on candidates of its own: each step must do something, remove only candidates that are there and not in
    the solution, and place only what is in it. The ratings must be those of the steps; the grid must be full at the end if the
    rating is no bound, and only then.
    """
    cells = parse(explanation.puzzle)
    answer = parse(solution)
    grid = _candidates(cells)
    for number, step in enumerate(explanation.steps, start=1):
        wrong = _play(grid, step, answer)
        if wrong:
            return f"step {number}, {step.technique}: {wrong}"
    return _ratings_differ(explanation) or _end_differs(grid, explanation)


def _candidates(cells: Cells) -> dict[int, set[int]]:
    """Return the candidates of the empty cells."""
    return {cell: set(range(1, 10)) - {int(cells[peer]) for peer in PEERS[cell]} for cell in range(81) if cells[cell] == 0}


def _play(grid: dict[int, set[int]], step: Step, answer: Cells) -> str | None:
    """Carry a step out on the candidates; return what is wrong with it, if anything."""
    if step.place is None and not step.remove:
        return "it does nothing"
    for cell, digit in step.remove:
        if digit not in grid.get(cell, ()):
            return f"{cell_name(cell)}<>{digit}, but that candidate is not there"
        if answer[cell] == digit:
            return f"{cell_name(cell)}<>{digit}, but the solution has it"
        grid[cell].remove(digit)
    if step.place is not None:
        cell, digit = step.place
        if digit not in grid.get(cell, ()):
            return f"{cell_name(cell)}={digit}, but that candidate is not there"
        if answer[cell] != digit:
            return f"{cell_name(cell)}={digit}, but the solution has {answer[cell]}"
        del grid[cell]
        for peer in PEERS[cell]:
            grid.get(peer, set()).discard(digit)
    return None


def _ratings_differ(explanation: Explanation) -> str | None:
    """Compare ER, EP and ED with the steps; where the path stops short of one, it must only not be below them."""
    ratings = [step.rating for step in explanation.steps]
    first = next((number for number, step in enumerate(explanation.steps, start=1) if step.place), None)
    found = {
        "er": None if explanation.bound else max(ratings, default=0.0),
        "ep": max(ratings[:first]) if first else None,
        "ed": ratings[0] if ratings else None,
    }
    for name, value in found.items():
        given = getattr(explanation, name)
        if given != value if value is not None else given < max(ratings, default=0.0):
            return f"{name} is given as {given}, the steps say {value}"
    return None


def _end_differs(grid: dict[int, set[int]], explanation: Explanation) -> str | None:
    """Tell if a path that claims to solve the puzzle does not, or the other way round."""
    if bool(grid) != explanation.bound:
        return f"{len(grid)} cells are empty at the end, and bound is {explanation.bound}"
    return None


def _step(hint: Words) -> Step:
    """Read one step from its words."""
    code = int(hint[H_TECHNIQUE])
    if t.NAMES[code] in _FISH:
        houses, others = (tuple(_house(h) for h in range(27) if int(hint[i]) >> h & 1) for i in (H_HOUSE, H_OTHER))
    else:
        houses, others = ((_house(int(hint[i])),) if hint[i] >= 0 else () for i in (H_HOUSE, H_OTHER))
    removals, nodes = np.split(hint[H_REMOVE:], [int(hint[H_COUNT])])
    return Step(
        technique=t.NAMES[code],
        rating=int(hint[H_RATING]) / 10,
        place=(int(hint[H_CELL]), int(hint[H_DIGIT]) + 1) if hint[H_CELL] >= 0 else None,
        remove=tuple(sorted((int(word) >> 9, digit) for word in removals for digit in _digits(int(word)))),
        cells=tuple(cell for cell in range(81) if int(hint[H_PATTERN + cell // 27]) >> (cell % 27) & 1),
        digits=_digits(int(hint[H_DIGITS])),
        houses=houses,
        others=others,
        complexity=int(hint[H_COMPLEXITY]) or None,
        chain=tuple((node // 18, node // 2 % 9 + 1, node % 2 == 1) for node in reversed(nodes.tolist())),
    )


def _digits(mask: int) -> tuple[int, ...]:
    return tuple(digit for digit in range(1, 10) if mask >> (digit - 1) & 1)


def _house(number: int) -> str:
    return f"{('block', 'column', 'row')[number // 9]} {number % 9 + 1}"


def _crossed(candidates: Sequence[Candidate]) -> list[str]:
    return [f"{cell_name(cell)}<>{digit}" for cell, digit in candidates]


def _nodes(chain: Sequence[Node]) -> list[str]:
    return [f"{cell_name(cell)}{'=' if on else '<>'}{digit}" for cell, digit, on in chain]


def _list(words: Iterable[str]) -> str:
    return ", ".join(words)
