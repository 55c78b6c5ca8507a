"""Bulk writing and reading back of results: one module a family, found by the family's name."""

import importlib
from collections.abc import Sequence
from typing import Protocol, cast

from sqlalchemy import Connection

from db.results.common import Cursor, JobContext, Labelled, NewRows, Page, Scope, Stored
from engine.errors import UnknownNameError
from engine.jobs import Record

__all__ = ["Cursor", "FamilyResults", "JobContext", "Labelled", "NewRows", "Page", "Scope", "Stored", "family_results"]


class FamilyResults(Protocol):
    """What each `db.results.<family>` module offers."""

    def store_records(self, conn: Connection, context: JobContext, records: Sequence[Record]) -> list[Stored] | NewRows:
        """Insert or complete the rows of `records` and return where each went, in order."""
        ...

    def load_records(self, conn: Connection, scope: Scope, cursor: Cursor | None, size: int) -> Page:
        """Return the next page of stored records within `scope`, for checking them again; None as cursor is the start."""
        ...


def family_results(name: str) -> FamilyResults:
    """Return the module that keeps the results of family `name`; raise `UnknownNameError` if there is none."""
    try:
        return cast("FamilyResults", importlib.import_module(f"db.results.{name}"))
    except ModuleNotFoundError as error:
        if error.name != f"db.results.{name}":
            raise
        raise UnknownNameError(f"no results are kept for a family {name!r}") from None
