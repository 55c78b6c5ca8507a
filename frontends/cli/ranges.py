"""Ranges on the command line: `3.0..4.5`, `..24`, `20..`, or one value."""

from typing import Generic, TypeVar

import click

N = TypeVar("N", int, float)

Bounds = tuple[N | None, N | None]


class Range(click.ParamType[tuple[N | None, N | None]], Generic[N]):
    """Turns `A..B` into (A, B), both included; an open end is None, and one value stands for itself."""

    def __init__(self, number: type[N]) -> None:
        self.number: type[N] = number
        self.name = "A..B"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Bounds[N]:
        """Return the two ends; fail with what is wrong."""
        if isinstance(value, tuple):
            return value
        text = str(value).strip()
        low, dots, high = text.partition("..")
        try:
            first = self.number(low) if low.strip() else None
            last = (self.number(high) if high.strip() else None) if dots else first
        except ValueError:
            self.fail(f"{text!r} is not a range; write A..B, A.. or ..B", param, ctx)
        if first is None and last is None:
            self.fail(f"{text!r} is not a range; write A..B, A.. or ..B", param, ctx)
        if first is not None and last is not None and first > last:
            self.fail(f"{text!r} is empty: {first} is more than {last}", param, ctx)
        return first, last


INTS: Range[int] = Range(int)
FLOATS: Range[float] = Range(float)
