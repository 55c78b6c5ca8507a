"""`puzzlemill rings tables`: the distance tables, built and checked."""

from dataclasses import dataclass

import click

from engine.jobs import JsonObject
from engine.rings.model import Puzzle
from engine.rings.tablecare import (
    TableReport,
    look,
    look_at_soft,
    look_at_unions,
    mending,
    mending_soft,
    mending_unions,
)
from engine.rings.unions import MOST_RINGS, union_tables
from frontends.cli.commands import Command
from frontends.cli.common import json_option, shared_options
from frontends.cli.output import CliError, Exit, chatty, echo, emit, say
from frontends.cli.rings_puzzle import puzzle_options
from frontends.cli.rings_show import watched
from frontends.cli.tables import pairs

FORETOLD_FROM = 100_000_000
"""Entries from which on the cost is said before it is paid."""


@click.command(
    cls=Command,
    examples=[
        "puzzlemill rings tables",
        "puzzlemill rings tables --unions",
        "puzzlemill rings tables --check --unions --json",
        "puzzlemill rings tables --rings 4 --beads 6",
    ],
)
@click.option("--check", "only_check", is_flag=True, help="Only check them; exit code 1 if one is missing or damaged.")
@click.option("--unions", "with_unions", is_flag=True, help="Also the tables of two colours: 2.3 GB, a few minutes.")
@click.option("--rebuild", is_flag=True, help="Build them even if they are whole.")
@puzzle_options
@json_option
@shared_options
def tables(*, only_check: bool, with_unions: bool, rebuild: bool, puzzle: Puzzle, as_json: bool) -> int:
    """Build and check the distance tables.

    Those that are missing or damaged are built: that of one colour's distances, and for five rings that of soft distances, by
    which beams judge. Searches do that too, the first time they need one, but for the two tables of unions of two colours, with
    which shortest solutions of random states can be proved: they are built only here. Tables lie in the user's cache folder, or
    where PUZZLEMILL_TABLES says; all processes map the same files.
    """
    if only_check and rebuild:
        raise CliError("choose one of --check and --rebuild", Exit.USAGE)
    if with_unions and not union_tables(puzzle):
        raise CliError(f"{puzzle}: has no tables of unions (4 to {MOST_RINGS} rings, and not too many beads)", Exit.USAGE)
    found = _look(puzzle) if only_check else _build(puzzle, rebuild, with_unions)
    if as_json:
        soft = None if found.soft is None else _fields(found.soft)
        emit({**_fields(found.colour), "soft": soft, "unions": [_fields(one) for one in found.unions]})
    else:
        echo("\n\n".join(_text(one) for one in (*found.needed, *found.unions)))
    needed = (*found.needed, *(found.unions if with_unions else ()))
    return Exit.OK if all(one.is_usable for one in needed) else Exit.FAILURE


@dataclass(frozen=True, slots=True)
class _Found:
    """The puzzle's tables, or those it can have."""

    colour: TableReport
    soft: TableReport | None
    unions: list[TableReport]

    @property
    def needed(self) -> tuple[TableReport, ...]:
        """Those that searches build where they find none."""
        return (self.colour,) if self.soft is None else (self.colour, self.soft)


def _look(puzzle: Puzzle) -> _Found:
    colour = look(puzzle)
    return _Found(colour, look_at_soft(puzzle, colour), look_at_unions(puzzle))


def _build(puzzle: Puzzle, rebuild: bool, with_unions: bool) -> _Found:  # noqa: FBT001  # options
    try:
        colour = watched("building the distance table", mending(puzzle, anew=rebuild), _share)
        soft = watched("building the table of soft distances", mending_soft(puzzle, colour, anew=rebuild), _share)
        if not with_unions:
            return _Found(colour, soft, look_at_unions(puzzle, anew=False))
        tables = union_tables(puzzle)
        if chatty() and tables[0].entries >= FORETOLD_FROM:
            size = sum(table.size for table in tables) / 1e9
            say(f"tables of unions: a few minutes on two cores, {size:.1f} GB of memory meanwhile, {size:.1f} GB on disk")
        return _Found(colour, soft, watched("building the tables of unions", mending_unions(puzzle, anew=rebuild), _share))
    except OSError as error:
        raise CliError(f"the table cannot be kept: {error}; PUZZLEMILL_TABLES names another folder") from None


def _share(share: float) -> str:
    return f"{share:.0%}"


def _fields(report: TableReport) -> JsonObject:
    return {
        "name": report.name,
        "condition": str(report.condition),
        "path": str(report.path),
        "bytes": report.bytes,
        "entries": report.entries,
        "farthest": report.farthest,
        "detail": report.detail,
    }


def _text(report: TableReport) -> str:
    facts = {
        "table": report.name,
        "condition": str(report.condition),
        "file": str(report.path),
        "bytes": report.bytes,
        "entries": report.entries,
        "farthest": None if report.farthest is None else f"{report.farthest} clicks",
        "was": report.detail,
    }
    return pairs({name: value for name, value in facts.items() if value not in (None, "")})
