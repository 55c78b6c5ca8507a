"""What happens around the fork in a worker process: warm kernels before, clean connections after, and everyone's end.

The parent prepares and never touches the database, so its children inherit compiled kernels and nothing else: no connection,
no thread, no OpenMP. A shared page, mapped before the fork, tells the children that the parent was asked to stop, and the
parent which of them are at work.
"""

import contextlib
import ctypes
import gc
import json
import logging
import mmap
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

from celery import signals

from engine import registry
from workers.task import ProcessRunner

logger = logging.getLogger(__name__)

EVENTS_VARIABLE = "PUZZLEMILL_EVENTS_FD"
"""Number of the pipe on which the worker process tells its supervisor what it does: one JSON object a line."""

LIFELINE_VARIABLE = "PUZZLEMILL_LIFELINE"
"""The supervisor's process number; when set, standard input is a pipe that ends when the supervisor does."""

WARM_VARIABLE = "PUZZLEMILL_WARM_KINDS"
"""Comma-separated kinds to warm before the fork; unset: all."""

ORPHAN_SECONDS = 0.5
"""How often a child looks whether its parent is still there."""

PR_SET_PDEATHSIG = 1  # prctl(2)

GARBAGE_THRESHOLD = 500_000
"""New objects after which a child looks for garbage in cycles even amid a chunk: more than a large chunk's results are."""

LEAVE_SECONDS = 0.02
"""How often a stopping parent looks whether its children are done."""

_page = mmap.mmap(-1, mmap.PAGESIZE)  # anonymous and shared; the first byte: stop; the others: a child at work, by its number


def stopping() -> bool:
    """Whether the worker process was asked to stop."""
    return _page[0] != 0


@contextlib.contextmanager
def at_work() -> Iterator[None]:
    """Show the parent that this child is at work. Entered before asking `stopping`, so the parent never misses a claim.

    Garbage in cycles is looked for at the end, when the results are gone and there is little to look through.
    """
    place = 1 + os.getpid() % (mmap.PAGESIZE - 1)
    _page[place] = 1
    try:
        yield
    finally:
        _page[place] = 0
        gc.collect()


def install(runner: ProcessRunner, *, leave_early: bool) -> None:
    """Connect Celery's signals; `runner` learns which kinds are warm and when to stop.

    With `leave_early` a stopping parent ends as soon as no child is at work, its messages unacknowledged: Celery's own way
    takes two seconds more, to hand back messages that the embedded spool has no use for.
    """
    runner.stopping = stopping
    runner.at_work = at_work

    def before_fork(**_: Any) -> None:
        for noisy in ("celery.app.trace", "celery.worker.strategy"):  # two lines a message, beside our own one a chunk
            logging.getLogger(noisy).setLevel(logging.WARNING)
        runner.warmed |= warm(_kinds_to_warm())
        # Records come by the ten thousand and hold no cycles: to look for some among them is time lost. What is there before
        # the fork stays for good, in pages that the children share.
        gc.collect()
        gc.freeze()
        gc.set_threshold(GARBAGE_THRESHOLD, 20, 50)

    def ready(**_: Any) -> None:
        tell("ready")
        if LIFELINE_VARIABLE in os.environ:  # only now, so that no thread was there at the fork
            threading.Thread(target=_watch_lifeline, name="lifeline", daemon=True).start()

    def asked_to_stop(**_: Any) -> None:
        _page[0] = 1
        if leave_early:
            threading.Thread(target=_leave_when_idle, name="leave", daemon=True).start()

    def after_fork(**_: Any) -> None:
        runner.after_fork()
        tell("child", pid=os.getpid())
        threading.Thread(target=_watch_parent, args=(os.getppid(),), name="orphan", daemon=True).start()

    signals.worker_init.connect(before_fork, weak=False)
    signals.worker_ready.connect(ready, weak=False)
    signals.worker_shutting_down.connect(asked_to_stop, weak=False)
    signals.worker_process_init.connect(after_fork, weak=False)


def _kinds_to_warm() -> list[str]:
    names = os.environ.get(WARM_VARIABLE)
    if names is None:
        return list(registry.kinds())
    return [name for name in names.split(",") if name in registry.kinds()]


def warm(names: list[str]) -> set[str]:
    """Compile kernels and load tables of the kinds called `names`; return those that went well."""
    done = set()
    for name in names:
        tell("warming", kind=name)
        began = time.monotonic()
        try:
            registry.kind(name).warm()
        except Exception:
            logger.exception("%s: could not be warmed; its chunks will say why", name)
            continue
        done.add(name)
        logger.info("%s: warm after %.2f s", name, time.monotonic() - began)
    return done


def tell(event: str, **details: Any) -> None:
    """Tell the supervisor, if there is one. A line is shorter than a pipe's atomic write, so lines never mix."""
    number = os.environ.get(EVENTS_VARIABLE)
    if number:
        with contextlib.suppress(OSError):  # the supervisor has gone: others see to that
            os.write(int(number), json.dumps({"event": event, **details}).encode() + b"\n")


def die_with_supervisor() -> None:
    """Ask Linux to kill this process when its supervisor dies; elsewhere the lifeline does it once the worker is ready."""
    supervisor = os.environ.get(LIFELINE_VARIABLE)
    if supervisor is None:
        return
    _set_parent_death_signal(signal.SIGKILL)
    if os.getppid() != int(supervisor):  # it died before we could ask
        sys.exit(1)


def _set_parent_death_signal(number: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, number)


def _leave_when_idle() -> None:
    """End this parent as soon as no child is at work. A child killed at work counts as one: then Celery's own way is taken."""
    while any(_page[1:]):
        time.sleep(LEAVE_SECONDS)
    os._exit(0)


def _watch_lifeline() -> None:
    """End the whole process group when the pipe on standard input ends: the supervisor has died."""
    while os.read(0, 1):
        pass
    if os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(1)


def _watch_parent(parent: int) -> None:
    """End this child when its parent has died; its lease is given back by the supervisor, or runs out."""
    while os.getppid() == parent:
        time.sleep(ORPHAN_SECONDS)
    os._exit(1)
