"""The results of the sudoku job kinds, as handed to the database."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import ClassVar

from engine.jobs import canonical_json


@dataclass(frozen=True, slots=True)
class Rating:
    """A difficulty on the SE 1.2.1 scale with the level and score derived from the same path.

    `er`, `ep`, `ed` are in SE units (1.0 to 11.9). `bound` is true when the path ended before the puzzle was solved with the
    techniques built so far: then `er` is a lower bound of the true rating.
    """

    er: float
    ep: float
    ed: float
    bound: bool
    level: str
    score: int
    techniques: Mapping[str, int]
    """Technique name (kebab case, e.g. "x-wing") to the number of times the path uses it."""
    rater: str
    """Name and version of the rater, e.g. "se121-2"."""


@dataclass(frozen=True, slots=True)
class SudokuRecord:
    """One puzzle: what was solved, generated or rated. Puzzles are 81 characters, row by row, `.` for an empty cell."""

    family: ClassVar[str] = "sudoku"

    puzzle: str
    """The puzzle as given or made."""
    canonical: str
    """Its minlex form: equal for all equivalent puzzles."""
    status: str
    """`unique`, `multiple`, `none` (no solution) or `invalid` (two givens contradict each other)."""
    solution: str | None
    """The solution; the first one found if there are several, None if there is none."""
    solutions_found: int
    """How many solutions the search saw before it stopped (2 is enough for `multiple`)."""
    clues: int
    automorphisms: int | None = None
    minimal: bool | None = None
    """True if no given can be removed; None if this was not looked at."""
    symmetry: str | None = None
    """Symmetry of the pattern of givens that was asked for and holds: `none`, `rot180`, ...; None if this was not looked at."""
    sampling: str | None = None
    """How a generated puzzle was drawn: `top-down`, `controlled-bias`, `neighbours`, `pattern`; None for one that was not."""
    weight: float | None = None
    """Importance weight that takes the sample back to all minimal puzzles alike, see `engine.sudoku.bias.weight_of`; only
    `controlled-bias` has one, elsewhere it is None: not known."""
    rating: Rating | None = None

    def natural_key(self) -> str:
        """Return the canonical form."""
        return self.canonical

    def content(self) -> bytes:
        """Return all fields as canonical JSON: nothing of a sudoku result depends on time or place."""
        # By hand, since `dataclasses.asdict` copies every value deeply and took half the time of storing a bank.
        value = {name: getattr(self, name) for name in _RECORD_FIELDS}
        if self.rating is not None:
            value["rating"] = {name: getattr(self.rating, name) for name in _RATING_FIELDS}
            value["rating"]["techniques"] = dict(self.rating.techniques)
        return canonical_json(value)


_RATING_FIELDS = tuple(field.name for field in fields(Rating))
_RECORD_FIELDS = tuple(field.name for field in fields(SudokuRecord))
