"""The Celery worker as a subprocess in a process group of its own: started, listened to, stopped gently or killed whole."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from db.settings import Settings
from engine.jobs import JsonObject
from workers.app import SETTINGS_VARIABLE
from workers.hooks import EVENTS_VARIABLE, LIFELINE_VARIABLE, WARM_VARIABLE
from workers.task import NAME_VARIABLE

SINGLE_THREADED = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"), "1")
"""A slot is one core. Libraries must not start threads of their own either: numpy's would be there at the fork."""


class WorkerProcess:
    """One run of the worker: a Celery parent and its pool. It dies when this process does, however that happens.

    Linux kills it when the *thread* that started it ends, so start it from a thread that stays.
    """

    def __init__(self, settings: Settings, name: str, slots: int, warm: Sequence[str] | None, log: Path | None) -> None:
        self.name = name
        self.slots = slots
        self.ready = False
        self.warming: str | None = None
        self.started = time.monotonic()
        self._children: set[int] = set()
        self._unread = b""
        self._events, write_end = os.pipe()
        os.set_blocking(self._events, False)
        environment = {
            **os.environ,
            **SINGLE_THREADED,
            SETTINGS_VARIABLE: settings.model_dump_json(),
            NAME_VARIABLE: name,
            EVENTS_VARIABLE: str(write_end),
            LIFELINE_VARIABLE: str(os.getpid()),
        }
        environment.pop(WARM_VARIABLE, None)
        if warm is not None:
            environment[WARM_VARIABLE] = ",".join(warm)
        with contextlib.ExitStack() as opened:
            output: IO[bytes] | None = opened.enter_context(log.open("ab")) if log else None
            try:
                # -P: a folder called `db` or `engine` where the user happens to be must not hide ours.
                self._process = subprocess.Popen(  # noqa: S603  # our own interpreter and module
                    [sys.executable, "-P", "-m", "workers.celery_main", *_arguments(name, slots)],
                    stdin=subprocess.PIPE,
                    stdout=output or sys.stderr.fileno(),
                    stderr=output,
                    env=environment,
                    pass_fds=(write_end,),
                    start_new_session=True,
                )
            finally:
                os.close(write_end)

    @property
    def pid(self) -> int:
        """Process number of the Celery parent, which is also its group's."""
        return self._process.pid

    def fileno(self) -> int:
        """Return the pipe that becomes readable when there are events."""
        return self._events

    def events(self) -> list[JsonObject]:
        """Return what the worker told since the last call, and take note of it."""
        with contextlib.suppress(BlockingIOError):
            while block := os.read(self._events, 65536):
                self._unread += block
        *lines, self._unread = self._unread.split(b"\n")
        told: list[JsonObject] = [json.loads(line) for line in lines]
        for event in told:
            if event["event"] == "ready":
                self.ready, self.warming = True, None
            elif event["event"] == "warming":
                self.warming = str(event["kind"])
            elif event["event"] == "child":
                self._children.add(int(event["pid"]))
        return told

    def gone_children(self) -> list[int]:
        """Return the pool processes that are no longer there, each once: replaced in due course, killed or crashed."""
        gone = [pid for pid in self._children if not _exists(pid)]
        self._children.difference_update(gone)
        return gone

    def exit_code(self) -> int | None:
        """Return the exit code of the Celery parent, None while it runs."""
        return self._process.poll()

    def ask_to_stop(self) -> None:
        """Ask the worker to stop: each slice ends, its chunk is given back, the process exits with 0."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)

    def wait(self, seconds: float) -> int | None:
        """Wait up to `seconds` for the end; return the exit code, None if it has not ended."""
        try:
            return self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    def kill(self) -> None:
        """Kill the whole group, also what is left of it after its parent died, and reap the parent."""
        with contextlib.suppress(ProcessLookupError, PermissionError):  # macOS: EPERM for a group of zombies
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def close(self) -> None:
        """Close our ends of the pipes. The worker must have ended."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        os.close(self._events)


def _arguments(name: str, slots: int) -> list[str]:
    return [
        "--pool=prefork",
        f"--concurrency={slots}",
        f"--hostname={name}",
        "--loglevel=INFO",
        "--without-gossip",
        "--without-mingle",
        "--without-heartbeat",
    ]


def _exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True  # the number has been given to someone else's process; ours is gone, but its lease will run out
    return True
