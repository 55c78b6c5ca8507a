"""Ranges written `A..B`, either end open: `3.0..4.5`, `..24`, `30..`, or one value alone."""

import re
from dataclasses import dataclass

from engine.errors import InvalidInputError

_NUMBER = r"\d+(?:\.\d+)?"
_RANGE = re.compile(rf"\s*(?P<low>{_NUMBER})?\s*(?P<dots>\.\.)?\s*(?P<high>{_NUMBER})?\s*")


@dataclass(frozen=True, slots=True)
class Range:
    """All numbers from `low` to `high`, both included."""

    low: float
    high: float

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high


def parse_range(text: str, lowest: float, highest: float, what: str) -> Range:
    """Return the range written in `text`, open ends filled in from `lowest` and `highest`.

    Raises:
        InvalidInputError: not of the form A..B, upside down, or wholly outside lowest..highest.
    """
    match = _RANGE.fullmatch(text)
    if (
        match is None
        or (match["low"] is None and match["high"] is None)
        or (match["low"] and match["high"] and not match["dots"])
    ):
        raise InvalidInputError(
            f"{what} must be a range like {lowest:g}..{highest:g}, ..{highest:g} or one number, got {text!r}"
        )
    low = float(match["low"]) if match["low"] else lowest
    high = float(match["high"]) if match["high"] else highest
    if not match["dots"]:
        low = high = float(match["low"] or match["high"])
    if low > high or high < lowest or low > highest:
        raise InvalidInputError(
            f"{what} {text!r} is empty; it must lie within {lowest:g}..{highest:g}, the smaller number first"
        )
    return Range(low, high)
