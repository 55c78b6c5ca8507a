"""`puzzlemill db`: the database schema."""

import click

from db import schema
from frontends.cli.commands import LazyGroup
from frontends.cli.common import json_option, settings, shared_options
from frontends.cli.output import Exit, echo, emit, say


@click.group(cls=LazyGroup)
@shared_options
def group() -> None:
    """Create, upgrade and check the database schema.

    A SQLite database is created and upgraded by itself; a PostgreSQL one only by `puzzlemill db upgrade`.
    """


@group.command(examples=["puzzlemill db upgrade --database-url postgresql://puzzlemill@db.example/puzzlemill"])
@json_option
@shared_options
def upgrade(*, as_json: bool) -> None:
    """Create the tables, or bring them to this version's schema.

    Safe to repeat, safe to start twice, and safe while workers compute.
    """
    url = settings().effective_database_url()
    before = schema.current(url)
    after = schema.upgrade(url)
    if as_json:
        emit({"before": before, "revision": after, "head": schema.head()})
    else:
        say(f"already at {after}" if before == after else f"upgraded from {before or 'nothing'} to {after}")


@group.command()
@json_option
@shared_options
def check(*, as_json: bool) -> int:
    """Say whether the schema is this version's; exit code 5 if it is not."""
    revision, head = schema.current(settings().effective_database_url()), schema.head()
    good = revision == head
    if as_json:
        emit({"ok": good, "revision": revision, "head": head})
    else:
        echo(f"schema at {revision or 'nothing'}, this version needs {head}: {'ok' if good else 'run `puzzlemill db upgrade`'}")
    return Exit.OK if good else Exit.UNREACHABLE


@group.command()
@json_option
@shared_options
def current(*, as_json: bool) -> None:
    """Print the schema's revision."""
    revision = schema.current(settings().effective_database_url())
    if as_json:
        emit({"revision": revision, "head": schema.head()})
    else:
        echo(revision or "none")
