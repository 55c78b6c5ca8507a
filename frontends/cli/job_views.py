"""`puzzlemill job kinds|list|show|chunks|events`: looking at jobs."""

import time

import click

from db.models import ChunkState, JobState
from db.store import EventView
from engine import registry
from frontends.cli import jobtext
from frontends.cli.commands import Command
from frontends.cli.common import json_option, settings, shared_options
from frontends.cli.options import option_name
from frontends.cli.output import echo, emit, say
from frontends.cli.service import opened
from frontends.cli.tables import table

FOLLOW_SECONDS = 0.5
"""How often `job events --follow` looks for new lines."""


@click.command(cls=Command, examples=["puzzlemill job kinds", "puzzlemill job kinds --json"])
@json_option
@shared_options
def kinds(*, as_json: bool) -> None:
    """List the kinds of jobs.

    With --json also each kind's parameters, as a JSON Schema.
    """
    registry.add_modules(settings().extra_kind_modules)
    found = registry.kinds()
    if as_json:
        for name, kind in found.items():
            emit(
                {
                    "kind": name,
                    "family": kind.family,
                    "summary": kind.summary,
                    "input": kind.input.value,
                    "params": kind.params_model.model_json_schema(),
                }
            )
        return
    rows = [
        (name, kind.input.value, kind.summary, " ".join(option_name(field) for field in kind.params_model.model_fields))
        for name, kind in found.items()
    ]
    echo(table(["kind", "input", "what it does", "options"], rows))


@click.command("list", cls=Command, examples=["puzzlemill job list", "puzzlemill job list --state running --json"])
@click.option("--state", type=click.Choice([str(state) for state in JobState]), help="Only jobs in this state")
@click.option("--kind", metavar="KIND", help="Only jobs of this kind")
@click.option("--limit", type=click.IntRange(1, 10_000), default=20, show_default=True, help="At most so many")
@click.option("--before", type=int, metavar="JOB", help="Only jobs older than this one (for the next page)")
@json_option
@shared_options
def list_jobs(state: str | None, kind: str | None, limit: int, before: int | None, *, as_json: bool) -> None:
    """List jobs, newest first."""
    made = settings()
    with opened(made) as store:
        if kind is not None:
            registry.kind(kind)  # an unknown kind is an error rather than an empty list
        views = store.jobs(state=state, kind=kind, limit=limit, before_id=before)
    if as_json:
        for view in views:
            emit(jobtext.as_json(view))
        return
    if not views:
        say("no jobs yet; `puzzlemill job kinds` lists what can be done")
        return
    rows = [(str(view.id), view.kind, jobtext.standing(view), jobtext.clock(view.created_at)) for view in views]
    echo(table(["job", "kind", "state", "submitted"], rows))


@click.command(cls=Command, examples=["puzzlemill job show 12", "puzzlemill job show 12 --json"])
@click.argument("number", metavar="JOB", type=int)
@json_option
@shared_options
def show(number: int, *, as_json: bool) -> None:
    """Show one job: parameters, progress, summary."""
    made = settings()
    with opened(made) as store:
        view = store.job(number)
    if as_json:
        emit(jobtext.as_json(view))
    else:
        echo(jobtext.text(view))


@click.command(cls=Command, examples=["puzzlemill job chunks 12 --state quarantined"])
@click.argument("number", metavar="JOB", type=int)
@click.option("--state", type=click.Choice([str(state) for state in ChunkState]), help="Only chunks in this state")
@json_option
@shared_options
def chunks(number: int, state: str | None, *, as_json: bool) -> None:
    """List a job's chunks.

    Each with its state, attempts, progress and, if it failed, the last error.
    """
    made = settings()
    with opened(made) as store:
        views = [view for view in store.chunks(number) if state in (None, view.state)]
    if as_json:
        for view in views:
            emit(view.as_json())
        return
    rows = [
        (
            str(view.stage),
            str(view.index),
            str(view.state),
            view.attempts,
            f"{view.progress_done:,}/{view.progress_total:,}" if view.progress_total else "",
            view.worker,
            (view.last_error or view.note or "").split("\n", 1)[0],
        )
        for view in views
    ]
    echo(table(["stage", "chunk", "state", "attempts", "progress", "worker", "note or last error"], rows))


@click.command(cls=Command, examples=["puzzlemill job events 12", "puzzlemill job events 12 --follow --json"])
@click.argument("number", metavar="JOB", type=int)
@click.option("--after", type=int, default=0, metavar="EVENT", help="Only events after this one")
@click.option("--follow", is_flag=True, help="Go on until the job is finished")
@json_option
@shared_options
def events(number: int, after: int, *, follow: bool, as_json: bool) -> None:
    """Print a job's event log.

    What happened to the job and its chunks, when, and by which worker; oldest first.
    """
    made = settings()
    with opened(made) as store:
        while True:
            finished = store.job(number).closed  # read before the events, so that the last one is not missed
            for view in store.events(number, after_id=after):
                after = view.id
                _print_event(view, as_json=as_json)
            if finished or not follow:
                return
            time.sleep(FOLLOW_SECONDS)


def _print_event(view: EventView, *, as_json: bool) -> None:
    if as_json:
        emit(view.as_json())
        return
    about = "job" if view.chunk_id is None else f"stage {view.stage} chunk {view.index}"
    detail = (view.detail or "").split("\n", 1)[0]
    echo("  ".join(part for part in (jobtext.clock(view.at) or "", about, view.event, view.worker or "", detail) if part))
