"""The embedded broker: Celery's file-system transport with whole messages only.

The stock transport creates a message file under its final name and then writes it, so a reader can catch it empty and the
worker stops on bad JSON. Here a message is written under another name and renamed; it is taken by a rename within the spool
(atomic, and never across file systems); one that cannot be read is dropped, since the dispatch deadline repeats it anyway.
"""

import contextlib
import json
import logging
import os
import shutil
import time
import uuid
from pathlib import Path
from queue import Empty
from typing import Any

from kombu.transport import filesystem

logger = logging.getLogger(__name__)

MESSAGES = "messages"
TAKEN = "taken"
CONTROL = "control"


def prepare(spool: Path) -> dict[str, Any]:
    """Create the spool's folders and return the transport options that name them."""
    for name in (MESSAGES, TAKEN, CONTROL):
        (spool / name).mkdir(parents=True, exist_ok=True)
    return {
        "data_folder_in": str(spool / MESSAGES),
        "data_folder_out": str(spool / MESSAGES),
        "processed_folder": str(spool / TAKEN),
        "control_folder": str(spool / CONTROL),
    }


def empty(spool: Path) -> None:
    """Drop every message. Only the holder of the data folder's lock may, before its worker starts."""
    shutil.rmtree(spool, ignore_errors=True)
    prepare(spool)


class Channel(filesystem.Channel):
    """A file-system channel whose messages appear and disappear whole."""

    # The stubs of the two base classes disagree on the name of the second argument.
    def _put(self, queue: str, payload: dict[str, Any], **_options: Any) -> None:  # type: ignore[override]  # see above
        folder = Path(self.data_folder_out)
        name = f"{time.monotonic_ns():020d}_{uuid.uuid4().hex}.{queue}.msg"
        draft = folder / f".{name}"
        try:
            draft.write_text(json.dumps(payload), encoding="utf-8")
            draft.rename(folder / name)
        except FileNotFoundError:  # someone deleted the spool: make it again; the message is lost, the deadline repeats it
            folder.mkdir(parents=True, exist_ok=True)

    def _get(self, queue: str, timeout: float | None = None) -> Any:  # noqa: ARG002  # the base class's signature
        for name in self._waiting(queue):
            taken = Path(self.processed_folder) / name
            try:
                (Path(self.data_folder_in) / name).rename(taken)
            except OSError:
                if not taken.parent.exists():
                    taken.parent.mkdir(parents=True, exist_ok=True)
                continue  # another reader was first, or the spool was emptied
            try:
                return json.loads(taken.read_text(encoding="utf-8"))
            except (OSError, ValueError):
                logger.warning("dropped an unreadable message: %s", name)
            finally:
                taken.unlink(missing_ok=True)
        raise Empty

    def basic_ack(self, delivery_tag: str, multiple: bool = False) -> None:  # noqa: FBT001, FBT002  # the base class's signature
        """Acknowledge a message; a slot is free now, so look for the next one."""
        super().basic_ack(delivery_tag, multiple)
        transport: Any = self.connection
        transport.look_soon()

    def _waiting(self, queue: str) -> list[str]:
        """Return the names of the waiting messages, oldest first."""
        ending = f".{queue}.msg"
        try:
            names = os.listdir(self.data_folder_in)  # noqa: PTH208  # names are all that is needed, many times a second
        except FileNotFoundError:
            return []
        return sorted(name for name in names if name.endswith(ending) and not name.startswith("."))

    def _size(self, queue: str) -> int:
        return len(self._waiting(queue))

    def _purge(self, queue: str) -> int:
        names = self._waiting(queue)
        for name in names:
            (Path(self.data_folder_in) / name).unlink(missing_ok=True)
        return len(names)


class Transport(filesystem.Transport):
    """The transport of `Channel`, made to fit Celery's event loop.

    Without the loop Celery runs a pool whose children share one pipe, and a child killed while it waits there takes the pipe's
    lock with it: the others never work again. With the loop each child has a pipe of its own.
    """

    Channel = Channel
    implements = filesystem.Transport.implements.extend(asynchronous=True)

    _loop: Any = None

    def register_with_event_loop(self, connection: Any, loop: Any) -> None:  # noqa: ARG002  # the base class's signature
        """Look for messages at every polling interval."""
        self._loop = loop
        loop.call_repeatedly(self.polling_interval, self._look)

    def look_soon(self) -> None:
        """Look for messages as soon as the event loop, if there is one, has done what it is at."""
        if self._loop is not None:  # by its timer, which is looked at before the loop waits; what is to come soon is not
            self._loop.call_later(0, self._look)

    def _look(self) -> None:
        """Deliver what waits, as far as there are free slots."""
        assert self.cycle is not None  # made by the base class
        with contextlib.suppress(Empty):
            while True:
                self.cycle.get(self._deliver)
