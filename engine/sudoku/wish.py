"""What is wanted of generated puzzles, and how far a puzzle is from it."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from engine.sudoku.pattern import Pattern
from engine.sudoku.ranges import Range
from engine.sudoku.records import Rating
from engine.sudoku.symmetry import Symmetry

HIGHEST_ER: Final = 11.9
"""The upper end of the SE scale in practice; a range that reaches it is open."""

FILLED: Final = "pattern"
"""What the records of puzzles made for a pattern have as their sampling."""


class Sampling(StrEnum):
    """How puzzles are drawn."""

    AUTO = "auto"  # top-down, and neighbours once it has shown that hardly any puzzle drawn at random will do
    TOP_DOWN = "top-down"  # a uniform full grid, givens removed in random order; known to favour few givens (mean 24.4)
    CONTROLLED_BIAS = "controlled-bias"  # a puzzle's chance depends on its number of givens alone (mean 25.7); has a weight
    NEIGHBOURS = "neighbours"  # most are near others that were as wished: for rare wishes, not for statistics


@dataclass(frozen=True, slots=True)
class Wish:
    """What is wanted of each puzzle."""

    symmetry: Symmetry = Symmetry.NONE
    sampling: Sampling = Sampling.AUTO
    minimal: bool = True
    """With a symmetry: minimal within it, that is no orbit of givens can be removed. If false, digging stops within `clues`."""
    pattern: Pattern | None = None
    """Where givens stand. What must be given is never removed; if `minimal`, puzzles that could do without are refused."""
    clues: Range | None = None
    er: Range | None = None
    level: str | None = None
    techniques: frozenset[str] = frozenset()
    """The path of the rating must use each of these."""
    no_techniques: frozenset[str] = frozenset()
    """It must use none of these."""
    per_family: int = 8
    """How many puzzles may stem from the same one drawn at random, by moves from neighbour to neighbour."""
    rate: bool = True

    @property
    def selective(self) -> bool:
        """Whether some of the puzzles made will be refused."""
        return self.steering or self.pattern is not None

    @property
    def steering(self) -> bool:
        """Whether it can be said how near a puzzle is."""
        return bool(self.er or self.level or self.clues or self.techniques or self.no_techniques)

    @property
    def directed(self) -> bool:
        """Whether puzzles may be made from others that are near."""
        if self.sampling is Sampling.AUTO:
            return self.steering and self.minimal and not (self.pattern and self.pattern.exact)
        return self.sampling is Sampling.NEIGHBOURS

    def allows(self, clues: int, rating: Rating | None) -> bool:
        """Return whether a puzzle surely is what is wanted. One whose rating is a bound is, only if the wish is open above.

        The path of a bound is not known to its end, so that no technique can be ruled out.
        """
        return (self.clues is None or clues in self.clues) and (rating is None or self._allows_rating(rating))

    def _allows_rating(self, rating: Rating) -> bool:
        from engine.sudoku.rating.levels import NAMES  # noqa: PLC0415  # rating imports this package; only rated banks need it

        if self.level is not None and (rating.level != self.level or (rating.bound and self.level != NAMES[-1])):
            return False
        if not self.techniques <= rating.techniques.keys():
            return False
        if self.no_techniques and (rating.bound or not self.no_techniques.isdisjoint(rating.techniques)):
            return False
        if self.er is None:
            return True
        if rating.bound:
            return rating.er >= self.er.low and self.er.high >= HIGHEST_ER
        return rating.er in self.er

    def distance(self, clues: int, rating: Rating | None) -> float:
        """Return how far a puzzle is from what is wanted, about in units of ER; 0 just if it is that."""
        if self.allows(clues, rating):
            return 0.0
        distance = 1e-3  # a bound may have no distance and still not do
        if self.clues is not None:
            distance += _outside(clues, self.clues)
        if rating is None:
            return distance
        if self.er is not None:
            distance += _outside(rating.er, self.er)
        if self.level is not None:
            from engine.sudoku.rating.levels import er_range  # noqa: PLC0415  # rating imports this package

            low, high = er_range(self.level)
            distance += _outside(rating.er, Range(low, high - 0.1))
        missing = len(self.techniques - rating.techniques.keys())
        return distance + missing + len(self.no_techniques & rating.techniques.keys())


def _outside(value: float, interval: Range) -> float:
    return 0.0 if value in interval else min(abs(value - interval.low), abs(value - interval.high))
