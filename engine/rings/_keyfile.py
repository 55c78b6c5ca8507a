"""Files of keys: a page of heading, then sections of 16-byte keys, each with its own hash; written whole or not at all."""

import hashlib
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.errors import EngineError
from engine.rings._wholefile import whole_file

FORMAT = "puzzlemill-ring-keys-1"

HEADING_BYTES = 64 << 10
"""Room for the hashes of some hundred sections."""

KEY_BYTES = 16


class KeyFileError(EngineError):
    """A file of keys that is damaged or cut short. The message names it."""

    code = "key-file"


@dataclass(frozen=True, slots=True)
class Heading:
    """What a file says of itself."""

    sizes: list[int]
    """Keys in each section."""
    totals: list[int]
    """What the writer wanted to keep."""
    hashes: list[str]


def write_keys(path: Path, keys: NDArray[np.uint64], sizes: Sequence[int], totals: Sequence[int] = ()) -> None:
    """Write keys, shape (sum of `sizes`, 2), section by section. Raise `OSError`, and leave nothing, if that fails."""
    ends = np.cumsum([0, *sizes])
    sections = [np.ascontiguousarray(keys[start:stop]) for start, stop in pairwise(ends)]
    hashes = [hashlib.blake2b(section.data, digest_size=16).hexdigest() for section in sections]
    heading = json.dumps({"format": FORMAT, "sizes": list(sizes), "totals": list(totals), "hashes": hashes})
    with whole_file(path) as file:
        file.write(heading.encode().ljust(HEADING_BYTES))
        for section in sections:
            file.write(section.data)


def read_heading(path: Path) -> Heading:
    """Return what the file says of itself. Raise `KeyFileError` if it is not whole, `OSError` if it cannot be read."""
    with path.open("rb") as file:
        try:
            fields = json.loads(file.read(HEADING_BYTES))
            heading = Heading(fields["sizes"], fields["totals"], fields["hashes"])
        except (ValueError, KeyError, TypeError):
            raise _damaged(path) from None
        if fields.get("format") != FORMAT or os.fstat(file.fileno()).st_size != HEADING_BYTES + KEY_BYTES * sum(heading.sizes):
            raise _damaged(path)
    return heading


def read_section(path: Path, number: int) -> NDArray[np.uint64]:
    """Return the keys of one section, shape (n, 2). Raise like `read_heading`; its hash is checked."""
    heading = read_heading(path)
    start = HEADING_BYTES + KEY_BYTES * sum(heading.sizes[:number])
    data = np.fromfile(path, dtype=np.uint64, count=2 * heading.sizes[number], offset=start)
    if hashlib.blake2b(data.data, digest_size=16).hexdigest() != heading.hashes[number]:
        raise _damaged(path)
    return data.reshape(-1, 2)


def _damaged(path: Path) -> KeyFileError:
    return KeyFileError(f"{path}: damaged or cut short; remove it, and the next run makes it again")
