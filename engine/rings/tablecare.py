"""Looks after the distance tables that are kept as files: says whether they are whole, and builds those that are not."""

from collections.abc import Generator
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from engine.rings._tablefile import TableFileError, forget_check, read_facts, read_table, table_path
from engine.rings.model import Puzzle
from engine.rings.soft import has_room, steps_name, steps_size
from engine.rings.soft import making as making_steps
from engine.rings.tables import KEPT_FROM, UNREACHED, making, table_entries, table_name
from engine.rings.unions import UnionTable, union_tables
from engine.rings.unions import making as making_unions


class Condition(StrEnum):
    """What was found where a table should be, or done about it."""

    WHOLE = "whole"
    """It is there, and its hash is right."""
    MISSING = "missing"
    DAMAGED = "damaged"
    """Cut short, changed, of another version or not to be read; `TableReport.detail` says which."""
    BUILT = "built"
    """It is whole because it has just been built."""
    NOT_KEPT = "not kept"
    """So small that every process builds it for itself."""


@dataclass(frozen=True, slots=True)
class TableReport:
    """One table and its condition."""

    name: str
    path: Path
    condition: Condition
    entries: int
    bytes: int
    """Of the file; 0 if there is none."""
    farthest: int | None
    """The greatest distance in it, in clicks; None if it is not whole, or holds no clicks, as that of soft distances."""
    detail: str = ""

    @property
    def is_usable(self) -> bool:
        """False if it is missing or damaged."""
        return self.condition not in (Condition.MISSING, Condition.DAMAGED)


def look(puzzle: Puzzle) -> TableReport:
    """Return the condition of the puzzle's table, all of which is read and hashed. Raise `EngineError` for too big a puzzle."""
    name, entries = table_name(puzzle), table_entries(puzzle)
    path = table_path(name)
    if entries < KEPT_FROM:
        return TableReport(name, path, Condition.NOT_KEPT, entries, 0, None)
    size = path.stat().st_size if path.exists() else 0
    try:
        table = read_table(name, entries)
    except FileNotFoundError:
        return TableReport(name, path, Condition.MISSING, entries, 0, None)
    except (TableFileError, OSError) as error:
        return TableReport(name, path, Condition.DAMAGED, entries, size, None, str(error))
    return TableReport(name, path, Condition.WHOLE, entries, size, int(table.max()))


def mending(puzzle: Puzzle, *, anew: bool = False) -> Generator[float, None, TableReport]:
    """See that the puzzle's table is whole, building it if it is not (or `anew` if it is), yielding the share that is done.

    Returns the table with condition BUILT or as it was. Raise `OSError` if it cannot be kept.
    """
    found = look(puzzle)
    if found.condition is Condition.NOT_KEPT or (found.condition is Condition.WHOLE and not anew):
        return found
    table = yield from making(puzzle)
    size = found.path.stat().st_size
    return TableReport(found.name, found.path, Condition.BUILT, found.entries, size, int(table.max()), found.detail)


def look_at_soft(puzzle: Puzzle, distances: TableReport) -> TableReport | None:
    """Return the condition of the puzzle's table of soft distances, all of which is read and hashed; None if it can have none.

    `distances` is what was found out about its table of distances. Nothing is built to answer this.
    """
    if not has_room(puzzle) or distances.farthest == UNREACHED:
        return None
    entries = table_entries(puzzle)
    return _look_at(steps_name(puzzle), steps_size(puzzle), entries, kept=entries >= KEPT_FROM, anew=True)


def mending_soft(puzzle: Puzzle, distances: TableReport, *, anew: bool = False) -> Generator[float, None, TableReport | None]:
    """See that the puzzle's table of soft distances is whole, like `mending`; `distances` is what that returned.

    That of five rings of seven takes some seconds and 108 MB.
    """
    found = look_at_soft(puzzle, distances)
    if found is None or found.condition is Condition.NOT_KEPT or (found.condition is Condition.WHOLE and not anew):
        return found
    yield from making_steps(puzzle)
    return replace(found, condition=Condition.BUILT, bytes=found.path.stat().st_size)


def look_at_unions(puzzle: Puzzle, *, anew: bool = True) -> list[TableReport]:
    """Return the conditions of the puzzle's two tables of unions; an empty list if it can have none.

    All of them is read and hashed (2.3 GB for five rings); unless `anew`, files that were once found whole are only looked at.
    """
    return [_look_at_union(table, anew=anew) for table in union_tables(puzzle)]


def mending_unions(puzzle: Puzzle, *, anew: bool = False) -> Generator[float, None, list[TableReport]]:
    """See that the puzzle's tables of unions are whole, like `mending`; those of five rings take minutes and gigabytes.

    Raise `OSError` if they cannot be kept, `EngineError` if one came out wrong.
    """
    before = look_at_unions(puzzle)
    tables = [
        table
        for table, found in zip(union_tables(puzzle), before, strict=True)
        if table.is_kept and (anew or not found.is_usable)
    ]
    if tables:
        yield from making_unions(tables)
    after = look_at_unions(puzzle, anew=False)
    names = {table.name for table in tables}
    return [
        replace(now, condition=Condition.BUILT, detail=was.detail) if now.name in names and now.is_usable else now
        for was, now in zip(before, after, strict=True)
    ]


def _look_at_union(table: UnionTable, *, anew: bool) -> TableReport:
    report = _look_at(table.name, table.size, table.entries, kept=table.is_kept, anew=anew)
    if report.condition is not Condition.WHOLE:
        return report
    return replace(report, farthest=len(read_facts(table.name)["counts"]) - 1)


def _look_at(name: str, size: int, entries: int, *, kept: bool, anew: bool) -> TableReport:
    """Return the condition of a large table, which is hashed again if `anew`."""
    path = table_path(name)
    if not kept:
        return TableReport(name, path, Condition.NOT_KEPT, entries, 0, None)
    found = path.stat().st_size if path.exists() else 0
    try:
        if anew:
            forget_check(name)
        read_table(name, size, large=True)
    except FileNotFoundError:
        return TableReport(name, path, Condition.MISSING, entries, 0, None)
    except (TableFileError, OSError) as error:
        return TableReport(name, path, Condition.DAMAGED, entries, found, None, str(error))
    return TableReport(name, path, Condition.WHOLE, entries, found, None)
