"""Distance tables as files: a page of heading, then the bytes; checked by length and hash, and mapped by all who read one.

A file is written under a temporary name and renamed, so that any number of processes may build the same table at once: each
sees either no file or a whole one.
"""

import hashlib
import json
import mmap
import os
import tempfile
from pathlib import Path

import numpy as np
import platformdirs
from numpy.typing import NDArray

from engine.errors import EngineError

FORMAT = 1
"""Changes whenever the order or meaning of a table's entries does; it is part of the file's name and heading."""

HEADING_BYTES = 4096

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


def read_table(name: str, entries: int) -> NDArray[np.uint8]:
    """Return the table, mapped read-only. Raise `FileNotFoundError` if there is none, `TableFileError` if it is not whole."""
    path = table_path(name)
    with path.open("rb") as file:
        heading = file.read(HEADING_BYTES)
        if os.fstat(file.fileno()).st_size != HEADING_BYTES + entries:
            raise TableFileError(f"{path}: not the size of a whole table")
        mapped = np.frombuffer(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ), dtype=np.uint8)[HEADING_BYTES:]
    if heading != _heading(name, mapped):
        raise TableFileError(f"{path}: its heading or its hash is wrong")
    return mapped


def write_table(name: str, table: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Write the table; return it mapped read-only, so that this process shares it too. Raise `OSError` if it cannot be kept."""
    path = table_path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(prefix=f"{path.name}.", suffix=".part", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(_heading(name, table))
            file.write(table.data)
            file.flush()
            os.fsync(file.fileno())
            os.fchmod(file.fileno(), 0o644)  # a temporary file is its owner's alone; all users of the folder may share a table
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
    return read_table(name, len(table))


def _heading(name: str, table: NDArray[np.uint8]) -> bytes:
    digest = hashlib.blake2b(table.data, digest_size=32).hexdigest()
    text = json.dumps({"puzzlemill-table": name, "format": FORMAT, "entries": len(table), "blake2b": digest})
    return text.encode().ljust(HEADING_BYTES - 1) + b"\n"
