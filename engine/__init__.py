"""What Puzzlemill computes: pure functions over puzzles, no database, no queue, no clock."""

from engine.errors import EngineError, InvalidInputError
from engine.version import ENGINE_VERSION

__all__ = ["ENGINE_VERSION", "EngineError", "InvalidInputError"]
