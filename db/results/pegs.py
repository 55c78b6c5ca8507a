"""Keeping peg solitaire results: boards, enumerations, solutions.

An enumeration is one item of its job, although it may bring tens of thousands of solutions as rows, and a graph as a file.
"""

from collections.abc import Iterable, Sequence
from typing import Any, cast

from sqlalchemy import Connection, Table, and_, case, func, literal, or_, select, update
from sqlalchemy.dialects import postgresql, sqlite

from db.artifacts import read_file
from db.errors import ArtifactError
from db.models import Artifact, PegBoard, PegEnumeration, PegSolution
from db.results.common import (
    Cursor,
    JobContext,
    Labelled,
    Page,
    Scope,
    Stored,
    StoredFile,
    batches,
    fill,
    item_cursor,
    item_label,
    item_page,
    temporary,
)
from engine.jobs import JsonObject, Record
from engine.pegs.records import BoardRecord, EnumerationRecord, SolutionRecord

_BATCH = 20_000
"""Solutions that are put into the temporary table at a time, so that memory does not grow with their number."""

_COLUMNS = ("board_id", "start", "rank", "finish", "jumps", "moves", "shortest")
_ROWS = cast("Table", PegSolution.__table__).c
_INCOMING = temporary("peg_solution", {name: _ROWS[name].type for name in _COLUMNS})
_IN = _INCOMING.c


def store_records(conn: Connection, context: JobContext, records: Sequence[Record]) -> list[Stored]:
    """Insert or complete boards, enumerations and solutions, and return where each record went."""
    given = cast("Sequence[EnumerationRecord | SolutionRecord]", records)
    boards = _store_boards(conn, given)
    stored: list[Stored | None] = [None] * len(given)
    # Enumerations first, in the order of their keys; then solutions likewise: no two transactions can wait for each other.
    enumerations = [(place, record) for place, record in enumerate(given) if isinstance(record, EnumerationRecord)]
    for place, record in sorted(enumerations, key=lambda pair: (boards[_key(pair[1].board)], pair[1].start)):
        board_id = boards[_key(record.board)]
        stored[place] = _store_enumeration(conn, context, board_id, record, context.files.get(place))
    extra = ((boards[_key(record.board)], solution) for _, record in enumerations for solution in record.solutions)
    for batch in batches(extra, _BATCH):
        _store_solutions(conn, batch, wanted=False)
    singles = [(place, record) for place, record in enumerate(given) if isinstance(record, SolutionRecord)]
    for pairs in batches(singles, _BATCH):
        found = _store_solutions(conn, [(boards[_key(record.board)], record) for _, record in pairs], wanted=True)
        unseen = {row_id for row_id, is_new in found.values() if is_new}
        for place, single in pairs:
            row_id, _ = found[boards[_key(single.board)], single.start, single.jumps_text()]
            stored[place] = Stored("peg_solution", row_id, row_id in unseen)
            unseen.discard(row_id)
    return cast("list[Stored]", stored)


def _key(board: BoardRecord) -> tuple[str, str]:
    return board.name, board.shape_hash


def _store_boards(conn: Connection, records: Sequence[EnumerationRecord | SolutionRecord]) -> dict[tuple[str, str], int]:
    """Insert boards that are new; return the row ids by name and shape."""
    make = postgresql.insert if conn.dialect.name == "postgresql" else sqlite.insert
    ids = {}
    for key, board in sorted({_key(record.board): record.board for record in records}.items()):
        values = {"name": board.name, "shape_hash": board.shape_hash, "holes": board.holes, "text": board.text}
        unique = [PegBoard.name, PegBoard.shape_hash]
        conn.execute(make(PegBoard).values(values).on_conflict_do_nothing(index_elements=unique))
        same = (PegBoard.name == board.name) & (PegBoard.shape_hash == board.shape_hash)
        ids[key] = conn.execute(select(PegBoard.id).where(same)).scalar_one()
    return ids


def _store_enumeration(
    conn: Connection, context: JobContext, board_id: int, record: EnumerationRecord, file: StoredFile | None
) -> Stored:
    """Insert the enumeration, or add to the one that is there the figures and the graph that it lacks."""
    make = postgresql.insert if conn.dialect.name == "postgresql" else sqlite.insert
    if file is not None:
        conn.execute(
            make(Artifact)
            .values(
                digest=file.digest,
                path=file.path,
                size=file.size,
                media_type=file.media_type,
                job_id=context.job_id,
                created_at=context.now,
            )
            .on_conflict_do_nothing(index_elements=[Artifact.digest])
        )
    graph = None if file is None else file.digest
    inserted = (
        make(PegEnumeration)
        .values(
            board_id=board_id,
            start=record.start,
            **_summary_columns(record.figures),
            graph_digest=graph,
            created_at=context.now,
        )
        .on_conflict_do_nothing(index_elements=[PegEnumeration.board_id, PegEnumeration.start])
        .returning(PegEnumeration.id)
    )
    row_id = conn.execute(inserted).scalar_one_or_none()
    if row_id is not None:
        return Stored("peg_enumeration", row_id, is_new=True)
    same = (PegEnumeration.board_id == board_id) & (PegEnumeration.start == record.start)
    columns = (PegEnumeration.id, PegEnumeration.figures, PegEnumeration.graph_digest)
    row = conn.execute(select(*columns).where(same).with_for_update(key_share=True)).one()
    if not record.figures.keys() <= row.figures.keys() or (graph is not None and row.graph_digest is None):
        merged = _summary_columns(row.figures | record.figures)
        conn.execute(
            update(PegEnumeration)
            .where(PegEnumeration.id == row.id)
            .values(**merged, graph_digest=graph if row.graph_digest is None else row.graph_digest)
        )
    return Stored("peg_enumeration", row.id, is_new=False)


def _summary_columns(figures: JsonObject) -> dict[str, Any]:
    return {
        "positions": int(figures["positions"]),
        "solutions_text": str(figures["solutions"]),
        "min_moves": figures.get("min_moves"),
        "figures": figures,
    }


_Found = dict[tuple[int, int, str], tuple[int, bool]]


def _store_solutions(conn: Connection, solutions: Iterable[tuple[int, SolutionRecord]], *, wanted: bool) -> _Found:
    """Insert solutions, or complete their rank; return (row id, is new) by (board id, start, jumps) if `wanted`."""
    rows = {
        (board_id, record.start, record.jumps_text()): (record.index, record.finish, record.moves, record.shortest)
        for board_id, record in solutions
    }
    fill(
        conn,
        _INCOMING,
        ((*key[:2], rank, finish, key[2], moves, shortest) for key, (rank, finish, moves, shortest) in sorted(rows.items())),
    )
    make = postgresql.insert if conn.dialect.name == "postgresql" else sqlite.insert
    in_order = select(*_IN).order_by(_IN.board_id, _IN.start, _IN.jumps)
    insert = make(PegSolution).from_select(_COLUMNS, in_order)
    unique = [PegSolution.board_id, PegSolution.start, PegSolution.jumps]
    insert = insert.on_conflict_do_nothing(index_elements=unique)
    if wanted:
        new = set(conn.execute(insert.returning(PegSolution.id)).scalars())
        inserted = len(new)
    else:
        new = set()
        inserted = conn.execute(insert).rowcount
    same = and_(_ROWS.board_id == _IN.board_id, _ROWS.start == _IN.start, _ROWS.jumps == _IN.jumps)
    if inserted < len(rows):
        _complete(conn, same)
    if not wanted:
        return {}
    found = select(_ROWS.board_id, _ROWS.start, _ROWS.jumps, _ROWS.id).join(_INCOMING, same)
    return {(row.board_id, row.start, row.jumps): (row.id, row.id in new) for row in conn.execute(found)}


def _complete(conn: Connection, same: Any) -> None:
    """Add rank and `shortest` to rows that were stored without."""
    adds = and_(same, or_(_ROWS.rank.is_(None) & _IN.rank.is_not(None), ~_ROWS.shortest & _IN.shortest))
    if conn.dialect.name == "postgresql":
        locked = select(PegSolution.id).join(_INCOMING, adds).order_by(_ROWS.board_id, _ROWS.start, _ROWS.jumps)
        conn.execute(locked.with_for_update(of=PegSolution, key_share=True))
    conn.execute(
        update(PegSolution)
        .where(adds)
        .values(
            rank=func.coalesce(_ROWS.rank, _IN.rank),
            shortest=case((_IN.shortest, literal(value=True)), else_=_ROWS.shortest),
        )
    )


def load_records(conn: Connection, scope: Scope, cursor: Cursor | None, size: int) -> Page:
    """Return the next page: all enumerations and then all solutions of the bank, or a job's results.

    An enumeration comes without its solutions: they are rows, and follow by themselves.
    """
    if scope.job_id is not None:
        items = item_page(conn, scope, "pegs", cursor, size)
        counted = _enumerations(conn, scope, [i.row_id for i in items if i.table_name == "peg_enumeration"])
        solved = _solutions(conn, [i.row_id for i in items if i.table_name == "peg_solution"])
        records = [
            Labelled(item_label(i), counted[i.row_id] if i.table_name == "peg_enumeration" else solved[i.row_id]) for i in items
        ]
        return Page(records, item_cursor(items, size))
    table, after = ("peg_enumeration", 0) if cursor is None else cursor
    if table == "peg_enumeration":
        few = min(size, 16)  # each may bring a solution graph of many megabytes
        ids = _ids_after(conn, PegEnumeration.id, after, few)
        counted = _enumerations(conn, scope, ids)
        page = [Labelled(f"peg_enumeration {i}", counted[i]) for i in ids]
        return Page(page, ("peg_enumeration", ids[-1]) if len(ids) == few else ("peg_solution", 0))
    ids = _ids_after(conn, PegSolution.id, after, size)
    solved = _solutions(conn, ids)
    page = [Labelled(f"peg_solution {i}", solved[i]) for i in ids]
    return Page(page, ("peg_solution", ids[-1]) if len(ids) == size else None)


def _ids_after(conn: Connection, column: Any, after: int, size: int) -> Sequence[int]:
    ids: Sequence[int] = conn.execute(select(column).where(column > after).order_by(column).limit(size)).scalars().all()
    return ids


def _board(row: Any) -> BoardRecord:
    return BoardRecord(row.name, row.shape_hash, row.holes, row.text)


_BOARD = (PegBoard.name, PegBoard.shape_hash, PegBoard.holes, PegBoard.text)


def _enumerations(conn: Connection, scope: Scope, ids: Sequence[int]) -> dict[int, EnumerationRecord | ArtifactError]:
    found: dict[int, EnumerationRecord | ArtifactError] = {}
    for batch in batches(ids, 1000):
        statement = (
            select(PegEnumeration.id, PegEnumeration.start, PegEnumeration.figures, *_BOARD, Artifact.path, Artifact.digest)
            .join(PegBoard)
            .outerjoin(Artifact)
            .where(PegEnumeration.id.in_(batch))
        )
        for row in conn.execute(statement):
            graph = None
            try:
                if row.path is not None and scope.artifact_dir is not None:
                    graph = read_file(scope.artifact_dir, row.path, row.digest)
            except ArtifactError as error:
                found[row.id] = error
            else:
                found[row.id] = EnumerationRecord(_board(row), row.start, row.figures, (), graph)
    return found


def _solutions(conn: Connection, ids: Sequence[int]) -> dict[int, SolutionRecord]:
    found: dict[int, SolutionRecord] = {}
    for batch in batches(ids, 1000):
        statement = select(*_ROWS, *_BOARD).join_from(PegSolution, PegBoard).where(PegSolution.id.in_(batch))
        for row in conn.execute(statement):
            jumps = [(int(a), int(b)) for a, _, b in (jump.partition("-") for jump in row.jumps.split())]
            found[row.id] = SolutionRecord(_board(row), row.start, row.rank, row.finish, jumps, row.moves, row.shortest)
    return found
