"""What the store's operations share: patience, clock, the event log, and the order in which rows are locked.

Lock order, so that no two transactions can wait for each other: result rows (table by table, in key order), then the job, then
its chunks. A transaction that has to change both a job and a chunk takes the job first, with `lock_jobs`. SQLite has one writer
at a time and needs none of this; the same statements run there.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from sqlalchemy import ColumnElement, Connection, Insert, Row, insert, literal_column, select

from db.clock import Clock, now_expression
from db.errors import JobNotFoundError
from db.models import Chunk, ChunkEvent, ChunkState, Job
from db.store.states import Event

S = TypeVar("S")

MAX_ERROR = 4000
"""Longest error text that is kept, in characters."""

MAX_BACKOFF = 60.0
"""Longest pause before another attempt, in seconds."""


IS_QUEUED: Final = Chunk.state == literal_column(f"'{ChunkState.QUEUED.value}'")
IS_RUNNING: Final = Chunk.state == literal_column(f"'{ChunkState.RUNNING.value}'")
"""With the state in the SQL text and not as a parameter: only then can a plan use the partial index on that state."""


class NothingDone(Exception):  # noqa: N818  (not an error: it rolls a transaction back that turned out to be refused)
    """Leaves a transaction with nothing written."""


@dataclass(frozen=True, slots=True)
class Terms:
    """How long a lease lasts and a dispatch is trusted, in seconds, and whose clock counts."""

    lease_seconds: float
    dispatch_deadline: float
    clock: Clock | None = None
    _built: dict[Callable[["Terms"], Any], Any] = field(default_factory=dict, compare=False, repr=False)

    def built(self, build: Callable[["Terms"], S]) -> S:
        """Return the statement that `build` makes, made once: composing one costs several times what running it does."""
        if build not in self._built:
            self._built[build] = build(self)
        statement: S = self._built[build]
        return statement

    def now(self) -> ColumnElement[float]:
        """Return the time as an SQL expression."""
        return now_expression(self.clock)


@dataclass(frozen=True, slots=True)
class Happened:
    """One line for the event log."""

    job_id: int
    event: Event
    chunk_id: int | None = None
    worker: str | None = None
    detail: str | None = None


def log(conn: Connection, terms: Terms, *lines: Happened) -> None:
    """Write lines to the event log, in the transaction of what they tell."""
    if not lines:
        return
    rows = [
        {
            "job_id": line.job_id,
            "chunk_id": line.chunk_id,
            "event": line.event.value,
            "worker": line.worker,
            "detail": None if line.detail is None else line.detail[:MAX_ERROR],
        }
        for line in lines
    ]
    conn.execute(terms.built(_log_line), rows)


def _log_line(terms: Terms) -> Insert:
    return insert(ChunkEvent).values(at=terms.now())


def lock_jobs(conn: Connection, job_ids: Iterable[int]) -> Sequence[Row[Any]]:
    """Lock jobs against all other changes until the transaction ends, in id order, and return their rows as they now are."""
    ids = sorted(set(job_ids))
    statement = select(*Job.__table__.c).where(Job.id.in_(ids)).order_by(Job.id).with_for_update(key_share=True)
    return conn.execute(statement).all()


def lock_job(conn: Connection, job_id: int) -> Row[Any]:
    """Lock one job likewise; raise `JobNotFoundError` if there is none."""
    rows = lock_jobs(conn, [job_id])
    if not rows:
        raise JobNotFoundError(f"there is no job {job_id}")
    return rows[0]
