"""The results of the sudoku job kinds, as handed to the database."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from json.encoder import encode_basestring_ascii as quoted
from typing import ClassVar, Final, TypeVar

K = TypeVar("K")


class _Memory(dict[K, str]):
    """Texts that are made again and again, by what they are made of."""

    __slots__ = ("_make",)

    def __init__(self, make: Callable[[K], str]) -> None:
        self._make = make

    def __missing__(self, key: K) -> str:
        if len(self) >= _MOST_REMEMBERED:
            self.clear()
        text = self[key] = self._make(key)
        return text


_MOST_REMEMBERED: Final = 4096


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

    def techniques_json(self) -> str:
        """Return the techniques as canonical JSON."""
        # Names are kebab case: what is written of each sorts as the names do.
        return "{" + ",".join(sorted(map(_use_of, self.techniques.items()))) + "}"


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
        # Written by hand, field by field in name order: a general encoder takes four times as long, and a bank has millions.
        return (
            f'{{"automorphisms":{_number(self.automorphisms)},"canonical":{quoted(self.canonical)},"clues":{self.clues},'
            f'"minimal":{_WORDS[self.minimal]},"puzzle":{quoted(self.puzzle)},"rating":{_rating_json(self.rating)},'
            f'"sampling":{_TEXTS[self.sampling]},"solution":{_text(self.solution)},'
            f'"solutions_found":{self.solutions_found},"status":{_TEXTS[self.status]},"symmetry":{_TEXTS[self.symmetry]},'
            f'"weight":{_number(self.weight)}}}'
        ).encode()


_WORDS: Final[Mapping[bool | None, str]] = {None: "null", False: "false", True: "true"}


def _text(value: str | None) -> str:
    return "null" if value is None else quoted(value)


def _use(use: tuple[str, int]) -> str:
    return f"{quoted(use[0])}:{use[1]}"


# Not `repr`: numpy's numbers, which are floats too, have one of their own.
_FLOATS: Final = _Memory(float.__repr__)
_TEXTS: Final = _Memory(_text)
_use_of: Final = _Memory(_use).__getitem__


def _number(value: int | float | None) -> str:  # noqa: PYI041  # a whole number is written as one
    return "null" if value is None else _FLOATS[value] if isinstance(value, float) else str(value)


def _rating_json(rating: Rating | None) -> str:
    if rating is None:
        return "null"
    return (
        f'{{"bound":{_WORDS[rating.bound]},"ed":{_number(rating.ed)},"ep":{_number(rating.ep)},'
        f'"er":{_number(rating.er)},"level":{_TEXTS[rating.level]},"rater":{_TEXTS[rating.rater]},'
        f'"score":{rating.score},"techniques":{rating.techniques_json()}}}'
    )
