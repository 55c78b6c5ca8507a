"""Pause, resume, cancel and retry: each takes effect on queued chunks at once, and on running ones at their next heartbeat."""

from sqlalchemy import Connection, exists, select, update

from db.errors import JobStateError
from db.models import Chunk, ChunkState, Job, JobState
from db.store.stages import Decision, close
from db.store.states import OPEN_JOBS, Event, chunk_sources, chunk_target, job_sources, job_target
from db.store.terms import Happened, Terms, lock_job, log


def pause(conn: Connection, terms: Terms, job_id: int) -> None:
    """Let no chunk of the job be dispatched or claimed any more. A paused job stays paused; a closed one cannot be."""
    job = lock_job(conn, job_id)
    _require_open(job_id, job.state, "paused")
    if job.paused:
        return
    conn.execute(update(Job).where(Job.id == job_id).values(paused=True))
    # Messages already sent will be refused; forgetting them frees their places in the window, and a resume sends new ones.
    queued = (Chunk.job_id == job_id) & (Chunk.state == ChunkState.QUEUED) & Chunk.dispatched_at.is_not(None)
    conn.execute(update(Chunk).where(queued).values(dispatched_at=None))
    log(conn, terms, Happened(job_id, Event.PAUSED))


def resume(conn: Connection, terms: Terms, job_id: int) -> None:
    """Let a paused job go on; one that is not paused just does."""
    job = lock_job(conn, job_id)
    _require_open(job_id, job.state, "resumed")
    if job.paused:
        conn.execute(update(Job).where(Job.id == job_id).values(paused=False))
        log(conn, terms, Happened(job_id, Event.RESUMED))


def cancel(conn: Connection, terms: Terms, job_id: int) -> None:
    """Stop the job: queued chunks are cancelled now; it is closed now if none is running, else once the last has stopped."""
    job = lock_job(conn, job_id)
    if job.cancel_requested:
        return
    _require_open(job_id, job.state, "cancelled")
    conn.execute(update(Job).where(Job.id == job_id).values(cancel_requested=True))
    log(conn, terms, Happened(job_id, Event.CANCEL_REQUESTED))
    queued = (Chunk.job_id == job_id) & (Chunk.state == ChunkState.QUEUED)
    values = {"state": chunk_target(Event.CANCELLED), "finished_at": terms.now(), "dispatched_at": None}
    cancelled = conn.execute(update(Chunk).where(queued).values(values).returning(Chunk.id)).scalars().all()
    log(conn, terms, *(Happened(job_id, Event.CANCELLED, chunk_id) for chunk_id in sorted(cancelled)))
    running = exists().where(Chunk.job_id == job_id, Chunk.state == ChunkState.RUNNING)
    if not conn.execute(select(running)).scalar_one():
        close(conn, terms, job_id, Decision(Event.CANCELLED), None)


def retry(conn: Connection, terms: Terms, job_id: int) -> None:
    """Give quarantined chunks all their attempts again, or a failed job's next stage another try; the job goes on."""
    job = lock_job(conn, job_id)
    if job.state not in job_sources(Event.RETRIED) or job.cancel_requested:
        raise JobStateError(f"job {job_id} is {job.state}: there is nothing to retry")
    values = {
        "state": chunk_target(Event.RETRIED),
        "attempts": 0,
        "not_before": 0.0,
        "dispatched_at": None,
        "finished_at": None,
    }
    waiting = (Chunk.job_id == job_id) & Chunk.state.in_(chunk_sources(Event.RETRIED))
    again = conn.execute(update(Chunk).where(waiting).values(values).returning(Chunk.id)).scalars().all()
    if not again and job.state != JobState.FAILED:
        raise JobStateError(f"job {job_id} is {job.state} and has no quarantined chunk: there is nothing to retry")
    conn.execute(
        update(Job)
        .where(Job.id == job_id)
        .values(
            state=job_target(Event.RETRIED),
            chunks_quarantined=Job.chunks_quarantined - len(again),
            finished_at=None,
            summary=None,
            digest=None,
            error=None,
        )
    )
    log(conn, terms, Happened(job_id, Event.RETRIED, detail=f"{len(again)} chunks"))
    log(conn, terms, *(Happened(job_id, Event.RETRIED, chunk_id) for chunk_id in sorted(again)))


def _require_open(job_id: int, state: str, wish: str) -> None:
    if state not in OPEN_JOBS:
        raise JobStateError(f"job {job_id} is {state}: it cannot be {wish}")
