"""Computations in steps: generators that yield where they stand and return what they found."""

from collections.abc import Generator
from typing import Any, TypeVar

T = TypeVar("T")


def result_of(steps: Generator[Any, Any, T]) -> T:
    """Run a computation to its end and return its result; what it yields on the way is dropped."""
    while True:
        try:
            next(steps)
        except StopIteration as stop:
            result: T = stop.value
            return result
