"""What the peg solitaire engine refuses, and why."""

from typing import ClassVar

from engine.errors import InvalidInputError, LimitExceededError, UnknownNameError


class UnknownBoardError(UnknownNameError):
    """No board of that name. The message lists the names."""

    code: ClassVar[str] = "unknown-board"


class BoardTextError(InvalidInputError):
    """A drawn board that cannot be read. The message names the line and column (both from 1)."""

    code: ClassVar[str] = "invalid-board-text"

    def __init__(self, message: str, line: int, column: int | None = None) -> None:
        where = f"line {line}" if column is None else f"line {line}, column {column}"
        super().__init__(f"{where}: {message}")
        self.line = line
        self.column = column


class UnknownHoleError(UnknownNameError):
    """A hole number or name that the board does not have."""

    code: ClassVar[str] = "unknown-hole"


class NoSolutionError(InvalidInputError):
    """The problem asked for has no solution; the message says why, where that is known."""

    code: ClassVar[str] = "no-solution"


class IllegalJumpError(InvalidInputError):
    """A jump that the board or the position does not allow."""

    code: ClassVar[str] = "illegal-jump"


class BoardTooLargeError(LimitExceededError):
    """An enumeration that would pass its memory limit, or a board with more holes than a packed position holds."""

    code: ClassVar[str] = "board-too-large"
