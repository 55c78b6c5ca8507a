"""Reading what people hand in: text or gzip files, standard input, or one literal; every refused line named by number.

A file is read once, line by line, in bounded memory. A bad line is refused and the rest goes on; where a file stops being
text at all, or its gzip data end too early, the rest is refused and what was read so far still counts.
"""

import gzip
import io
import sys
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, cast

from engine.errors import InvalidInputError
from frontends.cli.output import CliError, Exit, Talk, say

GZIP_MAGIC = b"\x1f\x8b"

MAX_LINE = 10_000
"""Bytes in a line; no puzzle needs more, and a file without line ends must not fill the memory."""

MAX_COMPLAINTS = 100
"""Refused lines named one by one; the rest are only counted, unless `--verbose`."""


class _StopReadingError(Exception):
    """The rest of the input cannot be read; what came before is good."""


@dataclass(slots=True)
class LineReader:
    """Reads lines through a kind's `parse_line`; refused lines are reported on stderr and counted, the others go on.

    `source` is a path, `-` for standard input, or (if no such file exists and it parses) one literal item.
    With `strict` the first bad line raises `CliError`. After the loop, `refused` is above zero if the command must end with
    exit code 2.
    """

    source: str
    parse_line: Callable[[str], str | None]
    strict: bool = False
    accepted: int = 0
    refused: int = 0

    @property
    def name(self) -> str:
        """The input's name in messages."""
        return "standard input" if self.source == "-" else self.source

    def __iter__(self) -> Iterator[tuple[int, str]]:
        """Yield (line number, item) for each good line. Raise `CliError` (exit 2) for an input with nothing readable in it."""
        if self.source != "-" and not _exists(self.source):
            yield from self._literal()
            return
        try:
            for number, line in _lines(self.source, self.name):
                item = self._item(number, line)
                if item is not None:
                    self.accepted += 1
                    yield number, item
        except _StopReadingError as error:
            self._refuse(str(error))
        if self.refused > MAX_COMPLAINTS and not Talk.verbose:
            say(f"{self.name}: {self.refused:,} lines refused, the first {MAX_COMPLAINTS} named above (--verbose names all)")
        if self.accepted == 0 and self.refused == 0:
            raise CliError(f"{self.name}: nothing in it; expected one item a line", Exit.USAGE)

    def _item(self, number: int, line: bytes | None) -> str | None:
        if line is None:
            self._refuse(f"{self.name}, line {number}: longer than {MAX_LINE:,} bytes")
            return None
        try:
            return self.parse_line(_text(line, first=number == 1))
        except InvalidInputError as error:
            self._refuse(f"{self.name}, line {number}: {error}")
            return None

    def _refuse(self, message: str) -> None:
        if self.strict:
            raise CliError(message, Exit.USAGE) from None
        self.refused += 1
        if self.refused <= MAX_COMPLAINTS or Talk.verbose:
            say(message)

    def _literal(self) -> Iterator[tuple[int, str]]:
        try:
            item = self.parse_line(self.source)
        except InvalidInputError as error:
            shown = self.source if len(self.source) <= 120 else self.source[:117] + "..."
            raise CliError(f"{shown!r} is neither a file nor a valid item: {error}", Exit.USAGE) from None
        if item is None:
            raise CliError(f"{self.source!r}: no such file", Exit.USAGE)
        self.accepted += 1
        yield 1, item


def read_text(source: str, *, limit: int = 1_000_000) -> str:
    """Return the whole text of a small file (gzip or not) or of standard input (`-`), e.g. a drawn board.

    Raise `CliError` (exit 2) if it cannot be read, is longer than `limit` bytes, or is not text.
    """
    name = "standard input" if source == "-" else source
    parts: list[str] = []
    size = 0
    try:
        for number, line in _lines(source, name):
            if line is None or (size := size + len(line)) > limit:
                raise CliError(f"{name}, line {number}: too long for what it should be", Exit.USAGE)
            parts.append(_text(line, first=number == 1))
    except (_StopReadingError, InvalidInputError) as error:
        raise CliError(str(error) if isinstance(error, _StopReadingError) else f"{name}: {error}", Exit.USAGE) from None
    return "\n".join(parts)


def is_file(source: str) -> bool:
    """Return True if `source` names standard input or something on disk, rather than being an item itself."""
    return source == "-" or _exists(source)


def _exists(source: str) -> bool:
    try:
        return Path(source).exists()
    except (OSError, ValueError):  # longer than a file name may be, or with a NUL in it: no file
        return False


def _text(line: bytes, *, first: bool) -> str:
    try:
        return line.decode("utf-8-sig" if first else "utf-8").rstrip("\r\n")
    except UnicodeDecodeError as error:
        raise InvalidInputError(f"not UTF-8 text (byte {error.start + 1} is {line[error.start]:#04x})") from None


def _open(source: str, name: str) -> tuple[BinaryIO, bool]:
    """Return the raw stream, able to peek, and whether it is ours to close."""
    if source == "-":
        raw = cast("Any", sys.stdin.buffer)  # a BufferedReader, or whatever a test put there
        return (raw, False) if hasattr(raw, "peek") else (cast("BinaryIO", io.BufferedReader(raw)), False)
    try:
        return Path(source).open("rb"), True
    except OSError as error:
        raise CliError(f"{name}: {error.strerror or error}", Exit.USAGE) from None


def _lines(source: str, name: str) -> Iterator[tuple[int, bytes | None]]:
    """Yield (number, line), or (number, None) if it is too long. Raise `_StopReadingError` where text ends."""
    raw, ours = _open(source, name)
    number = 0
    try:
        head: bytes = raw.peek(2)[:2]  # type: ignore[attr-defined]  # `_open` sees to it that there is one
        stream = cast("BinaryIO", gzip.GzipFile(fileobj=raw)) if head == GZIP_MAGIC else raw
        while line := stream.readline(MAX_LINE):
            number += 1
            if b"\0" in line:
                raise _StopReadingError(
                    f"{name}, line {number}: not a text file (it holds a NUL byte); nothing read from here on"
                )
            if len(line) < MAX_LINE or line.endswith(b"\n"):
                yield number, line
                continue
            while (more := stream.readline(MAX_LINE)) and not more.endswith(b"\n"):
                if b"\0" in more:
                    raise _StopReadingError(f"{name}, line {number}: not a text file (a NUL byte in it); not read further")
            yield number, None
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise _StopReadingError(
            f"{name}, line {number + 1}: gzip data damaged or cut short ({error}); the lines before are good"
        ) from None
    except OSError as error:
        raise CliError(f"{name}: {error.strerror or error}", Exit.USAGE) from None
    finally:
        if ours:
            raw.close()
