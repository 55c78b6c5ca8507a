"""Jobs, chunks, their event log, workers, the items a job produced and the files it made."""

from enum import StrEnum
from typing import Any

from sqlalchemy import BigInteger, ForeignKey, Index, String, Text, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from db.models.base import Base, BigKey


class JobState(StrEnum):
    """Where a job stands. `docs/3-job-states.md` draws the edges; a test holds the two together."""

    QUEUED = "queued"  # submitted, no chunk claimed yet
    RUNNING = "running"  # some chunk has been claimed, or a later stage is planned
    DONE = "done"  # every chunk of every stage is done
    PARTIAL = "partial"  # finished, but some chunks are quarantined
    CANCELLED = "cancelled"  # stopped on request; done chunks keep their results
    FAILED = "failed"  # the next stage could not be planned; `error` says why


class ChunkState(StrEnum):
    """Where a chunk stands."""

    QUEUED = "queued"  # due once `not_before` has passed
    RUNNING = "running"  # leased by `worker` until `lease_until`
    DONE = "done"  # its results are stored
    QUARANTINED = "quarantined"  # failed `max_attempts` times; `last_error` says why; `retry` requeues it
    CANCELLED = "cancelled"  # its job was cancelled


class Job(Base):
    """One request, e.g. "generate 1,000 sudokus with seed 7"."""

    __tablename__ = "job"

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    kind: Mapped[str] = mapped_column(String(40), index=True)
    params: Mapped[dict[str, Any]]
    seed: Mapped[int] = mapped_column(BigInteger)
    engine_version: Mapped[str] = mapped_column(String(40))
    state: Mapped[str] = mapped_column(String(12), index=True)
    stage: Mapped[int] = mapped_column(default=0)
    stage_labels: Mapped[list[str]]
    chunk_count: Mapped[int] = mapped_column(default=0)
    chunks_done: Mapped[int] = mapped_column(default=0)
    chunks_quarantined: Mapped[int] = mapped_column(default=0)
    items_expected: Mapped[int] = mapped_column(BigInteger, default=0)
    items_done: Mapped[int] = mapped_column(BigInteger, default=0)
    paused: Mapped[bool] = mapped_column(default=False)
    cancel_requested: Mapped[bool] = mapped_column(default=False)
    priority: Mapped[int] = mapped_column(default=0)
    max_attempts: Mapped[int] = mapped_column(default=3)
    idempotency_key: Mapped[str | None] = mapped_column(String(200), unique=True)
    request_digest: Mapped[str] = mapped_column(String(32))
    created_at: Mapped[float]
    started_at: Mapped[float | None]
    finished_at: Mapped[float | None]
    summary: Mapped[dict[str, Any] | None]
    digest: Mapped[str | None] = mapped_column(String(32))
    error: Mapped[str | None] = mapped_column(Text)

    # A number is never given out twice, even after rows were deleted: a late message must not find another chunk.
    __table_args__ = ({"sqlite_autoincrement": True},)


class Chunk(Base):
    """A piece of a job that one worker computes in 10 to 60 seconds."""

    __tablename__ = "chunk"

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    job_id: Mapped[int] = mapped_column(ForeignKey("job.id", ondelete="CASCADE"))
    stage: Mapped[int]
    index: Mapped[int]
    payload: Mapped[dict[str, Any]] = mapped_column(deferred=True)
    items_expected: Mapped[int] = mapped_column(BigInteger, default=1)
    state: Mapped[str] = mapped_column(String(12))
    attempts: Mapped[int] = mapped_column(default=0)
    not_before: Mapped[float] = mapped_column(default=0.0)
    dispatched_at: Mapped[float | None]
    lease_token: Mapped[str | None] = mapped_column(String(32))
    lease_until: Mapped[float | None]
    worker: Mapped[str | None] = mapped_column(String(120))
    engine_version: Mapped[str | None] = mapped_column(String(40))
    started_at: Mapped[float | None]
    finished_at: Mapped[float | None]
    progress_done: Mapped[int] = mapped_column(BigInteger, default=0)
    progress_total: Mapped[int] = mapped_column(BigInteger, default=0)
    note: Mapped[str] = mapped_column(String(200), default="")
    result_items: Mapped[int] = mapped_column(default=0)
    result_digest: Mapped[str | None] = mapped_column(String(32))
    summary: Mapped[dict[str, Any] | None]
    last_error: Mapped[str | None] = mapped_column(Text)

    __table_args__ = (
        UniqueConstraint("job_id", "stage", "index"),
        Index(
            "ix_chunk_queued",
            "dispatched_at",
            sqlite_where=text("state = 'queued'"),
            postgresql_where=text("state = 'queued'"),
        ),
        Index(
            "ix_chunk_running",
            "lease_until",
            sqlite_where=text("state = 'running'"),
            postgresql_where=text("state = 'running'"),
        ),
        Index("ix_chunk_job_state", "job_id", "state", "stage", "index"),
        {"sqlite_autoincrement": True},
    )


class ChunkEvent(Base):
    """One line of the log: what happened to a job or chunk, when, and by whom."""

    __tablename__ = "chunk_event"

    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    at: Mapped[float]
    job_id: Mapped[int] = mapped_column(ForeignKey("job.id", ondelete="CASCADE"))
    chunk_id: Mapped[int | None] = mapped_column(ForeignKey("chunk.id", ondelete="CASCADE"))
    event: Mapped[str] = mapped_column(String(24))
    worker: Mapped[str | None] = mapped_column(String(120))
    detail: Mapped[str | None] = mapped_column(Text)

    __table_args__ = (Index("ix_chunk_event_job", "job_id", "id"),)


class Worker(Base):
    """A supervised worker: a machine's share of slots, seen alive at `last_seen`."""

    __tablename__ = "worker"

    name: Mapped[str] = mapped_column(String(120), primary_key=True)
    host: Mapped[str] = mapped_column(String(120))
    pid: Mapped[int]
    slots: Mapped[int]
    state: Mapped[str] = mapped_column(String(12))
    engine_version: Mapped[str] = mapped_column(String(40))
    started_at: Mapped[float]
    last_seen: Mapped[float]
    restarts: Mapped[int] = mapped_column(default=0)


class Artifact(Base):
    """A file too big for a row, named by the hash of its content."""

    __tablename__ = "artifact"

    digest: Mapped[str] = mapped_column(String(32), primary_key=True)
    path: Mapped[str] = mapped_column(String(400))
    size: Mapped[int] = mapped_column(BigInteger)
    media_type: Mapped[str] = mapped_column(String(80))
    job_id: Mapped[int | None] = mapped_column(ForeignKey("job.id", ondelete="SET NULL"))
    created_at: Mapped[float]


class JobItem(Base):
    """Which row each job produced, in (stage, chunk, ordinal) order, and whether it was new or already there.

    As many as there are results: each is one entry in the order of its key, and the database does not check each for its job,
    which the transaction that writes them has locked.
    """

    __tablename__ = "job_item"

    job_id: Mapped[int] = mapped_column(BigKey, primary_key=True, autoincrement=False)
    stage: Mapped[int] = mapped_column(primary_key=True)
    chunk_index: Mapped[int] = mapped_column(primary_key=True)
    ordinal: Mapped[int] = mapped_column(primary_key=True)
    family: Mapped[str] = mapped_column(String(20))
    table_name: Mapped[str] = mapped_column(String(40))
    row_id: Mapped[int] = mapped_column(BigInteger)
    is_new: Mapped[bool]
    detail: Mapped[dict[str, Any] | None]

    __table_args__ = ({"sqlite_with_rowid": False},)
