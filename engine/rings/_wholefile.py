"""Files that are there whole or not at all."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedWriter
from pathlib import Path


@contextmanager
def whole_file(path: Path) -> Iterator[BufferedWriter]:
    """Open a file that becomes `path` at the end of the block, safe on the disk; if the block raises, nothing is left of it.

    Until then it has a name of its own, so that any number of processes may write the same file at once. Like every temporary
    file it is its owner's alone, unless the block says otherwise. Raise `OSError` where the disk refuses.
    """
    handle, temporary = tempfile.mkstemp(prefix=f"{path.name}.", suffix=".part", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
