"""Submitting a job: the job, its first chunks and the idempotency key in one transaction."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, insert, select
from sqlalchemy.dialects import postgresql, sqlite

from db.errors import IdempotencyConflictError
from db.models import Chunk, Job
from db.store.states import Event, chunk_target, job_target
from db.store.terms import Happened, Terms, log
from engine.jobs import MAX_SEED, ChunkPlan, JsonObject, StagePlan, canonical_json
from engine.version import ENGINE_VERSION

_BATCH = 2000  # chunks a statement


@dataclass(frozen=True, slots=True)
class Submitted:
    """Answer to a submission: the job's number, and whether it was made now or had been made before with the same key."""

    job_id: int
    created: bool


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked for. Two requests are the same if kind, parameters, seed and plan are."""

    kind: str
    params: JsonObject
    seed: int
    plan: StagePlan
    priority: int
    idempotency_key: str | None
    max_attempts: int

    def __post_init__(self) -> None:
        if not 0 <= self.seed <= MAX_SEED:
            raise ValueError(f"the seed is {self.seed}; it must be 0 to {MAX_SEED}")
        if self.max_attempts < 1:
            raise ValueError(f"max_attempts is {self.max_attempts}; it must be at least 1")

    def digest(self) -> str:
        """Return 32 hex digits that name what is asked for."""
        h = hashlib.blake2b(digest_size=16)
        h.update(canonical_json([self.kind, self.params, self.seed]))
        for chunk in self.plan.chunks:
            h.update(canonical_json([chunk.payload, chunk.items]))
        return h.hexdigest()


def submit(conn: Connection, terms: Terms, request: Request) -> Submitted:
    """Insert the job and its chunks, unless a job with the same idempotency key is there already."""
    make = postgresql.insert if conn.dialect.name == "postgresql" else sqlite.insert
    job_id = conn.execute(
        make(Job)
        .values(
            kind=request.kind,
            params=request.params,
            seed=request.seed,
            engine_version=ENGINE_VERSION,
            state=job_target(Event.SUBMITTED),
            stage_labels=[request.plan.label],
            chunk_count=len(request.plan.chunks),
            items_expected=sum(chunk.items for chunk in request.plan.chunks),
            priority=request.priority,
            max_attempts=request.max_attempts,
            idempotency_key=request.idempotency_key,
            request_digest=request.digest(),
            created_at=terms.now(),
        )
        .on_conflict_do_nothing(index_elements=[Job.idempotency_key])
        .returning(Job.id)
    ).scalar_one_or_none()
    if job_id is None:
        return _already_there(conn, request)
    insert_chunks(conn, job_id, 0, request.plan.chunks)
    log(conn, terms, Happened(job_id, Event.SUBMITTED, detail=f"{len(request.plan.chunks)} chunks"))
    return Submitted(job_id, created=True)


def _already_there(conn: Connection, request: Request) -> Submitted:
    job = conn.execute(select(Job.id, Job.request_digest).where(Job.idempotency_key == request.idempotency_key)).one()
    if job.request_digest != request.digest():
        raise IdempotencyConflictError(
            f"the idempotency key {request.idempotency_key!r} belongs to job {job.id}, which asks for something else; "
            "use another key, or the same request"
        )
    return Submitted(job.id, created=False)


def insert_chunks(conn: Connection, job_id: int, stage: int, plans: Sequence[ChunkPlan]) -> None:
    """Insert the chunks of a stage, queued and due at once."""
    for first in range(0, len(plans), _BATCH):
        conn.execute(
            insert(Chunk),
            [
                {
                    "job_id": job_id,
                    "stage": stage,
                    "index": index,
                    "payload": plan.payload,
                    "items_expected": plan.items,
                    "state": chunk_target(Event.PLANNED).value,
                }
                for index, plan in enumerate(plans[first : first + _BATCH], first)
            ],
        )
