"""The state machines of jobs and chunks as data: every edge, and the event that is logged when it is taken.

The store's statements take their "only if it is in this state" from here, and `docs/3-job-states.md` prints the same tables.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Generic, TypeVar

from db.models import ChunkState, JobState

S = TypeVar("S", JobState, ChunkState)


class Event(StrEnum):
    """What the event log says. An event with a chunk's number is about that chunk, one without about the job."""

    SUBMITTED = "submitted"
    STARTED = "started"  # the first chunk of the job was claimed
    PLANNED = "planned"  # chunks of a stage were added
    CLAIMED = "claimed"
    DONE = "done"
    FAILED = "failed"  # a chunk: the attempt ended with an error, another will follow; a job: it cannot go on
    EXPIRED = "expired"  # the lease ran out
    LOST = "lost"  # the supervisor saw the worker die
    RELEASED = "released"  # handed back on purpose; the attempt does not count
    QUARANTINED = "quarantined"
    CANCELLED = "cancelled"
    RETRIED = "retried"
    PARTIAL = "partial"
    PAUSED = "paused"  # this and the next two set a flag of the job and move no state
    RESUMED = "resumed"
    CANCEL_REQUESTED = "cancel-requested"


@dataclass(frozen=True, slots=True)
class Edge(Generic[S]):
    """One edge: `before` is None for what is just being made."""

    before: S | None
    event: Event
    after: S


CHUNK_EDGES: Final[Sequence[Edge[ChunkState]]] = (
    Edge(None, Event.PLANNED, ChunkState.QUEUED),
    Edge(ChunkState.QUEUED, Event.CLAIMED, ChunkState.RUNNING),
    Edge(ChunkState.QUEUED, Event.CANCELLED, ChunkState.CANCELLED),
    Edge(ChunkState.RUNNING, Event.DONE, ChunkState.DONE),
    Edge(ChunkState.RUNNING, Event.FAILED, ChunkState.QUEUED),
    Edge(ChunkState.RUNNING, Event.EXPIRED, ChunkState.QUEUED),
    Edge(ChunkState.RUNNING, Event.LOST, ChunkState.QUEUED),
    Edge(ChunkState.RUNNING, Event.RELEASED, ChunkState.QUEUED),
    Edge(ChunkState.RUNNING, Event.QUARANTINED, ChunkState.QUARANTINED),
    Edge(ChunkState.RUNNING, Event.CANCELLED, ChunkState.CANCELLED),
    Edge(ChunkState.QUARANTINED, Event.RETRIED, ChunkState.QUEUED),
)

JOB_EDGES: Final[Sequence[Edge[JobState]]] = (
    Edge(None, Event.SUBMITTED, JobState.QUEUED),
    Edge(JobState.QUEUED, Event.STARTED, JobState.RUNNING),
    Edge(JobState.QUEUED, Event.PLANNED, JobState.RUNNING),
    Edge(JobState.QUEUED, Event.DONE, JobState.DONE),
    Edge(JobState.QUEUED, Event.CANCELLED, JobState.CANCELLED),
    Edge(JobState.QUEUED, Event.FAILED, JobState.FAILED),
    Edge(JobState.RUNNING, Event.PLANNED, JobState.RUNNING),
    Edge(JobState.RUNNING, Event.RETRIED, JobState.RUNNING),
    Edge(JobState.RUNNING, Event.DONE, JobState.DONE),
    Edge(JobState.RUNNING, Event.PARTIAL, JobState.PARTIAL),
    Edge(JobState.RUNNING, Event.CANCELLED, JobState.CANCELLED),
    Edge(JobState.RUNNING, Event.FAILED, JobState.FAILED),
    Edge(JobState.PARTIAL, Event.RETRIED, JobState.RUNNING),
    Edge(JobState.FAILED, Event.RETRIED, JobState.RUNNING),
)

OPEN_CHUNKS: Final = (ChunkState.QUEUED, ChunkState.RUNNING)
"""States of a chunk that is still to be worked on."""

OPEN_JOBS: Final = (JobState.QUEUED, JobState.RUNNING)
"""States of a job that is not closed."""


def chunk_sources(event: Event) -> Sequence[ChunkState]:
    """Return the states a chunk may be in for `event` to happen to it."""
    return _sources(CHUNK_EDGES, event)


def job_sources(event: Event) -> Sequence[JobState]:
    """Return the states a job may be in for `event` to happen to it."""
    return _sources(JOB_EDGES, event)


def chunk_target(event: Event) -> ChunkState:
    """Return the state that `event` takes a chunk to."""
    return _target(CHUNK_EDGES, event)


def job_target(event: Event) -> JobState:
    """Return the state that `event` takes a job to."""
    return _target(JOB_EDGES, event)


def _sources(edges: Sequence[Edge[S]], event: Event) -> Sequence[S]:
    return tuple(dict.fromkeys(edge.before for edge in edges if edge.event is event and edge.before is not None))


def _target(edges: Sequence[Edge[S]], event: Event) -> S:
    (after,) = {edge.after for edge in edges if edge.event is event}
    return after
