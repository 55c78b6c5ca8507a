"""A job as JSON and as text: one shape for `submit`, `run`, `watch`, `list`, `show` and the demo."""

import os
import time
from typing import Any

from db.models import JobState
from db.store import JobView
from engine.jobs import JsonObject
from frontends.cli.output import Exit, echo, emit, say
from frontends.cli.tables import cell, duration, pairs, rate, table

EXIT_OF_STATE = {
    JobState.DONE: Exit.OK,
    JobState.PARTIAL: Exit.QUARANTINED,
    JobState.CANCELLED: Exit.FAILURE,
    JobState.FAILED: Exit.FAILURE,
}


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def as_json(view: JobView) -> JsonObject:
    """Return the store's keys with the contract's short ones: job, items, chunks, seconds."""
    return {
        "job": view.id,
        "kind": view.kind,
        "state": str(view.state),
        "items": view.items_done,
        "chunks": view.chunk_count,
        "seconds": round(view.elapsed, 3),
        "digest": view.digest,
        **{key: value for key, value in view.as_json().items() if key not in ("id", "kind", "state", "digest")},
    }


def size(view: JobView) -> str:
    """Return how big the job is: `1,000 items in 4 chunks`."""
    return f"{cell(view.items_expected)} items in {cell(view.chunk_count)} chunks"


def standing(view: JobView) -> str:
    """Return state and progress in a few words."""
    words = "paused" if view.paused and not view.closed else str(view.state)
    if view.cancel_requested and not view.closed:
        words = "being cancelled"
    parts = [f"{words}, {cell(view.items_done)} of {cell(max(view.items_expected, view.items_done))} items"]
    parts.append(f"{cell(view.chunks_done)} of {cell(view.chunk_count)} chunks")
    if view.chunks_quarantined:
        parts.append(f"{cell(view.chunks_quarantined)} quarantined")
    if view.stage_label and not view.closed:
        parts.append(view.stage_label)
    return ", ".join(parts)


def text(view: JobView) -> str:
    """Return all about a job for people."""
    values: dict[str, Any] = {
        "job": f"{view.id} ({view.kind})",
        "state": standing(view),
        "parameters": " ".join(f"{name}={_short(value)}" for name, value in view.params.items() if value is not None),
        "seed": str(view.seed),
        "engine": view.engine_version,
        "priority": view.priority or None,
        "key": view.idempotency_key,
        "submitted": clock(view.created_at),
        "started": clock(view.started_at),
        "finished": clock(view.finished_at),
        "took": f"{duration(view.elapsed)}, {rate(view.items_done, view.elapsed)}" if view.started_at else None,
        "results": view.results or None,
        "digest": view.digest,
        "error": view.error,
    }
    shown = pairs({name: value for name, value in values.items() if value not in (None, "")})
    return f"{shown}\n{summary_text(view.summary)}".rstrip() if view.summary else shown


def _short(value: Any) -> str:
    shown = ("yes" if value else "no") if isinstance(value, bool) else str(value)
    first = shown.strip().split("\n", 1)[0]
    return shown if first == shown and len(shown) <= 60 else f"{first[:57]}..."


def summary_text(summary: JsonObject) -> str:
    """Return a kind's summary as indented lines; a list or mapping of objects becomes a table."""
    plain = {key.replace("_", " "): value for key, value in summary.items() if not _rows(key, value)}
    blocks = [pairs(plain)] if plain else []
    for key, value in summary.items():
        if rows := _rows(key, value):
            names = list(dict.fromkeys(name for row in rows for name in row))
            headings = [name.replace("_", " ") for name in names]
            blocks.append(table(headings, [[row.get(name) for name in names] for row in rows]))
    return "\n\n".join("\n".join(f"  {line}" for line in block.split("\n")) for block in blocks)


def _rows(key: str, value: object) -> list[JsonObject]:
    """Return the rows of a table, if `value` is one: a list of objects, or objects by name."""
    if isinstance(value, dict) and value and all(isinstance(row, dict) for row in value.values()):
        named = all(key.removesuffix("s") in row for row in value.values())
        return [row if named else {key: name, **row} for name, row in value.items()]
    if isinstance(value, list) and value and all(isinstance(row, dict) for row in value):
        return value
    return []


def clock(at: float | None) -> str | None:
    """Return a time of day in the local zone."""
    return None if at is None else time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(at))


def report(view: JobView, *, as_json: bool, refused: int = 0) -> int:
    """Print how a job ended, and return the command's exit code."""
    if as_json:
        emit({**_json(view), "refused": refused})
    else:
        echo(text(view))
    if view.state is JobState.PARTIAL:
        say(
            f"{view.chunks_quarantined} chunks are quarantined: `puzzlemill job chunks {view.id} --state quarantined` says "
            f"why, `puzzlemill job retry {view.id}` tries them again"
        )
    if refused:
        say(f"{refused:,} input line{'s were' if refused > 1 else ' was'} refused; the others are done")
    code = EXIT_OF_STATE[view.state]
    return Exit.USAGE if code is Exit.OK and refused else code


_json = as_json  # `report` has a flag of that name
