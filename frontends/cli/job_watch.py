"""`puzzlemill job watch`: follow a job to its end, computing it where nothing else would."""

import click

from frontends.cli import jobtext
from frontends.cli.commands import Command
from frontends.cli.common import SLOTS, json_option, settings, shared_options
from frontends.cli.follow import follow
from frontends.cli.service import opened


@click.command(cls=Command, examples=["puzzlemill job watch 12", "puzzlemill job watch 12 --no-workers --json"])
@click.argument("number", metavar="JOB", type=int)
@click.option("--slots", type=click.IntRange(1, 1024), metavar="N", help=SLOTS)
@click.option(
    "--workers/--no-workers",
    default=None,
    help="Compute here too, or only look  [default: workers if the database is the embedded one]",
)
@json_option
@shared_options
def watch(number: int, *, slots: int | None, workers: bool | None, as_json: bool) -> int:
    """Follow a job to its end.

    With the embedded database it also computes, unless another process already does. The exit code is that of `job run`.
    """
    made = settings()
    with opened(made) as store:
        store.job(number)  # not found is said before any worker starts
        compute = made.embedded_database if workers is None else workers
        view = follow(store, made, number, workers=compute, slots=slots)
    return jobtext.report(view, as_json=as_json)
