"""When the database is missing, old, full, locked, read-only or gone: a message that says so, and nothing half-written."""

import sqlite3

import pytest
import servers
from sqlalchemy import event, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import OperationalError, ProgrammingError
from storekit import chunk_ids, claimed, puzzle, result_of, submit

from db import schema, session
from db.errors import (
    ContentionError,
    DatabaseBusyError,
    DatabaseReadOnlyError,
    DatabaseUnreachableError,
    DiskFullError,
    SchemaMissingError,
    SchemaNewerError,
    SchemaOutdatedError,
    explain,
    where,
)
from db.session import in_write, make_engine, read, write
from db.store import Store
from engine.jobs import ChunkResult


@pytest.fixture
def engine_for():
    """Makes engines and disposes of them."""
    made = []

    def make(url):
        made.append(make_engine(url))
        return made[-1]

    yield make
    for engine in made:
        engine.dispose()


# The schema


def test_a_database_without_tables(bare_database_url, engine_for, tmp_path):
    (tmp_path / "folder").mkdir(exist_ok=True)
    store = Store(engine_for(bare_database_url))
    with pytest.raises(SchemaMissingError, match="puzzlemill db upgrade"):
        store.job(1)
    with pytest.raises(SchemaMissingError, match="puzzlemill db upgrade"):
        submit(store)
    with pytest.raises(SchemaMissingError, match="no tables yet; run `puzzlemill db upgrade`"):
        schema.require_current(store.engine)
    assert not schema.is_current(store.engine)


def test_a_database_of_another_version(database_url, engine_for, monkeypatch):
    engine = engine_for(database_url)
    assert schema.is_current(engine)
    schema.require_current(engine)
    with write(engine) as conn:
        conn.execute(text("UPDATE alembic_version SET version_num = 'from the future'"))
    with pytest.raises(SchemaNewerError, match="does not know"):
        schema.require_current(engine)
    with write(engine) as conn:
        # What it was: the database is shared with the tests that follow.
        conn.execute(text("UPDATE alembic_version SET version_num = :head"), {"head": schema.head()})
    current = schema.head()
    monkeypatch.setattr(schema, "head", lambda: "0099")
    with pytest.raises(SchemaOutdatedError, match=f"at revision {current}, this version needs 0099"):
        schema.require_current(engine)


# Reaching it


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("no url at all", "not a database URL"),
        ("mysql://host/x", "mysql is not supported"),
        ("postgresql://user:secret@127.0.0.1:1/x", "cannot use the database postgresql"),
        ("sqlite:////no/such/folder/x.db", "cannot use the database /no/such/folder/x.db"),
    ],
)
def test_urls_that_lead_nowhere(url, message, engine_for):
    with pytest.raises(DatabaseUnreachableError, match=message) as caught:
        Store(engine_for(url)).jobs()
    assert "secret" not in str(caught.value)


def test_an_unknown_postgresql_database(postgres_url, engine_for):
    with pytest.raises(DatabaseUnreachableError, match="does not exist"):
        Store(engine_for(make_url(postgres_url).set(database="nowhere").render_as_string())).jobs()


def test_a_file_that_is_no_database(tmp_path, engine_for):
    (tmp_path / "x.db").write_text("this is text, and long enough to be looked at as a database header" * 20)
    with pytest.raises(DatabaseUnreachableError, match="not a database"):
        Store(engine_for(f"sqlite:///{tmp_path / 'x.db'}")).jobs()
    with pytest.raises(DatabaseUnreachableError, match="not a database"):
        schema.upgrade(f"sqlite:///{tmp_path / 'x.db'}")


def test_a_folder_that_cannot_be_made(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(DatabaseReadOnlyError, match="cannot make the folder"):
        schema.upgrade(f"sqlite:///{tmp_path / 'file' / 'x.db'}")


def test_there_is_no_revision_where_there_is_no_file(tmp_path):
    assert schema.current(f"sqlite:///{tmp_path / 'x.db'}") is None
    assert list(tmp_path.iterdir()) == []


# Writing to it


def test_a_read_only_database(store, database_url, engine_for):
    job = submit(store)
    path = session.sqlite_path(database_url)
    url = f"sqlite:///file:{path}?mode=ro&uri=true" if path else f"{database_url}&options=-cdefault_transaction_read_only%3Don"
    reader = Store(engine_for(url))
    assert reader.job(job).chunk_count == 2
    with pytest.raises(DatabaseReadOnlyError, match="read-only"):
        reader.claim(chunk_ids(reader, job)[0], "w")
    assert store.job(job).chunks_queued == 2


def test_a_full_disk(sqlite_url, engine_for):
    """Nothing is half-written, and the same finish succeeds once there is room."""
    engine = engine_for(sqlite_url)
    store = Store(engine)
    job = submit(store, 1)
    claim = claimed(store, chunk_ids(store, job)[0])
    result = ChunkResult([puzzle(str(i)) for i in range(3000)])
    engine.dispose()
    limit = ["PRAGMA max_page_count=90"]
    event.listen(engine, "connect", lambda connection, _: connection.execute(limit[0]))
    with pytest.raises(DiskFullError, match="nothing was half-written"):
        store.finish(claim, result)
    assert (store.job(job).chunks_running, store.job(job).results) == (1, 0)
    limit[0] = "PRAGMA max_page_count=1000000"
    engine.dispose()
    assert store.finish(claim, result)
    assert store.job(job).results == 3000


def test_a_busy_sqlite_database(sqlite_url, engine_for, monkeypatch):
    monkeypatch.setattr(session, "BUSY_SECONDS", 0.05)
    store = Store(engine_for(sqlite_url))
    job = submit(store)
    other = sqlite3.connect(session.sqlite_path(sqlite_url), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(DatabaseBusyError, match="kept busy"):
        submit(store)
    assert store.job(job).chunk_count == 2  # readers do not wait
    other.execute("ROLLBACK")
    other.close()
    submit(store)


@pytest.mark.postgres
def test_a_locked_postgresql_row(postgres_url, engine_for):
    store = Store(engine_for(f"{postgres_url}&options=-clock_timeout%3D100ms"))
    job = submit(store)
    with engine_for(postgres_url).begin() as other:
        other.execute(text("SELECT 1 FROM job FOR UPDATE"))
        with pytest.raises(DatabaseBusyError, match="lock timeout"):
            store.pause(job)
    assert store.pause(job).paused


@pytest.mark.postgres
def test_a_postgresql_server_that_is_killed_and_comes_back(engine_for, clock):
    """In the middle of a transaction: nothing of it stays, the error is clear, and the same store works again."""
    with servers.PostgresServer() as server:
        schema.upgrade(server.url())
        store = Store(engine_for(server.url()), clock=clock)
        job = submit(store, 2)
        claim = claimed(store, chunk_ids(store, job)[0])
        submit(store)  # is durable, and makes the claim so

        def die_half_way(conn):
            conn.execute(text("UPDATE chunk SET attempts = 77"))
            server.kill()
            conn.execute(text("SELECT 1"))

        with pytest.raises(DatabaseUnreachableError, match="cannot use the database"):
            in_write(store.engine, die_half_way)
        with pytest.raises(DatabaseUnreachableError, match="cannot use the database"):
            store.job(job)
        server.start()
        assert {chunk.attempts for chunk in store.chunks(job)} == {0, 1}
        assert store.finish(claim, result_of(claim.spec))
        store.engine.dispose()


def test_contention_is_tried_again_but_not_for_ever(store):
    calls = []

    def contended(conn):
        calls.append(conn)
        if len(calls) == 1:
            raise ContentionError("deadlock")
        return "done"

    assert in_write(store.engine, contended) == "done"
    calls.clear()
    with pytest.raises(ContentionError):
        in_write(store.engine, lambda conn: calls.append(conn) or (_ for _ in ()).throw(ContentionError("again")))
    assert len(calls) == session.TRIES


@pytest.mark.parametrize(
    ("state", "kind"),
    [
        ("53100", DiskFullError),
        ("25006", DatabaseReadOnlyError),
        ("40P01", ContentionError),
        ("40001", ContentionError),
        ("55P03", DatabaseBusyError),
        ("57P01", DatabaseUnreachableError),
        ("08006", DatabaseUnreachableError),
        ("28P01", DatabaseUnreachableError),
        ("42P01", SchemaMissingError),
        ("23505", None),
    ],
)
def test_what_sqlstates_mean(state, kind):
    cause = Exception("reason")
    cause.sqlstate = state
    meaning = explain(OperationalError("SELECT", {}, cause), make_url("postgresql://u:secret@h/d"))
    assert type(meaning) is (kind or type(None))
    assert "secret" not in str(meaning)


def test_faults_of_a_statement_are_not_hidden(database_url, engine_for):
    with pytest.raises((OperationalError, ProgrammingError)), read(engine_for(database_url)) as conn:
        conn.execute(text("SELEKT 1"))


def test_places_are_named_without_passwords():
    assert where(make_url("postgresql://u:secret@h/d")) == "postgresql://u:***@h/d"
    assert where(make_url("sqlite:///a/b.db")) == "a/b.db"
    assert where(make_url("sqlite://")) == "memory"


def test_the_databases_clock_ticks(database_url, engine_for):
    store = Store(engine_for(database_url))
    with read(store.engine) as conn:
        unix = "unixepoch()" if store.engine.dialect.name == "sqlite" else "floor(extract(epoch FROM now()))"
        seconds = float(conn.execute(text(f"SELECT {unix}")).scalar_one())
    assert seconds - 1 <= store.now() <= seconds + 30
