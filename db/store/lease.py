"""A chunk's lease: claim, heartbeat, finish, fail, release.

Each claim gets a fresh token, and every later statement of that claim is conditional on it: who has lost the lease changes
nothing, however late it wakes. The token is the fence, not the time: a lease that has run out but that nobody has taken back
yet may still be extended or finished.
"""

import secrets
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

from sqlalchemy import Connection, Update, and_, bindparam, exists, select, update

from db.models import Chunk, ChunkState, Job
from db.store.giveback import give_back
from db.store.states import OPEN_JOBS, Event, chunk_sources, chunk_target, job_sources, job_target
from db.store.terms import Happened, NothingDone, Terms, lock_jobs, log
from engine.jobs import ChunkSpec, Slice
from engine.version import ENGINE_VERSION

MAX_NOTE = 200
"""Longest progress note that is kept, in characters."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A claimed chunk: its lease's token, which attempt this is, and all that its content depends on."""

    chunk_id: int
    job_id: int
    token: str
    attempt: int
    max_attempts: int
    worker: str
    spec: ChunkSpec


class Verdict(Enum):
    """The answer to a heartbeat. Only `GO_ON` has extended the lease."""

    GO_ON = "go on"
    LOST = "lost"  # another has the chunk, or had it: drop the work
    PAUSED = "paused"  # release the chunk
    CANCELLED = "cancelled"  # release the chunk


HOLDS: Final = and_(
    Chunk.id == bindparam("my_chunk"), Chunk.lease_token == bindparam("my_token"), Chunk.state == ChunkState.RUNNING
)
"""The fence: a claim still has its lease. Its parameters are those of `fence`."""


def fence(claim: Claim) -> dict[str, Any]:
    """Return the parameters of `HOLDS`."""
    return {"my_chunk": claim.chunk_id, "my_token": claim.token}


_JOB_OF_CHUNK: Final = (
    select(Job.id, Job.kind, Job.params, Job.seed, Job.state, Job.max_attempts)
    .join(Chunk)
    .where(Chunk.id == bindparam("my_chunk"))
)
_MAY_START: Final = and_(Job.id == bindparam("my_job"), Job.state.in_(OPEN_JOBS), ~Job.paused, ~Job.cancel_requested)


def _start_job(terms: Terms) -> Update:
    return (
        update(Job)
        .where(_MAY_START, Job.state.in_(job_sources(Event.STARTED)))
        .values(state=job_target(Event.STARTED), started_at=terms.now())
    )


def _take_chunk(terms: Terms) -> Any:
    return (
        update(Chunk)
        .where(
            Chunk.id == bindparam("my_chunk"),
            Chunk.state.in_(chunk_sources(Event.CLAIMED)),
            Chunk.not_before <= terms.now(),
            exists().where(_MAY_START),
        )
        .values(
            state=chunk_target(Event.CLAIMED),
            attempts=Chunk.attempts + 1,
            lease_token=bindparam("new_token"),
            lease_until=terms.now() + terms.lease_seconds,
            worker=bindparam("my_worker"),
            engine_version=ENGINE_VERSION,
            started_at=terms.now(),
            progress_done=0,
            progress_total=0,
            note="",
        )
        .returning(Chunk.stage, Chunk.index.label("place"), Chunk.payload, Chunk.attempts)
    )


def claim(conn: Connection, terms: Terms, chunk_id: int, worker: str) -> Claim:
    """Take the chunk for `worker`; `NothingDone` if it is not to be had: not queued, not due, paused, cancelled, unknown."""
    job = conn.execute(_JOB_OF_CHUNK, {"my_chunk": chunk_id}).one_or_none()
    if job is None:
        raise NothingDone
    started = 0
    if job.state in job_sources(Event.STARTED):
        # First, although the chunk may yet be refused (then all is rolled back): a job is always locked before its chunks.
        started = conn.execute(terms.built(_start_job), {"my_job": job.id}).rowcount
    token = secrets.token_hex(16)
    mine = {"my_chunk": chunk_id, "my_job": job.id, "my_worker": worker, "new_token": token}
    row = conn.execute(terms.built(_take_chunk), mine).one_or_none()
    if row is None:
        raise NothingDone
    lines = [Happened(job.id, Event.STARTED)] if started else []
    lines.append(Happened(job.id, Event.CLAIMED, chunk_id, worker, f"attempt {row.attempts} of {job.max_attempts}"))
    log(conn, terms, *lines)
    spec = ChunkSpec(job.kind, job.params, job.seed, row.stage, row.place, row.payload)
    return Claim(chunk_id, job.id, token, row.attempts, job.max_attempts, worker, spec)


def _extend(terms: Terms) -> Update:
    workable = and_(Job.id == bindparam("my_job"), ~Job.paused, ~Job.cancel_requested)
    return (
        update(Chunk)
        .where(HOLDS, exists().where(workable))
        .values(
            lease_until=terms.now() + terms.lease_seconds,
            progress_done=bindparam("done"),
            progress_total=bindparam("total"),
            note=bindparam("new_note"),
        )
    )


_WHY_NOT: Final = select(Job.cancel_requested, Job.paused).join(Chunk).where(HOLDS)


def heartbeat(conn: Connection, terms: Terms, claim: Claim, progress: Slice) -> Verdict:
    """Extend the lease and note the progress, if the lease still holds and the job is neither paused nor cancelled."""
    news = {"done": progress.done, "total": progress.total, "new_note": progress.note[:MAX_NOTE]}
    if conn.execute(terms.built(_extend), fence(claim) | news | {"my_job": claim.job_id}).rowcount:
        return Verdict.GO_ON
    row = conn.execute(_WHY_NOT, fence(claim)).one_or_none()
    if row is None:
        return Verdict.LOST
    if row.cancel_requested:
        return Verdict.CANCELLED
    # Not cancelled and yet refused: paused, even if it was resumed between the two statements. Releasing is safe either way.
    return Verdict.PAUSED


def fail(conn: Connection, terms: Terms, claim: Claim, error: str) -> ChunkState | None:
    """End the attempt with an error; return the chunk's new state, or None if the lease was lost."""
    return _end(conn, terms, claim, Event.FAILED, error)


def release(conn: Connection, terms: Terms, claim: Claim, why: str) -> bool:
    """Hand the chunk back unfinished, its attempt not counted; return False if the lease was lost."""
    return _end(conn, terms, claim, Event.RELEASED, why) is not None


def _end(conn: Connection, terms: Terms, claim: Claim, event: Event, reason: str) -> ChunkState | None:
    jobs = lock_jobs(conn, [claim.job_id])
    mine = (Chunk.id == claim.chunk_id) & (Chunk.lease_token == claim.token) & (Chunk.state == ChunkState.RUNNING)
    returned = give_back(conn, terms, jobs, which=mine, event=event, reason=reason)
    return returned[0].state if returned else None
