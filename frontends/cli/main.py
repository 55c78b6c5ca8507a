"""`puzzlemill`: the root of the command line. Subcommands are imported when they are called; errors end here."""

import contextlib
import os
import sys
from typing import Any, NoReturn

import click

from frontends.cli.commands import Lazy, LazyGroup
from frontends.cli.common import shared_options
from frontends.cli.failures import translate

SERVICE = "Jobs and results"
DIRECT = "Straight to the engine: no database, no queue; for pipes"
OPERATE = "Running the service"
OTHER = "Other"

COMMANDS = {
    "job": Lazy("frontends.cli.job", "group", "Submit, run, watch and steer jobs.", SERVICE),
    "bank": Lazy("frontends.cli.bank", "group", "Query, show, export and verify what is in the database.", SERVICE),
    "demo": Lazy("frontends.cli.demo", "demo", "Run the main job end to end in a few minutes.", SERVICE),
    "sudoku": Lazy("frontends.cli.sudoku", "group", "Solve, rate, explain, generate and canonicalize sudokus.", DIRECT),
    "pegs": Lazy("frontends.cli.pegs", "group", "Solve and enumerate peg solitaire boards.", DIRECT),
    "rings": Lazy("frontends.cli.rings", "group", "Scramble, solve and prove five rings positions.", DIRECT),
    "up": Lazy("frontends.cli.cluster", "up", "Run the embedded service until Ctrl-C.", OPERATE),
    "worker": Lazy("frontends.cli.cluster", "worker", "Run a cluster's worker on this machine.", OPERATE),
    "keeper": Lazy("frontends.cli.cluster", "keeper", "Run a cluster's keeper: it dispatches and recovers chunks.", OPERATE),
    "db": Lazy("frontends.cli.dbcmd", "group", "Create, upgrade and check the database schema.", OPERATE),
    "doctor": Lazy("frontends.cli.doctor", "doctor", "Check database, broker, workers, kernels and versions.", OPERATE),
    "bench": Lazy("frontends.cli.bench_cmd", "bench", "Run a benchmark of the installed program.", OTHER),
    "completion": Lazy("frontends.cli.completion", "completion", "Print the shell's completion script.", OTHER),
}


EXIT_CODES = (
    "Exit codes: 0 ok, 1 failure, 2 usage or bad input, 3 finished with quarantined chunks,",
    "            4 not found, 5 database or broker unreachable, 130 interrupted.",
)


class Root(LazyGroup):
    """The root group: turns every error into a message and an exit code, and a returned number into the exit code."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command and flush its output while an error can still be reported."""
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:
            _hush()
            ctx.exit(0)  # the reader has had all it wanted, as with `... | head`
        except BaseException as error:
            with contextlib.suppress(BrokenPipeError):
                sys.stdout.flush()
            failure = translate(error)
            if failure is None:
                raise
            raise failure from error
        if isinstance(result, int) and not isinstance(result, bool):
            ctx.exit(int(result))
        return result


def _hush() -> None:
    """Send the rest of stdout nowhere, so that the interpreter's last flush does not complain about the closed pipe."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _version(ctx: click.Context, _param: click.Parameter, value: bool) -> None:  # noqa: FBT001  # click's callback signature
    if not value:
        return
    from importlib.metadata import version  # noqa: PLC0415  # only for this option

    from engine.version import ENGINE_VERSION  # noqa: PLC0415  # only for this option

    click.echo(f"puzzlemill {version('puzzlemill')} (engine {ENGINE_VERSION})")
    ctx.exit()


@click.group(
    cls=Root,
    table=COMMANDS,
    notes=EXIT_CODES,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Print the versions.")
@shared_options
def cli() -> None:
    """Batch solving for three puzzle families: five rings, peg solitaire and sudoku banks.

    A queue farms chunks of work out to worker processes, and a database keeps every result. Nothing needs to be set up:
    the default is a SQLite file and a file spool in the data folder. Start with `puzzlemill demo`.
    """


def main() -> NoReturn:
    """Run the command line and exit."""
    try:
        cli(prog_name="puzzlemill")
    except KeyboardInterrupt:  # outside of any command, e.g. while importing
        sys.exit(130)
    sys.exit(0)
