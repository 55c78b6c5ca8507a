"""Rate sudokus on the SE 1.2.1 scale, and explain each rating by its path."""

from engine.sudoku.rating.explanation import Explanation, Nested, Step, check, explain
from engine.sudoku.rating.levels import LEVELS, er_range, level_of
from engine.sudoku.rating.picture import pictures
from engine.sudoku.rating.ratings import EFFORTS, MOST_EFFORT, RATER, rate, rate_many, warm
from engine.sudoku.rating.words import Language

__all__ = [
    "EFFORTS",
    "LEVELS",
    "MOST_EFFORT",
    "RATER",
    "Explanation",
    "Language",
    "Nested",
    "Step",
    "check",
    "er_range",
    "explain",
    "level_of",
    "pictures",
    "rate",
    "rate_many",
    "warm",
]
