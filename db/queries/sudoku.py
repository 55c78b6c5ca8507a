"""Asking the sudoku bank."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

from sqlalchemy import Boolean, ColumnElement, Connection, Row, Select, Table, func, literal_column, select

from db.models import Sudoku, SudokuTechnique, Technique
from db.models.sudoku import NOT_UNIQUE
from db.queries.common import Range, counts, equal, of_job, order, page, stream, within
from engine.errors import InvalidInputError
from engine.jobs import JsonObject

_ROWS = cast("Table", Sudoku.__table__).c

SORTS: Final[Mapping[str, Any]] = {
    name: _ROWS[name] for name in ("id", "er", "ep", "ed", "score", "clues", "automorphisms", "weight", "created_at")
}
"""What a query can be sorted by."""


@dataclass(frozen=True, slots=True)
class Filters:
    """Which sudokus: all conditions that are given must hold."""

    er: Range | None = None
    ep: Range | None = None
    ed: Range | None = None
    clues: Range | None = None
    score: Range | None = None
    level: str | None = None
    status: str | None = None
    symmetry: str | None = None
    sampling: str | None = None
    minimal: bool | None = None
    rated: bool | None = None
    bound: bool | None = None
    rater: str | None = None
    techniques: Sequence[str] = ()
    """All of these are used by the rated path."""
    without: Sequence[str] = ()
    """None of these is used; only rated puzzles count."""
    job_id: int | None = None


def _conditions(filters: Filters) -> list[ColumnElement[bool]]:
    conditions = [
        condition for name in ("er", "ep", "ed", "clues", "score") for condition in within(_ROWS[name], getattr(filters, name))
    ]
    for name in ("level", "status", "symmetry", "sampling", "minimal", "bound", "rater"):
        conditions += equal(_ROWS[name], getattr(filters, name))
    if filters.rated is not None:
        conditions.append(Sudoku.er.is_not(None) if filters.rated else Sudoku.er.is_(None))
    if filters.status not in (None, "unique"):
        conditions.append(literal_column(NOT_UNIQUE, Boolean))
    if filters.without:
        conditions.append(Sudoku.er.is_not(None))
    conditions += [Sudoku.id.in_(_users(technique)) for technique in filters.techniques]
    conditions += [Sudoku.id.not_in(_users(technique)) for technique in filters.without]
    return conditions + of_job("sudoku", Sudoku.id, filters.job_id)


def _users(technique: str) -> Select[int]:
    number = select(Technique.id).where(Technique.name == technique).scalar_subquery()
    return select(SudokuTechnique.sudoku_id).where(SudokuTechnique.technique_id == number)


def query(
    conn: Connection, filters: Filters, *, sort: str = "id", limit: int | None = None, offset: int = 0
) -> Iterator[JsonObject]:
    """Yield the puzzles that pass, each with all that is known of it; raise `InvalidQueryError` for an unknown sort key."""
    statement = select(*_ROWS).where(*_conditions(filters)).order_by(*order(sort, SORTS, Sudoku.id))
    for rows in stream(conn, page(statement, limit, offset)):
        yield from map(_as_json, rows)


def count(conn: Connection, filters: Filters) -> int:
    """Return how many puzzles pass."""
    return conn.execute(select(func.count()).select_from(Sudoku).where(*_conditions(filters))).scalar_one()


def _as_json(row: Row[Any]) -> JsonObject:
    return dict(row._mapping)  # noqa: SLF001  (SQLAlchemy's public name)


def show(conn: Connection, key: str) -> JsonObject | None:
    """Return the puzzle with that number, text or canonical form, or one equivalent to the text; None if there is none."""
    found = _find(conn, key.strip())
    return None if found is None else _as_json(found)


def _find(conn: Connection, key: str) -> Row[Any] | None:
    if len(key) < 19 and key.isdecimal():
        return conn.execute(select(*_ROWS).where(Sudoku.id == int(key))).one_or_none()
    text = key.replace("0", ".")
    # Its canonical form finds every real puzzle by an index; only a text that is none is looked for in the whole bank.
    for column, value in ((Sudoku.canonical, text), (Sudoku.canonical, _canonical(text)), (Sudoku.puzzle, text)):
        if value is not None:
            row = conn.execute(select(*_ROWS).where(column == value).limit(1)).one_or_none()
            if row is not None:
                return row
    return None


def _canonical(text: str) -> str | None:
    """Return the canonical form of a puzzle, or None if the text is none."""
    from engine.sudoku.canon import canonicalize  # noqa: PLC0415  (brings compiled kernels; only this needs them)
    from engine.sudoku.grid import parse_puzzle, to_cells, to_text  # noqa: PLC0415  (same)

    try:
        return to_text(canonicalize(to_cells([parse_puzzle(text)])).cells[0])
    except InvalidInputError:
        return None


def stats(conn: Connection) -> JsonObject:
    """Return how many puzzles there are, by status, clues, level, ER and technique."""

    def by(column: Any, *conditions: ColumnElement[bool]) -> dict[str, int]:
        return counts(conn, select(column, func.count()).where(*conditions).group_by(column).order_by(column))

    rated = Sudoku.er.is_not(None)
    least, greatest, mean = conn.execute(select(func.min(Sudoku.er), func.max(Sudoku.er), func.avg(Sudoku.er))).one()
    number, users = SudokuTechnique.technique_id, func.count().label("users")
    uses = select(number.label("number"), users).group_by(number).subquery()
    by_technique = select(Technique.name, uses.c.users).join(uses, uses.c.number == Technique.id)
    return {
        "puzzles": count(conn, Filters()),
        "rated": count(conn, Filters(rated=True)),
        "minimal": count(conn, Filters(minimal=True)),
        "by_status": by(Sudoku.status),
        "by_clues": by(Sudoku.clues),
        "by_level": by(Sudoku.level, rated),
        "by_er": by(Sudoku.er, rated),
        "er": {"least": least, "greatest": greatest, "mean": mean},
        "by_technique": counts(conn, by_technique.order_by(uses.c.users.desc(), Technique.name)),
    }
