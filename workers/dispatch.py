"""Publishes wake-up calls for due chunks, a few for each slot, so that priority, pause and cancel act at once."""

import contextlib
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from celery import Celery
from celery.exceptions import CeleryError
from kombu.exceptions import KombuError

from db.store import Store
from workers.task import TASK_NAME

if TYPE_CHECKING:
    from kombu import Connection, Producer

logger = logging.getLogger(__name__)

BROKER_ERRORS = (CeleryError, KombuError, OSError)
"""What publishing raises while the broker is away (kombu wraps the drivers' own exceptions in its `OperationalError`)."""


class Dispatcher:
    """Keeps `window()` chunks in the broker or running. Any number may run beside each other."""

    def __init__(self, store: Store, app: Celery, window: Callable[[], int]) -> None:
        self._store = store
        self._app = app
        self._window = window
        self._connection: Connection | None = None
        self._producer: Producer | None = None
        self._broker_away = False
        self.outstanding = 0
        """How many chunks are on their way or running, as of the last step."""

    def step(self) -> bool:
        """Publish what is due and fits; return whether work was finished and nothing was due (a stage may have ended).

        Raises `db.errors.StoreError` if the database is away. A broker that is away is logged once and tried again at the
        next step: chunks marked but not published are due again after the dispatch deadline.
        """
        before = self.outstanding
        self.outstanding = self._store.outstanding()
        room = self._window() - self.outstanding
        if room > 0 and self._broker_answers():
            due = self._store.take_due(room)
            for chunk_id in due:
                if not self._publish(chunk_id):
                    break
            self.outstanding += len(due)
        return self.outstanding < before

    def _broker_answers(self) -> bool:
        """After a failure, ask before marking more chunks as dispatched."""
        if not self._broker_away:
            return True
        try:
            with self._app.connection_for_write() as connection:
                connection.ensure_connection(max_retries=1, interval_start=0, timeout=5)
        except BROKER_ERRORS:
            return False
        logger.warning("the broker is back")
        self._broker_away = False
        return True

    def _publish(self, chunk_id: int) -> bool:
        try:
            if self._connection is None:
                self._connection = self._app.connection_for_write()
                self._producer = self._app.amqp.Producer(self._connection)
            self._app.send_task(TASK_NAME, (chunk_id,), retry=False, ignore_result=True, producer=self._producer)
        except Exception as error:  # noqa: BLE001  # whatever a broker's client raises must not stop the keeper
            logger.warning("the broker is away; chunks stay queued: %s: %s", type(error).__name__, error)
            self._broker_away = True
            self.close()
            return False
        return True

    def close(self) -> None:
        """Drop the connection to the broker; the next step makes another."""
        connection, self._connection, self._producer = self._connection, None, None
        if connection is not None:
            with contextlib.suppress(*BROKER_ERRORS):
                connection.release()
