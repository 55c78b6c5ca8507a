"""Long computations are generators that yield a `Step` now and then and return their result."""

from collections.abc import Generator
from typing import NamedTuple, TypeAlias, TypeVar

T = TypeVar("T")


class Step(NamedTuple):
    """A piece of work that has been done: about how many positions it handled, and a note for people."""

    work: int
    note: str


Steps: TypeAlias = Generator[Step, None, T]


def every(work: int, steps: Steps[T]) -> Generator[str, None, T]:
    """Pass a computation on, yielding its note only when about `work` positions have been handled since the last one."""
    done = 0
    while True:
        try:
            step = next(steps)
        except StopIteration as stop:
            result: T = stop.value
            return result
        done += step.work
        if done >= work:
            done = 0
            yield step.note
