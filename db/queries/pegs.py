"""Asking for peg solitaire boards, enumerations and solutions."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Row, func, select

from db.models import PegBoard, PegEnumeration, PegSolution
from db.queries.common import AnySelect, Range, equal, of_job, order, page, stream, within
from engine.jobs import JsonObject

SORTS: Final[Mapping[str, Any]] = {
    "id": PegEnumeration.id,
    "board": PegBoard.name,
    "start": PegEnumeration.start,
    "positions": PegEnumeration.positions,
    "min_moves": PegEnumeration.min_moves,
}
"""What a query for enumerations can be sorted by."""

SOLUTION_SORTS: Final[Mapping[str, Any]] = {
    "id": PegSolution.id,
    "board": PegBoard.name,
    "start": PegSolution.start,
    "finish": PegSolution.finish,
    "index": PegSolution.rank,
    "moves": PegSolution.moves,
}
"""What a query for solutions can be sorted by."""


@dataclass(frozen=True, slots=True)
class Filters:
    """Which enumerations, or with `solutions` which solutions: all conditions that are given must hold."""

    solutions: bool = False
    board: str | None = None
    start: int | None = None
    moves: Range | None = None
    """Fewest moves of an enumeration; moves of a solution."""
    finish: int | None = None
    """Solutions only."""
    shortest: bool | None = None
    """Solutions only: with the fewest moves to their finish."""
    index: Range | None = None
    """Solutions only."""
    job_id: int | None = None


def query(
    conn: Connection, filters: Filters, *, sort: str = "id", limit: int | None = None, offset: int = 0
) -> Iterator[JsonObject]:
    """Yield the enumerations (with all figures) or solutions that pass; `InvalidQueryError` for an unknown sort key."""
    if filters.solutions:
        statement = _solutions(filters).order_by(*order(sort, SOLUTION_SORTS, PegSolution.id))
        for rows in stream(conn, page(statement, limit, offset)):
            yield from (dict(row._mapping) for row in rows)  # noqa: SLF001  (SQLAlchemy's public name)
        return
    chosen = _enumerations().where(*_conditions(filters)).order_by(*order(sort, SORTS, PegEnumeration.id))
    for rows in stream(conn, page(chosen, limit, offset)):
        yield from (_as_json(row) for row in rows)


def _conditions(filters: Filters) -> list[ColumnElement[bool]]:
    return [
        *equal(PegBoard.name, filters.board),
        *equal(PegEnumeration.start, filters.start),
        *within(PegEnumeration.min_moves, filters.moves),
        *of_job("peg_enumeration", PegEnumeration.id, filters.job_id),
    ]


def _enumerations() -> AnySelect:
    columns = (PegEnumeration.start, PegEnumeration.figures, PegEnumeration.graph_digest, PegEnumeration.created_at)
    return select(PegEnumeration.id, PegBoard.name, PegBoard.shape_hash, PegBoard.holes, *columns).join(PegBoard)


def _as_json(row: Row[Any]) -> JsonObject:
    from engine.pegs.report import with_texts  # noqa: PLC0415  (brings compiled kernels; only this needs them)

    return {
        "id": row.id,
        "board": row.name,
        "start": row.start,
        "holes": row.holes,
        **with_texts(row.figures),
        "graph": row.graph_digest,
        "shape_hash": row.shape_hash,
        "created_at": row.created_at,
    }


def _solutions(filters: Filters) -> AnySelect:
    row = PegSolution
    columns = (row.start, row.finish, row.rank.label("index"), row.moves, row.shortest, row.jumps)
    statement = select(row.id, PegBoard.name.label("board"), *columns).join(PegBoard)
    return statement.where(
        *equal(PegBoard.name, filters.board),
        *equal(row.start, filters.start),
        *equal(row.finish, filters.finish),
        *equal(row.shortest, filters.shortest),
        *within(row.moves, filters.moves),
        *within(row.rank, filters.index),
        *of_job("peg_solution", row.id, filters.job_id),
    )


def show(conn: Connection, key: str) -> JsonObject | None:
    """Return an enumeration by number or as `BOARD:START`, or a `BOARD` with its starts; None if there is none.

    A board's starts tell solutions as text, and the fewest moves.
    """
    if key.isdecimal() and len(key) < 19:
        row = conn.execute(_enumerations().where(PegEnumeration.id == int(key))).one_or_none()
        return None if row is None else _as_json(row)
    name, colon, start = key.rpartition(":")
    if colon and start.isdecimal():
        chosen = _enumerations().where(PegBoard.name == name, PegEnumeration.start == int(start))
        row = conn.execute(chosen.order_by(PegEnumeration.id).limit(1)).one_or_none()
        return None if row is None else _as_json(row)
    board = conn.execute(
        select(PegBoard.id, PegBoard.name, PegBoard.shape_hash, PegBoard.holes, PegBoard.text)
        .where(PegBoard.name == key)
        .order_by(PegBoard.id)
        .limit(1)
    ).one_or_none()
    if board is None:
        return None
    starts = conn.execute(
        select(PegEnumeration.start, PegEnumeration.solutions_text, PegEnumeration.min_moves, PegEnumeration.positions)
        .where(PegEnumeration.board_id == board.id)
        .order_by(PegEnumeration.start)
    )
    return {
        "board": board.name,
        "holes": board.holes,
        "shape_hash": board.shape_hash,
        "text": board.text,
        "starts": [dict(row) for row in starts.mappings()],
    }


def stats(conn: Connection) -> JsonObject:
    """Return how many boards, enumerations and solutions there are, in all and by board."""

    def number(table: Any) -> int:
        return conn.execute(select(func.count()).select_from(table)).scalar_one()

    stored = select(PegSolution.board_id, func.count().label("rows")).group_by(PegSolution.board_id).subquery()
    starts = select(PegEnumeration.board_id, func.count().label("rows")).group_by(PegEnumeration.board_id).subquery()
    by_board = conn.execute(
        select(
            PegBoard.name,
            func.coalesce(starts.c.rows, 0).label("enumerations"),
            func.coalesce(stored.c.rows, 0).label("solutions_stored"),
        )
        .outerjoin(starts, starts.c.board_id == PegBoard.id)
        .outerjoin(stored, stored.c.board_id == PegBoard.id)
        .order_by(PegBoard.name)
    )
    return {
        "boards": number(PegBoard),
        "enumerations": number(PegEnumeration),
        "solutions_stored": number(PegSolution),
        "by_board": {
            row.name: {"enumerations": row.enumerations, "solutions_stored": row.solutions_stored} for row in by_board
        },
    }
