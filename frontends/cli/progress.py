"""Progress of a job on stderr: a live display on a terminal, a line now and then with `--verbose`, else silence."""

import sys
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

from rich.console import Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from frontends.cli.output import Talk, say, stderr
from frontends.cli.tables import cell, duration, rate

LINE_SECONDS = 10.0
"""How often a line is printed where there is no terminal."""

WINDOW_SECONDS = 30.0
"""Over how long the rate is taken: long enough to be steady, short enough to follow a change."""

SHOWN_CHUNKS = 4
"""Running chunks whose notes are shown."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A job at one moment. `done` counts finished chunks' items and what running chunks report, in items."""

    number: int
    kind: str
    state: str
    done: float
    expected: int
    chunks_done: int
    chunks_running: int
    chunks: int
    quarantined: int
    stage: int
    stage_label: str
    running: Sequence[str] = ()
    """One note for each running chunk."""

    @property
    def share(self) -> float:
        """The finished part, 0 to 1."""
        return min(1.0, self.done / self.expected) if self.expected else 0.0


class Pace:
    """Rate and time left, from what was seen in the last half minute."""

    def __init__(self) -> None:
        self._seen: deque[tuple[float, float]] = deque()

    def see(self, now: float, done: float) -> None:
        """Note that `done` items were finished at `now` (seconds of any steady clock)."""
        if self._seen and done == self._seen[0][1]:
            self._seen.clear()  # nothing moved so far: the time workers take to start says nothing about their pace
        self._seen.append((now, done))
        while len(self._seen) > 2 and now - self._seen[1][0] > WINDOW_SECONDS:
            self._seen.popleft()

    def rate(self) -> str:
        """Return the rate as text, or nothing while it is not known."""
        span, items = self._span()
        return rate(items, span) if items > 0 and span > 0 else ""

    def left(self, remaining: float) -> str:
        """Return the time left for `remaining` items as text, or nothing while it is not known."""
        span, items = self._span()
        return duration(remaining * span / items) + " left" if items > 0 and span > 1 and remaining > 0 else ""

    def _span(self) -> tuple[float, float]:
        if len(self._seen) < 2:
            return 0.0, 0.0
        (first, before), (last, after) = self._seen[0], self._seen[-1]
        return last - first, after - before


class Display:
    """Shows snapshots while it is entered. This one is for pipes and scripts: it shows nothing."""

    detailed: ClassVar[bool] = False
    """Whether it shows the running chunks one by one."""

    def __enter__(self) -> Self:
        """Start showing."""
        return self

    def __exit__(self, *_: object) -> None:
        """Stop showing."""

    def show(self, at: Snapshot) -> None:
        """Show where the job stands."""

    def note(self, message: str) -> None:
        """Tell of an event, such as a worker that died and was replaced."""


def display() -> Display:
    """Return the display that fits: live on a terminal, lines with `--verbose`, else a silent one."""
    if sys.stderr.isatty():
        return LiveDisplay()
    return LineDisplay() if Talk.verbose else Display()


class LineDisplay(Display):
    """Prints a line every ten seconds."""

    def __init__(self) -> None:
        self._pace = Pace()
        self._next = time.monotonic() + LINE_SECONDS

    def show(self, at: Snapshot) -> None:
        """Print a line if it is time."""
        now = time.monotonic()
        self._pace.see(now, at.done)
        if now >= self._next:
            self._next = now + LINE_SECONDS
            say(f"job {at.number}: {headline(at, self._pace)}")

    def note(self, message: str) -> None:
        """Print the event."""
        say(message)


class LiveDisplay(Display):
    """A bar with counts, rate and time left, and under it the stage and what the running chunks say."""

    detailed = True

    def __init__(self) -> None:
        self._pace = Pace()
        self._live = Live(console=stderr, refresh_per_second=8, transient=True)

    def __enter__(self) -> Self:
        """Start the live display."""
        self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Take the live display away."""
        self._live.stop()

    def show(self, at: Snapshot) -> None:
        """Draw the job anew."""
        self._pace.see(time.monotonic(), at.done)
        self._live.update(draw(at, self._pace))

    def note(self, message: str) -> None:
        """Print the event above the display."""
        self._live.console.print(message, markup=False)


def headline(at: Snapshot, pace: Pace) -> str:
    """Return one line: items, rate, time left, chunks."""
    parts = [at.state] if at.state not in ("running", "queued") else []
    parts.append(f"{cell(int(at.done))}/{cell(at.expected)} items ({at.share:.0%})")
    parts += [pace.rate(), pace.left(at.expected - at.done)]
    parts.append(f"{cell(at.chunks_done)}/{cell(at.chunks)} chunks")
    if at.quarantined:
        parts.append(f"{at.quarantined} quarantined")
    if at.stage_label:
        parts.append(at.stage_label)
    return ", ".join(part for part in parts if part)


def draw(at: Snapshot, pace: Pace) -> Group:
    """Return the live display's picture of a job: the bar on one line, details under it."""
    top = Table.grid(padding=(0, 1))
    top.add_row(
        f"job {at.number}",
        ProgressBar(total=1.0, completed=at.share, width=30),
        Text(f"{at.share:4.0%}"),
        Text(f"{cell(int(at.done))}/{cell(at.expected)}"),
        Text(pace.rate()),
        Text(pace.left(at.expected - at.done)),
    )
    words = [at.kind, f"chunks {cell(at.chunks_done)}/{cell(at.chunks)}"]
    if at.stage or at.stage_label:
        words.append(f"stage {at.stage}" + (f" ({at.stage_label})" if at.stage_label else ""))
    if at.quarantined:
        words.append(f"{at.quarantined} quarantined")
    if at.state == "paused":
        words.append(f"paused; `puzzlemill job resume {at.number}` lets it go on")
    elif at.state not in ("running", "queued"):
        words.append(at.state)
    notes = [f"  {note}" for note in at.running[:SHOWN_CHUNKS]]
    if not at.chunks_running and at.state in ("running", "queued"):
        notes = ["  waiting for a worker"]
    if len(at.running) > SHOWN_CHUNKS:
        notes.append(f"  and {len(at.running) - SHOWN_CHUNKS} more")
    lines = Text("\n".join([" · ".join(words), *notes]), style="dim", no_wrap=True, overflow="ellipsis")
    return Group(top, lines)
