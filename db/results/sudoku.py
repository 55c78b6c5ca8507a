"""Keeping sudokus: one row for all equivalent puzzles, in the form that came first.

A job that finds a puzzle again in another form gets an item whose `detail` holds that form, so that the job's own results can
be read back exactly, whatever was in the bank before.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from operator import itemgetter
from typing import Any, Final, cast

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    MetaData,
    Row,
    Table,
    Text,
    and_,
    case,
    delete,
    func,
    or_,
    select,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError

from db.models import Sudoku, SudokuTechnique, Technique
from db.results.common import (
    Cursor,
    JobContext,
    Labelled,
    NewRows,
    Page,
    Scope,
    Stored,
    batches,
    bulk_insert,
    copying,
    fill,
    id_list,
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
_COLUMNS = ("id", *_PLAIN, *_RATING, "techniques", "created_at")
_UNRATED = (None,) * (len(_RATING) + 1)

_ROWS = cast("Table", Sudoku.__table__).c
_WRITTEN = Text().with_variant(postgresql.JSON(), "postgresql")  # JSON that has been written out already
_TYPES = {name: _WRITTEN if name == "techniques" else _ROWS[name].type for name in _COLUMNS}
_AS_WRITTEN = Table("sudoku", MetaData(), *(Column(name, kind) for name, kind in _TYPES.items()))
_INCOMING = temporary("sudoku", _TYPES)
_IN = _INCOMING.c

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

_INSERT: Final = (
    f"INSERT INTO sudoku ({', '.join(_COLUMNS)}) VALUES ({', '.join('?' * len(_COLUMNS))}) "  # noqa: S608  # names of our own columns
    "ON CONFLICT (canonical) DO NOTHING"
)
_SAMPLE: Final = 64
"""Puzzles that are looked up before all are taken for new."""
_DOUBLE: Final = "23505"
"""The SQLSTATE of a unique key that is there already."""
_COUNTED: Final = {"preserve_rowcount": True}
_USE = cast("Table", SudokuTechnique.__table__)
_USES: Final = "INSERT INTO sudoku_technique (technique_id, sudoku_id) SELECT ?, value FROM json_each(?)"


def store_records(conn: Connection, context: JobContext, records: Sequence[Record]) -> list[Stored] | NewRows:
    """Insert puzzles that are new up to equivalence, complete those that are there, and return where each went.

    Most chunks hold new puzzles only; of those nothing is read back, as their rows' numbers are chosen beforehand.
    """
    puzzles = cast("Sequence[SudokuRecord]", records)
    distinct = {record.canonical: record for record in puzzles}
    if len(distinct) < len(puzzles):
        distinct = _merge(puzzles)
    ids = _new_ids(conn, len(distinct))
    unknown = list(zip(ids, distinct.values(), strict=True))
    if _insert(conn, [_values(row_id, record, context.now) for row_id, record in unknown]) < len(unknown):
        present = set(conn.execute(select(Sudoku.id).where(Sudoku.id.between(min(ids), max(ids)))).scalars())
        unknown = [(row_id, record) for row_id, record in unknown if row_id in present]
    _store_techniques(conn, ((row_id, record.rating) for row_id, record in unknown))
    if len(unknown) == len(puzzles):
        return NewRows("sudoku", ids)
    rows = {record.canonical: (row_id, record.puzzle) for row_id, record in unknown}
    new = rows.keys()
    if known := {key: record for key, record in distinct.items() if key not in new}:
        rows = rows | _complete(conn, known, context.now)
    stored = []
    unseen = set(new)
    for record in puzzles:
        row_id, form = rows[record.canonical]
        detail = None if form == record.puzzle else _detail(record)
        stored.append(Stored("sudoku", row_id, record.canonical in unseen, detail))
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


def _values(row_id: int, record: SudokuRecord, now: float) -> tuple[Any, ...]:
    """Return the values of `_COLUMNS`, one by one: quicker than by their names."""
    rating = record.rating
    return (
        row_id,
        record.canonical,
        record.puzzle,
        record.status,
        record.solution,
        record.solutions_found,
        record.clues,
        record.automorphisms,
        record.minimal,
        record.symmetry,
        record.sampling,
        record.weight,
        *(_UNRATED if rating is None else _rated(rating)),
        now,
    )


def _rated(rating: Rating) -> tuple[Any, ...]:
    return (
        rating.er,
        rating.ep,
        rating.ed,
        rating.bound,
        rating.level,
        rating.score,
        rating.rater,
        rating.techniques_json(),
    )


def _new_ids(conn: Connection, count: int) -> Sequence[int]:
    """Return numbers for so many new rows. Nobody else gets them: SQLite has one writer, PostgreSQL a sequence."""
    if conn.dialect.name == "sqlite":
        first = conn.execute(select(func.coalesce(func.max(Sudoku.id), 0) + 1)).scalar_one()
        return range(first, first + count)
    drawn = select(func.array_agg(func.nextval("sudoku_id_seq"))).select_from(func.generate_series(1, count))
    return cast("Sequence[int]", conn.execute(drawn).scalar_one() or ())


def _insert(conn: Connection, rows: Sequence[tuple[Any, ...]]) -> int:
    """Insert the rows (values of `_COLUMNS`) whose canonical forms are new; return how many were."""
    if not rows:
        return 0
    if conn.dialect.name == "sqlite":
        return conn.exec_driver_sql(_INSERT, rows, execution_options=_COUNTED).rowcount
    rows = sorted(rows, key=itemgetter(1))  # in key order, so that rival transactions cannot deadlock
    if _copied(conn, rows):
        return len(rows)
    fill(conn, _INCOMING, rows)
    statement = postgresql.insert(Sudoku).from_select(_COLUMNS, select(*_IN).order_by(_IN.canonical))
    statement = statement.on_conflict_do_nothing(index_elements=[Sudoku.canonical])
    return conn.execute(statement, execution_options=_COUNTED).rowcount


def _copied(conn: Connection, rows: Sequence[tuple[Any, ...]]) -> bool:
    """Copy the rows to where they belong if all are new, else do nothing: half the work of going by a temporary table."""
    sample = [row[1] for row in rows[:: len(rows) // _SAMPLE + 1]]
    if conn.execute(select(Sudoku.id).where(Sudoku.canonical.in_(sample)).limit(1)).first() is not None:
        return False
    attempt = conn.begin_nested()
    try:
        bulk_insert(conn, _AS_WRITTEN, rows)
    except DBAPIError as error:
        if getattr(error.orig, "sqlstate", None) != _DOUBLE:
            raise
        attempt.rollback()
        return False
    attempt.commit()
    return True


def _complete(conn: Connection, puzzles: Mapping[str, SudokuRecord], now: float) -> dict[str, tuple[int, str]]:
    """Add what incoming puzzles know to the rows that are there; return each row's number and form by canonical form."""
    same = Sudoku.canonical == _IN.canonical
    fill(conn, _INCOMING, (_values(0, record, now) for _, record in sorted(puzzles.items())))
    pairs = select(Sudoku.canonical, Sudoku.id, Sudoku.puzzle).join(_INCOMING, same)
    rows = {row.canonical: (row.id, row.puzzle) for row in conn.execute(pairs)}
    locked = (
        select(Sudoku.canonical, _BETTER_RATED.label("rerated"))
        .join(_INCOMING, same)
        .where(_ADDS)
        .order_by(Sudoku.canonical)
        .with_for_update(of=Sudoku, key_share=True)
    )
    found = conn.execute(locked).all()
    if not found:
        return rows
    more = _IN.solutions_found > Sudoku.solutions_found
    changes: dict[str, Any] = {"solutions_found": case((more, _IN.solutions_found), else_=Sudoku.solutions_found)}
    changes |= {name: func.coalesce(_ROWS[name], _IN[name]) for name in _FACTS}
    changes |= {name: case((_SAME_FORM & _fills(name), _IN[name]), else_=_ROWS[name]) for name in _OF_FORM}
    changes |= {name: case((_BETTER_RATED, _IN[name]), else_=_ROWS[name]) for name in (*_RATING, "techniques")}
    conn.execute(update(Sudoku).where(same, _ADDS).values(changes))
    rerated = {rows[row.canonical][0]: puzzles[row.canonical].rating for row in found if row.rerated}
    _forget_techniques(conn, list(rerated))
    _store_techniques(conn, rerated.items())
    return rows


def _store_techniques(conn: Connection, ratings: Iterable[tuple[int, Rating | None]]) -> None:
    """Write down which rows use each technique, from row numbers and ratings."""
    users: defaultdict[str, list[int]] = defaultdict(list)
    for row_id, rating in ratings:
        if rating is not None:
            for name in rating.techniques:
                users[name].append(row_id)
    if not users:
        return
    numbers = _technique_numbers(conn, sorted(users))
    if conn.dialect.name == "postgresql":
        with copying(conn, _USE, ("technique_id", "sudoku_id")) as copy:
            for name, ids in sorted(users.items()):
                start = f"{numbers[name]}\t"
                copy.write(start + f"\n{start}".join(map(str, ids)) + "\n")
        return
    conn.exec_driver_sql(_USES, [(numbers[name], id_list(conn, ids)) for name, ids in sorted(users.items())])


def _technique_numbers(conn: Connection, names: Sequence[str]) -> dict[str, int]:
    """Return the numbers of techniques; those met for the first time get one."""
    known = select(Technique.name, Technique.id)
    numbers = {row.name: row.id for row in conn.execute(known)}
    if missing := [{"name": name} for name in names if name not in numbers]:
        make = postgresql.insert if conn.dialect.name == "postgresql" else sqlite.insert
        conn.execute(make(Technique).on_conflict_do_nothing(index_elements=[Technique.name]), missing)
        numbers = {row.name: row.id for row in conn.execute(known)}
    return numbers


def _forget_techniques(conn: Connection, row_ids: Sequence[int]) -> None:
    numbers = conn.execute(select(Technique.id)).scalars().all()  # the key begins with them
    for batch in batches(row_ids, 1000):
        conn.execute(
            delete(SudokuTechnique).where(SudokuTechnique.technique_id.in_(numbers), SudokuTechnique.sudoku_id.in_(batch))
        )


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
        found |= {row.id: _record(row) for row in conn.execute(select(*_ROWS).where(Sudoku.id.in_(batch)))}
    return found


def _record(row: Row[Any]) -> SudokuRecord:
    rating = None
    if row.er is not None:
        rating = Rating(**{name: getattr(row, name) for name in (*_RATING, "techniques")})
    return SudokuRecord(**{name: getattr(row, name) for name in _PLAIN}, rating=rating)


def _as_found(record: SudokuRecord, detail: JsonObject | None) -> SudokuRecord:
    if detail is None:
        return record
    rating = None if detail["rating"] is None else Rating(**detail["rating"])
    return replace(record, **{**detail, "rating": rating})
