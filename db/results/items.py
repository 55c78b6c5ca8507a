"""The items of a job: which row each of its records became."""

from collections.abc import Sequence
from itertools import groupby
from typing import cast

from sqlalchemy import Connection, Table, func, select

from db.models import JobItem
from db.results import family_results
from db.results.common import JobContext, Stored, bulk_insert
from engine.jobs import Record

_TABLE = cast("Table", JobItem.__table__)


def store(conn: Connection, context: JobContext, records: Sequence[Record]) -> int:
    """Store the records of a finished chunk, family by family, and one item for each; return how many items."""
    places = sorted(range(len(records)), key=lambda place: records[place].family)
    rows: list[tuple[object, ...]] = []
    for family, group in groupby(places, key=lambda place: records[place].family):
        mine = list(group)
        files = {new: context.files[old] for new, old in enumerate(mine) if old in context.files}
        part = JobContext(context.job_id, context.stage, context.chunk_index, context.now, files)
        stored = family_results(family).store_records(conn, part, [records[place] for place in mine])
        rows += [_row(context, ordinal, family, item) for ordinal, item in zip(mine, stored, strict=True)]
    bulk_insert(conn, _TABLE, rows)
    return len(rows)


def _row(context: JobContext, ordinal: int, family: str, item: Stored) -> tuple[object, ...]:
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
