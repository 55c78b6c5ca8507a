"""Follows a job to its end, with or without workers of its own, showing progress."""

import time
from collections.abc import Callable

from db.models import ChunkState
from db.settings import Settings
from db.store import ChunkView, JobView, Store
from frontends.cli.jobtext import cores
from frontends.cli.output import CliError, Exit
from frontends.cli.progress import Display, Snapshot, display
from workers.supervisor import Supervisor

LOOK_SECONDS = 0.25
"""How often the job's row is read."""

DETAIL_SECONDS = 1.0
"""How often the running chunks are read, for the display."""

DETAIL_CHUNKS = 2000
"""Jobs with more chunks are shown without them: reading the list would cost more than it tells."""


class Watcher:
    """Reads a job now and then, shows it, and says when it is finished."""

    def __init__(self, store: Store, number: int, shown: Display) -> None:
        self._store = store
        self._number = number
        self._shown = shown
        self._next_look = 0.0
        self._next_detail = 0.0
        self._running: list[str] = []
        self._best = 0.0
        self.view = store.job(number)

    def finished(self) -> bool:
        """Look at the job if it is time, show it, and return True once it is finished."""
        now = time.monotonic()
        if now < self._next_look:
            return False
        self._next_look = now + LOOK_SECONDS
        self.view = self._store.job(self._number)
        if self._shown.detailed and now >= self._next_detail and self.view.chunk_count <= DETAIL_CHUNKS:
            self._next_detail = now + DETAIL_SECONDS
            self._running = [_note(c) for c in self._store.chunks(self._number) if c.state is ChunkState.RUNNING]
        self._shown.show(self._snapshot())
        return self.view.closed

    def _snapshot(self) -> Snapshot:
        view = self.view
        # What a running chunk reports is lost if its worker dies; the bar does not go back for that.
        self._best = max(self._best, view.items_done, min(view.items_done + view.items_in_progress, view.items_expected))
        state = str(view.state)
        if not view.closed and (view.paused or view.cancel_requested):
            state = "being cancelled" if view.cancel_requested else "paused"
        return Snapshot(
            number=view.id,
            kind=view.kind,
            state=state,
            done=self._best,
            expected=view.items_expected,
            chunks_done=view.chunks_done,
            chunks_running=view.chunks_running,
            chunks=view.chunk_count,
            quarantined=view.chunks_quarantined,
            stage=view.stage,
            stage_label=view.stage_label,
            running=self._running,
        )


def _note(chunk: ChunkView) -> str:
    progress = f"{chunk.progress_done:,}/{chunk.progress_total:,} " if chunk.progress_total else ""
    return f"chunk {chunk.index}: {progress}{chunk.note}".strip() if progress or chunk.note else f"chunk {chunk.index}: started"


def follow(store: Store, made: Settings, number: int, *, workers: bool, slots: int | None) -> JobView:
    """Return job `number` once it is finished, computing here if `workers`.

    Raises `CliError` with exit code 130 at Ctrl-C: the workers stop at their next slice and the job keeps its state.
    """
    try:
        with display() as shown:
            watcher = Watcher(store, number, shown)
            if watcher.view.closed:
                return watcher.view
            if workers:
                _compute(made, slots, watcher, shown)
            else:
                wait(watcher.finished)
    except KeyboardInterrupt:
        raise CliError(
            f"interrupted; job {number} keeps its state. Go on with it: puzzlemill job watch {number}", Exit.INTERRUPTED
        ) from None
    return watcher.view


def _compute(made: Settings, slots: int | None, watcher: Watcher, shown: Display) -> None:
    with Supervisor(made, slots or made.slots or cores(), on_event=shown.note) as supervisor:
        try:
            supervisor.run(until=watcher.finished)
        except KeyboardInterrupt:
            shown.note("stopping at the end of the slice (Ctrl-C once more: at once) ...")
            raise


def wait(finished: Callable[[], bool]) -> None:
    """Ask `finished` until it is true."""
    while not finished():
        time.sleep(LOOK_SECONDS)
