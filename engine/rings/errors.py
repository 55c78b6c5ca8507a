"""What the rings engine refuses, and why."""

from typing import ClassVar

from engine.errors import InvalidInputError


class InvalidStateError(InvalidInputError):
    """A text that is no state: wrong length, or a character that is no colour."""

    code: ClassVar[str] = "invalid-state"


class ImpossibleStateError(InvalidStateError):
    """A state that no scramble can reach, because a colour has too many or too few beads."""

    code: ClassVar[str] = "impossible-state"


class InvalidMoveError(InvalidInputError):
    """A text that is no click, e.g. `R6` on five rings."""

    code: ClassVar[str] = "invalid-move"


class InvalidPuzzleError(InvalidInputError):
    """Parameters that make no ring puzzle, or one too big for the engine's 64-bit words."""

    code: ClassVar[str] = "invalid-puzzle"
