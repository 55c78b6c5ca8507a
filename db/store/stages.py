"""The end of a stage: plan the next one, or close the job."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, exists, select, update

from db.models import Chunk, ChunkState, Job
from db.results.items import count_distinct
from db.store.states import OPEN_CHUNKS, OPEN_JOBS, Event, job_sources, job_target
from db.store.submit import insert_chunks
from db.store.terms import MAX_ERROR, Happened, Terms, lock_jobs, log
from engine.jobs import JobKind, JobOutcome, JsonObject, StageOutcome, StagePlan

_OPEN = exists().where(Chunk.job_id == Job.id, Chunk.state.in_(OPEN_CHUNKS))
_ENDED = select(Job.id).where(Job.state.in_(OPEN_JOBS), ~_OPEN).order_by(Job.id)


@dataclass(frozen=True, slots=True)
class Finding:
    """A job none of whose chunks is open, as it was seen: a decision made on it counts only while this still holds."""

    job_id: int
    fence: tuple[object, ...]
    kind: str
    params: JsonObject
    quarantined: bool
    outcome: JobOutcome
    digest: str


@dataclass(frozen=True, slots=True)
class Decision:
    """What becomes of the job: a plan for another stage, or how it is closed."""

    event: Event
    plan: StagePlan | None = None
    summary: JsonObject | None = None
    error: str | None = None


def ended(conn: Connection) -> Sequence[int]:
    """Return the ids of open jobs without an open chunk."""
    return conn.execute(_ENDED).scalars().all()


def find(conn: Connection, job_id: int) -> Finding | None:
    """Read all that the decision about a job needs, or return None if it is closed or has open chunks."""
    job = conn.execute(select(*Job.__table__.c).where(Job.id == job_id, Job.state.in_(OPEN_JOBS), ~_OPEN)).one_or_none()
    if job is None:
        return None
    chunks = conn.execute(
        select(Chunk.stage, Chunk.index.label("place"), Chunk.state, Chunk.summary, Chunk.result_digest)
        .where(Chunk.job_id == job_id)
        .order_by(Chunk.stage, Chunk.index)
    ).all()
    stages = [
        StageOutcome(
            stage,
            label,
            [row.summary if row.state == ChunkState.DONE else None for row in chunks if row.stage == stage],
        )
        for stage, label in enumerate(job.stage_labels)
    ]
    h = hashlib.blake2b(digest_size=16)
    for row in chunks:
        h.update(f"{row.stage}:{row.place}:{row.result_digest or row.state}\n".encode())
    return Finding(
        job_id,
        _fence(job),
        job.kind,
        job.params,
        any(row.state == ChunkState.QUARANTINED for row in chunks),
        JobOutcome(stages, count_distinct(conn, job_id)),
        h.hexdigest(),
    )


def _fence(job: Row[Any]) -> tuple[object, ...]:
    """Return what must not have changed: a rival moves the stage, and only a retry opens a chunk, which moves a counter.

    If the retried chunks are quarantined again, the counters are back and so is all that the decision was made on.
    """
    return (job.stage, job.chunks_done, job.chunks_quarantined, job.cancel_requested)


def decide(finding: Finding, kinds: Mapping[str, JobKind[Any]]) -> Decision:
    """Ask the job's kind what comes next. No database is touched: this may take its time."""
    if finding.fence[-1]:
        return Decision(Event.CANCELLED)
    try:
        kind = kinds[finding.kind]
    except KeyError:
        return Decision(Event.FAILED, error=f"this version has no job kind {finding.kind!r}")
    try:
        params = kind.params_model.model_validate(finding.params)
        if not finding.quarantined:
            plan = kind.next_stage(params, finding.outcome)
            if plan is not None:
                return Decision(Event.PLANNED, plan)
        summary = kind.summarize(params, finding.outcome)
    except Exception as error:  # noqa: BLE001  (whatever a kind raises is the job's end, not the keeper's)
        reason = f"{type(error).__name__}: {error}"[:MAX_ERROR]
        return Decision(Event.PARTIAL if finding.quarantined else Event.FAILED, error=reason)
    return Decision(Event.PARTIAL if finding.quarantined else Event.DONE, summary=summary)


def carry_out(conn: Connection, terms: Terms, finding: Finding, decision: Decision) -> bool:
    """Do what was decided, unless the job is no longer as it was found; return whether it was done."""
    (job,) = lock_jobs(conn, [finding.job_id])
    # Looked at anew now that the job is locked: another may have decided, or a retry or cancel have come in between.
    if job.state not in job_sources(decision.event) or _fence(job) != finding.fence:
        return False
    if decision.plan is not None:
        _plan(conn, terms, job, decision.plan)
    else:
        close(conn, terms, job.id, decision, finding.digest)
    return True


def _plan(conn: Connection, terms: Terms, job: Row[Any], plan: StagePlan) -> None:
    stage = job.stage + 1
    insert_chunks(conn, job.id, stage, plan.chunks)
    conn.execute(
        update(Job)
        .where(Job.id == job.id)
        .values(
            state=job_target(Event.PLANNED),
            stage=stage,
            stage_labels=[*job.stage_labels, plan.label],
            chunk_count=Job.chunk_count + len(plan.chunks),
            items_expected=Job.items_expected + sum(chunk.items for chunk in plan.chunks),
            started_at=terms.now() if job.started_at is None else Job.started_at,
        )
    )
    label = f" ({plan.label})" if plan.label else ""
    log(conn, terms, Happened(job.id, Event.PLANNED, detail=f"stage {stage}{label}: {len(plan.chunks)} chunks"))


def close(conn: Connection, terms: Terms, job_id: int, decision: Decision, digest: str | None) -> None:
    """Close a job that the caller has locked and found without open chunks."""
    conn.execute(
        update(Job)
        .where(Job.id == job_id)
        .values(
            state=job_target(decision.event),
            finished_at=terms.now(),
            paused=False,
            summary=decision.summary,
            error=decision.error,
            digest=digest if decision.event in (Event.DONE, Event.PARTIAL) else None,
        )
    )
    log(conn, terms, Happened(job_id, decision.event, detail=decision.error))
