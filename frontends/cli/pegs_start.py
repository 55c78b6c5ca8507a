"""What the peg solitaire commands begin with: the board, the start, and a computation watched on stderr."""

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from engine.pegs.boards import Board
from engine.pegs.catalogue import find_board, parse_position
from engine.pegs.cost import Cost
from engine.pegs.enumerate_job import Enumerate, memory_note
from engine.pegs.errors import BoardTextError
from engine.pegs.steps import Steps
from frontends.cli.inputs import is_file, read_text
from frontends.cli.output import CliError, Exit, Talk, chatty, say, stderr
from frontends.cli.tables import duration

T = TypeVar("T")

LONG_SECONDS = 60.0
"""From here on a computation's expected cost is said before it starts."""

LINE_SECONDS = 10.0
"""How often `--verbose` says where a computation stands when stderr is not a terminal."""


@dataclass(frozen=True, slots=True)
class Start:
    """Where a game begins: a position, and the empty hole if there is exactly one."""

    position: int
    hole: int | None

    @classmethod
    def vacancy(cls, board: Board, hole: int) -> "Start":
        """Return the start with a peg in every hole but one."""
        return cls(board.vacancy(hole), hole)

    def label(self, board: Board) -> str:
        """Return the start in words."""
        return "the position drawn" if self.hole is None else f"hole {self.hole} ({board.hole_names[self.hole]}) empty"


def read_board(source: str, start: str | None) -> tuple[Board, Start | None]:
    """Return the board that `source` names or draws, and the start: the one given, else the one drawn, else None.

    Raise `CliError` (exit 2) for a file that is no board; the engine's errors for an unknown name or hole.
    """
    drawn: Start | None = None
    if is_file(source):
        name = "standard input" if source == "-" else source
        try:
            board, position = parse_position(read_text(source))
        except BoardTextError as error:
            raise CliError(f"{name}: {error}", Exit.USAGE) from None
        empty = board.holes_of(board.full ^ position)
        if position and empty:
            drawn = Start(position, empty[0] if len(empty) == 1 else None)
    else:
        board = find_board(source)
    return board, drawn if start is None else Start.vacancy(board, board.hole(start))


def prepare_kernels() -> None:
    """Compile the kernels, or load them; say so where it takes long and someone may be watching."""
    begin = time.monotonic()
    if sys.stderr.isatty():
        with stderr.status("compiling kernels (only the first time takes this long)"):
            Enumerate().warm()
    else:
        Enumerate().warm()
    if chatty() and (seconds := time.monotonic() - begin) > 2:
        say(f"kernels compiled in {seconds:.0f} s; from now on they are loaded from the cache")


def say_cost(board: Board, cost: Cost, memory: int) -> None:
    """Say on stderr what a long computation is expected to take, and if `memory` (MiB) will hardly do."""
    if cost.core_seconds > LONG_SECONDS:
        say(f"{board.name}: expected to take about {duration(cost.core_seconds)} and {cost.memory_mib:,} MiB of memory")
    if note := memory_note(cost.memory_mib, memory):
        say(f"{board.name}: {note} (--memory)")


def watched(title: str, steps: Steps[T]) -> T:
    """Run a computation to its end and return its result, telling stderr how far it is (a terminal, or `--verbose`)."""
    if sys.stderr.isatty():
        with stderr.status(title) as status:
            return _run(steps, status.update, 0.2)
    return _run(steps, say if Talk.verbose else None, LINE_SECONDS)


def _run(steps: Steps[T], tell: Callable[[str], None] | None, every: float) -> T:
    due = time.monotonic() + every
    while True:
        try:
            step = next(steps)
        except StopIteration as stop:
            result: T = stop.value
            return result
        if tell is not None and time.monotonic() >= due:
            tell(step.note)
            due = time.monotonic() + every
