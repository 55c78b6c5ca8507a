"""`puzzlemill bank verify`: stored results are computed anew and compared."""

import time
from collections import Counter

import click

from db.verify import verify as verify_stored
from engine import registry
from frontends.cli.commands import Command
from frontends.cli.common import json_option, settings, shared_options
from frontends.cli.output import Exit, Talk, chatty, echo, emit, say
from frontends.cli.service import opened
from frontends.cli.tables import cell

TOLD = 100
"""Wrong results named one by one; all are counted."""

LONGEST = 300
"""Characters of what is wrong with one result."""

SAY_SECONDS = 5.0


@click.command(
    cls=Command,
    examples=["puzzlemill bank verify", "puzzlemill bank verify sudoku --limit 1000", "puzzlemill bank verify --job 12 --json"],
)
@click.argument("family", required=False)
@click.option("--job", "job_id", type=int, metavar="JOB", help="This job only: its chunks are run again and digests compared")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="At most N results of each family")
@json_option
@shared_options
def verify(family: str | None, job_id: int | None, limit: int | None, *, as_json: bool) -> int:
    """Check stored results again, by computing them anew.

    Solutions are replayed, uniqueness is proved again, ratings are explained again, counts are counted again. The exit code is
    1 if one result is wrong, and the message says which.
    """
    made = settings()
    checked: Counter[str] = Counter()
    wrong = []
    with opened(made) as store:
        if family is not None and family not in registry.families():
            raise click.BadParameter(f"{family!r} is none of {', '.join(registry.families())}", param_hint="FAMILY")
        if job_id is not None:
            store.job(job_id)
        next_word = time.monotonic() + SAY_SECONDS
        for outcome in verify_stored(store.engine, family, job_id, limit, artifact_dir=made.artifact_dir):
            checked[outcome.family] += 1
            if not outcome.ok:
                wrong.append(outcome)
                if len(wrong) <= TOLD:
                    say(f"{outcome.family}, {outcome.label}: {_short(outcome.problem or '')}")
            if chatty() and time.monotonic() > next_word:
                next_word = time.monotonic() + SAY_SECONDS
                say(f"{checked.total():,} checked, {len(wrong):,} wrong ...")
    if as_json:
        emit(
            {
                "ok": not wrong,
                "checked": checked.total(),
                "wrong": len(wrong),
                "families": dict(checked),
                "problems": [outcome.as_json() for outcome in wrong[:TOLD]],
            }
        )
    else:
        by_family = ", ".join(f"{cell(count)} {name}" for name, count in checked.items()) or "nothing stored"
        echo(f"{cell(checked.total())} checked ({by_family}): {f'{len(wrong):,} wrong' if wrong else 'all hold'}")
    return Exit.FAILURE if wrong else Exit.OK


def _short(problem: str) -> str:
    return problem if len(problem) <= LONGEST or Talk.verbose else f"{problem[:LONGEST]} ... (all of it with --verbose)"
