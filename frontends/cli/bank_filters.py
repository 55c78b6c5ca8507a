"""What each family's stored results can be asked for: options, and the filters they make."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import click
from sqlalchemy import Connection

from db.queries import pegs, rings, sudoku
from engine.jobs import JsonObject
from frontends.cli.output import CliError, Exit
from frontends.cli.ranges import FLOATS, INTS


class Query(Protocol):
    """`db.queries.<family>.query`."""

    def __call__(self, conn: Connection, filters: Any, *, sort: str, limit: int | None, offset: int) -> Iterator[JsonObject]:
        """Yield the rows that pass."""
        ...


@dataclass(frozen=True, slots=True)
class BankFamily:
    """One family's side of the bank: its filter options, and how its rows are found and shown."""

    name: str
    what: str
    options: Callable[[], list[click.Option]]
    filters: Callable[[Mapping[str, Any]], Any]
    query: Query
    sorts: Callable[[Any], Sequence[str]]
    columns: Callable[[Any], Sequence[str]]
    """Keys of the table that people see."""
    line: Callable[[JsonObject], str]
    """A row in the form that the family's commands read."""
    examples: Sequence[str]


def _job() -> click.Option:
    return click.Option(["--job", "job_id"], type=int, metavar="JOB", help="Results of this job only")


def _flag(name: str, help_text: str) -> click.Option:
    return click.Option([f"--{name}/--no-{name}"], default=None, help=help_text)


def _range(name: str, kind: click.ParamType[Any], help_text: str) -> click.Option:
    return click.Option([f"--{name}"], type=kind, metavar="A..B", help=help_text)


def _sudoku_options() -> list[click.Option]:
    return [
        _range("er", FLOATS, "Explainer rating (ER), e.g. 3.0..4.5"),
        _range("ep", FLOATS, "Rating of the hardest step before the first placed digit"),
        _range("ed", FLOATS, "Rating of the first step"),
        _range("clues", INTS, "Number of givens, e.g. ..24"),
        _range("score", INTS, "Score"),
        click.Option(["--level"], metavar="LEVEL", help="Level, e.g. hard"),
        click.Option(
            ["--technique", "techniques"],
            multiple=True,
            metavar="NAME",
            help="The path uses it, e.g. x-wing (repeat: all of them)",
        ),
        click.Option(["--without"], multiple=True, metavar="NAME", help="The path does not use it (repeat: none of them)"),
        click.Option(["--status"], type=click.Choice(["unique", "multiple", "none", "invalid"]), help="How many solutions"),
        click.Option(["--symmetry"], metavar="NAME", help="Symmetry of the givens, e.g. rot180"),
        click.Option(["--sampling"], metavar="NAME", help="How it was drawn, e.g. top-down"),
        _flag("minimal", "Whether no given can be removed"),
        _flag("rated", "Whether it has a rating"),
        _flag("bound", "Whether its rating is only a lower bound"),
        _job(),
    ]


def _pegs_options() -> list[click.Option]:
    return [
        click.Option(["--solutions"], is_flag=True, help="Solutions, instead of enumerations"),
        click.Option(["--board"], metavar="BOARD", help="Board, e.g. triangle-15"),
        click.Option(["--start"], metavar="HOLE", help="The hole that is empty at the start"),
        _range("moves", INTS, "Fewest moves of an enumeration; moves of a solution"),
        click.Option(["--finish"], metavar="HOLE", help="Solutions: where the last peg ends"),
        click.Option(["--shortest/--no-shortest"], default=None, help="Solutions: with the fewest moves to their finish"),
        _range("index", INTS, "Solutions: number among all of the board and start"),
        _job(),
    ]


def _rings_options() -> list[click.Option]:
    return [
        _range("clicks", INTS, "Clicks of the best solution known"),
        _range("lower-bound", INTS, "Clicks that are proved to be needed"),
        _flag("optimal", "Whether the best solution is proved shortest"),
        _flag("solved", "Whether a solution is known"),
        click.Option(["--method"], metavar="NAME", help="Solved (or proved) by this method, e.g. beam"),
        _job(),
    ]


def _plain(given: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    return {name: given[name] for name in names if given.get(name) is not None}


def _sudoku_filters(given: Mapping[str, Any]) -> sudoku.Filters:
    return sudoku.Filters(**_plain(given, list(sudoku.Filters.__dataclass_fields__)))


def _rings_filters(given: Mapping[str, Any]) -> rings.Filters:
    return rings.Filters(**_plain(given, list(rings.Filters.__dataclass_fields__)))


def _pegs_filters(given: Mapping[str, Any]) -> pegs.Filters:
    values = _plain(given, ["solutions", "board", "moves", "shortest", "index", "job_id"])
    for name in ("start", "finish"):
        if given.get(name) is not None:
            values[name] = hole(given.get("board"), given[name])
    if any(given.get(name) is not None for name in ("finish", "shortest", "index")):
        values["solutions"] = True  # only solutions have these
    return pegs.Filters(**values)


def hole(board: str | None, text: str) -> int:
    """Return a hole's number from its number or, if the board is known, its name. Raise `CliError` (exit 2) otherwise."""
    if text.isdecimal():
        return int(text)
    if board is None:
        raise CliError(f"hole {text!r}: give its number, or --board as well so that its name means something", Exit.USAGE)
    from engine.pegs.catalogue import find_board  # noqa: PLC0415  # brings compiled kernels; only names of holes need it

    return find_board(board).hole(text)


SUDOKU = BankFamily(
    name="sudoku",
    what="sudokus",
    options=_sudoku_options,
    filters=_sudoku_filters,
    query=sudoku.query,
    sorts=lambda _filters: list(sudoku.SORTS),
    columns=lambda _filters: ["id", "puzzle", "clues", "er", "level", "status"],
    line=lambda row: str(row["puzzle"]),
    examples=["--er 3.0..4.5 --clues ..24 --limit 10 --json", "--technique x-wing --sort -er"],
)

PEGS = BankFamily(
    name="pegs",
    what="peg solitaire enumerations and solutions",
    options=_pegs_options,
    filters=_pegs_filters,
    query=pegs.query,
    sorts=lambda filters: list(pegs.SOLUTION_SORTS if filters.solutions else pegs.SORTS),
    columns=lambda filters: (
        ["id", "board", "start", "finish", "index", "moves", "jumps"]
        if filters.solutions
        else ["id", "board", "start", "positions", "solutions", "games", "min_moves"]
    ),
    line=lambda row: str(row["jumps"]) if "jumps" in row else f"{row['board']} {row['start']}",
    examples=["--board triangle-15", "--board triangle-15 --start 0 --finish 0 --shortest"],
)

RINGS = BankFamily(
    name="rings",
    what="five rings positions",
    options=_rings_options,
    filters=_rings_filters,
    query=rings.query,
    sorts=lambda _filters: list(rings.SORTS),
    columns=lambda _filters: ["id", "state", "lower_bound", "best_clicks", "optimal_clicks"],
    line=lambda row: str(row["state"]),
    examples=["--clicks 30.. --sort -clicks", "--optimal --method ida --json"],
)

FAMILIES = (SUDOKU, PEGS, RINGS)
