"""How each error ends a command: a message on stderr and an exit code, never a traceback."""

import os
import sys

import click

from engine.errors import EngineError, LimitExceededError
from frontends.cli.output import CliError, Exit, say

DEBUG_VARIABLE = "PUZZLEMILL_DEBUG"
"""Set to anything, it lets an unexpected error through with its traceback, for a bug report."""


class Failure(click.ClickException):
    """A known error on its way out through click."""

    def __init__(self, message: str, exit_code: int) -> None:
        super().__init__(message)
        self.exit_code = exit_code  # type: ignore[misc]  # click reads it from the instance, though it declares it on the class

    def show(self, file: object = None) -> None:
        """Print the message on stderr."""
        del file
        say(f"puzzlemill: {self.format_message()}" if self.exit_code != Exit.INTERRUPTED else self.format_message())


def translate(error: BaseException) -> Failure | None:
    """Return how `error` ends the command; None if click or the interpreter knows better what to do with it."""
    if isinstance(error, CliError):
        return Failure(str(error), error.exit_code)
    if isinstance(error, KeyboardInterrupt):
        return Failure("interrupted", Exit.INTERRUPTED)
    if isinstance(error, LimitExceededError):
        return Failure(str(error), Exit.FAILURE)
    if isinstance(error, EngineError):
        return Failure(str(error), Exit.USAGE)
    if isinstance(error, (click.ClickException, click.exceptions.Exit, click.Abort, BrokenPipeError, SystemExit)):
        return None
    stored = _of_the_database(error) or _of_the_workers(error)
    if stored is not None:
        return stored
    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
        return Failure(f"{where}{error.strerror or error}", Exit.FAILURE)
    if not isinstance(error, Exception) or DEBUG_VARIABLE in os.environ:
        return None
    return Failure(
        f"unexpected error, please report it: {type(error).__name__}: {error} (run again with {DEBUG_VARIABLE}=1 to see where)",
        Exit.FAILURE,
    )


def _of_the_database(error: BaseException) -> Failure | None:
    # Only a command that has imported the database can have failed in it; the others need not pay for the import.
    if "sqlalchemy" not in sys.modules:
        return None
    from sqlalchemy.exc import DBAPIError  # noqa: PLC0415  # see above

    from db import errors  # noqa: PLC0415  # see above

    if isinstance(error, errors.JobNotFoundError):
        return Failure(str(error), Exit.NOT_FOUND)
    if isinstance(error, (errors.IdempotencyConflictError, errors.InvalidQueryError)):
        return Failure(str(error), Exit.USAGE)
    if isinstance(error, (errors.DatabaseUnreachableError, errors.SchemaError)):
        return Failure(str(error), Exit.UNREACHABLE)
    if isinstance(error, errors.StoreError):
        return Failure(str(error), Exit.FAILURE)
    if isinstance(error, DBAPIError):
        return Failure(f"database: {_first_line(error.orig)}", Exit.FAILURE)
    return None


def _of_the_workers(error: BaseException) -> Failure | None:
    if "workers.errors" in sys.modules:
        from workers.errors import WorkerError  # noqa: PLC0415  # only a command that started workers has it

        if isinstance(error, WorkerError):
            return Failure(str(error), Exit.FAILURE)
    if "kombu" in sys.modules:
        from kombu.exceptions import OperationalError  # noqa: PLC0415  # only where the broker was used

        if isinstance(error, OperationalError):
            return Failure(f"broker: {_first_line(error)}", Exit.UNREACHABLE)
    return None


def _first_line(error: BaseException | None) -> str:
    return str(error).strip().split("\n", 1)[0]
