"""What the peg solitaire commands begin with: the board, the start, and a computation watched on stderr."""

from dataclasses import dataclass
from typing import TypeVar

from engine.pegs.boards import Board
from engine.pegs.catalogue import find_board, parse_position
from engine.pegs.cost import Cost
from engine.pegs.enumerate_job import memory_note
from engine.pegs.errors import BoardTextError
from engine.pegs.steps import Steps
from frontends.cli import watching
from frontends.cli.inputs import is_file, read_text
from frontends.cli.output import CliError, Exit, say
from frontends.cli.tables import duration

T = TypeVar("T")

LONG_SECONDS = 60.0
"""From here on a computation's expected cost is said before it starts."""


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


def say_cost(board: Board, cost: Cost, memory: int) -> None:
    """Say on stderr what a long computation is expected to take, and if `memory` (MiB) will hardly do."""
    if cost.core_seconds > LONG_SECONDS:
        say(f"{board.name}: expected to take about {duration(cost.core_seconds)} and {cost.memory_mib:,} MiB of memory")
    if note := memory_note(cost.memory_mib, memory):
        say(f"{board.name}: {note} (--memory)")


def watched(title: str, steps: Steps[T]) -> T:
    """Run a computation to its end and return its result, saying the steps' notes on the way."""
    return watching.watched(title, steps, lambda step: step.note)
