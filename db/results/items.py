"""The items of a job: which row each of its records became."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final, TypeAlias, cast

from sqlalchemy import Connection, Table, func, select

from db.models import JobItem
from db.results import family_results
from db.results.common import JobContext, NewRows, Stored, bulk_insert, id_list
from engine.jobs import Record

_TABLE = cast("Table", JobItem.__table__)

_NEW_ROWS: Final = {
    "sqlite": (
        "INSERT INTO job_item (job_id, stage, chunk_index, family, table_name, ordinal, row_id, is_new) "
        "SELECT ?, ?, ?, ?, ?, key, value, 1 FROM json_each(?)"
    ),
    "postgresql": (
        "INSERT INTO job_item (job_id, stage, chunk_index, family, table_name, ordinal, row_id, is_new) "
        "SELECT %s, %s, %s, %s, %s, place - 1, id, true FROM unnest(%s::bigint[]) WITH ORDINALITY made(id, place)"
    ),
}

ItemRow: TypeAlias = tuple[object, ...]
"""The values of a `job_item` row, in column order."""


@dataclass(frozen=True, slots=True)
class NewItems:
    """The items of a chunk all of whose records, of one family, became new rows."""

    context: JobContext
    family: str
    rows: NewRows

    def __len__(self) -> int:
        return len(self.rows.ids)


Items: TypeAlias = Sequence[ItemRow] | NewItems
"""The items of a chunk, still to be inserted."""


def store_records(conn: Connection, context: JobContext, records: Sequence[Record]) -> Items:
    """Store the records of a chunk, family by family, and return the items that they make."""
    families = {record.family for record in records}
    if len(families) == 1:
        (family,) = families
        stored = family_results(family).store_records(conn, context, records)
        if isinstance(stored, NewRows):
            return NewItems(context, family, stored)
        return [_row(context, ordinal, family, item) for ordinal, item in enumerate(stored)]
    places = sorted(range(len(records)), key=lambda place: records[place].family)
    rows: list[ItemRow] = []
    for family, group in groupby(places, key=lambda place: records[place].family):
        mine = list(group)
        files = {new: context.files[old] for new, old in enumerate(mine) if old in context.files}
        part = JobContext(context.job_id, context.stage, context.chunk_index, context.now, files)
        stored = family_results(family).store_records(conn, part, [records[place] for place in mine])
        rows += [_row(context, ordinal, family, item) for ordinal, item in zip(mine, _one_by_one(stored), strict=True)]
    return rows


def insert(conn: Connection, items: Items) -> None:
    """Insert the items of a chunk; the caller has made sure that nobody else finishes it."""
    if not isinstance(items, NewItems):
        bulk_insert(conn, _TABLE, items)
        return
    context = items.context
    ids = id_list(conn, items.rows.ids)
    facts = (context.job_id, context.stage, context.chunk_index, items.family, items.rows.table_name, ids)
    conn.exec_driver_sql(_NEW_ROWS[conn.dialect.name], facts)


def _one_by_one(stored: Sequence[Stored] | NewRows) -> Sequence[Stored]:
    if isinstance(stored, NewRows):
        return [Stored(stored.table_name, row_id, is_new=True) for row_id in stored.ids]
    return stored


def _row(context: JobContext, ordinal: int, family: str, item: Stored) -> ItemRow:
    return (
        context.job_id,
        context.stage,
        context.chunk_index,
        ordinal,
        family,
        item.table_name,
        item.row_id,
        item.is_new,
        item.detail,
    )


def count_distinct(conn: Connection, job_id: int) -> int:
    """Return how many different rows the job's items are."""
    rows = select(JobItem.table_name, JobItem.row_id).where(JobItem.job_id == job_id).distinct().subquery()
    return conn.execute(select(func.count()).select_from(rows)).scalar_one()
