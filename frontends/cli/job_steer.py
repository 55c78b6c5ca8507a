"""`puzzlemill job pause|resume|cancel|retry`."""

from collections.abc import Callable

import click

from db.store import JobView, Store
from frontends.cli import jobtext
from frontends.cli.commands import Command
from frontends.cli.common import json_option, settings, shared_options
from frontends.cli.output import emit, say
from frontends.cli.service import opened


def _steer(number: int, act: Callable[[Store], JobView], *, as_json: bool) -> None:
    made = settings()
    with opened(made) as store:
        view = act(store)
    if as_json:
        emit(jobtext.as_json(view))
    else:
        say(f"job {number}: {jobtext.standing(view)}")


@click.command(cls=Command, examples=["puzzlemill job pause 12"])
@click.argument("number", metavar="JOB", type=int)
@json_option
@shared_options
def pause(number: int, *, as_json: bool) -> None:
    """Pause a job: running chunks stop at their next slice.

    It stays paused, whatever is restarted, until `job resume`.
    """
    _steer(number, lambda store: store.pause(number), as_json=as_json)


@click.command(cls=Command, examples=["puzzlemill job resume 12"])
@click.argument("number", metavar="JOB", type=int)
@json_option
@shared_options
def resume(number: int, *, as_json: bool) -> None:
    """Let a paused job go on."""
    _steer(number, lambda store: store.resume(number), as_json=as_json)


@click.command(cls=Command, examples=["puzzlemill job cancel 12"])
@click.argument("number", metavar="JOB", type=int)
@json_option
@shared_options
def cancel(number: int, *, as_json: bool) -> None:
    """Cancel a job; the results it has stay."""
    _steer(number, lambda store: store.cancel(number), as_json=as_json)


@click.command(cls=Command, examples=["puzzlemill job retry 12"])
@click.argument("number", metavar="JOB", type=int)
@json_option
@shared_options
def retry(number: int, *, as_json: bool) -> None:
    """Give a job's quarantined chunks another try.

    Why they failed: `puzzlemill job chunks JOB --state quarantined`.
    """
    _steer(number, lambda store: store.retry(number), as_json=as_json)
