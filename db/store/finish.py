"""Finishing a chunk: its results and its `done` in one transaction, or neither."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from sqlalchemy import Connection, Update, bindparam, select, update

from db.models import Chunk, ChunkState, Job
from db.results import items
from db.results.common import JobContext, StoredFile
from db.store.lease import HOLDS, Claim, fence
from db.store.states import Event, chunk_target
from db.store.terms import Happened, NothingDone, Terms, log
from engine.jobs import ChunkResult, Record

MANY_ROWS: Final = 20_000
"""Fewer are written well within any sensible lease."""

ROWS_PER_SECOND: Final = 2000
"""Rows written in a second, on a slow and busy machine: an idle one does twenty times as many."""

_MINE: Final = (Chunk.id == bindparam("my_chunk")) & (Chunk.lease_token == bindparam("my_token"))
_STATE: Final = select(Chunk.state).where(_MINE)
_EXPECTED: Final = select(Chunk.items_expected).where(Chunk.id == bindparam("my_chunk")).scalar_subquery()
_COUNT: Final = (
    update(Job)
    .where(Job.id == bindparam("my_job"))
    .values(chunks_done=Job.chunks_done + 1, items_done=Job.items_done + _EXPECTED)
)


def _look(terms: Terms) -> Any:
    return select(Chunk.state, terms.now().label("now")).where(_MINE)


def _end(terms: Terms) -> Update:
    return (
        update(Chunk)
        .where(HOLDS)
        .values(
            state=chunk_target(Event.DONE),
            lease_until=None,
            finished_at=terms.now(),
            result_items=bindparam("items"),
            result_digest=bindparam("digest"),
            summary=bindparam("new_summary", type_=Chunk.summary.type),
            last_error=None,
        )
    )


def examples(records: Sequence[Record]) -> Collection[Record]:
    """Return a record of each class: those of one class have the same attributes."""
    return {type(record): record for record in records}.values()


def rows_of(result: ChunkResult) -> int:
    """Return about how many rows the result will be: a record may bring others with it, as an enumeration its solutions."""
    records = result.records
    if not any(hasattr(record, "solutions") for record in examples(records)):
        return len(records)
    return sum(1 + len(getattr(record, "solutions", ())) for record in records)


def hold_on(conn: Connection, terms: Terms, claim: Claim, rows: int) -> None:
    """Extend the lease by the time that writing so many rows may take, if it still holds."""
    lease_until = terms.now() + terms.lease_seconds + rows / ROWS_PER_SECOND
    conn.execute(update(Chunk).where(HOLDS).values(lease_until=lease_until), fence(claim))


def state_of(conn: Connection, claim: Claim) -> str | None:
    """Return the state of the claim's chunk, or None if the claim is not the chunk's last one."""
    return conn.execute(_STATE, fence(claim)).scalar_one_or_none()


def finish(
    conn: Connection, terms: Terms, claim: Claim, *, result: ChunkResult, digest: str, files: Mapping[int, StoredFile]
) -> bool:
    """Store the results and mark the chunk done; True also if this very claim has done so before.

    False, with nothing written, if the lease was lost before; `NothingDone` if it is found lost at the end.
    """
    seen = conn.execute(terms.built(_look), fence(claim)).one_or_none()
    if seen is not None and seen.state == ChunkState.DONE:
        return True  # the answer to an earlier commit was lost on the way
    if seen is None or seen.state != ChunkState.RUNNING:
        return False
    context = JobContext(claim.job_id, claim.spec.stage, claim.spec.index, seen.now, files)
    rows = items.store_records(conn, context, result.records)
    # The counters first, which lock the job: a job is always locked before its chunks. All is undone if the fence then holds.
    conn.execute(_COUNT, {"my_chunk": claim.chunk_id, "my_job": claim.job_id})
    facts = {"items": len(rows), "digest": digest, "new_summary": result.summary}
    if not conn.execute(terms.built(_end), fence(claim) | facts).rowcount:
        raise NothingDone
    items.insert(conn, rows)
    log(conn, terms, Happened(claim.job_id, Event.DONE, claim.chunk_id, claim.worker, f"{len(rows)} results"))
    return True
