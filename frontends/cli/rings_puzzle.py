"""Options that name a ring puzzle other than the usual one: rings, beads a ring, places on the disc."""

import functools
from collections.abc import Callable
from typing import Any, TypeVar

import click

from engine.rings.model import Puzzle

F = TypeVar("F", bound=Callable[..., Any])


def _places(_ctx: click.Context, _param: click.Parameter, value: str | None) -> tuple[int, ...] | None:
    if value is None:
        return None
    words = [word.strip() for word in value.split(",")]
    if not all(word.isascii() and word.isdigit() for word in words):
        raise click.BadParameter(f"{value!r}: expected numbers with commas between them, as 0,6")
    return tuple(sorted({int(word) for word in words}))


def puzzle_options(function: F) -> F:
    """Add `--rings`, `--beads` and `--places`; the function gets them as one `Puzzle`, named `puzzle`."""

    @functools.wraps(function)
    def with_puzzle(*args: Any, rings: int, beads: int, places: tuple[int, ...] | None, **kwargs: Any) -> Any:
        puzzle = Puzzle(rings, beads, (0, beads - 1) if places is None else places)
        return function(*args, puzzle=puzzle, **kwargs)

    usual = Puzzle()
    decorated: Any = with_puzzle
    for option in (
        click.option(
            "--places",
            metavar="P,P",
            callback=_places,
            help="Places of each ring that lie on the disc  [default: the first and the last]",
        ),
        click.option("--beads", type=int, default=usual.beads, help=f"Beads a ring  [default: {usual.beads}]"),
        click.option("--rings", type=int, default=usual.rings, help=f"Rings, and colours  [default: {usual.rings}]"),
    ):
        decorated = option(decorated)
    return decorated  # type: ignore[no-any-return]  # click's decorators keep the function's type, which is not declared
