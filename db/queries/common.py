"""What the families' queries share: ranges, sort keys, streaming."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from sqlalchemy import ColumnElement, Connection, Row, Select, select

from db.errors import InvalidQueryError
from db.models import JobItem

Range: TypeAlias = tuple[float | None, float | None]
"""Least and greatest value, both included; None: no limit."""

_BUFFER = 1000  # rows fetched from the server at a time

AnySelect: TypeAlias = Select[*tuple[Any, ...]]
"""A query for any columns."""


def within(column: Any, limits: Range | None) -> list[ColumnElement[bool]]:
    """Return the conditions that hold `column` to a range (none without one); a null value is outside of every range."""
    if limits is None:
        return []
    low, high = limits
    conditions: list[ColumnElement[bool]] = [column.is_not(None)] if low is None and high is None else []
    if low is not None:
        conditions.append(column >= low)
    if high is not None:
        conditions.append(column <= high)
    return conditions


def equal(column: Any, value: object) -> list[ColumnElement[bool]]:
    """Return the condition that `column` has the value; none for None."""
    return [] if value is None else [column == value]


def of_job(table: str, row_id: Any, job_id: int | None) -> list[ColumnElement[bool]]:
    """Return the condition that the row is a result of the job; none for None."""
    if job_id is None:
        return []
    items = select(JobItem.row_id).where(JobItem.job_id == job_id, JobItem.table_name == table)
    return [row_id.in_(items)]


def order(sort: str, keys: Mapping[str, Any], row_id: Any) -> Sequence[Any]:
    """Return the ordering for a sort key (`-key`: descending; nulls last), ties in id order; `InvalidQueryError` if unknown."""
    name = sort.removeprefix("-")
    if name not in keys:
        raise InvalidQueryError(f"cannot sort by {name!r}; sort keys: {', '.join(keys)} (with a - in front: descending)")
    column = keys[name]
    ordered = column.desc() if sort.startswith("-") else column.asc()
    if name == "id":
        return [ordered]  # as it stands, or no index would give the first page without sorting all
    return [column.is_(None), ordered, row_id]


def page(statement: AnySelect, limit: int | None, offset: int) -> AnySelect:
    """Return the statement with limit and offset."""
    if limit is not None:
        statement = statement.limit(limit)
    elif offset:
        statement = statement.limit(2**62)  # SQLite takes no offset without a limit
    return statement.offset(offset) if offset else statement


def stream(conn: Connection, statement: AnySelect) -> Iterator[Sequence[Row[Any]]]:
    """Yield the rows in lists, never holding more than one list in memory."""
    yield from conn.execute(statement, execution_options={"yield_per": _BUFFER}).partitions()


def counts(conn: Connection, statement: AnySelect) -> dict[str, int]:
    """Return the answer of a two-column query as a table of counts; a null key is `none`."""
    return {"none" if key is None else str(key): int(count) for key, count in conn.execute(statement)}
