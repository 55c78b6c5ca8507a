"""Keeps a worker process alive and its leases honest, and runs the keeper's steps: embedded in a command, or as a service.

One supervisor owns the data folder in embedded mode; another one on the same folder stands by and takes over when it ends.
Nothing is lost if this process is killed: its worker dies with it, and the next supervisor gives the leases back.
"""

import hashlib
import logging
import os
import select
import signal
import socket
import threading
import time
import uuid
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType
from typing import Any, Self

from db import schema
from db.errors import StoreError
from db.session import make_engine
from db.settings import Settings
from engine import registry
from workers import logs, spool
from workers.app import make_app
from workers.errors import WorkerStartError
from workers.keeper import READY, Keeper, cluster_slots
from workers.lock import FolderLock
from workers.process import WorkerProcess
from workers.task import child_name, make_store

logger = logging.getLogger(__name__)

SEEN_SECONDS = 2.0
"""How often the worker table is told that this worker lives."""

GRACE_SECONDS = 60.0
"""How long a stopping worker may take for its slices (1 to 5 s by contract) before it is killed."""

FIRST_PAUSE, LONGEST_PAUSE = 0.1, 10.0
"""Seconds before a dead worker process is started again: doubled at each death, and back to the first after a good run."""

GOOD_RUN_SECONDS = 30.0
"""A worker process that lived this long ready counts as a good run."""

START_ATTEMPTS = 5
"""A worker process that ends this often in a row before it was ready will not do so for lack of patience."""

SLOW_WARM_SECONDS = 1.5
"""Warming that takes longer than this is compilation, and is announced."""


def embedded_prefix(data_dir: Path) -> str:
    """Return the beginning of the names of all embedded workers of a data folder.

    The holder of the folder's lock knows that every other one is dead. No host name has a colon.
    """
    place = f"{socket.gethostname()}:{data_dir.resolve()}"
    return f"embedded:{hashlib.blake2b(place.encode(), digest_size=4).hexdigest()}:"


class Supervisor:
    """Context manager: `slots` worker processes and/or the keeper's steps, driven by `tick()` or `run()`.

    `on_event` gets sentences for people (stderr). `warm` names the kinds whose kernels are compiled before the fork; by default
    those of the unfinished jobs, or all if there are none. SIGINT and SIGTERM make `tick()` and `run()` raise
    `KeyboardInterrupt`; leaving the block stops the worker gently: slices end, chunks are given back, no attempt is burnt.
    `sign_of_life` is a file that is touched every two seconds while all is well, for health checks.
    """

    def __init__(
        self,
        settings: Settings,
        slots: int | None = None,
        *,
        keeper: bool = True,
        worker: bool = True,
        on_event: Callable[[str], None] | None = None,
        warm: Sequence[str] | None = None,
        sign_of_life: Path | None = None,
    ) -> None:
        registry.add_modules(settings.extra_kind_modules)
        self._settings = settings
        self._slots = slots or settings.slots or os.cpu_count() or 1
        self._say = on_event or (lambda _message: None)
        self._warm = warm
        self._with_worker = worker
        self._embedded = settings.embedded_broker and worker
        self._lock = FolderLock(settings.data_dir) if self._embedded else None
        self._prefix = embedded_prefix(settings.data_dir) if self._embedded else f"{socket.gethostname()[:64]}-"
        self.name = f"{self._prefix}{uuid.uuid4().hex[:8]}"
        self._engine = make_engine(settings.effective_database_url())
        self._store = make_store(settings, self._engine)
        self._keeper = Keeper(settings, self._store, make_app(settings), self._live_slots) if keeper else None
        self._process: WorkerProcess | None = None
        self._starts = 0
        self._failed_starts = 0
        self._pause = FIRST_PAUSE
        self._start_at = 0.0
        self._seen_at = float("-inf")
        self._known = False
        self._sign_of_life = sign_of_life
        self._shown_at = float("-inf")
        self._standing_by = False
        self._announced: str | None = None
        self._stop_signal: int | None = None
        self._old_handlers: dict[int, Any] = {}
        self._log = logs.log_file(settings.data_dir) if self._embedded else None
        self._log_handler: logging.Handler | None = None

    @property
    def ready(self) -> bool:
        """Whether the worker process takes chunks."""
        return self._process is not None and self._process.ready

    @property
    def worker_pid(self) -> int | None:
        """Process number of the worker process (its group's too), None while there is none."""
        return self._process.pid if self._process else None

    @property
    def standing_by(self) -> bool:
        """Whether another supervisor owns the data folder and does the work."""
        return self._standing_by

    def __enter__(self) -> Self:
        self._log_handler = logs.attach(self._log)
        if threading.current_thread() is threading.main_thread():
            self._old_handlers = {number: signal.signal(number, self._on_signal) for number in (signal.SIGINT, signal.SIGTERM)}
        return self

    def __exit__(self, *_exc: object) -> None:
        try:
            self._stop_worker()
        finally:
            for number, handler in self._old_handlers.items():
                signal.signal(number, handler)
            if self._keeper is not None:
                self._keeper.close()
            if self._lock is not None:
                self._lock.release()
            self._engine.dispose()
            if self._log_handler is not None:
                logs.detach(self._log_handler)

    def run(self, until: Callable[[], bool] | None = None) -> None:
        """Tick until `until()` is true; it is asked some times a second. Raises what `tick` raises."""
        while True:
            self.tick()
            if until is not None and until():
                return
            self._wait()

    def tick(self) -> None:
        """Do what is due now; returns at once.

        Raises `KeyboardInterrupt` after SIGINT or SIGTERM, and `WorkerStartError` if the worker process cannot be started.
        """
        if self._stop_signal is not None:
            raise KeyboardInterrupt
        if not self._owns_folder():
            return
        if self._with_worker:
            self._tend_worker()
        if self._keeper is not None:
            self._keeper.tick()
        if self._sign_of_life is not None:
            self._show_life(self._sign_of_life)

    def _show_life(self, file: Path) -> None:
        """Touch the file, unless something is wrong or it was done a moment ago."""
        if self._with_worker and not (self.ready and self._known):
            return
        if self._keeper is not None and self._keeper.waiting:
            return
        now = time.monotonic()
        if now - self._shown_at >= SEEN_SECONDS:
            self._shown_at = now
            file.parent.mkdir(parents=True, exist_ok=True)
            file.touch()

    def _on_signal(self, number: int, _frame: FrameType | None) -> None:
        if self._stop_signal is not None and self._process is not None:
            self._process.kill()  # asked twice: now
        self._stop_signal = number

    def _wait(self) -> None:
        readable = [self._process] if self._process is not None and self._process.exit_code() is None else []
        select.select(readable, [], [], min(0.2, self._settings.dispatch_seconds))

    def _live_slots(self) -> int:
        if self._embedded:
            return self._slots if self.ready else 0
        return cluster_slots(self._store)

    def _owns_folder(self) -> bool:
        """In embedded mode take the folder's lock, and with it the duty to clean up after the last owner."""
        if self._lock is None or self._lock.held:
            return True
        if not self._lock.acquire():
            if not self._standing_by:
                self._standing_by = True
                self._say(f"another puzzlemill (process {self._lock.holder()}) works on {self._settings.data_dir}; standing by")
            return False
        if self._standing_by:
            self._standing_by = False
            self._say("the other puzzlemill has ended; taking over")
        try:
            spool.empty(self._settings.spool_dir)
            self._store.forget_dispatches()
            released = self._store.release_worker(self._prefix)
        except BaseException:
            self._lock.release()
            raise
        if released:
            logger.warning("%d chunks of an earlier worker that was killed are queued again", released)
        return True

    def _tend_worker(self) -> None:
        now = time.monotonic()
        if self._process is None:
            if now >= self._start_at:
                self._start()
            return
        process = self._process
        process.events()
        if process.exit_code() is not None:
            self._bury(process)
            return
        self._announce(process)
        for pid in process.gone_children():
            self._give_back(child_name(process.name, pid))
        if now - self._seen_at >= SEEN_SECONDS:
            self._seen(READY if process.ready else "starting")

    def _start(self) -> None:
        self._starts += 1
        name = f"{self.name}-{self._starts}"
        self._process = WorkerProcess(self._settings, name, self._slots, self._kinds_to_warm(), self._log)
        logger.info("worker process %d (%s) started with %d slots", self._process.pid, name, self._slots)
        self._seen("starting")

    def _kinds_to_warm(self) -> Sequence[str] | None:
        if self._warm is not None or not self._embedded:
            return self._warm
        unfinished = {job.kind for state in ("queued", "running") for job in self._store.jobs(state=state)}
        return sorted(unfinished) or None

    def _announce(self, process: WorkerProcess) -> None:
        """Say that kernels are being compiled, once for each kind, if it takes long enough to be that."""
        kind = process.warming
        if kind is not None and kind != self._announced and time.monotonic() - process.started > SLOW_WARM_SECONDS:
            self._announced = kind
            self._say(f"preparing kernels of {kind} (compiled the first time, then cached)")

    def _bury(self, process: WorkerProcess) -> None:
        """The worker process died: kill what is left of its group, give back its leases, start again after a pause."""
        code = process.exit_code()
        self._end(process)
        self._process = None
        good = process.ready and time.monotonic() - process.started > GOOD_RUN_SECONDS
        self._pause = FIRST_PAUSE if good else min(self._pause * 2, LONGEST_PAUSE)
        self._start_at = time.monotonic() + self._pause
        self._failed_starts = 0 if process.ready else self._failed_starts + 1
        logger.warning("worker process %d ended with %s; starting again in %.1f s", process.pid, code, self._pause)
        if self._failed_starts >= START_ATTEMPTS:
            raise WorkerStartError(
                f"the worker process ended {self._failed_starts} times before it was ready (exit code {code}); "
                f"see {self._log or 'the messages above'}"
            )
        self._say(f"the worker process ended unexpectedly (exit code {code}); starting it again")
        self._seen("restarting")

    def _end(self, process: WorkerProcess) -> None:
        process.kill()
        process.close()
        self._give_back(process.name + "/")

    def _give_back(self, dead: str) -> None:
        """Give back the chunks of dead processes: those whose leasing names begin with `dead`."""
        try:
            released = self._store.release_worker(dead)
        except StoreError as error:
            logger.error("leases of %s will have to run out: %s", dead, error)  # noqa: TRY400  # expected
        else:
            if released:
                logger.warning("%d chunks of %s, which died, are queued again or quarantined", released, dead)

    def _stop_worker(self) -> None:
        process = self._process
        if process is None:
            return
        process.ask_to_stop()
        if process.wait(GRACE_SECONDS) is None:
            logger.error("worker process %d does not stop; killing it", process.pid)
        self._end(process)
        self._process = None
        try:
            self._store.worker_gone(self.name)
        except StoreError as error:
            logger.warning("the worker table still lists %s: %s", self.name, error)

    def _seen(self, state: str) -> None:
        self._seen_at = time.monotonic()
        try:
            self._store.worker_seen(self.name, socket.gethostname(), os.getpid(), self._slots, state, self._starts - 1)
        except StoreError as error:
            if self._known:
                logger.warning("the worker table cannot be told: %s", error)
        else:
            self._known = True
            return
        self._known = False


def run_worker(settings: Settings, slots: int | None = None, warm: Sequence[str] | None = None) -> int:
    """Run a worker of a cluster until SIGTERM or SIGINT; log to stderr; return the exit code 0.

    `warm` names the kinds whose kernels are compiled before the first chunk; by default all are.

    Raises `db.errors.StoreError` if the database is unreachable at the start or not of this version.
    """
    life = settings.data_dir / "run" / "worker.alive"
    return _serve(settings, Supervisor(settings, slots, keeper=False, warm=warm, sign_of_life=life))


def run_keeper(settings: Settings) -> int:
    """Run a keeper of a cluster until SIGTERM or SIGINT; log to stderr; return the exit code 0.

    Raises `db.errors.StoreError` if the database is unreachable at the start or not of this version.
    """
    life = settings.data_dir / "run" / "keeper.alive"
    return _serve(settings, Supervisor(settings, keeper=True, worker=False, sign_of_life=life))


def _serve(settings: Settings, supervisor: Supervisor) -> int:
    engine = make_engine(settings.effective_database_url())
    try:
        schema.require_current(engine)
    finally:
        engine.dispose()
    with supervisor:
        try:
            supervisor.run()
        except KeyboardInterrupt:
            logger.info("stopping")
    return 0
