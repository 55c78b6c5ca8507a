"""The keeper: dispatches due chunks often and reconciles now and then. Any number may run; each step is safe beside another."""

import logging
import time
from collections.abc import Callable

from celery import Celery

from db.errors import StoreError
from db.settings import Settings
from db.store import Store
from workers.dispatch import Dispatcher

logger = logging.getLogger(__name__)

ALIVE_SECONDS = 15.0
"""A worker not seen for longer than this has no slots to fill."""

READY = "ready"
"""The worker table's state of a worker whose slots take chunks."""

IDLE_SECONDS = 5.0
"""With nothing to dispatch for this long, the keeper looks five times less often."""


def cluster_slots(store: Store) -> int:
    """Return how many slots the workers seen lately have."""
    return sum(worker.slots for worker in store.workers(alive_within=ALIVE_SECONDS) if worker.state == READY)


class Keeper:
    """Runs dispatch and reconcile steps when they are due; `slots()` says how many worker slots there are to feed."""

    def __init__(self, settings: Settings, store: Store, app: Celery, slots: Callable[[], int]) -> None:
        self._settings = settings
        self._store = store
        self._dispatcher = Dispatcher(store, app, lambda: settings.slot_window * slots())
        self._next_dispatch = 0.0
        self._next_sweep = 0.0
        self._busy_at = time.monotonic()
        self.waiting = False
        """Whether the database is away."""

    def tick(self) -> None:
        """Do what is due now. A database that is away is logged once and asked again at the next sweep."""
        now = time.monotonic()
        if now < min(self._next_dispatch, self._next_sweep):
            return
        try:
            if now >= self._next_dispatch:
                self._dispatch(now)
            if now >= self._next_sweep:
                self._sweep(now)
        except StoreError as error:
            if not self.waiting:
                logger.error("the keeper waits for the database: %s", error)  # noqa: TRY400  # expected, and no traceback helps
            self.waiting = True
            self._next_dispatch = self._next_sweep = now + self._settings.sweep_seconds
            return
        if self.waiting:
            logger.warning("the database is back")
            self.waiting = False

    def close(self) -> None:
        """Drop the connection to the broker."""
        self._dispatcher.close()

    def _dispatch(self, now: float) -> None:
        drained = self._dispatcher.step()
        if self._dispatcher.outstanding:
            self._busy_at = now
        if drained:
            self._next_sweep = now
        idle = now - self._busy_at > IDLE_SECONDS
        self._next_dispatch = now + self._settings.dispatch_seconds * (5 if idle else 1)

    def _sweep(self, now: float) -> None:
        outcome = self._store.reconcile()
        if outcome.requeued or outcome.quarantined or outcome.stages_planned or outcome.jobs_closed:
            logger.info("reconciled: %s", outcome)
            self._next_dispatch = now
        self._store.fold_log()
        self._next_sweep = now + self._settings.sweep_seconds
