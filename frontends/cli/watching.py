"""What the direct commands tell stderr while someone waits: that kernels are compiled, and how far a computation is."""

import sys
import time
from collections.abc import Callable, Generator
from typing import Any, TypeVar

from frontends.cli.output import Talk, chatty, say, stderr

T = TypeVar("T")
S = TypeVar("S")

LINE_SECONDS = 10.0
"""How often `--verbose` says where a computation stands when stderr is not a terminal."""


def prepare(warm: Callable[[], object]) -> None:
    """Compile kernels, or load them from the cache; say so where it takes long and someone may be watching."""
    begin = time.monotonic()
    if sys.stderr.isatty():
        with stderr.status("compiling kernels (only the first time takes this long)"):
            warm()
    else:
        warm()
    if chatty() and (seconds := time.monotonic() - begin) > 2:
        say(f"kernels compiled in {seconds:.0f} s; from now on they are loaded from the cache")


def watched(title: str, steps: Generator[S, Any, T], told: Callable[[S], str]) -> T:
    """Run a computation to its end and return its result, saying what `told` makes of a step (a terminal, or `--verbose`)."""
    if sys.stderr.isatty():
        with stderr.status(title) as status:
            return _run(steps, lambda step: status.update(told(step)), 0.2)
    return _run(steps, (lambda step: say(told(step))) if Talk.verbose else None, LINE_SECONDS)


def _run(steps: Generator[S, Any, T], tell: Callable[[S], None] | None, every: float) -> T:
    due = time.monotonic() + every
    while True:
        try:
            step = next(steps)
        except StopIteration as stop:
            result: T = stop.value
            return result
        if tell is not None and time.monotonic() >= due:
            tell(step)
            due = time.monotonic() + every
