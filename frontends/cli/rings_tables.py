"""`puzzlemill rings tables`: the distance tables, built and checked."""

import click

from engine.rings.model import Puzzle
from engine.rings.tablecare import TableReport, look, mending
from frontends.cli.commands import Command
from frontends.cli.common import json_option, shared_options
from frontends.cli.output import CliError, Exit, echo, emit
from frontends.cli.rings_puzzle import puzzle_options
from frontends.cli.rings_show import watched
from frontends.cli.tables import pairs


@click.command(
    cls=Command,
    examples=[
        "puzzlemill rings tables",
        "puzzlemill rings tables --check --json",
        "puzzlemill rings tables --rings 4 --beads 6",
    ],
)
@click.option("--check", "only_check", is_flag=True, help="Only check them; exit code 1 if one is missing or damaged.")
@click.option("--rebuild", is_flag=True, help="Build them even if they are whole.")
@puzzle_options
@json_option
@shared_options
def tables(*, only_check: bool, rebuild: bool, puzzle: Puzzle, as_json: bool) -> int:
    """Build and check the distance tables.

    Those that are missing or damaged are built. Searches do that too, the first time they need one. Tables lie in the user's
    cache folder, or where PUZZLEMILL_TABLES says; all processes map the same file.
    """
    if only_check and rebuild:
        raise CliError("choose one of --check and --rebuild", Exit.USAGE)
    if only_check:
        report = look(puzzle)
    else:
        try:
            report = watched("building the distance table", mending(puzzle, anew=rebuild), lambda share: f"{share:.0%}")
        except OSError as error:
            raise CliError(f"the table cannot be kept: {error}; PUZZLEMILL_TABLES names another folder") from None
    if as_json:
        emit(
            {
                "name": report.name,
                "condition": str(report.condition),
                "path": str(report.path),
                "bytes": report.bytes,
                "entries": report.entries,
                "farthest": report.farthest,
                "detail": report.detail,
            }
        )
    else:
        echo(_text(report))
    return Exit.OK if report.is_usable else Exit.FAILURE


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
