"""Opens the database for a command, and makes a new one where that is the embedded default."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Engine

from db import schema
from db.errors import SchemaMissingError, SchemaOutdatedError
from db.session import make_engine, sqlite_path
from db.settings import Settings
from db.store import Store
from engine import registry


@contextmanager
def opened(made: Settings) -> Iterator[Store]:
    """Give the store on the database of `made`.

    A SQLite database is created or upgraded first; for PostgreSQL that is the operator's decision. Raises the `StoreError`
    that says what is wrong if the database cannot be reached or has another schema.
    """
    registry.add_modules(made.extra_kind_modules)
    with opened_engine(made) as engine:
        yield Store(
            engine,
            lease_seconds=made.lease_seconds,
            dispatch_deadline=made.dispatch_deadline,
            artifact_dir=made.artifact_dir,
        )


@contextmanager
def opened_engine(made: Settings) -> Iterator[Engine]:
    """Give an engine on the database of `made`, whose schema is this version's."""
    url = made.effective_database_url()
    path = sqlite_path(url)
    if path is not None and not path.exists():
        schema.upgrade(url)
    engine = make_engine(url)
    try:
        try:
            schema.require_current(engine)
        except (SchemaMissingError, SchemaOutdatedError):
            if path is None:
                raise
            schema.upgrade(url)
        yield engine
    finally:
        engine.dispose()
