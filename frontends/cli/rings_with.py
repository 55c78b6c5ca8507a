"""The option `--tables`: with which distance tables a search is done."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from engine.rings._unions import Unions
from engine.rings.model import Puzzle
from engine.rings.prove_job import Tables
from engine.rings.unions import unions
from frontends.cli.output import CliError

F = TypeVar("F", bound=Callable[..., Any])


def tables_option(function: F) -> F:
    """Add `--tables`, which the function gets as `wanted`."""
    return click.option(
        "--tables",
        "wanted",
        type=click.Choice([*(str(t) for t in Tables), "auto"]),
        default="auto",
        help="Distance tables to use; auto takes the unions if they are there  [default: auto]",
    )(function)


def wanted_unions(puzzle: Puzzle, wanted: str) -> Unions | None:
    """Return the unions to search with; None for the tables of one colour.

    Raise `CliError` if unions are asked for and not there.
    """
    if wanted == Tables.COLOURS:
        return None
    view = unions(puzzle)
    if view is None and wanted == Tables.UNIONS:
        raise CliError("the tables of unions are not built, or damaged: puzzlemill rings tables --unions builds them (2.3 GB)")
    return view
