"""`puzzlemill job`: the group; its commands live in the `job_*` modules."""

import click

from frontends.cli.commands import Lazy, LazyGroup
from frontends.cli.common import shared_options

START = "Starting"
LOOK = "Looking"
STEER = "Steering"

COMMANDS = {
    "kinds": Lazy("frontends.cli.job_views", "kinds", "List the kinds of jobs.", START),
    "run": Lazy("frontends.cli.job_start", "run", "Submit a job, compute it here, and wait for its end.", START),
    "submit": Lazy("frontends.cli.job_start", "submit", "Submit a job and return at once.", START),
    "list": Lazy("frontends.cli.job_views", "list_jobs", "List jobs, newest first.", LOOK),
    "show": Lazy("frontends.cli.job_views", "show", "Show one job: parameters, progress, summary.", LOOK),
    "watch": Lazy("frontends.cli.job_watch", "watch", "Follow a job to its end.", LOOK),
    "chunks": Lazy("frontends.cli.job_views", "chunks", "List a job's chunks.", LOOK),
    "events": Lazy("frontends.cli.job_views", "events", "Print a job's event log.", LOOK),
    "pause": Lazy("frontends.cli.job_steer", "pause", "Pause a job: running chunks stop at their next slice.", STEER),
    "resume": Lazy("frontends.cli.job_steer", "resume", "Let a paused job go on.", STEER),
    "cancel": Lazy("frontends.cli.job_steer", "cancel", "Cancel a job; the results it has stay.", STEER),
    "retry": Lazy("frontends.cli.job_steer", "retry", "Give a job's quarantined chunks another try.", STEER),
}


@click.group(cls=LazyGroup, table=COMMANDS)
@shared_options
def group() -> None:
    """Submit, run, watch and steer jobs.

    A job is planned into chunks, which worker processes compute; its state is in the database and survives anything that
    happens to them. `puzzlemill job run KIND --help` explains the options of one kind.
    """
