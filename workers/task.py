"""The one task: claim a chunk, compute it slice by slice under its lease, store its results.

All that decides anything is in the database. Whatever happens here, a chunk ends in one of the outcomes below and is logged;
a process that dies in between leaves a lease that runs out.
"""

import logging
import os
import socket
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeVar

from db.errors import DatabaseBusyError, DatabaseReadOnlyError, DatabaseUnreachableError, DiskFullError
from db.session import make_engine
from db.settings import Settings
from db.store import Claim, Store, Verdict
from engine import registry
from engine.jobs import ChunkResult, JobKind, Slice

if TYPE_CHECKING:
    from celery import Celery
    from sqlalchemy import Engine

logger = logging.getLogger(__name__)

TASK_NAME = "puzzlemill.run_chunk"

NAME_VARIABLE = "PUZZLEMILL_WORKER_NAME"
"""The name under which a supervisor's worker process leases chunks; each child adds its process number."""

BEAT_SECONDS = 1.0
"""Slices may be short; the lease is extended no more often than this (and at least three times a lease)."""

CHAIN_SECONDS = 1.0
"""A wake-up may go on with further due chunks until it has lasted this long, so short chunks do not wait for messages."""

RETRY_SECONDS = 0.5
"""Pause between attempts to claim or to store a chunk while the database is away."""

PASSING = (DatabaseBusyError, DatabaseReadOnlyError, DatabaseUnreachableError, DiskFullError)
"""Faults of the database's surroundings: no fault of the chunk, and they may pass."""

T = TypeVar("T")


class Outcome(StrEnum):
    """How a wake-up ended."""

    NOT_MINE = "not mine"  # no claim: the message was late or doubled, or the job is paused or cancelled
    DONE = "done"  # results stored
    FENCED = "fenced"  # computed, but the lease was lost: nothing stored
    LOST = "lost"  # the lease was lost on the way
    PAUSED = "paused"  # given back, the job is paused
    CANCELLED = "cancelled"  # given back, the job is cancelled
    RELEASED = "released"  # given back, this worker is stopping
    FAILED = "failed"  # the kind raised: the attempt is spent
    UNSTORED = "unstored"  # the database stayed away for longer than the lease


class ChunkRunner:
    """Computes chunks in this process, under leases in `store` in the name of `worker`; `stopping()` ends at a slice."""

    def __init__(
        self,
        store: Store,
        worker: str,
        *,
        lease_seconds: float,
        stopping: Callable[[], bool] = lambda: False,
        warmed: set[str] | None = None,
    ) -> None:
        self.store = store
        self.worker = worker
        self.lease_seconds = lease_seconds
        self.beat_seconds = min(BEAT_SECONDS, lease_seconds / 3)
        self.stopping = stopping
        self.warmed = set() if warmed is None else warmed

    def run_chain(self, chunk_id: int) -> None:
        """Run the chunk, then further due ones for about a second in all."""
        began = time.monotonic()
        outcome = self.run(chunk_id)
        while outcome is Outcome.DONE and not self.stopping() and time.monotonic() - began < CHAIN_SECONDS:
            due = self.store.take_due(1)
            if not due:
                break
            outcome = self.run(due[0])

    def run(self, chunk_id: int) -> Outcome:
        """Claim and compute one chunk; return how that ended. Raises only if the database stays away at the claim."""
        if self.stopping():
            return Outcome.NOT_MINE
        claim = self._claim(chunk_id)
        if claim is None:
            logger.debug("chunk %d: not mine", chunk_id)
            return Outcome.NOT_MINE
        began = time.monotonic()
        try:
            outcome = self._compute(claim)
        except Exception as error:  # noqa: BLE001  # whatever a kind raises costs this chunk an attempt, and nothing else
            outcome = self._fail(claim, error)
        logger.info(
            "chunk %d (%s stage %d index %d, attempt %d): %s after %.2f s",
            chunk_id,
            claim.spec.kind,
            claim.spec.stage,
            claim.spec.index,
            claim.attempt,
            outcome,
            time.monotonic() - began,
        )
        return outcome

    def _claim(self, chunk_id: int) -> Claim | None:
        """Claim the chunk. A database that is away is waited for, for as long as a lease: the message would be wasted else."""
        began = time.monotonic()
        while True:
            try:
                return self.store.claim(chunk_id, self.worker)
            except PASSING as error:
                if self.stopping() or time.monotonic() - began > self.lease_seconds:
                    raise
                logger.warning("chunk %d: claiming again in %.1f s: %s", chunk_id, RETRY_SECONDS, error)
                time.sleep(RETRY_SECONDS)

    def _compute(self, claim: Claim) -> Outcome:
        kind = registry.kind(claim.spec.kind)
        self._warm(kind, claim)
        beat = _Beat(self.store, claim, self.lease_seconds, self.beat_seconds)
        steps = kind.run(claim.spec)
        try:
            while True:
                try:
                    progress = next(steps)
                except StopIteration as end:
                    result = end.value
                    break
                if self.stopping():
                    return self._give_back(claim, Outcome.RELEASED, "the worker is stopping")
                verdict = beat.at(progress)
                if verdict is Verdict.LOST:
                    return Outcome.LOST
                if verdict is Verdict.PAUSED:
                    return self._give_back(claim, Outcome.PAUSED, "the job is paused")
                if verdict is Verdict.CANCELLED:
                    return self._give_back(claim, Outcome.CANCELLED, "the job is cancelled")
        finally:
            steps.close()
        if not isinstance(result, ChunkResult):
            raise TypeError(f"{kind.name} returned {type(result).__name__} where a ChunkResult is due")
        return self._finish(claim, result, beat)

    def _finish(self, claim: Claim, result: ChunkResult, beat: "_Beat") -> Outcome:
        """Store the results; while the database is away try again as long as the lease can still be held."""
        while True:
            try:
                return Outcome.DONE if self.store.finish(claim, result) else Outcome.FENCED
            except PASSING as error:
                if beat.overdue():
                    logger.error("chunk %d: not stored, it will be computed again: %s", claim.chunk_id, error)  # noqa: TRY400  # expected
                    return Outcome.UNSTORED
                logger.warning("chunk %d: storing again in %.1f s: %s", claim.chunk_id, RETRY_SECONDS, error)
                time.sleep(RETRY_SECONDS)

    def _give_back(self, claim: Claim, outcome: Outcome, why: str) -> Outcome:
        return outcome if self.store.release(claim, why) else Outcome.LOST

    def _fail(self, claim: Claim, error: Exception) -> Outcome:
        if isinstance(error, PASSING):
            logger.error("chunk %d: the database is away: %s", claim.chunk_id, error)
            return Outcome.UNSTORED
        if isinstance(error, MemoryError):
            traceback.clear_frames(error.__traceback__)  # let go of what filled the memory before anything else is done
        logger.error("chunk %d: %s", claim.chunk_id, summary(error), exc_info=error)
        try:
            state = self.store.fail(claim, describe(error))
        except PASSING as away:
            logger.error("chunk %d: its failure could not be stored: %s", claim.chunk_id, away)  # noqa: TRY400  # expected
            return Outcome.UNSTORED
        return Outcome.FENCED if state is None else Outcome.FAILED

    def _warm(self, kind: JobKind[Any], claim: Claim) -> None:
        """Compile what the parent did not before the fork; that may take longer than a lease, so the lease is kept up."""
        if kind.name in self.warmed:
            return
        with _beating(self.store, claim, self.lease_seconds / 3):
            kind.warm()
        self.warmed.add(kind.name)


class _Beat:
    """Extends one claim's lease, but not at every slice."""

    def __init__(self, store: Store, claim: Claim, lease_seconds: float, interval: float) -> None:
        self._store = store
        self._claim = claim
        self._lease_seconds = lease_seconds
        self._interval = interval
        self._extended = time.monotonic()

    def at(self, progress: Slice) -> Verdict:
        """Return the database's verdict if it is time to ask, else GO_ON. With the database away, go on within the lease."""
        asked = time.monotonic()
        due = asked - self._extended - self._interval
        if due < 0:
            return Verdict.GO_ON
        patient = due > self._interval
        try:
            verdict = self._store.heartbeat(self._claim, progress, patient=patient)
        except PASSING as error:
            if isinstance(error, DatabaseBusyError) and not patient:
                return Verdict.GO_ON  # another writes its results: rather compute than wait, and ask at the next slice
            logger.warning("chunk %d: no heartbeat: %s", self._claim.chunk_id, error)
            return Verdict.LOST if self.overdue() else Verdict.GO_ON
        self._extended = asked
        return verdict

    def overdue(self) -> bool:
        """Whether the lease has run out for all we know."""
        return time.monotonic() - self._extended > self._lease_seconds


@contextmanager
def _beating(store: Store, claim: Claim, interval: float) -> Iterator[None]:
    """Keep the lease up from a thread while the block runs something that has no slices."""
    over = threading.Event()

    def beat() -> None:
        while not over.wait(interval):
            try:
                store.heartbeat(claim, Slice(done=0, total=0, note="compiling"))
            except PASSING as error:
                logger.warning("chunk %d: no heartbeat: %s", claim.chunk_id, error)

    thread = threading.Thread(target=beat, name="lease", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def summary(error: BaseException) -> str:
    """Return an exception as one line: its type and message."""
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def describe(error: BaseException) -> str:
    """Return the one line, then the traceback: the first line is for lists, all of it for the one who mends it."""
    return summary(error) + "\n" + "".join(traceback.format_exception(error))


class ProcessRunner:
    """This process's `ChunkRunner`, made at the first chunk, and made anew after a fork."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._engine: Engine | None = None
        self._made: tuple[int, ChunkRunner] | None = None
        self.stopping: Callable[[], bool] = lambda: False
        self.at_work: Callable[[], AbstractContextManager[None]] = nullcontext
        self.warmed: set[str] = set()

    def get(self) -> ChunkRunner:
        """Return the runner of this process."""
        if self._made is None or self._made[0] != os.getpid():
            self.after_fork()
            self._engine = make_engine(self._settings.effective_database_url())
            runner = ChunkRunner(
                make_store(self._settings, self._engine),
                process_name(),
                lease_seconds=self._settings.lease_seconds,
                stopping=self.stopping,
                warmed=self.warmed,
            )
            self._made = (os.getpid(), runner)
        return self._made[1]

    def after_fork(self) -> None:
        """Forget the parent's connections without closing them: they are still the parent's."""
        if self._engine is not None:
            self._engine.dispose(close=False)
        self._engine = None
        self._made = None


def make_store(settings: Settings, engine: "Engine") -> Store:
    """Return the store with the settings' patience."""
    return Store(
        engine,
        lease_seconds=settings.lease_seconds,
        dispatch_deadline=settings.dispatch_deadline,
        artifact_dir=settings.artifact_dir,
    )


def process_name() -> str:
    """Return the name this process leases chunks under: that of its worker, and its number, closed by a dot."""
    return child_name(os.environ.get(NAME_VARIABLE) or socket.gethostname(), os.getpid())


def child_name(worker: str, pid: int) -> str:
    """Return the leasing name of a worker's child: no child's name is the beginning of another's."""
    return f"{worker}/{pid}."


def register(app: "Celery", settings: Settings) -> ProcessRunner:
    """Give `app` its one task; return what runs it in each process."""
    runner = ProcessRunner(settings)

    def run_chunk(chunk_id: int) -> None:
        try:
            with runner.at_work():
                runner.get().run_chain(chunk_id)
        except PASSING as error:  # nothing was claimed: the chunk is still queued, and the dispatch deadline repeats the call
            logger.error("chunk %s: not claimed, the database is away: %s", chunk_id, error)  # noqa: TRY400  # expected

    app.task(name=TASK_NAME, ignore_result=True, acks_late=True)(run_chunk)
    return runner
