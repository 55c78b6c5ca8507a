"""The `Store`: the one door to jobs. Each method is one short transaction, or a few that may each be repeated."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import Engine

from db import artifacts
from db.clock import Clock, read_now
from db.models import ChunkState
from db.results.common import StoredFile
from db.session import fold_log, in_write, read
from db.store import control, dispatch, events, finish, lease, reconcile, submit, views, workers
from db.store.events import EventView
from db.store.lease import Claim, Verdict
from db.store.reconcile import Reconciled
from db.store.submit import Request, Submitted
from db.store.terms import NothingDone, Terms
from db.store.views import ChunkView, JobView
from db.store.workers import WorkerView
from engine import registry
from engine.jobs import ChunkResult, JobKind, JsonObject, Record, Slice, StagePlan


class Store:
    """Jobs, chunks, leases, results, events and workers on one database.

    Times are reckoned by the database's clock unless `clock` is given (tests). Errors are those of `db.errors`. Any number of
    processes may use a store on the same database; after a fork, make a new one (or dispose of the engine's connections).
    """

    def __init__(
        self,
        engine: Engine,
        *,
        lease_seconds: float = 30.0,
        dispatch_deadline: float = 30.0,
        clock: Clock | None = None,
        artifact_dir: Path | None = None,
        kinds: Callable[[], Mapping[str, JobKind[Any]]] = registry.kinds,
    ) -> None:
        self.engine = engine
        self.artifact_dir = artifact_dir
        self._terms = Terms(lease_seconds, dispatch_deadline, clock)
        self._kinds = kinds

    def now(self) -> float:
        """Return the time that leases are reckoned in, in seconds since 1970 UTC."""
        with read(self.engine) as conn:
            return read_now(conn, self._terms.clock)

    # Submitting and dispatching

    def submit(
        self,
        kind: str,
        params: JsonObject,
        seed: int,
        plan: StagePlan,
        *,
        priority: int = 0,
        idempotency_key: str | None = None,
        max_attempts: int = 3,
    ) -> Submitted:
        """Store a job with the chunks of its first stage.

        With an idempotency key the same request gives the job that is there already; another request with the same key raises
        `IdempotencyConflictError`. Whoever is not sure that a submission got through repeats it with its key.
        """
        request = Request(kind, params, seed, plan, priority, idempotency_key, max_attempts)
        return in_write(self.engine, lambda conn: submit.submit(conn, self._terms, request))

    def take_due(self, limit: int) -> list[int]:
        """Mark up to `limit` due chunks as dispatched and return their ids, the most urgent first."""
        if limit <= 0:
            return []
        with read(self.engine) as conn:
            if not dispatch.any_due(conn, self._terms):
                return []  # the usual case when idle: no write transaction is opened
        return in_write(self.engine, lambda conn: dispatch.take_due(conn, self._terms, limit), durable=False)

    def outstanding(self) -> int:
        """Return how many chunks are on their way to a worker or being worked on."""
        with read(self.engine) as conn:
            return dispatch.outstanding(conn, self._terms)

    def forget_dispatches(self) -> int:
        """Take all dispatched messages for lost (the spool was emptied); return how many."""
        return in_write(self.engine, dispatch.forget_dispatches)

    # Working

    def claim(self, chunk_id: int, worker: str) -> Claim | None:
        """Take the chunk for `worker`; None if it is not to be had (then there is nothing to do)."""
        try:
            return in_write(self.engine, lambda conn: lease.claim(conn, self._terms, chunk_id, worker), durable=False)
        except NothingDone:
            return None

    def heartbeat(self, claim: Claim, progress: Slice, *, patient: bool = True) -> Verdict:
        """Extend the lease and note the progress; the answer says whether to go on, drop the work, or release the chunk.

        If not `patient`, it raises `DatabaseBusyError` rather than wait for another's turn at writing.
        """
        beat = partial(lease.heartbeat, terms=self._terms, claim=claim, progress=progress)
        return in_write(self.engine, beat, durable=False, patient=patient)

    def finish(self, claim: Claim, result: ChunkResult) -> bool:
        """Store the results and mark the chunk done, both or neither; False if the lease was lost.

        After an error whose outcome is not known it may be called again: it answers True if the first call got through.
        """
        rows = finish.rows_of(result)
        if rows > finish.MANY_ROWS:  # nobody beats the heart while they are written
            in_write(self.engine, lambda conn: finish.hold_on(conn, self._terms, claim, rows))
        digest = result.digest()
        files = self._write_files(result.records)
        try:
            return in_write(
                self.engine, lambda conn: finish.finish(conn, self._terms, claim, result=result, digest=digest, files=files)
            )
        except NothingDone:
            with read(self.engine) as conn:  # a repeated call may have overtaken the first one
                return finish.state_of(conn, claim) == ChunkState.DONE

    def fail(self, claim: Claim, error: str) -> ChunkState | None:
        """End the attempt with an error: the chunk is queued again with a pause, or quarantined. None if the lease was lost."""
        return in_write(self.engine, lambda conn: lease.fail(conn, self._terms, claim, error))

    def release(self, claim: Claim, why: str) -> bool:
        """Hand the chunk back unfinished, its attempt not counted; False if the lease was lost."""
        return in_write(self.engine, lambda conn: lease.release(conn, self._terms, claim, why))

    def release_worker(self, worker_prefix: str) -> int:
        """Take back all running chunks of workers (known to be dead) whose name starts so; return how many."""
        return reconcile.release_worker(self.engine, self._terms, worker_prefix)

    def fold_log(self) -> None:
        """Fold SQLite's write-ahead log into the file if it has grown long, so that no worker has to."""
        fold_log(self.engine)

    def reconcile(self) -> Reconciled:
        """Take chunks with expired leases back, plan stages that are due, close jobs that are finished."""
        return reconcile.reconcile(self.engine, self._terms, self._kinds)

    # Controlling

    def pause(self, job_id: int) -> JobView:
        """Let no more chunks of the job start, and have running ones handed back; `JobStateError` if the job is closed."""
        return self._control(control.pause, job_id)

    def resume(self, job_id: int) -> JobView:
        """Let a paused job go on; `JobStateError` if the job is closed."""
        return self._control(control.resume, job_id)

    def cancel(self, job_id: int) -> JobView:
        """Stop the job; done chunks keep their results. `JobStateError` if it is closed otherwise."""
        return self._control(control.cancel, job_id)

    def retry(self, job_id: int) -> JobView:
        """Give quarantined chunks (or a failed stage) another try; `JobStateError` if there are none."""
        return self._control(control.retry, job_id)

    def _control(self, action: Callable[..., None], job_id: int) -> JobView:
        in_write(self.engine, lambda conn: action(conn, self._terms, job_id))
        return self.job(job_id)

    # Looking

    def job(self, job_id: int) -> JobView:
        """Return the job; raise `JobNotFoundError` if there is none."""
        with read(self.engine) as conn:
            return views.job(conn, self._terms, job_id)

    def jobs(
        self, state: str | None = None, kind: str | None = None, limit: int = 50, before_id: int | None = None
    ) -> list[JobView]:
        """Return up to `limit` jobs, the newest first, below number `before_id`."""
        with read(self.engine) as conn:
            return views.jobs(conn, self._terms, state=state, kind=kind, limit=limit, before_id=before_id)

    def chunks(self, job_id: int) -> list[ChunkView]:
        """Return the job's chunks in stage and index order; raise `JobNotFoundError` if there is no such job."""
        with read(self.engine) as conn:
            return views.chunks(conn, job_id)

    def events(self, job_id: int, after_id: int = 0) -> list[EventView]:
        """Return the job's events above number `after_id`, oldest first; raise `JobNotFoundError` if there is no such job."""
        with read(self.engine) as conn:
            return events.events(conn, job_id, after_id)

    # Workers

    def worker_seen(  # noqa: PLR0917  (a row of the worker table, column by column)
        self, name: str, host: str, pid: int, slots: int, state: str, restarts: int = 0
    ) -> None:
        """Note that a worker is alive."""
        worker = workers.Alive(name, host, pid, slots, state, restarts)
        in_write(self.engine, lambda conn: workers.seen(conn, self._terms, worker), durable=False)

    def worker_gone(self, name: str) -> None:
        """Forget a worker that has ended in good order."""
        in_write(self.engine, partial(workers.gone, name=name))

    def workers(self, alive_within: float | None = None) -> list[WorkerView]:
        """Return the workers in name order; only those seen within so many seconds, if given."""
        with read(self.engine) as conn:
            return workers.workers(conn, self._terms, alive_within)

    def _write_files(self, records: Sequence[Record]) -> dict[int, StoredFile]:
        """Write the files that come with records (an attribute `graph`), before the transaction that refers to them."""
        files: dict[int, StoredFile] = {}
        if self.artifact_dir is None or not any(hasattr(record, "graph") for record in finish.examples(records)):
            return files
        for place, record in enumerate(records):
            content = getattr(record, "graph", None)
            if isinstance(content, bytes):
                files[place] = artifacts.write_file(self.artifact_dir, content, "application/octet-stream")
        return files
