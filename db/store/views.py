"""Jobs and chunks as people and programs read them."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import Connection, Row, func, select

from db.clock import read_now
from db.errors import JobNotFoundError
from db.models import Chunk, ChunkState, Job, JobState
from db.store.terms import Terms
from engine.jobs import JsonObject


@dataclass(frozen=True, slots=True)
class JobView:
    """A job at the moment `at`. Times are seconds since 1970 UTC."""

    id: int
    kind: str
    params: JsonObject
    seed: int
    engine_version: str
    state: JobState
    paused: bool
    cancel_requested: bool
    priority: int
    max_attempts: int
    idempotency_key: str | None
    stage: int
    stage_label: str
    chunk_count: int
    chunks_queued: int
    chunks_running: int
    chunks_done: int
    chunks_quarantined: int
    items_expected: int
    items_done: int
    """Items of done chunks: exact, and never goes back."""
    items_in_progress: float
    """Estimate of what the running chunks have done so far; falls when one of them is lost."""
    results: int
    """Records stored so far."""
    created_at: float
    started_at: float | None
    finished_at: float | None
    at: float
    summary: JsonObject | None
    digest: str | None
    error: str | None

    @property
    def closed(self) -> bool:
        """Whether the job is finished, one way or another."""
        return self.state not in (JobState.QUEUED, JobState.RUNNING)

    @property
    def elapsed(self) -> float:
        """Seconds from the first claim to the end, or until now; 0 before the first claim."""
        if self.started_at is None:
            return 0.0
        return max(0.0, (self.finished_at or self.at) - self.started_at)

    def as_json(self) -> JsonObject:
        """Return all fields, in order, as JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class ChunkView:
    """A chunk, without its payload. Times are seconds since 1970 UTC."""

    id: int
    job_id: int
    stage: int
    index: int
    state: ChunkState
    attempts: int
    items_expected: int
    worker: str | None
    engine_version: str | None
    not_before: float
    dispatched_at: float | None
    lease_until: float | None
    started_at: float | None
    finished_at: float | None
    progress_done: int
    progress_total: int
    note: str
    result_items: int
    result_digest: str | None
    summary: JsonObject | None
    last_error: str | None

    def as_json(self) -> JsonObject:
        """Return all fields, in order, as JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class _Sums:
    """What is counted over a job's chunks."""

    queued: int = 0
    running: int = 0
    results: int = 0
    in_progress: float = 0.0


def job(conn: Connection, terms: Terms, job_id: int) -> JobView:
    """Return the job; raise `JobNotFoundError` if there is none with that number."""
    row = conn.execute(select(*Job.__table__.c).where(Job.id == job_id)).one_or_none()
    if row is None:
        raise JobNotFoundError(f"there is no job {job_id}")
    return _views(conn, terms, [row])[0]


def jobs(
    conn: Connection, terms: Terms, *, state: str | None, kind: str | None, limit: int, before_id: int | None
) -> list[JobView]:
    """Return up to `limit` jobs, the newest first, from below `before_id`; only those in a state or of a kind, if asked."""
    statement = select(*Job.__table__.c).order_by(Job.id.desc()).limit(limit)
    if state is not None:
        statement = statement.where(Job.state == state)
    if kind is not None:
        statement = statement.where(Job.kind == kind)
    if before_id is not None:
        statement = statement.where(Job.id < before_id)
    return _views(conn, terms, conn.execute(statement).all())


def chunks(conn: Connection, job_id: int) -> list[ChunkView]:
    """Return the job's chunks in stage and index order; raise `JobNotFoundError` if there is no such job."""
    require_job(conn, job_id)
    columns = [Chunk.__table__.c[name] for name in ChunkView.__dataclass_fields__]
    rows = conn.execute(select(*columns).where(Chunk.job_id == job_id).order_by(Chunk.stage, Chunk.index))
    return [ChunkView(**{**row, "state": ChunkState(row["state"])}) for row in rows.mappings()]


def require_job(conn: Connection, job_id: int) -> None:
    """Raise `JobNotFoundError` if there is no such job."""
    if conn.execute(select(Job.id).where(Job.id == job_id)).one_or_none() is None:
        raise JobNotFoundError(f"there is no job {job_id}")


def _views(conn: Connection, terms: Terms, rows: Sequence[Row[Any]]) -> list[JobView]:
    now = read_now(conn, terms.clock)
    sums = _sums(conn, [row.id for row in rows])
    return [_view(row, sums.get(row.id, _Sums()), now) for row in rows]


def _view(row: Row[Any], sums: _Sums, now: float) -> JobView:
    named = {name: getattr(row, name) for name in JobView.__dataclass_fields__ if name in row._fields}
    return JobView(
        **{
            **named,
            "state": JobState(row.state),
            "stage_label": row.stage_labels[-1] if row.stage_labels else "",
            "chunks_queued": sums.queued,
            "chunks_running": sums.running,
            "results": sums.results,
            "items_in_progress": round(sums.in_progress, 3),
            "at": now,
        }
    )


def _sums(conn: Connection, job_ids: Sequence[int]) -> Mapping[int, _Sums]:
    """Count queued and running chunks, results, and the items that running chunks are likely to have done."""
    share = Chunk.items_expected * 1.0 * Chunk.progress_done / func.nullif(Chunk.progress_total, 0)
    rows = conn.execute(
        select(Chunk.job_id, Chunk.state, func.count(), func.sum(Chunk.result_items), func.coalesce(func.sum(share), 0.0))
        .where(Chunk.job_id.in_(job_ids))
        .group_by(Chunk.job_id, Chunk.state)
    ).all()
    found: dict[int, dict[str, Any]] = {}
    for job_id, state, count, results, in_progress in rows:
        sums = found.setdefault(job_id, {"results": 0})
        sums["results"] += int(results)
        if state == ChunkState.QUEUED:
            sums["queued"] = count
        elif state == ChunkState.RUNNING:
            sums["running"] = count
            sums["in_progress"] = float(in_progress)
    return {job_id: _Sums(**sums) for job_id, sums in found.items()}
