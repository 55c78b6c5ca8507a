"""Files too big for rows. A file is named by the hash of its content, so that writing it twice is writing it once.

A file is written before the transaction that refers to it: a crash between the two leaves a file that nothing refers to, never
a row that refers to nothing.
"""

import errno
import hashlib
import os
import tempfile
from pathlib import Path

from db.errors import ArtifactError, DatabaseReadOnlyError, DiskFullError
from db.results.common import StoredFile


def digest_of(content: bytes) -> str:
    """Return the BLAKE2b hash of the content: 32 hex digits."""
    return hashlib.blake2b(content, digest_size=16).hexdigest()


def write_file(folder: Path, content: bytes, media_type: str) -> StoredFile:
    """Write the content to its place under `folder`, whole or not at all, and return what to refer to it by."""
    digest = digest_of(content)
    relative = f"{digest[:2]}/{digest}"
    target = folder / relative
    stored = StoredFile(digest, relative, len(content), media_type)
    if target.exists() and target.stat().st_size == len(content):
        return stored
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=target.parent, prefix=".new-", delete=False) as file:
            temporary = Path(file.name)
            try:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
                temporary.replace(target)
            except BaseException:
                temporary.unlink(missing_ok=True)
                raise
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise DiskFullError(f"no room left for a file of {len(content)} bytes in {folder}; free some space") from error
        raise DatabaseReadOnlyError(f"cannot write to the artifact folder {folder}: {error.strerror}") from error
    return stored


def read_file(folder: Path, path: str, digest: str) -> bytes:
    """Return the content of a stored file; raise `ArtifactError` if it is missing or not what its name says."""
    target = folder / path
    try:
        content = target.read_bytes()
    except OSError as error:
        raise ArtifactError(f"cannot read the stored file {target}: {error.strerror}") from error
    if digest_of(content) != digest:
        raise ArtifactError(f"the stored file {target} is damaged: its content does not have the hash {digest}")
    return content
