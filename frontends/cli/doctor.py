"""`puzzlemill doctor`: is everything that a job needs in order, and if not, what is to be done."""

import importlib.metadata
import os
import platform
import shutil
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import click

import engine
from db import schema
from db.errors import StoreError, where
from db.session import make_engine, read, sqlite_path
from db.settings import Settings
from engine import registry
from engine.errors import EngineError
from engine.jobs import JsonObject
from engine.version import ENGINE_VERSION
from frontends.cli.commands import Command
from frontends.cli.common import json_option, settings, shared_options
from frontends.cli.jobtext import cores
from frontends.cli.output import Exit, echo, emit
from frontends.cli.service import opened
from workers.app import make_app

ALIVE_SECONDS = 15.0
"""A worker is seen every few seconds; one that was not for so long is gone."""

SMALL_SPACE = 1 << 30
"""Free bytes in the data folder below which there is a warning."""

PACKAGES = ("puzzlemill", "numba", "numpy", "celery", "kombu", "sqlalchemy", "alembic", "psycopg", "redis", "click", "pydantic")


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked at. `state` is `ok`, `warning` (jobs will run), `wrong`, or `unreachable` (database or broker)."""

    name: str
    state: str
    detail: str


@click.command(cls=Command, examples=["puzzlemill doctor", "puzzlemill doctor --json"])
@json_option
@shared_options
def doctor(*, as_json: bool) -> int:
    """Check database, broker, workers, kernels and versions.

    Exit code 0 if jobs can run, 5 if database or broker cannot be reached or has no schema, 1 if something else is wrong.
    """
    made = settings()
    checks = list(examine(made))
    states = {check.state for check in checks}
    if as_json:
        emit(
            {
                "ok": not states & {"wrong", "unreachable"},
                "checks": [asdict(check) for check in checks],
                "versions": versions(),
                "cores": cores(),
                "data_dir": str(made.data_dir),
                "embedded": made.embedded_database and made.embedded_broker,
            }
        )
    else:
        width = max(len(check.name) for check in checks)
        for check in checks:
            echo(f"{check.state:11}  {check.name:{width}}  {check.detail}")
    if "unreachable" in states:
        return Exit.UNREACHABLE
    return Exit.FAILURE if "wrong" in states else Exit.OK


def versions() -> JsonObject:
    """Return the versions of the engine, Python and the packages that matter; None for one that is not installed."""
    found: JsonObject = {"engine": ENGINE_VERSION, "python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            found[name] = None
    return found


def examine(made: Settings) -> Iterator[Check]:
    """Yield all checks, the plain ones first. Nothing is raised: what goes wrong is a check that says so."""
    shown = versions()
    yield Check("versions", "ok", ", ".join(f"{name} {version}" for name, version in shown.items() if version))
    yield Check("cores", "ok", f"{cores()} for this process, {os.cpu_count()} in the machine")
    yield _guarded("job kinds", _kinds, made)
    yield _guarded("kernel cache", _kernel_cache, made)
    yield _guarded("data folder", _data_folder, made)
    database = _guarded("database", _database, made)
    yield database
    if database.state == "ok":
        found = _guarded("schema", _schema, made)
        yield found
        if found.state == "ok":
            yield _guarded("workers", _workers, made)
    yield _guarded("broker", _broker, made)


def _guarded(name: str, look: Callable[[Settings], tuple[str, str]], made: Settings) -> Check:
    try:
        state, detail = look(made)
    except (StoreError, ConnectionError) as error:
        return Check(name, "unreachable", str(error))
    except (EngineError, OSError) as error:
        return Check(name, "wrong", str(error))
    return Check(name, state, detail)


def _kinds(made: Settings) -> tuple[str, str]:
    registry.add_modules(made.extra_kind_modules)
    return "ok", ", ".join(registry.kinds())


def _kernel_cache(_made: Settings) -> tuple[str, str]:
    """Numba keeps compiled kernels beside the sources, or where NUMBA_CACHE_DIR says."""
    home = Path(next(iter(engine.__path__)))
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    folder = Path(chosen) if chosen else home
    count = sum(1 for _ in folder.rglob("*.nbi"))
    if count:
        return "ok", f"{count} compiled kernels in {folder}"
    if not chosen and not os.access(home, os.W_OK):
        return "warning", f"{home} cannot be written to; set NUMBA_CACHE_DIR, or each user compiles anew"
    return "warning", "empty: the first job compiles its kernels, which takes up to a minute"


def _data_folder(made: Settings) -> tuple[str, str]:
    folder = made.data_dir
    there = folder
    while not there.exists():
        there = there.parent
    if not there.is_dir() or not os.access(there, os.W_OK | os.X_OK):
        return "wrong", f"{folder} cannot be written to; use --data-dir or PUZZLEMILL_DATA_DIR"
    free = shutil.disk_usage(there).free
    words = f"{folder}, {free / 1e9:,.1f} GB free" + ("" if folder.exists() else ", made at first use")
    return ("warning" if free < SMALL_SPACE else "ok"), words


def _database(made: Settings) -> tuple[str, str]:
    url = made.effective_database_url()
    path = sqlite_path(url)
    if path is not None and not path.exists():
        return "ok", f"{path}, made at first use"
    found = make_engine(url)
    try:
        with read(found) as conn:
            version = conn.exec_driver_sql(
                "select sqlite_version()" if found.dialect.name == "sqlite" else "show server_version"
            ).scalar_one()
        return "ok", f"{found.dialect.name} {version}, {where(found.url)}"
    finally:
        found.dispose()


def _schema(made: Settings) -> tuple[str, str]:
    url = made.effective_database_url()
    revision, head = schema.current(url), schema.head()
    if revision == head:
        return "ok", f"revision {revision}"
    if sqlite_path(url) is not None:
        return "ok", f"revision {revision or 'none'}, upgraded to {head} at first use"
    found = make_engine(url)
    try:
        schema.require_current(found)  # raises the error that says what to do
    finally:
        found.dispose()
    return "ok", f"revision {head}"


def _workers(made: Settings) -> tuple[str, str]:
    path = sqlite_path(made.effective_database_url())
    if path is not None and not path.exists():
        return "ok", "none running; `job run` and `up` start them"
    with opened(made) as store:
        alive = store.workers(alive_within=ALIVE_SECONDS)
    if alive:
        slots = sum(worker.slots for worker in alive)
        return "ok", f"{len(alive)} alive with {slots} slots: {', '.join(worker.name for worker in alive)}"
    if made.embedded_broker:
        return "ok", "none running; `job run` and `up` start them"
    return "warning", "none alive; start some with `puzzlemill worker`"


def _broker(made: Settings) -> tuple[str, str]:
    if made.embedded_broker:
        return "ok", f"file spool {made.spool_dir}"
    connection = make_app(made).connection_for_write()
    try:
        connection.ensure_connection(max_retries=1, interval_start=0, interval_step=0, timeout=5)
    except Exception as error:  # every transport has its own exceptions; all mean the same here
        raise ConnectionError(f"{connection.as_uri()}: {str(error).splitlines()[0] if str(error) else error!r}") from error
    else:
        return "ok", connection.as_uri()
    finally:
        connection.release()
