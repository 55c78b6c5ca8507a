"""Reconciling: putting right, every few seconds, what no single worker is there to put right. Any number may do it."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, Engine, func, select

from db.models import Chunk, ChunkState
from db.session import in_write, read
from db.store import stages
from db.store.giveback import Returned, give_back
from db.store.states import Event
from db.store.terms import IS_RUNNING, Terms, lock_jobs
from engine.jobs import JobKind

EXPIRED = "lease expired: the worker died or was cut off"
LOST = "the worker process died"


@dataclass(frozen=True, slots=True)
class Reconciled:
    """What one sweep did."""

    requeued: int = 0
    quarantined: int = 0
    stages_planned: int = 0
    jobs_closed: int = 0


def reconcile(engine: Engine, terms: Terms, kinds: Callable[[], Mapping[str, JobKind[Any]]]) -> Reconciled:
    """Take chunks with expired leases back; plan the next stage of, or close, each job whose chunks are all finished."""
    # Expired at the very moment `lease_until`, not after it.
    expired = IS_RUNNING & (Chunk.lease_until <= terms.now())
    returned = take_back(engine, terms, expired, Event.EXPIRED, EXPIRED)
    with read(engine) as conn:
        findings = [stages.find(conn, job_id) for job_id in stages.ended(conn)]
    advanced: Counter[bool] = Counter()
    for finding in findings:
        if finding is None:
            continue
        decision = stages.decide(finding, kinds())

        def step(conn: Connection, finding: stages.Finding = finding, decision: stages.Decision = decision) -> bool:
            return stages.carry_out(conn, terms, finding, decision)

        if in_write(engine, step):
            advanced[decision.event is Event.PLANNED] += 1
    states = Counter(chunk.state for chunk in returned)
    return Reconciled(states[ChunkState.QUEUED], states[ChunkState.QUARANTINED], advanced[True], advanced[False])


def release_worker(engine: Engine, terms: Terms, prefix: str) -> int:
    """Take back the running chunks of all workers whose name starts with `prefix`: they are known to be dead.

    Return how many. The attempt counts: what killed the worker may have been the chunk.
    """
    # Not LIKE: it has wildcards, and SQLite's takes upper for lower case.
    theirs = IS_RUNNING & (func.substr(Chunk.worker, 1, len(prefix)) == prefix)
    return len(take_back(engine, terms, theirs, Event.LOST, LOST))


def take_back(engine: Engine, terms: Terms, which: ColumnElement[bool], event: Event, reason: str) -> list[Returned]:
    """Take the chunks `which` from their workers, job by job under the jobs' locks."""
    with read(engine) as conn:
        jobs = set(conn.execute(select(Chunk.job_id).where(which)).scalars())  # DISTINCT would mislead SQLite's planner
    if not jobs:
        return []  # the usual case: no write transaction is opened at all
    return in_write(engine, lambda conn: give_back(conn, terms, lock_jobs(conn, jobs), which=which, event=event, reason=reason))
