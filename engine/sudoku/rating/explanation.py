"""Explain a rating: the path step by step, as objects, text and JSON; and check such a path against the solution."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from engine.jobs import JsonObject
from engine.sudoku.grid import PEERS, Cells, cell_name, parse, to_text
from engine.sudoku.rating import techniques as t
from engine.sudoku.rating._path import S_STEPS, S_WORDS
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
from engine.sudoku.rating._trace import Tracer
from engine.sudoku.rating.ratings import MOST_EFFORT, summarize, walk
from engine.sudoku.rating.words import FISH, Language, crossed, nested_lines, node_name, placed, sentence
from engine.sudoku.records import Rating

Candidate = tuple[int, int]
"""A cell 0..80 and a digit 1..9."""

Node = tuple[int, int, bool]
"""A cell 0..80, a digit 1..9, and whether the chain has the candidate on (true) or off (false)."""

Link = tuple[Node, Node]
"""Two nodes, the second of which follows from the first, and perhaps from others with it."""


@dataclass(frozen=True, slots=True)
class Nested:
    """A chain inside a step: it holds where the step's suppositions have already removed some candidates."""

    proves: tuple[Node, ...]
    """The nodes that follow from it: candidates that it removes."""
    links: tuple[Link, ...]
    """Its own links: one after the other, or a cycle, or all those behind the conclusion of suppositions."""

    def as_json(self) -> JsonObject:
        """Return it as a JSON object."""
        return {
            "proves": [node_name(node) for node in self.proves],
            "links": [[node_name(one), node_name(two)] for one, two in self.links],
        }


STOPPED_SHORT: Final = {
    Language.ENGLISH: "the next step needs more effort than was allowed: ER is at least {:.1f}",
    Language.CHINESE: "下一步超出所允许的搜索范围:ER至少为{:.1f}",
}


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

    links: tuple[Link, ...] = ()
    """What follows from what: the links of a chain or cycle, or of all that the conclusion of suppositions depends on. What
    nested chains depend on leads to what they prove."""

    nested: tuple[Nested, ...] = ()
    """The chains nested in it, each once."""

    def text(self, language: Language = Language.ENGLISH) -> str:
        """Return one line, e.g. `pointing (2.6): 4 of block 1 lies in column 3 (r1c3 r2c3): r7c3<>4`."""
        return sentence(self, language)

    def as_json(self, language: Language = Language.ENGLISH) -> JsonObject:
        """Return the step as a JSON object; candidates are written `r1c2=4` (placed, on) and `r1c2<>4` (removed, off)."""
        return {
            "technique": self.technique,
            "rating": self.rating,
            "place": placed(self.place) if self.place else None,
            "remove": crossed(self.remove),
            "cells": [cell_name(cell) for cell in self.cells],
            "digits": list(self.digits),
            "houses": list(self.houses),
            "others": list(self.others),
            "complexity": self.complexity,
            "chain": [node_name(node) for node in self.chain],
            "links": [[node_name(one), node_name(two)] for one, two in self.links],
            "nested": [chain.as_json() for chain in self.nested],
            "text": self.text(language),
        }


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

    def text(self, language: Language = Language.ENGLISH) -> str:
        """Return one numbered line a step, one below it for each chain nested in it, and a last line if the path stops."""
        lines = []
        for number, step in enumerate(self.steps, start=1):
            lines.append(f"{number:3}. {step.text(language)}")
            lines += [f"       {line}" for line in nested_lines(step, language)]
        if self.bound:
            lines.append(f"     {STOPPED_SHORT[language].format(self.er)}")
        return "\n".join(lines)

    def as_json(self, language: Language = Language.ENGLISH) -> JsonObject:
        """Return the explanation as a JSON object; `text` is in the given language, everything else is the same in each."""
        return {
            "puzzle": self.puzzle,
            "er": self.er,
            "ep": self.ep,
            "ed": self.ed,
            "bound": self.bound,
            "level": self.level,
            "score": self.score,
            "rater": self.rating.rater,
            "steps": [step.as_json(language) for step in self.steps],
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
    tracer = Tracer(cells)
    path = path[: summary[S_WORDS]].copy()  # the tracer makes runs of its own with the arrays of this thread
    for _ in range(summary[S_STEPS]):
        end = at + H_REMOVE + int(path[at + H_COUNT]) + int(path[at + H_LINKS])
        steps.append(_step(path[at:end], tracer))
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
    grid = candidates_of(cells)
    for number, step in enumerate(explanation.steps, start=1):
        wrong = _play(grid, step, answer)
        if wrong:
            return f"step {number}, {step.technique}: {wrong}"
    return _ratings_differ(explanation) or _end_differs(grid, explanation)


def candidates_of(cells: Cells) -> dict[int, set[int]]:
    """Return the candidates of the empty cells."""
    return {cell: set(range(1, 10)) - {int(cells[peer]) for peer in PEERS[cell]} for cell in range(81) if cells[cell] == 0}


def carry_out(grid: dict[int, set[int]], step: Step) -> None:
    """Carry a step out on the candidates of the empty cells."""
    for cell, digit in step.remove:
        grid[cell].discard(digit)
    if step.place is not None:
        cell, digit = step.place
        del grid[cell]
        for peer in PEERS[cell]:
            grid.get(peer, set()).discard(digit)


def _play(grid: dict[int, set[int]], step: Step, answer: Cells) -> str | None:
    """Carry a step out on the candidates; return what is wrong with it, if anything."""
    if step.place is None and not step.remove:
        return "it does nothing"
    for cell, digit in step.remove:
        if digit not in grid.get(cell, ()):
            return f"{cell_name(cell)}<>{digit}, but that candidate is not there"
        if answer[cell] == digit:
            return f"{cell_name(cell)}<>{digit}, but the solution has it"
    if step.place is not None:
        cell, digit = step.place
        if digit not in grid.get(cell, set()) - {gone for other, gone in step.remove if other == cell}:
            return f"{cell_name(cell)}={digit}, but that candidate is not there"
        if answer[cell] != digit:
            return f"{cell_name(cell)}={digit}, but the solution has {answer[cell]}"
    carry_out(grid, step)
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


def _step(hint: Words, tracer: Tracer) -> Step:
    """Read one step from its words."""
    code = int(hint[H_TECHNIQUE])
    if t.NAMES[code] in FISH:
        houses, others = (tuple(_house(h) for h in range(27) if int(hint[i]) >> h & 1) for i in (H_HOUSE, H_OTHER))
    else:
        houses, others = ((_house(int(hint[i])),) if hint[i] >= 0 else () for i in (H_HOUSE, H_OTHER))
    removals, nodes = np.split(hint[H_REMOVE:], [int(hint[H_COUNT])])
    links = tuple((_node(one), _node(two)) for one, two in tracer.follow(hint, nodes[::-1].tolist()))
    nested = tuple(
        Nested(tuple(map(_node, proves)), tuple((_node(one), _node(two)) for one, two in inner))
        for inner, proves in tracer.nested.items()
    )
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
        chain=tuple(_node(node) for node in reversed(nodes.tolist())),
        links=links,
        nested=nested,
    )


def _node(node: int) -> Node:
    return node // 18, node // 2 % 9 + 1, node % 2 == 1


def _digits(mask: int) -> tuple[int, ...]:
    return tuple(digit for digit in range(1, 10) if mask >> (digit - 1) & 1)


def _house(number: int) -> str:
    return f"{('block', 'column', 'row')[number // 9]} {number % 9 + 1}"
