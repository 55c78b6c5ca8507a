"""Keeping ring positions and their solutions: one row a position up to symmetry, and one solution of it a method, the best.

As a better solution may replace the row later, each item of a job keeps its own solution in `detail`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, cast

from sqlalchemy import ColumnElement, Connection, Table, and_, case, func, literal, or_, select, update
from sqlalchemy.dialects import postgresql, sqlite

from db.models import RingPosition, RingSolution
from db.results.common import (
    Cursor,
    JobContext,
    Labelled,
    Page,
    Scope,
    Stored,
    batches,
    fill,
    item_cursor,
    item_label,
    item_page,
    temporary,
)
from engine.jobs import JsonObject, Record
from engine.rings.records import PositionRecord, SolutionRecord

_POSITIONS = cast("Table", RingPosition.__table__).c
_SOLUTIONS = cast("Table", RingSolution.__table__).c

_POSITION = ("canonical", "state", "lower_bound", "best_clicks", "optimal_clicks", "origin")
_SOLUTION = ("method", "state", "moves", "clicks", "lower_bound", "optimal", "nodes", "certificate", "seconds")

_IN_POSITION = temporary("ring_position", {name: _POSITIONS[name].type for name in _POSITION})
_IN_SOLUTION = temporary(
    "ring_solution", {"canonical": _POSITIONS["canonical"].type} | {name: _SOLUTIONS[name].type for name in _SOLUTION}
)


@dataclass(slots=True)
class _Known:
    """What the records of a chunk tell about one position."""

    state: str
    lower_bound: int
    best_clicks: int | None = None
    optimal_clicks: int | None = None
    origin: JsonObject | None = None


def store_records(conn: Connection, context: JobContext, records: Sequence[Record]) -> list[Stored]:
    """Insert or improve positions and solutions, and return where each record went."""
    given = cast("Sequence[PositionRecord | SolutionRecord]", records)
    new_positions = _store_positions(conn, context.now, _gather(given))
    positions = {
        row.canonical: row
        for row in conn.execute(
            select(RingPosition.id, RingPosition.canonical, RingPosition.state, RingPosition.origin).join(
                _IN_POSITION, RingPosition.canonical == _IN_POSITION.c.canonical
            )
        )
    }
    best = _best_solutions([record for record in given if isinstance(record, SolutionRecord)])
    new_solutions = _store_solutions(conn, context.now, best) if best else set()
    solutions = _solution_ids(conn) if best else {}
    stored = []
    for record in given:
        if isinstance(record, SolutionRecord):
            row_id = solutions[record.canonical, record.method]
            stored.append(Stored("ring_solution", row_id, row_id in new_solutions, _solution_detail(record)))
            new_solutions.discard(row_id)
        else:
            row = positions[record.canonical]
            same = (row.state, row.origin) == (record.state, record.origin)
            stored.append(
                Stored("ring_position", row.id, record.canonical in new_positions, None if same else _position_detail(record))
            )
            new_positions.discard(record.canonical)
    return stored


def _gather(records: Sequence[PositionRecord | SolutionRecord]) -> dict[str, _Known]:
    """Return what is known of each position, by canonical state."""
    known: dict[str, _Known] = {}
    for record in records:
        position = known.setdefault(record.canonical, _Known(record.state, record.lower_bound))
        position.lower_bound = max(position.lower_bound, record.lower_bound)
        if isinstance(record, PositionRecord):
            if position.origin is None and position.state == record.state:
                position.origin = record.origin
        elif record.clicks is not None:
            position.best_clicks = min(record.clicks, position.best_clicks or record.clicks)
            if record.optimal:
                position.optimal_clicks = record.clicks
    return known


def _least(mine: ColumnElement[Any], theirs: ColumnElement[Any]) -> ColumnElement[Any]:
    """Return the lesser of two columns, either of which may be null."""
    return case((or_(mine.is_(None), theirs < mine), theirs), else_=mine)


def _store_positions(conn: Connection, now: float, known: Mapping[str, _Known]) -> set[str]:
    """Insert new positions and improve bounds of those that are there; return the new canonical states."""
    fill(
        conn,
        _IN_POSITION,
        (
            (canonical, k.state, k.lower_bound, k.best_clicks, k.optimal_clicks, k.origin)
            for canonical, k in sorted(known.items())
        ),
    )
    mine, theirs = _POSITIONS, _IN_POSITION.c
    make = postgresql.insert if conn.dialect.name == "postgresql" else sqlite.insert
    incoming = select(*theirs, literal(now)).order_by(theirs.canonical)
    inserted = (
        make(RingPosition)
        .from_select([*_POSITION, "created_at"], incoming)
        .on_conflict_do_nothing(index_elements=[RingPosition.canonical])
        .returning(RingPosition.canonical)
    )
    new = set(conn.execute(inserted).scalars())
    if len(new) < len(known):
        fills_origin = and_(mine.origin.is_(None), theirs.origin.is_not(None), mine.state == theirs.state)
        better = and_(
            mine.canonical == theirs.canonical,
            or_(
                theirs.lower_bound > mine.lower_bound,
                theirs.best_clicks < func.coalesce(mine.best_clicks, theirs.best_clicks + 1),
                mine.optimal_clicks.is_(None) & theirs.optimal_clicks.is_not(None),
                fills_origin,
            ),
        )
        _lock(conn, select(RingPosition.id).join(_IN_POSITION, better).order_by(mine.canonical), RingPosition)
        higher = theirs.lower_bound > mine.lower_bound
        conn.execute(
            update(RingPosition)
            .where(better)
            .values(
                lower_bound=case((higher, theirs.lower_bound), else_=mine.lower_bound),
                best_clicks=case(
                    (theirs.best_clicks.is_(None), mine.best_clicks), else_=_least(mine.best_clicks, theirs.best_clicks)
                ),
                optimal_clicks=func.coalesce(mine.optimal_clicks, theirs.optimal_clicks),
                origin=case((fills_origin, theirs.origin), else_=mine.origin),
            )
        )
    return new


def _lock(conn: Connection, rows: Any, table: type[RingPosition] | type[RingSolution]) -> None:
    """Lock rows of `table` (and of no other in the query) in key order before a set-based update, which has none."""
    if conn.dialect.name == "postgresql":
        conn.execute(rows.with_for_update(of=table, key_share=True))


def _rank(record: SolutionRecord) -> tuple[bool, int, int]:
    """Return a key that is least for the best of several solutions of a position by one method."""
    return (record.clicks is None, record.clicks or 0, -record.lower_bound)


def _best_solutions(records: Sequence[SolutionRecord]) -> dict[tuple[str, str], SolutionRecord]:
    best: dict[tuple[str, str], SolutionRecord] = {}
    for record in records:
        key = (record.canonical, record.method)
        if key not in best or _rank(record) < _rank(best[key]):
            best[key] = record
    return best


def _store_solutions(conn: Connection, now: float, best: Mapping[tuple[str, str], SolutionRecord]) -> set[int]:
    """Insert new solutions and replace worse ones; return the ids of new rows."""
    fill(
        conn,
        _IN_SOLUTION,
        ((key[0], *(getattr(record, name) for name in _SOLUTION)) for key, record in sorted(best.items())),
    )
    mine, theirs = _SOLUTIONS, _IN_SOLUTION.c
    make = postgresql.insert if conn.dialect.name == "postgresql" else sqlite.insert
    incoming = (
        select(RingPosition.id, *(theirs[name] for name in _SOLUTION), literal(now))
        .join(_IN_SOLUTION, RingPosition.canonical == theirs.canonical)
        .order_by(theirs.canonical, theirs.method)
    )
    inserted = (
        make(RingSolution)
        .from_select(["position_id", *_SOLUTION, "created_at"], incoming)
        .on_conflict_do_nothing(index_elements=[RingSolution.position_id, RingSolution.method])
        .returning(RingSolution.id)
    )
    new = set(conn.execute(inserted).scalars())
    if len(new) < len(best):
        same = and_(
            RingPosition.id == mine.position_id,
            RingPosition.canonical == theirs.canonical,
            mine.method == theirs.method,
        )
        better = or_(
            theirs.clicks < func.coalesce(mine.clicks, theirs.clicks + 1),
            and_(~mine.clicks.is_distinct_from(theirs.clicks), theirs.lower_bound > mine.lower_bound),
        )
        ids = select(RingSolution.id).where(same, better)
        _lock(conn, ids.order_by(theirs.canonical, theirs.method), RingSolution)
        conn.execute(update(RingSolution).where(same, better).values({name: theirs[name] for name in _SOLUTION}))
    return new


def _solution_ids(conn: Connection) -> dict[tuple[str, str], int]:
    theirs = _IN_SOLUTION.c
    rows = conn.execute(
        select(theirs.canonical, theirs.method, RingSolution.id)
        .join(RingPosition, RingPosition.canonical == theirs.canonical)
        .join(RingSolution, and_(RingSolution.position_id == RingPosition.id, RingSolution.method == theirs.method))
    )
    return {(row.canonical, row.method): row.id for row in rows}


def _solution_detail(record: SolutionRecord) -> JsonObject:
    return asdict(record)


def _position_detail(record: PositionRecord) -> JsonObject:
    return asdict(record)


def load_records(conn: Connection, scope: Scope, cursor: Cursor | None, size: int) -> Page:
    """Return the next page: all positions and then all solutions of the bank, or a job's results as that job found them."""
    if scope.job_id is not None:
        items = item_page(conn, scope, "rings", cursor, size)
        plain = [item.row_id for item in items if item.detail is None]
        positions = _load_positions(conn, plain)
        return Page(
            [
                Labelled(item_label(item), positions[item.row_id] if item.detail is None else _as_found(item.detail))
                for item in items
            ],
            item_cursor(items, size),
        )
    table, after = ("ring_position", 0) if cursor is None else cursor
    if table == "ring_position":
        ids = _ids_after(conn, RingPosition.id, after, size)
        found = _load_positions(conn, ids)
        records = [Labelled(f"ring_position {i}", found[i]) for i in ids]
        return Page(records, ("ring_position", ids[-1]) if len(ids) == size else ("ring_solution", 0))
    ids = _ids_after(conn, RingSolution.id, after, size)
    solved = _load_solutions(conn, ids)
    records = [Labelled(f"ring_solution {i}", solved[i]) for i in ids]
    return Page(records, ("ring_solution", ids[-1]) if len(ids) == size else None)


def _ids_after(conn: Connection, column: Any, after: int, size: int) -> Sequence[int]:
    ids: Sequence[int] = conn.execute(select(column).where(column > after).order_by(column).limit(size)).scalars().all()
    return ids


def _load_positions(conn: Connection, ids: Sequence[int]) -> dict[int, PositionRecord]:
    return {
        row.id: PositionRecord(row.state, row.canonical, row.lower_bound, row.origin or {})
        for batch in batches(ids, 1000)
        for row in conn.execute(select(*_POSITIONS).where(RingPosition.id.in_(batch)))
    }


def _load_solutions(conn: Connection, ids: Sequence[int]) -> dict[int, SolutionRecord]:
    return {
        row.id: SolutionRecord(canonical=row.canonical, **{name: getattr(row, name) for name in _SOLUTION})
        for batch in batches(ids, 1000)
        for row in conn.execute(
            select(*_SOLUTIONS, RingPosition.canonical).join(RingPosition).where(RingSolution.id.in_(batch))
        )
    }


def _as_found(detail: JsonObject) -> PositionRecord | SolutionRecord:
    return SolutionRecord(**detail) if "method" in detail else PositionRecord(**detail)
