"""The items of a job: which row each of its records became."""

from collections.abc import Sequence
from itertools import groupby
from typing import TypeAlias, cast

from sqlalchemy import Connection, Table, func, select

from db.models import JobItem
from db.results import family_results
from db.results.common import JobContext, Stored, bulk_insert
from engine.jobs import Record

_TABLE = cast("Table", JobItem.__table__)


ItemRow: TypeAlias = tuple[object, ...]
"""The values of a `job_item` row, in column order."""


def store_records(conn: Connection, context: JobContext, records: Sequence[Record]) -> list[ItemRow]:
    """Store the records of a chunk, family by family, and return the item that each makes, still to be inserted."""
    places = sorted(range(len(records)), key=lambda place: records[place].family)
    rows: list[ItemRow] = []
    for family, group in groupby(places, key=lambda place: records[place].family):
        mine = list(group)
        files = {new: context.files[old] for new, old in enumerate(mine) if old in context.files}
        part = JobContext(context.job_id, context.stage, context.chunk_index, context.now, files)
        stored = family_results(family).store_records(conn, part, [records[place] for place in mine])
        rows += [_row(context, ordinal, family, item) for ordinal, item in zip(mine, stored, strict=True)]
    return rows


def insert(conn: Connection, rows: Sequence[ItemRow]) -> None:
    """Insert the items of a chunk; the caller has made sure that nobody else finishes it."""
    bulk_insert(conn, _TABLE, rows)


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
