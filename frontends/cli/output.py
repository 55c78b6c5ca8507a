"""What the command line prints and how it ends: data on stdout, messages on stderr, the contract's exit codes."""

import json
import sys
from collections.abc import Mapping
from enum import IntEnum
from typing import Any, ClassVar

from rich.console import Console

stderr = Console(stderr=True, highlight=False, soft_wrap=True)


class Exit(IntEnum):
    """The contract's exit codes."""

    OK = 0
    FAILURE = 1
    USAGE = 2
    QUARANTINED = 3
    NOT_FOUND = 4
    UNREACHABLE = 5
    INTERRUPTED = 130


class CliError(Exception):
    """Ends the command with a message on stderr and an exit code; `frontends.cli.main` prints it, without a traceback."""

    def __init__(self, message: str, exit_code: Exit = Exit.FAILURE) -> None:
        super().__init__(message)
        self.exit_code = exit_code


class Talk:
    """How much is said on stderr: `--verbose` also speaks where a terminal is not there to be watched."""

    verbose: ClassVar[bool] = False


def chatty() -> bool:
    """Return True if someone may be reading stderr as it goes: a terminal, or `--verbose` was given."""
    return Talk.verbose or sys.stderr.isatty()


def emit(value: Mapping[str, Any]) -> None:
    """Print one JSON object as one line."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False) + "\n")


def echo(text: str = "") -> None:
    """Print a line of text for people on stdout."""
    sys.stdout.write(text + "\n")


def deliver() -> None:
    """Hand over what was printed so far: called after an answer that took long, so that none waits in the buffer of a pipe."""
    sys.stdout.flush()


def say(message: str) -> None:
    """Print a message for people on stderr (no markup is interpreted)."""
    stderr.print(message, markup=False)
