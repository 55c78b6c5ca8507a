"""Distance tables as files: a page of heading, then the bytes; checked by length and hash, and mapped by all who read one."""

import hashlib
import json
import mmap
import os
from contextlib import suppress
from pathlib import Path

import numpy as np
import platformdirs
from numpy.typing import NDArray

from engine.errors import EngineError
from engine.jobs import JsonObject
from engine.rings._wholefile import whole_file

FORMAT = 1
"""Changes whenever the order or meaning of a table's entries does; it is part of the file's name and heading."""

HEADING_BYTES = 4096

SHARED = 0o644
"""Mode of a table's file: all users of the folder may share it."""

WRITTEN_AT_ONCE = 64 << 20

MADV_POPULATE_READ = 22
"""Of Linux 5.14 and later; Python's mmap module does not name it."""

TABLES_VARIABLE = "PUZZLEMILL_TABLES"


class TableFileError(EngineError):
    """A table file that is damaged, cut short or of another version. The message names the file."""

    code = "table-file"


def tables_folder() -> Path:
    """Return the folder of the tables: the environment's PUZZLEMILL_TABLES, else the user's cache folder. It need not exist."""
    named = os.environ.get(TABLES_VARIABLE)
    return Path(named) if named else platformdirs.user_cache_path("puzzlemill") / "tables"


def table_path(name: str) -> Path:
    """Return where the table of this name is kept."""
    return tables_folder() / f"{name}.v{FORMAT}.bin"


def read_table(name: str, entries: int, *, large: bool = False) -> NDArray[np.uint8]:
    """Return the table, mapped read-only. Raise `FileNotFoundError` if there is none, `TableFileError` if it is not whole.

    A `large` table is hashed once: a note beside it says which file (by size, time and inode) was found whole.
    """
    path = table_path(name)
    with path.open("rb") as file:
        heading = file.read(HEADING_BYTES)
        if os.fstat(file.fileno()).st_size != HEADING_BYTES + entries:
            raise TableFileError(f"{path}: not the size of a whole table")
        memory = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        identity = _identity(file.fileno())
    if large:
        _in_large_pages(memory)
    mapped = np.frombuffer(memory, dtype=np.uint8)[HEADING_BYTES:]
    facts = _facts(heading)
    claimed = facts.pop("blake2b", "")
    if heading != _heading(name, entries, str(claimed), facts):
        raise TableFileError(f"{path}: its heading or its hash is wrong")
    note = _note(identity, claimed)
    if not (large and _noted(path) == note):
        if _digest(mapped) != claimed:
            raise TableFileError(f"{path}: its heading or its hash is wrong")
        if large:
            _write_note(path, note)
    return mapped


def read_facts(name: str) -> JsonObject:
    """Return what a table's heading says: `blake2b`, and the `facts` it was written with. Raise like `read_table`."""
    with table_path(name).open("rb") as file:
        return _facts(file.read(HEADING_BYTES))


def forget_check(name: str) -> None:
    """Have a large table hashed again the next time it is read."""
    _note_path(table_path(name)).unlink(missing_ok=True)


def write_table(
    name: str, table: NDArray[np.uint8], facts: JsonObject | None = None, *, large: bool = False
) -> NDArray[np.uint8]:
    """Write the table; return it mapped read-only, so that this process shares it too. Raise `OSError` if it cannot be kept.

    `facts` are kept in its heading. After writing a `large` table, its memory in the system's file cache is given back: it is
    then read anew in large pages.
    """
    path = table_path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    digest = _digest(table)
    with whole_file(path) as file:
        file.write(_heading(name, len(table), digest, facts or {}))
        for start in range(0, len(table), WRITTEN_AT_ONCE):
            file.write(table[start : start + WRITTEN_AT_ONCE].data)
        file.flush()
        os.fsync(file.fileno())
        os.fchmod(file.fileno(), SHARED)
        if large and hasattr(os, "posix_fadvise"):
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)  # only what is on the disk already can be given back
        identity = _identity(file.fileno())
    if large:
        _write_note(path, _note(identity, digest))
    return read_table(name, len(table), large=large)


def _digest(table: NDArray[np.uint8]) -> str:
    return hashlib.blake2b(table.data, digest_size=32).hexdigest()


def _heading(name: str, entries: int, digest: str, facts: JsonObject) -> bytes:
    text = json.dumps({"puzzlemill-table": name, "format": FORMAT, "entries": entries, "blake2b": digest, **facts})
    return text.encode().ljust(HEADING_BYTES - 1) + b"\n"


def _facts(heading: bytes) -> JsonObject:
    """Return a heading's fields but for those that every reader knows; what is no heading has none."""
    try:
        fields = json.loads(heading)
    except ValueError:
        return {}
    known = ("puzzlemill-table", "format", "entries")
    return {name: value for name, value in fields.items() if name not in known} if isinstance(fields, dict) else {}


def _in_large_pages(memory: mmap.mmap) -> None:
    """Ask for pages of 2 MiB, and for all of them now: of 4 KiB pages nearly every look-up would have to find another first."""
    for advice in (getattr(mmap, "MADV_HUGEPAGE", None), MADV_POPULATE_READ):
        if advice is not None:
            with suppress(OSError, ValueError):  # an older system, or one without; it works all the same
                memory.madvise(advice)


def _identity(handle: int) -> JsonObject:
    found = os.fstat(handle)
    return {"size": found.st_size, "mtime_ns": found.st_mtime_ns, "inode": found.st_ino}


def _note(identity: JsonObject, digest: str) -> str:
    return json.dumps({**identity, "blake2b": digest})


def _note_path(path: Path) -> Path:
    return path.with_suffix(".checked")


def _noted(path: Path) -> str | None:
    try:
        return _note_path(path).read_text()
    except (OSError, ValueError):
        return None


def _write_note(path: Path, note: str) -> None:
    """Write the note, whole or not at all; without one the table is only hashed again."""
    with suppress(OSError), whole_file(_note_path(path)) as file:
        file.write(note.encode())
        os.fchmod(file.fileno(), SHARED)
