"""One supervisor a data folder: an exclusive lock that the kernel gives back when its holder dies, however it dies."""

import fcntl
import os
from pathlib import Path


class FolderLock:
    """An exclusive lock on `folder`, as the file `worker.lock` in it, which also tells the holder's process number."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "worker.lock"
        self._file: int | None = None

    @property
    def held(self) -> bool:
        """Whether this object holds the lock."""
        return self._file is not None

    def acquire(self) -> bool:
        """Take the lock if it is free; return whether it is held now. Never waits."""
        if self._file is not None:
            return True
        self._path.parent.mkdir(parents=True, exist_ok=True)
        file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(file)
            return False
        os.ftruncate(file, 0)
        os.pwrite(file, f"{os.getpid()}\n".encode(), 0)
        self._file = file
        return True

    def holder(self) -> int | None:
        """Return the process number the lock file names: the holder's, if the lock is held at all."""
        try:
            return int(self._path.read_text())
        except (OSError, ValueError):
            return None

    def release(self) -> None:
        """Give the lock back, if held."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
