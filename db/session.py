"""Engines and transactions: how this program opens SQLite and PostgreSQL, and how it reads and writes.

SQLite allows one writer at a time. A transaction that reads first and then writes can find that another has written meanwhile
and must then fail at once; so a write transaction says so from its start (`BEGIN IMMEDIATE`) and waits its turn.
"""

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DatabaseError, NoSuchModuleError
from sqlalchemy.pool import ConnectionPoolEntry

from db.errors import ContentionError, DatabaseUnreachableError, translated, where

T = TypeVar("T")

BUSY_SECONDS = 30.0
"""How long a SQLite writer waits for its turn before the database counts as busy."""

LOG_BYTES = 2**26
"""SQLite's write-ahead log is folded into the database file once it has grown to this size."""

TRIES = 3
"""How often a transaction is tried that others undo. Locks are taken in one order everywhere, so it should never happen."""

_BEGIN = "puzzlemill_begin"  # execution option: the SQLite statement that opens the transaction
_AT_ONCE = "BEGIN IMMEDIATE, or not at all"


def parse_url(url: str) -> URL:
    """Return the parsed database URL; raise `DatabaseUnreachableError` if it is none, or of another kind of database."""
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise DatabaseUnreachableError(
            "this is not a database URL; use sqlite:///path/to/file.db or postgresql://user@host/name"
        ) from None
    if parsed.drivername in ("postgresql", "postgres"):
        parsed = parsed.set(drivername="postgresql+psycopg")
    if parsed.get_backend_name() not in ("sqlite", "postgresql"):
        raise DatabaseUnreachableError(
            f"{where(parsed)}: {parsed.get_backend_name()} is not supported; use sqlite:/// or postgresql://"
        )
    return parsed


def make_engine(url: str, *, foreign_keys: bool = True) -> Engine:
    """Return an engine for the URL; nothing is connected yet.

    `foreign_keys=False` is for migrations on SQLite, where a table is rebuilt by dropping it, which would cascade.
    After a fork the child must call `engine.dispose(close=False)` before it uses the engine.
    """
    parsed = parse_url(url)
    try:
        if parsed.get_backend_name() == "sqlite":
            engine = create_engine(parsed, connect_args={"timeout": BUSY_SECONDS})
            event.listen(engine, "connect", _prepare_sqlite(foreign_keys=foreign_keys))
            event.listen(engine, "begin", _begin_sqlite)
            return engine
        return create_engine(
            parsed,
            pool_pre_ping=True,
            connect_args={
                "connect_timeout": 10,
                "application_name": "puzzlemill",
                "keepalives_idle": 30,
                "options": _postgres_options(parsed),
            },
        )
    except (NoSuchModuleError, ModuleNotFoundError) as error:
        raise DatabaseUnreachableError(
            f"{where(parsed)}: the database driver is missing ({error}); install puzzlemill[postgres]"
        ) from error


def _postgres_options(url: URL) -> str:
    """Return the server settings of our sessions; settings in the URL's `options` come later and win."""
    # lock_timeout: a lock not had in 30 s is a fault, not patience. idle_in_transaction: a process stopped inside a
    # transaction must not hold its job's row for ever. statement_timeout: a backstop above any bulk write.
    ours = "-c lock_timeout=30s -c idle_in_transaction_session_timeout=60s -c statement_timeout=300s"
    theirs = url.query.get("options", "")
    return f"{ours} {theirs if isinstance(theirs, str) else ' '.join(theirs)}".strip()


def _prepare_sqlite(*, foreign_keys: bool) -> Callable[[Any, ConnectionPoolEntry], None]:
    def prepare(dbapi_connection: Any, _entry: ConnectionPoolEntry) -> None:
        # The driver's own habit of opening transactions only at the first write is switched off: `_begin_sqlite` decides.
        dbapi_connection.isolation_level = None
        cursor = dbapi_connection.cursor()
        cursor.execute(f"PRAGMA foreign_keys={'ON' if foreign_keys else 'OFF'}")
        cursor.execute("PRAGMA synchronous=NORMAL")  # with WAL: no corruption; a power cut may lose the last commits
        cursor.execute("PRAGMA temp_store=MEMORY")
        # In KiB. A chunk's puzzles go to all over a large bank's indexes: pages that do not fit are written and read again.
        cursor.execute("PRAGMA cache_size=-65536")
        # Pages of an index are written again by each chunk: folding the log into the file less often writes them once for
        # many. The keeper does it (`fold_log`), while others compute; a writer has to only if there is no keeper.
        cursor.execute(f"PRAGMA wal_autocheckpoint={4 * LOG_BYTES // 4096}")  # in pages
        cursor.execute(f"PRAGMA journal_size_limit={LOG_BYTES // 4}")
        cursor.close()

    return prepare


def _begin_sqlite(conn: Connection) -> None:
    begin = conn.get_execution_options().get(_BEGIN, "BEGIN DEFERRED")
    if begin != _AT_ONCE:
        conn.exec_driver_sql(begin)
        return
    conn.exec_driver_sql("PRAGMA busy_timeout=0")
    try:
        conn.exec_driver_sql("BEGIN IMMEDIATE")
    finally:
        conn.exec_driver_sql(f"PRAGMA busy_timeout={round(1000 * BUSY_SECONDS)}")


def use_wal(conn: Connection) -> None:
    """Turn on the write-ahead log of a SQLite file (it stays on): readers and the writer no longer wait for each other.

    Of two processes that do this at the same time SQLite refuses one at once, without its usual waiting: it tries again.
    """
    driver: Any = conn.connection.driver_connection
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            driver.execute("PRAGMA journal_mode=WAL")
        except sqlite3.Error as error:
            if getattr(error, "sqlite_errorcode", 0) & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise DatabaseError("PRAGMA journal_mode=WAL", None, error) from error
            time.sleep(0.02)
        else:
            return


def fold_log(engine: Engine) -> None:
    """Fold the write-ahead log of a SQLite file into it, if it has grown long; nobody waits for that but the caller."""
    path = sqlite_path(engine.url)
    if path is None:
        return
    log = path.with_name(f"{path.name}-wal")
    with suppress(FileNotFoundError), translated(engine.url):
        if log.stat().st_size > LOG_BYTES:
            with engine.connect() as conn:
                driver: Any = conn.connection.driver_connection
                try:
                    driver.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
                except sqlite3.Error as error:
                    raise DatabaseError("PRAGMA wal_checkpoint", None, error) from error


@contextmanager
def write(engine: Engine, *, durable: bool = True, patient: bool = True) -> Iterator[Connection]:
    """Open a write transaction: commit at the end of the block, roll back if it raises.

    One that is not `durable` does not wait for PostgreSQL's disk: if the server (not just this process) crashes within the
    second, the transaction may be as if it had never been; a later durable one makes it last too. That is right for what is
    safe to lose: a lost claim is a chunk that is still queued, and its holder's finish is fenced.

    One that is not `patient` raises `DatabaseBusyError` at once if another is writing to SQLite, whose writers take turns.
    """
    with translated(engine.url), engine.connect() as conn:
        if engine.dialect.name == "sqlite":
            conn.execution_options(**{_BEGIN: "BEGIN IMMEDIATE" if patient else _AT_ONCE})
        with conn.begin():
            if not durable and engine.dialect.name == "postgresql":
                conn.exec_driver_sql("SET LOCAL synchronous_commit = off")
            yield conn


@contextmanager
def read(engine: Engine) -> Iterator[Connection]:
    """Open a read transaction: all its statements see the database as it was at the first one."""
    with translated(engine.url), engine.connect() as conn:
        if engine.dialect.name == "postgresql":
            conn.execution_options(isolation_level="REPEATABLE READ")
        with conn.begin():
            yield conn


def in_write(engine: Engine, work: Callable[[Connection], T], *, durable: bool = True, patient: bool = True) -> T:
    """Return `work(conn)` done in one write transaction; up to `TRIES` times if deadlocks or serialization failures undo it."""
    for _ in range(TRIES - 1):
        try:
            with write(engine, durable=durable, patient=patient) as conn:
                return work(conn)
        except ContentionError:
            continue
    with write(engine, durable=durable, patient=patient) as conn:
        return work(conn)


def sqlite_path(url: str | URL) -> Path | None:
    """Return the file of a SQLite URL, or None for PostgreSQL and for SQLite in memory."""
    parsed = parse_url(url) if isinstance(url, str) else url
    if parsed.get_backend_name() != "sqlite" or parsed.database in (None, "", ":memory:"):
        return None
    return Path(str(parsed.database))
