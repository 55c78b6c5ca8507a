"""The engine's exceptions: one root, each also the built-in that a caller expects."""

from typing import ClassVar


class EngineError(Exception):
    """Anything the engine refuses or cannot do. `code` is stable: it names the problem in JSON and HTTP answers."""

    code: ClassVar[str] = "engine-error"


class InvalidInputError(EngineError, ValueError):
    """A puzzle, board, state or parameter that cannot be accepted. The message says what is wrong and what to do."""

    code: ClassVar[str] = "invalid-input"


class UnknownNameError(InvalidInputError):
    """A name (job kind, board, method, level) that does not exist. The message lists those that do."""

    code: ClassVar[str] = "unknown-name"


class LimitExceededError(EngineError):
    """A computation stopped at a limit it was given (solutions, nodes, attempts, memory)."""

    code: ClassVar[str] = "limit-exceeded"
