"""Dispatch: which chunks should a worker be woken for now. Any number of dispatchers may run."""

from sqlalchemy import ColumnElement, Connection, ScalarSelect, Select, exists, func, or_, select, update

from db.models import Chunk, Job
from db.store.states import OPEN_JOBS, Event, chunk_sources
from db.store.terms import IS_QUEUED, IS_RUNNING, Terms


def _due(terms: Terms) -> ColumnElement[bool]:
    return (
        Chunk.state.in_(chunk_sources(Event.CLAIMED))
        & (Chunk.not_before <= terms.now())
        & or_(Chunk.dispatched_at.is_(None), Chunk.dispatched_at <= terms.now() - terms.dispatch_deadline)
    )


def any_due(conn: Connection, terms: Terms) -> bool:
    """Say whether any queued chunk is due, whatever its job's state: a cheap look before a write transaction."""
    return conn.execute(terms.built(_any_due)).scalar_one()


def _any_due(terms: Terms) -> Select[bool]:
    return select(exists().where(IS_QUEUED, _due(terms)))


def take_due(conn: Connection, terms: Terms, limit: int) -> list[int]:
    """Mark up to `limit` due chunks as dispatched now and return their ids, the most urgent first.

    Due is a queued chunk of a job that is neither paused nor cancelled, whose back-off is over, and which was not dispatched,
    or so long ago that its message must be taken for lost. Order: priority, then job, stage and index.
    """
    jobs = select(Job.id).where(Job.state.in_(OPEN_JOBS), ~Job.paused, ~Job.cancel_requested)
    taken: list[int] = []
    # Job by job, so that each query walks an index in order: sorting all queued chunks of all jobs would cost more the more
    # there is to do. Rows that another dispatcher holds are skipped, not waited for.
    for job_id in conn.execute(jobs.order_by(Job.priority.desc(), Job.id)).scalars().all():
        due = (
            select(Chunk.id)
            .where(Chunk.job_id == job_id, _due(terms))
            .order_by(Chunk.stage, Chunk.index)
            .limit(limit - len(taken))
            .with_for_update(skip_locked=True, key_share=True)
        )
        taken += conn.execute(due).scalars().all()
        if len(taken) >= limit:
            break
    if taken:
        conn.execute(update(Chunk).where(Chunk.id.in_(taken)).values(dispatched_at=terms.now()))
    return taken


def outstanding(conn: Connection, terms: Terms) -> int:
    """Return how many chunks are on their way or being worked on: dispatched within the deadline, or running."""
    return conn.execute(terms.built(_outstanding)).scalar_one()


def _outstanding(terms: Terms) -> Select[int]:
    def count(condition: ColumnElement[bool]) -> ScalarSelect[int]:
        return select(func.count()).select_from(Chunk).where(condition).scalar_subquery()

    queued = count(IS_QUEUED & (Chunk.dispatched_at > terms.now() - terms.dispatch_deadline))
    # Every running chunk has a lease: naming it leads SQLite to the small index rather than through all chunks.
    return select(queued + count(IS_RUNNING & (Chunk.lease_until > 0.0)))


def forget_dispatches(conn: Connection) -> int:
    """Take all dispatched messages for lost, e.g. because the spool was emptied; return how many."""
    waiting = IS_QUEUED & Chunk.dispatched_at.is_not(None)
    return conn.execute(update(Chunk).where(waiting).values(dispatched_at=None)).rowcount
