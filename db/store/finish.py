"""Finishing a chunk: its results and its `done` in one transaction, or neither."""

from collections.abc import Mapping

from sqlalchemy import Connection, select, update

from db.clock import read_now
from db.models import Chunk, ChunkState, Job
from db.results import items
from db.results.common import JobContext, StoredFile
from db.store.lease import Claim, holds
from db.store.states import Event, chunk_target
from db.store.terms import Happened, NothingDone, Terms, lock_jobs, log
from engine.jobs import ChunkResult


def state_of(conn: Connection, claim: Claim) -> str | None:
    """Return the state of the claim's chunk, or None if the claim is not the chunk's last one."""
    mine = (Chunk.id == claim.chunk_id) & (Chunk.lease_token == claim.token)
    return conn.execute(select(Chunk.state).where(mine)).scalar_one_or_none()


def finish(
    conn: Connection, terms: Terms, claim: Claim, *, result: ChunkResult, digest: str, files: Mapping[int, StoredFile]
) -> bool:
    """Store the results and mark the chunk done; True also if this very claim has done so before.

    False, with nothing written, if the lease was lost before; `NothingDone` if it is found lost at the end.
    """
    state = state_of(conn, claim)
    if state == ChunkState.DONE:
        return True  # the answer to an earlier commit was lost on the way
    if state != ChunkState.RUNNING:
        return False
    context = JobContext(claim.job_id, claim.spec.stage, claim.spec.index, read_now(conn, terms.clock), files)
    rows = items.store_records(conn, context, result.records)
    lock_jobs(conn, [claim.job_id])
    expected = conn.execute(
        update(Chunk)
        .where(holds(claim))
        .values(
            state=chunk_target(Event.DONE),
            lease_until=None,
            finished_at=terms.now(),
            result_items=len(rows),
            result_digest=digest,
            summary=result.summary,
            last_error=None,
        )
        .returning(Chunk.items_expected)
    ).scalar_one_or_none()
    if expected is None:
        raise NothingDone
    items.insert(conn, rows)
    conn.execute(
        update(Job).where(Job.id == claim.job_id).values(chunks_done=Job.chunks_done + 1, items_done=Job.items_done + expected)
    )
    log(conn, terms, Happened(claim.job_id, Event.DONE, claim.chunk_id, claim.worker, f"{len(rows)} results"))
    return True
