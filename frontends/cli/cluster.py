"""`puzzlemill up|worker|keeper`: the processes that compute, each until it is told to stop."""

import click

from frontends.cli.commands import Command
from frontends.cli.common import SLOTS, settings, shared_options
from frontends.cli.jobtext import cores
from frontends.cli.output import say
from frontends.cli.service import opened
from workers.supervisor import Supervisor, run_keeper, run_worker


@click.command(cls=Command, examples=["puzzlemill up", "puzzlemill up --slots 4 --data-dir /srv/puzzles"])
@click.option("--slots", type=click.IntRange(1, 1024), metavar="N", help=SLOTS)
@shared_options
def up(slots: int | None) -> None:
    """Run the embedded service until Ctrl-C.

    Workers and keeper in one: jobs sent by `job submit` are computed as they come. Nothing else needs to run.
    """
    made = settings()
    with opened(made):
        pass  # the database is made, or said to be unusable, before anything starts
    number = slots or made.slots or cores()
    say(f"{number} worker processes on {made.data_dir}; Ctrl-C stops them, `puzzlemill job submit` feeds them")
    with Supervisor(made, number, on_event=say) as supervisor:
        try:
            supervisor.run()
        except KeyboardInterrupt:
            say("stopping at the end of the slice (Ctrl-C once more: at once) ...")


@click.command(
    cls=Command,
    examples=["puzzlemill worker --database-url postgresql://puzzlemill@db/puzzlemill --broker-url redis://redis:6379/0"],
)
@click.option("--slots", type=click.IntRange(1, 1024), metavar="N", help=SLOTS)
@shared_options
def worker(slots: int | None) -> int:
    """Run a cluster's worker on this machine.

    Any number may run, on any number of machines. SIGTERM lets the slices end, gives the chunks back and exits with 0.
    """
    return run_worker(settings(), slots)


@click.command(
    cls=Command,
    examples=["puzzlemill keeper --database-url postgresql://puzzlemill@db/puzzlemill --broker-url redis://redis:6379/0"],
)
@shared_options
def keeper() -> int:
    """Run a cluster's keeper: it dispatches and recovers chunks.

    One is enough; a second is safe and takes over without a pause if the first dies.
    """
    return run_keeper(settings())
