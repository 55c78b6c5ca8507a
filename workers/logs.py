"""Where workers' messages go: a file in the data folder in embedded mode (stderr stays for progress), stderr in a cluster."""

import logging
import sys
from pathlib import Path

FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"

LARGE = 10_000_000
"""Bytes at which a log is set aside when the next worker starts; one older file is kept."""

_OURS = "workers"


def log_file(data_dir: Path) -> Path:
    """Return the embedded worker's log file, its folder made and a large old one set aside."""
    path = data_dir / "log" / "worker.log"
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.exists() and path.stat().st_size > LARGE:
        path.replace(path.with_suffix(".log.1"))
    return path


def attach(path: Path | None) -> logging.Handler:
    """Send the workers' messages of this process to the file, or to stderr; return the handler, for `detach`."""
    handler: logging.Handler = logging.StreamHandler(sys.stderr) if path is None else logging.FileHandler(path)
    handler.setFormatter(logging.Formatter(FORMAT))
    ours = logging.getLogger(_OURS)
    ours.addHandler(handler)
    ours.setLevel(logging.INFO)
    ours.propagate = False
    return handler


def detach(handler: logging.Handler) -> None:
    """Undo `attach`."""
    ours = logging.getLogger(_OURS)
    ours.removeHandler(handler)
    ours.propagate = True
    handler.close()
