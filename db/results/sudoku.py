"""Keeping sudokus: one row for all equivalent puzzles, in the form that came first.

A job that finds a puzzle again in another form gets an item whose `detail` holds that form, so that the job's own results can
be read back exactly, whatever was in the bank before.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from operator import attrgetter
from typing import Any, cast

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    Table,
    and_,
    case,
    delete,
    func,
    literal,
    or_,
    select,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite

from db.models import Sudoku, SudokuTechnique
from db.results.common import (
    Cursor,
    JobContext,
    Labelled,
    Page,
    Scope,
    Stored,
    batches,
    bulk_insert,
    fill,
    item_cursor,
    item_label,
    item_page,
    temporary,
)
from engine.jobs import JsonObject, Record
from engine.sudoku.records import Rating, SudokuRecord

_RATING = ("er", "ep", "ed", "bound", "level", "score", "rater")
_FACTS = ("automorphisms", "minimal")  # the same for all equivalent puzzles
_OF_FORM = ("symmetry", "sampling", "weight")  # true of one form only
_PLAIN = ("canonical", "puzzle", "status", "solution", "solutions_found", "clues", *_FACTS, *_OF_FORM)
_COLUMNS = (*_PLAIN, *_RATING)
_UNRATED = (None,) * len(_RATING)
_plain_of = attrgetter(*_PLAIN)
_rating_of = attrgetter(*_RATING)

_ROWS = cast("Table", Sudoku.__table__).c
_INCOMING = temporary("sudoku", {name: _ROWS[name].type for name in _COLUMNS})
_IN = _INCOMING.c
_TECHNIQUES = cast("Table", SudokuTechnique.__table__)

_SAME_FORM = Sudoku.puzzle == _IN.puzzle
_BETTER_RATED = and_(_SAME_FORM, _IN.er.is_not(None), or_(*(_ROWS[name].is_distinct_from(_IN[name]) for name in _RATING)))


def _fills(name: str) -> ColumnElement[bool]:
    return _ROWS[name].is_(None) & _IN[name].is_not(None)


_ADDS = or_(
    _IN.solutions_found > Sudoku.solutions_found,
    *(_fills(name) for name in _FACTS),
    *(_SAME_FORM & _fills(name) for name in _OF_FORM),
    _BETTER_RATED,
)
"""Whether an incoming puzzle knows something that the stored one does not."""


def store_records(conn: Connection, context: JobContext, records: Sequence[Record]) -> list[Stored]:
    """Insert puzzles that are new up to equivalence, complete those that are there, and return where each went."""
    puzzles = cast("Sequence[SudokuRecord]", records)
    distinct = _merge(puzzles)
    fill(conn, _INCOMING, (_values(record) for _, record in sorted(distinct.items())))
    new = _insert(conn, context.now)
    pairs = select(Sudoku.canonical, Sudoku.id, Sudoku.puzzle).join(_INCOMING, Sudoku.canonical == _IN.canonical)
    rows = {row.canonical: row for row in conn.execute(pairs).all()}
    rerated = _complete(conn) if len(new) < len(distinct) else []
    _store_techniques(conn, {rows[key].id: distinct[key] for key in (*new, *rerated)}, set(rerated))
    stored = []
    unseen = set(new)
    for record in puzzles:
        row = rows[record.canonical]
        stored.append(
            Stored("sudoku", row.id, record.canonical in unseen, None if row.puzzle == record.puzzle else _detail(record))
        )
        unseen.discard(record.canonical)
    return stored


def _merge(records: Sequence[SudokuRecord]) -> dict[str, SudokuRecord]:
    """Return one record for each canonical form: the first, with a rating that a later one of the same form may bring."""
    merged: dict[str, SudokuRecord] = {}
    for record in records:
        first = merged.setdefault(record.canonical, record)
        if first.rating is None and record.rating is not None and first.puzzle == record.puzzle:
            merged[record.canonical] = replace(first, rating=record.rating)
    return merged


def _values(record: SudokuRecord) -> tuple[Any, ...]:
    rating = record.rating
    return (*_plain_of(record), *(_UNRATED if rating is None else _rating_of(rating)))


def _insert(conn: Connection, now: float) -> list[str]:
    """Insert what is new, in key order so that rival transactions cannot deadlock; return the new canonical forms."""
    make = postgresql.insert if conn.dialect.name == "postgresql" else sqlite.insert
    incoming = select(*_IN, literal(now)).order_by(_IN.canonical)
    statement = make(Sudoku).from_select([*_COLUMNS, "created_at"], incoming)
    inserted = statement.on_conflict_do_nothing(index_elements=[Sudoku.canonical]).returning(Sudoku.canonical)
    return list(conn.execute(inserted).scalars().all())


def _complete(conn: Connection) -> list[str]:
    """Add what incoming puzzles know to the rows that are there; return the canonical forms whose rating changed."""
    same = Sudoku.canonical == _IN.canonical
    locked = (
        select(Sudoku.canonical, _BETTER_RATED.label("rerated"))
        .join(_INCOMING, same)
        .where(_ADDS)
        .order_by(Sudoku.canonical)
        .with_for_update(of=Sudoku, key_share=True)
    )
    found = conn.execute(locked).all()
    if not found:
        return []
    more = _IN.solutions_found > Sudoku.solutions_found
    changes: dict[str, Any] = {"solutions_found": case((more, _IN.solutions_found), else_=Sudoku.solutions_found)}
    changes |= {name: func.coalesce(_ROWS[name], _IN[name]) for name in _FACTS}
    changes |= {name: case((_SAME_FORM & _fills(name), _IN[name]), else_=_ROWS[name]) for name in _OF_FORM}
    changes |= {name: case((_BETTER_RATED, _IN[name]), else_=_ROWS[name]) for name in _RATING}
    conn.execute(update(Sudoku).where(same, _ADDS).values(changes))
    return [row.canonical for row in found if row.rerated]


def _store_techniques(conn: Connection, rated: Mapping[int, SudokuRecord], again: set[str]) -> None:
    """Write the techniques of newly rated rows, by row id; those of rows rated `again` replace the old ones."""
    stale = [row_id for row_id, record in rated.items() if record.canonical in again]
    for batch in batches(stale, 1000):
        conn.execute(delete(SudokuTechnique).where(SudokuTechnique.sudoku_id.in_(batch)))
    uses = (
        (row_id, technique, count)
        for row_id, record in rated.items()
        if record.rating is not None
        for technique, count in record.rating.techniques.items()
    )
    bulk_insert(conn, _TECHNIQUES, uses)


def _detail(record: SudokuRecord) -> JsonObject:
    """Return what differs from form to form, for the item of a job that found an equivalent of the stored puzzle."""
    names = ("puzzle", "solution", "solutions_found", *_OF_FORM)
    return {
        **{name: getattr(record, name) for name in names},
        "rating": None if record.rating is None else asdict(record.rating),
    }


def load_records(conn: Connection, scope: Scope, cursor: Cursor | None, size: int) -> Page:
    """Return the next page of puzzles: the bank's, or a job's in the forms in which that job found them."""
    if scope.job_id is not None:
        items = item_page(conn, scope, "sudoku", cursor, size)
        found = _load(conn, [item.row_id for item in items])
        records = [Labelled(item_label(item), _as_found(found[item.row_id], item.detail)) for item in items]
        return Page(records, item_cursor(items, size))
    after = 0 if cursor is None else cursor[0]
    ids = conn.execute(select(Sudoku.id).where(Sudoku.id > after).order_by(Sudoku.id).limit(size)).scalars().all()
    found = _load(conn, ids)
    return Page([Labelled(f"sudoku {i}", found[i]) for i in ids], (ids[-1],) if len(ids) == size else None)


def _load(conn: Connection, ids: Sequence[int]) -> dict[int, SudokuRecord]:
    found: dict[int, SudokuRecord] = {}
    for batch in batches(ids, 1000):
        techniques = techniques_of(conn, batch)
        for row in conn.execute(select(*_ROWS).where(Sudoku.id.in_(batch))):
            found[row.id] = _record(row, techniques.get(row.id, {}))
    return found


def techniques_of(conn: Connection, ids: Sequence[int]) -> dict[int, dict[str, int]]:
    """Return the techniques of rated puzzles and how often each is used, by row id, in name order."""
    found: dict[int, dict[str, int]] = {}
    statement = select(*_TECHNIQUES.c).where(SudokuTechnique.sudoku_id.in_(ids))
    for row_id, technique, count in conn.execute(statement.order_by(*_TECHNIQUES.c[:2])):
        found.setdefault(row_id, {})[technique] = count
    return found


def _record(row: Row[Any], techniques: Mapping[str, int]) -> SudokuRecord:
    rating = None
    if row.er is not None:
        rating = Rating(**{name: getattr(row, name) for name in _RATING}, techniques=techniques)
    return SudokuRecord(**{name: getattr(row, name) for name in _PLAIN}, rating=rating)


def _as_found(record: SudokuRecord, detail: JsonObject | None) -> SudokuRecord:
    if detail is None:
        return record
    rating = None if detail["rating"] is None else Rating(**detail["rating"])
    return replace(record, **{**detail, "rating": rating})
