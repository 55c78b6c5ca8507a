"""Reading the event log."""

from dataclasses import asdict, dataclass

from sqlalchemy import Connection, select

from db.models import Chunk, ChunkEvent
from db.store.views import require_job
from engine.jobs import JsonObject


@dataclass(frozen=True, slots=True)
class EventView:
    """One line of the log: what happened to a job (no chunk given) or to one of its chunks."""

    id: int
    at: float
    job_id: int
    chunk_id: int | None
    stage: int | None
    index: int | None
    event: str
    worker: str | None
    detail: str | None

    def as_json(self) -> JsonObject:
        """Return all fields, in order, as JSON."""
        return asdict(self)


def events(conn: Connection, job_id: int, after_id: int) -> list[EventView]:
    """Return the job's events with ids above `after_id`, oldest first; raise `JobNotFoundError` if there is no such job."""
    require_job(conn, job_id)
    rows = conn.execute(
        select(*ChunkEvent.__table__.c, Chunk.stage, Chunk.index)
        .outerjoin_from(ChunkEvent, Chunk, ChunkEvent.chunk_id == Chunk.id)
        .where(ChunkEvent.job_id == job_id, ChunkEvent.id > after_id)
        .order_by(ChunkEvent.id)
    )
    return [EventView(**row) for row in rows.mappings()]
