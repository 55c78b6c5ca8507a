"""How the direct sudoku commands read puzzles: in batches of whatever is there, so that a pipe is answered at once."""

import queue
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import click

from engine.sudoku import grid
from frontends.cli.inputs import LineReader
from frontends.cli.output import say

MOST_AT_ONCE = 2048

Lines = list[tuple[int, str]]
"""(line number, puzzle in normal form) each."""


def parse_any(text: str) -> str | None:
    """Return a line's grid in normal form, even if its givens conflict; None for a blank, comment or heading line."""
    return None if grid.is_heading(text) else grid.normalize(text)


@dataclass(slots=True)
class PuzzleBatches:
    """Batches of puzzles from a file, standard input or literal; `fail` counts a puzzle that was read but is no good."""

    source: str
    strict: bool
    parse_line: Callable[[str], str | None] = parse_any
    _reader: LineReader = field(init=False)
    _failed: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        self._reader = LineReader(self.source, self.parse_line, strict=self.strict)

    @property
    def refused(self) -> int:
        """How many lines were refused or failed so far."""
        return self._reader.refused + self._failed

    def fail(self, number: int, message: str) -> None:
        """Say what is wrong with the puzzle on a line, and count it."""
        self._failed += 1
        self.tell(number, message)

    def tell(self, number: int, message: str) -> None:
        """Say something about the puzzle on a line."""
        say(f"{self._reader.name}, line {number}: {message}" if self._named else message)

    @property
    def _named(self) -> bool:
        return len(self.source) < 81 or Path(self.source).is_file()  # a puzzle has 81 cells, but a path may be longer

    def __iter__(self) -> Iterator[Lines]:
        """Yield batches: all lines that have come by now, at least one. Raises what `LineReader` raises."""
        waiting: queue.Queue[tuple[int, str] | BaseException | None] = queue.Queue(2 * MOST_AT_ONCE)
        threading.Thread(target=self._read, args=(waiting,), daemon=True).start()
        while True:
            batch: Lines = []
            entry = waiting.get()
            while isinstance(entry, tuple):
                batch.append(entry)
                if len(batch) == MOST_AT_ONCE:
                    break
                try:
                    entry = waiting.get_nowait()
                except queue.Empty:
                    break
            if batch:
                yield batch
                # Whoever waits for these answers before sending more must not wait for a full buffer.
                sys.stdout.flush()
            if isinstance(entry, BaseException):
                raise entry
            if entry is None:
                return

    def _read(self, waiting: "queue.Queue[tuple[int, str] | BaseException | None]") -> None:
        try:
            for line in self._reader:
                waiting.put(line)
        except BaseException as error:  # noqa: BLE001  # handed to the reader of the queue, which raises it
            waiting.put(error)
        else:
            waiting.put(None)


source_argument = click.argument("source", metavar="[FILE|-|PUZZLE]", default="-")
strict_option = click.option("--strict", is_flag=True, help="Stop at the first bad line.")
