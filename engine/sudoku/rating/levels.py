"""Levels for people: five names, each a range of ER."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Final


@dataclass(frozen=True, slots=True)
class Level:
    """One level: puzzles whose ER is at least `er` and below the next level's."""

    name: str
    er: float
    needs: str
    """What solving such a puzzle takes."""


LEVELS: Final = (
    Level("easy", 1.0, "singles, and locking or a pair that fills a cell at once"),
    Level("medium", 2.5, "candidates written down; locking, pairs, triplets, the X-wing"),
    Level("hard", 3.8, "fish, wings, unique rectangles and loops, BUGs, pair exclusion"),
    Level("unfair", 6.5, "cycles and short chains on one or two rules"),
    Level("extreme", 7.2, "long chains, and suppositions followed through the grid"),
)
"""Easiest first. The limits lie where HoDoKu's levels of the same names mostly change, see docs/6-ratings.md."""

NAMES: Final = tuple(level.name for level in LEVELS)
"""Names of the levels, easiest first."""


def level_of(er: float) -> str:
    """Return the name of the level that a puzzle of this ER has."""
    name = LEVELS[0].name
    for level in LEVELS:
        if er >= level.er - 0.01:
            name = level.name
    return name


def er_range(name: str) -> tuple[float, float]:
    """Return the least ER of a level and the least ER of the next (`inf` for the last): least <= ER < next.

    Raises:
        KeyError: there is no level of that name.
    """
    limits = [level.er for level in LEVELS] + [float("inf")]
    by_name = dict(zip(NAMES, pairwise(limits), strict=True))
    return by_name[name]
