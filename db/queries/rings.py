"""Asking for ring positions and their solutions."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, cast

from sqlalchemy import ColumnElement, Connection, Table, and_, exists, func, or_, select

from db.models import RingPosition, RingSolution
from db.queries.common import Range, counts, of_job, order, page, stream, within
from db.results.common import batches
from engine.errors import InvalidInputError
from engine.jobs import JsonObject

_ROWS = cast("Table", RingPosition.__table__).c

SORTS: Final[Mapping[str, Any]] = {
    "id": _ROWS.id,
    "clicks": _ROWS.best_clicks,
    "lower_bound": _ROWS.lower_bound,
    "optimal_clicks": _ROWS.optimal_clicks,
    "created_at": _ROWS.created_at,
}
"""What a query can be sorted by."""


@dataclass(frozen=True, slots=True)
class Filters:
    """Which positions: all conditions that are given must hold."""

    clicks: Range | None = None
    """Clicks of the best solution known."""
    lower_bound: Range | None = None
    optimal: bool | None = None
    """Whether the best solution is proved shortest."""
    solved: bool | None = None
    """Whether any solution is known."""
    method: str | None = None
    """There is a solution (or proof) by this method."""
    job_id: int | None = None
    """The job made, solved or proved the position."""


def _conditions(filters: Filters) -> list[ColumnElement[bool]]:
    conditions = [*within(_ROWS.best_clicks, filters.clicks), *within(_ROWS.lower_bound, filters.lower_bound)]
    for wish, column in ((filters.optimal, _ROWS.optimal_clicks), (filters.solved, _ROWS.best_clicks)):
        if wish is not None:
            conditions.append(column.is_not(None) if wish else column.is_(None))
    mine = RingSolution.position_id == RingPosition.id
    if filters.method is not None:
        conditions.append(exists().where(mine, RingSolution.method == filters.method))
    if filters.job_id is not None:
        solved = exists().where(and_(mine, *of_job("ring_solution", RingSolution.id, filters.job_id)))
        conditions.append(or_(*of_job("ring_position", RingPosition.id, filters.job_id), solved))
    return conditions


def query(
    conn: Connection, filters: Filters, *, sort: str = "id", limit: int | None = None, offset: int = 0
) -> Iterator[JsonObject]:
    """Yield the positions that pass, each with its solutions by method; `InvalidQueryError` for an unknown sort key."""
    statement = select(*_ROWS).where(*_conditions(filters)).order_by(*order(sort, SORTS, RingPosition.id))
    for rows in stream(conn, page(statement, limit, offset)):
        solutions = _solutions(conn, [row.id for row in rows])
        yield from ({**row._mapping, "solutions": solutions.get(row.id, [])} for row in rows)  # noqa: SLF001  (public name)


def _solutions(conn: Connection, ids: list[int], *columns: Any) -> dict[int, list[JsonObject]]:
    """Return the solutions of positions, the best first, by position id; with `columns` beside the usual ones."""
    row = RingSolution
    usual = (row.method, row.state, row.moves, row.clicks, row.lower_bound, row.optimal, row.nodes, row.seconds)
    found: dict[int, list[JsonObject]] = {}
    for batch in batches(ids, 1000):
        chosen = select(row.position_id, *usual, *columns).where(row.position_id.in_(batch))
        for solution in conn.execute(chosen.order_by(row.clicks.is_(None), row.clicks, row.method)).mappings():
            fields = dict(solution)
            found.setdefault(fields.pop("position_id"), []).append(fields)
    return found


def show(conn: Connection, key: str) -> JsonObject | None:
    """Return the position with that number or state, or one symmetric to the state, with its solutions; None if none.

    Solutions have their certificates here, which `query` leaves out: they may be long.
    """
    text = key.strip()
    if len(text) < 19 and text.isdecimal():
        chosen = RingPosition.id == int(text)
    else:
        chosen = or_(RingPosition.canonical == (_canonical(text) or text), RingPosition.state == text)
    row = conn.execute(select(*_ROWS).where(chosen).order_by(RingPosition.id).limit(1)).one_or_none()
    if row is None:
        return None
    solutions = _solutions(conn, [row.id], RingSolution.certificate).get(row.id, [])
    return {**row._mapping, "solutions": solutions}  # noqa: SLF001  (public name)


def _canonical(text: str) -> str | None:
    """Return the canonical state, or None if the text is no state."""
    from engine.rings.model import State  # noqa: PLC0415  (only this needs it)

    try:
        return State(text).canonical().text
    except InvalidInputError:
        return None


def stats(conn: Connection) -> JsonObject:
    """Return how many positions and solutions there are, by clicks and by method."""

    def number(*conditions: ColumnElement[bool]) -> int:
        return conn.execute(select(func.count()).select_from(RingPosition).where(*conditions)).scalar_one()

    def by(column: Any) -> dict[str, int]:
        return counts(conn, select(column, func.count()).where(column.is_not(None)).group_by(column).order_by(column))

    method = RingSolution.method
    by_method = conn.execute(
        select(
            method, func.count(), func.avg(RingSolution.clicks), func.min(RingSolution.clicks), func.max(RingSolution.clicks)
        )
        .group_by(method)
        .order_by(method)
    )
    return {
        "positions": number(),
        "solved": number(RingPosition.best_clicks.is_not(None)),
        "optimal": number(RingPosition.optimal_clicks.is_not(None)),
        "by_best_clicks": by(RingPosition.best_clicks),
        "by_optimal_clicks": by(RingPosition.optimal_clicks),
        "by_method": {
            name: {"solutions": rows, "mean_clicks": None if mean is None else float(mean), "least": least, "greatest": most}
            for name, rows, mean, least, most in by_method
        },
    }
