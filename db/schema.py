"""The schema's revision: which one the database has, which one this program needs, and the way from one to the other."""

from collections.abc import Callable
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, text

import migrations
from db.errors import (
    DatabaseReadOnlyError,
    DatabaseUnreachableError,
    SchemaError,
    SchemaMissingError,
    SchemaNewerError,
    SchemaOutdatedError,
    translated,
    where,
)
from db.session import make_engine, read, sqlite_path, use_wal, write

__all__ = [
    "DatabaseUnreachableError",
    "SchemaError",
    "current",
    "downgrade",
    "head",
    "is_current",
    "require_current",
    "upgrade",
]

_LOCK = 0x70757A7A6C65  # any number that all processes agree on: one migrates, the others wait and find it done


def config(conn: Connection | None = None) -> Config:
    """Return an Alembic configuration on the installed migrations; `conn` is the connection they run on."""
    result = Config()
    result.set_main_option("script_location", str(Path(migrations.__file__).parent).replace("%", "%%"))
    result.set_main_option("path_separator", "os")
    result.attributes["connection"] = conn
    return result


def head() -> str:
    """Return the revision that this version of the program needs."""
    revision = ScriptDirectory.from_config(config()).get_current_head()
    assert revision is not None, "the installed migrations have no head"
    return revision


def revision_of(engine: Engine) -> str | None:
    """Return the database's revision, or None if it has no tables of ours."""
    with read(engine) as conn:
        return MigrationContext.configure(conn).get_current_revision()


def current(url: str) -> str | None:
    """Return the revision of the database at `url`, or None if it has none (or there is no such SQLite file)."""
    path = sqlite_path(url)
    if path is not None and not path.exists():
        return None
    engine = make_engine(url)
    try:
        return revision_of(engine)
    finally:
        engine.dispose()


def is_current(engine: Engine) -> bool:
    """Say whether the database has exactly the revision that this program needs."""
    return revision_of(engine) == head()


def require_current(engine: Engine) -> None:
    """Raise the `SchemaError` that says what to do, unless the database has the revision that this program needs."""
    found, needed = revision_of(engine), head()
    if found == needed:
        return
    place = where(engine.url)
    if found is None:
        raise SchemaMissingError(f"the database {place} has no tables yet; run `puzzlemill db upgrade`")
    known = {script.revision for script in ScriptDirectory.from_config(config()).walk_revisions()}
    if found in known:
        raise SchemaOutdatedError(
            f"the database {place} is at revision {found}, this version needs {needed}; run `puzzlemill db upgrade`"
        )
    raise SchemaNewerError(
        f"the database {place} is at revision {found}, which this version does not know (it has {needed}); "
        "use the version of puzzlemill that made it, or a newer one"
    )


def upgrade(url: str, revision: str = "head") -> str:
    """Bring the database to `revision`, making a SQLite file and its folder if there is none. Return the revision.

    All in one transaction, under a lock: of several processes one migrates and the others find it done.
    """
    path = sqlite_path(url)
    if path is not None:
        _make_folder(path)
    _migrate(url, lambda conn: command.upgrade(config(conn), revision))
    found = current(url)
    assert found is not None
    return found


def downgrade(url: str, revision: str) -> None:
    """Take the database back to `revision` (`base` drops all tables)."""
    _migrate(url, lambda conn: command.downgrade(config(conn), revision))


def _make_folder(path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DatabaseReadOnlyError(f"cannot make the folder {path.parent} of the database: {error.strerror}") from error


def _migrate(url: str, step: Callable[[Connection], None]) -> None:
    engine = make_engine(url, foreign_keys=False)
    try:
        if engine.dialect.name == "sqlite":
            with translated(engine.url), engine.connect() as conn:
                use_wal(conn)
        with write(engine) as conn:
            if engine.dialect.name == "postgresql":
                # A migration may wait for running transactions, and run, for longer than a chunk's bookkeeping may.
                conn.execute(text("SET LOCAL lock_timeout = '10min'"))
                conn.execute(text("SET LOCAL statement_timeout = 0"))
                conn.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
            step(conn)
            _check_foreign_keys(conn)
    finally:
        engine.dispose()


def _check_foreign_keys(conn: Connection) -> None:
    """Raise `SchemaError` (so that all is rolled back) if a migration on SQLite left rows that point nowhere."""
    if conn.dialect.name == "sqlite":
        orphans = conn.execute(text("PRAGMA foreign_key_check")).all()
        if orphans:
            raise SchemaError(f"the migration would leave {len(orphans)} rows pointing nowhere, first in {orphans[0][0]}")
