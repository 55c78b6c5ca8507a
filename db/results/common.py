"""Bulk writing: how thousands of result rows reach the database in a fraction of a second.

The rows of a chunk are first put into a temporary table (by COPY on PostgreSQL, by one prepared statement on SQLite); from
there a few set-based statements insert what is new and complete what is there, in key order.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias, TypeVar

from sqlalchemy import JSON, Column, Connection, MetaData, Row, Table, delete, select, tuple_
from sqlalchemy.exc import DBAPIError
from sqlalchemy.schema import CreateTable
from sqlalchemy.types import TypeEngine

from db.errors import ArtifactError
from db.models import JobItem
from engine.jobs import JsonObject, Record

T = TypeVar("T")

TEMPORARY = MetaData()
"""Holds the temporary tables, apart from the real ones, so that no migration ever sees them."""


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file that is in the artifact folder already: its name is the hash of its content."""

    digest: str
    path: str
    size: int
    media_type: str


@dataclass(frozen=True, slots=True)
class JobContext:
    """On whose behalf results are stored: job, stage, chunk, the time (seconds since 1970 UTC), and files already written."""

    job_id: int
    stage: int
    chunk_index: int
    now: float
    files: Mapping[int, StoredFile] = field(default_factory=dict)
    """By the record's place in its chunk."""


class Stored(NamedTuple):
    """Where one record went: its row, whether the row is new, and what of the record the row does not tell."""

    table_name: str
    row_id: int
    is_new: bool
    detail: JsonObject | None = None


@dataclass(frozen=True, slots=True)
class NewRows:
    """Where the records of a chunk went when each became a new row: the rows' numbers, in the records' order."""

    table_name: str
    ids: Sequence[int]


class Labelled(NamedTuple):
    """A stored record read back (or the error of its damaged file), and what to call it in messages."""

    label: str
    record: Record | ArtifactError


Cursor: TypeAlias = tuple[Any, ...]
"""Where a page ended: the key of its last row."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Which stored records to read back: all of a family, or those of one job; and where their files are."""

    job_id: int | None = None
    artifact_dir: Path | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """Some stored records, and the cursor that the next page starts after; None at the end."""

    records: Sequence[Labelled]
    cursor: Cursor | None


def temporary(name: str, columns: Mapping[str, TypeEngine[Any]]) -> Table:
    """Return a temporary table for incoming rows: each connection has its own, empty at the start of a transaction."""
    return Table(
        f"incoming_{name}",
        TEMPORARY,
        *(Column(column, kind) for column, kind in columns.items()),
        prefixes=["TEMPORARY"],
        postgresql_on_commit="DELETE ROWS",
    )


def fill(conn: Connection, table: Table, rows: Iterable[Sequence[Any]]) -> None:
    """Empty the temporary table (made if need be) and put `rows` in, values in column order."""
    conn.execute(CreateTable(table, if_not_exists=True))
    conn.execute(delete(table))
    bulk_insert(conn, table, rows)


def bulk_insert(conn: Connection, table: Table, rows: Iterable[Sequence[Any]], columns: Sequence[str] = ()) -> None:
    """Insert `rows`, values in the order of `columns` (all columns if none are named), as fast as the database can."""
    names = list(columns) or [column.name for column in table.c]
    if not rows:
        return
    if conn.dialect.name == "postgresql":
        _copy(conn, table, rows, names)
        return
    # To the driver at once: what SQLAlchemy does for each row costs more than the insertion.
    quote = conn.dialect.identifier_preparer.quote
    marks = ", ".join("?" * len(names))
    statement = f"INSERT INTO {quote(table.name)} ({', '.join(map(quote, names))}) VALUES ({marks})"  # noqa: S608  # names of our own tables
    places = _json_places(table, names)
    for batch in batches(rows, 5000):
        conn.exec_driver_sql(statement, [tuple(_encoded(row, places)) for row in batch])


def _json_places(table: Table, names: Sequence[str]) -> list[int]:
    return [place for place, name in enumerate(names) if isinstance(table.c[name].type, JSON)]


def _encoded(row: Sequence[Any], places: Sequence[int]) -> Sequence[Any]:
    """Return a row with its JSON values written out; None stays NULL."""
    if not any(row[place] is not None for place in places):
        return row
    values = list(row)
    for place in places:
        values[place] = None if values[place] is None else json.dumps(values[place])
    return values


def _copy(conn: Connection, table: Table, rows: Iterable[Sequence[Any]], names: Sequence[str]) -> None:
    places = _json_places(table, names)
    with copying(conn, table, names) as copy:
        for row in rows:
            copy.write_row(_encoded(row, places))


@contextmanager
def copying(conn: Connection, table: Table, names: Sequence[str]) -> Iterator[Any]:
    """Copy rows into a table of PostgreSQL by what the block is given: psycopg's `Copy`, with `write_row` and `write`."""
    quote = conn.dialect.identifier_preparer.quote
    statement = f"COPY {quote(table.name)} ({', '.join(map(quote, names))}) FROM STDIN"
    driver: Any = conn.connection.driver_connection
    dbapi: Any = conn.dialect.loaded_dbapi
    try:
        with driver.cursor() as cursor, cursor.copy(statement) as copy:
            yield copy
    except dbapi.Error as error:
        # COPY goes past SQLAlchemy; its errors must look like those of any other statement.
        raise DBAPIError(statement, None, error, connection_invalidated=driver.closed) from error


def id_list(conn: Connection, ids: Sequence[int]) -> str:
    """Return numbers as the text that SQLite's `json_each` and PostgreSQL's `::bigint[]` read.

    One list, of which the database makes rows, takes a fraction of the time of handing over row by row.
    """
    text = str(list(ids))
    return text if conn.dialect.name == "sqlite" else f"{{{text[1:-1]}}}"


def batches(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """Yield the items in lists of up to `size`, holding one list at a time."""
    rest = iter(items)
    while batch := list(islice(rest, size)):
        yield batch


def item_page(conn: Connection, scope: Scope, family: str, cursor: Cursor | None, size: int) -> Sequence[Row[Any]]:
    """Return the next `size` items of the scope's job in (stage, chunk, ordinal) order: key, table_name, row_id, detail."""
    key = (JobItem.stage, JobItem.chunk_index, JobItem.ordinal)
    statement = (
        select(*key, JobItem.table_name, JobItem.row_id, JobItem.detail)
        .where(JobItem.job_id == scope.job_id, JobItem.family == family)
        .order_by(*key)
        .limit(size)
    )
    if cursor is not None:
        statement = statement.where(tuple_(*key) > tuple_(*cursor))
    return conn.execute(statement).all()


def item_label(item: Row[Any]) -> str:
    """Return what to call a job's item in messages."""
    return f"{item.table_name} {item.row_id} (stage {item.stage}, chunk {item.chunk_index}, item {item.ordinal})"


def item_cursor(items: Sequence[Row[Any]], size: int) -> Cursor | None:
    """Return the cursor after a page of items, or None if it was the last."""
    return tuple(items[-1][:3]) if len(items) == size else None
