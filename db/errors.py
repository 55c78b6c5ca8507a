"""The database layer's exceptions, and the translation of driver errors into them.

A driver says "attempt to write a readonly database" or SQLSTATE 53100; the people who read a message want to know what is
wrong, where, and what to do. `translated` wraps every transaction of `db.session`.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar

from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError


class StoreError(Exception):
    """Anything the database layer refuses or cannot do. `code` is stable: it names the problem in JSON and HTTP answers."""

    code: ClassVar[str] = "store-error"


class DatabaseUnreachableError(StoreError, ConnectionError):
    """The database cannot be opened or connected to, or went away."""

    code: ClassVar[str] = "database-unreachable"


class SchemaError(StoreError):
    """The tables are not those of this version of the program."""

    code: ClassVar[str] = "schema"


class SchemaMissingError(SchemaError):
    """The database has no tables of ours yet."""

    code: ClassVar[str] = "schema-missing"


class SchemaOutdatedError(SchemaError):
    """The tables are of an older version: they have to be upgraded."""

    code: ClassVar[str] = "schema-outdated"


class SchemaNewerError(SchemaError):
    """The tables are of a newer version of the program than this one."""

    code: ClassVar[str] = "schema-newer"


class DatabaseReadOnlyError(StoreError, PermissionError):
    """The database can be read but not written."""

    code: ClassVar[str] = "database-read-only"


class DiskFullError(StoreError, OSError):
    """There is no room left for the database or an artifact; the transaction was rolled back."""

    code: ClassVar[str] = "disk-full"


class DatabaseBusyError(StoreError, TimeoutError):
    """Others kept the database busy for too long; nothing was written, so that it can be tried again."""

    code: ClassVar[str] = "database-busy"


class ContentionError(DatabaseBusyError):
    """A deadlock or serialization failure: trying again at once is right."""

    code: ClassVar[str] = "database-contention"


class JobNotFoundError(StoreError, LookupError):
    """There is no job with that number."""

    code: ClassVar[str] = "job-not-found"


class JobStateError(StoreError):
    """The job's state does not allow what was asked."""

    code: ClassVar[str] = "job-state"


class IdempotencyConflictError(StoreError, ValueError):
    """The idempotency key was used before, for another request."""

    code: ClassVar[str] = "idempotency-conflict"


class InvalidQueryError(StoreError, ValueError):
    """A filter, sort key or row key that a query cannot use."""

    code: ClassVar[str] = "invalid-query"


class ArtifactError(StoreError):
    """A stored file is missing or is not what its name (the hash of its content) says."""

    code: ClassVar[str] = "artifact"


def where(url: URL) -> str:
    """Return the database's address for messages, without its password."""
    if url.get_backend_name() == "sqlite":
        return url.database or "memory"
    return url.render_as_string(hide_password=True)


_NO_SCHEMA = "the database {where} has no tables of this version; run `puzzlemill db upgrade`"
_READ_ONLY = "the database {where} is read-only; check its permissions, its folder's and the file system's"
_FULL = "no room left for the database {where}; nothing was half-written: free some space and try again"
_BUSY = "the database {where} was kept busy by others for too long ({reason}); try again"
_UNREACHABLE = "cannot use the database {where}: {reason}"

# Primary result codes of https://www.sqlite.org/rescode.html (the low byte of the extended code).
_SQLITE: dict[int, tuple[type[StoreError], str]] = {
    5: (DatabaseBusyError, _BUSY),  # BUSY
    6: (DatabaseBusyError, _BUSY),  # LOCKED
    8: (DatabaseReadOnlyError, _READ_ONLY),  # READONLY
    10: (DatabaseUnreachableError, _UNREACHABLE),  # IOERR
    11: (DatabaseUnreachableError, _UNREACHABLE),  # CORRUPT
    13: (DiskFullError, _FULL),  # FULL
    14: (DatabaseUnreachableError, _UNREACHABLE),  # CANTOPEN
    26: (DatabaseUnreachableError, _UNREACHABLE),  # NOTADB
}

# SQLSTATE codes and classes of the PostgreSQL manual, appendix A; the longest matching prefix wins.
_POSTGRES: dict[str, tuple[type[StoreError], str]] = {
    "25006": (DatabaseReadOnlyError, _READ_ONLY),  # read_only_sql_transaction
    "53100": (DiskFullError, _FULL),  # disk_full
    "53300": (DatabaseUnreachableError, _UNREACHABLE),  # too_many_connections
    "42P01": (SchemaMissingError, _NO_SCHEMA),  # undefined_table
    "42703": (SchemaMissingError, _NO_SCHEMA),  # undefined_column
    "40001": (ContentionError, _BUSY),  # serialization_failure
    "40P01": (ContentionError, _BUSY),  # deadlock_detected
    "55P03": (DatabaseBusyError, _BUSY),  # lock_not_available
    "57014": (DatabaseBusyError, _BUSY),  # query_canceled, by statement_timeout
    "25P03": (DatabaseBusyError, _BUSY),  # idle_in_transaction_session_timeout
    "57P": (DatabaseUnreachableError, _UNREACHABLE),  # admin_shutdown, crash_shutdown, cannot_connect_now
    "08": (DatabaseUnreachableError, _UNREACHABLE),  # connection exceptions
    "28": (DatabaseUnreachableError, _UNREACHABLE),  # wrong user or password
    "3D": (DatabaseUnreachableError, _UNREACHABLE),  # no such database
}


def explain(error: DBAPIError, url: URL) -> StoreError | None:
    """Return the `StoreError` that says what `error` means, or None if it is a fault of the statement itself."""
    reason = " ".join(str(error.orig).split())
    found: tuple[type[StoreError], str] | None = None
    sqlite_code = getattr(error.orig, "sqlite_errorcode", None)
    sqlstate = getattr(error.orig, "sqlstate", None)
    if isinstance(sqlite_code, int):
        if reason.startswith(("no such table", "no such column")) or "has no column named" in reason:
            found = (SchemaMissingError, _NO_SCHEMA)
        else:
            found = _SQLITE.get(sqlite_code & 0xFF)
    elif isinstance(sqlstate, str):
        prefixes = [prefix for prefix in _POSTGRES if sqlstate.startswith(prefix)]
        found = _POSTGRES[max(prefixes, key=len)] if prefixes else None
    if found is None and (error.connection_invalidated or (sqlstate is None and sqlite_code is None and _lost(error))):
        found = (DatabaseUnreachableError, _UNREACHABLE)
    if found is None:
        return None
    kind, message = found
    return kind(message.format(where=where(url), reason=reason))


def _lost(error: DBAPIError) -> bool:
    """Say whether the driver failed before the server could give a code: refused, unknown host, timed out, cut off."""
    return isinstance(error, OperationalError | InterfaceError)


@contextmanager
def translated(url: URL) -> Iterator[None]:
    """Turn driver errors that have a meaning for people into `StoreError`s; let faults of a statement pass."""
    try:
        yield
    except DBAPIError as error:
        meaning = explain(error, url)
        if meaning is None:
            raise
        raise meaning from error
    except PoolTimeoutError as error:
        raise DatabaseBusyError(_BUSY.format(where=where(url), reason="no free connection in this process")) from error
