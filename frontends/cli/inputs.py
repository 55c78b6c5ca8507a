"""Reading what people hand in: text or gzip files, standard input, or one literal; every refused line named by number."""

import gzip
import sys
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

from engine.errors import InvalidInputError
from frontends.cli.output import CliError, Exit, say

GZIP_MAGIC = b"\x1f\x8b"


@dataclass(slots=True)
class LineReader:
    """Reads lines through a kind's `parse_line`; refused lines are reported on stderr and counted, the others go on.

    `source` is a path, `-` for standard input, or (if no such file exists and it parses) one literal item.
    With `strict` the first bad line raises `CliError`.
    """

    source: str
    parse_line: Callable[[str], str | None]
    strict: bool = False
    accepted: int = 0
    refused: int = 0

    def __iter__(self) -> Iterator[tuple[int, str]]:
        """Yield (line number, item) for each good line. Raise `CliError` (exit 2) for an unreadable or empty input."""
        if self.source != "-" and not Path(self.source).exists():
            yield from self._literal()
            return
        name = "standard input" if self.source == "-" else self.source
        for number, text in _lines(self.source, name):
            try:
                item = self.parse_line(text)
            except InvalidInputError as error:
                message = f"{name}, line {number}: {error}"
                if self.strict:
                    raise CliError(message, Exit.USAGE) from None
                self.refused += 1
                say(message)
                continue
            if item is not None:
                self.accepted += 1
                yield number, item
        if self.accepted == 0 and self.refused == 0:
            raise CliError(f"{name}: nothing in it; expected one item a line", Exit.USAGE)

    def _literal(self) -> Iterator[tuple[int, str]]:
        try:
            item = self.parse_line(self.source)
        except InvalidInputError as error:
            raise CliError(f"{self.source!r} is neither a file nor a valid item: {error}", Exit.USAGE) from None
        if item is None:
            raise CliError(f"{self.source!r}: no such file", Exit.USAGE)
        self.accepted += 1
        yield 1, item


def _lines(source: str, name: str) -> Iterator[tuple[int, str]]:
    try:
        raw = sys.stdin.buffer if source == "-" else Path(source).open("rb")  # noqa: SIM115  # the `with` below closes it; opening alone is guarded  # noqa: SIM115  # closed below
    except OSError as error:
        raise CliError(f"{name}: {error.strerror or error}", Exit.USAGE) from None
    with raw:
        peekable = cast("BinaryIO", raw)
        head = raw.peek(2)[:2] if hasattr(raw, "peek") else b""
        stream = gzip.open(peekable) if head == GZIP_MAGIC else peekable
        number = 0
        try:
            for number, line in enumerate(stream, start=1):  # the number is named in the errors below
                try:
                    text = line.decode("utf-8-sig" if number == 1 else "utf-8")
                except UnicodeDecodeError:
                    raise CliError(f"{name}, line {number}: not a text file (UTF-8 expected)", Exit.USAGE) from None
                if "\0" in text:
                    raise CliError(f"{name}, line {number}: not a text file (it holds a NUL byte)", Exit.USAGE)
                yield number, text.rstrip("\r\n")
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise CliError(f"{name}: gzip data damaged or cut short after line {number} ({error})", Exit.USAGE) from None
        except OSError as error:
            raise CliError(f"{name}: {error.strerror or error}", Exit.USAGE) from None
