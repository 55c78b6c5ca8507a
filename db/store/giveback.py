"""Running chunks that stop running without a result: one set of rules for errors, expired leases, dead workers and releases."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, case, update

from db.models import Chunk, ChunkState, Job
from db.store.states import Event, chunk_sources, chunk_target
from db.store.terms import MAX_BACKOFF, MAX_ERROR, Happened, Terms, log


@dataclass(frozen=True, slots=True)
class Returned:
    """A chunk that was taken from its worker, and the state it is in now."""

    chunk_id: int
    job_id: int
    state: ChunkState


def give_back(
    conn: Connection, terms: Terms, jobs: Sequence[Row[Any]], *, which: ColumnElement[bool], event: Event, reason: str
) -> list[Returned]:
    """Take the chunks `which` of the given jobs (which the caller has locked) from their workers; return them.

    Where to: cancelled, if the job is to be; else, for a release, back to the queue with its attempt not counted; else
    quarantined after the last attempt, or back to the queue: at once, or after an error with a pause that doubles each time.
    """
    returned: list[Returned] = []
    lines: list[Happened] = []
    for job in jobs:
        rows = conn.execute(
            update(Chunk)
            .where(which, Chunk.job_id == job.id, Chunk.state.in_(chunk_sources(event)))
            .values(**_changes(terms, job, event, reason))
            .returning(Chunk.id, Chunk.state, Chunk.attempts, Chunk.worker)
        ).all()
        quarantined = 0
        for row in sorted(rows, key=lambda row: row.id):
            state = ChunkState(row.state)
            quarantined += state is ChunkState.QUARANTINED
            returned.append(Returned(row.id, job.id, state))
            detail = reason if event is Event.RELEASED else f"attempt {row.attempts} of {job.max_attempts}: {reason}"
            lines.append(Happened(job.id, _logged(event, state), row.id, row.worker, detail))
        if quarantined:
            conn.execute(update(Job).where(Job.id == job.id).values(chunks_quarantined=Job.chunks_quarantined + quarantined))
    log(conn, terms, *lines)
    return returned


def _changes(terms: Terms, job: Row[Any], event: Event, reason: str) -> dict[str, Any]:
    changes: dict[str, Any] = {"lease_token": None, "lease_until": None, "dispatched_at": None}
    if event is Event.RELEASED:
        changes["attempts"] = Chunk.attempts - 1
    else:
        changes["last_error"] = reason[:MAX_ERROR]
    if job.cancel_requested:
        return changes | {"state": chunk_target(Event.CANCELLED), "finished_at": terms.now()}
    if event is Event.RELEASED:
        return changes | {"state": chunk_target(event)}
    last = Chunk.attempts >= job.max_attempts
    changes["state"] = case((last, chunk_target(Event.QUARANTINED).value), else_=chunk_target(event).value)
    changes["finished_at"] = case((last, terms.now()))
    if event is Event.FAILED:
        pauses = [(Chunk.attempts == attempt, 2.0 ** (attempt - 1)) for attempt in range(1, 7)]
        changes["not_before"] = terms.now() + case(*pauses, else_=MAX_BACKOFF)
    return changes


def _logged(event: Event, state: ChunkState) -> Event:
    """Return the event that names the edge really taken."""
    return {ChunkState.QUARANTINED: Event.QUARANTINED, ChunkState.CANCELLED: Event.CANCELLED}.get(state, event)
