"""Migrations: from nothing to head and back, and what is said when the tables are not those of this version."""

import os
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import create_engine, inspect, text
from storekit import chunk_ids, claimed, finish, result_of, submit

import migrations
from db import schema
from db.errors import SchemaError
from db.models import Base
from db.session import make_engine, write
from db.store import Verdict
from engine.jobs import Slice


def test_a_bare_database_has_no_revision_until_it_is_upgraded(bare_database_url):
    assert schema.current(bare_database_url) is None
    assert schema.upgrade(bare_database_url) == schema.head() == schema.current(bare_database_url)


def test_the_migrations_make_exactly_the_models(database_url):
    engine = make_engine(database_url)
    with engine.connect() as conn:
        context = MigrationContext.configure(conn, opts={"compare_type": True, "compare_server_default": True})
        assert compare_metadata(context, Base.metadata) == []
    engine.dispose()


def test_up_down_up(bare_database_url):
    schema.upgrade(bare_database_url)
    schema.downgrade(bare_database_url, "base")
    engine = create_engine(bare_database_url)
    assert set(inspect(engine).get_table_names()) <= {"alembic_version"}
    engine.dispose()
    assert schema.current(bare_database_url) is None
    assert schema.upgrade(bare_database_url) == schema.head()


NEXT = '''
"""A later migration that rebuilds the tables running jobs live in."""

import sqlalchemy as sa
from alembic import op

revision, down_revision, branch_labels, depends_on = "next", "0001", None, None


def upgrade():
    rebuild = "always" if op.get_bind().dialect.name == "sqlite" else "auto"
    for table in ("job", "chunk"):
        with op.batch_alter_table(table, recreate=rebuild) as batch:
            batch.add_column(sa.Column("extra", sa.Text(), nullable=False, server_default="new"))


def downgrade():
    for table in ("job", "chunk"):
        with op.batch_alter_table(table) as batch:
            batch.drop_column("extra")
'''


@pytest.fixture
def next_migration(tmp_path, monkeypatch):
    """One more migration than the installed ones."""
    folder = tmp_path / "versions"
    folder.mkdir()
    (folder / "next.py").write_text(NEXT)
    installed = schema.config

    def config(conn=None):
        found = installed(conn)
        places = [str(Path(migrations.__file__).parent / "versions"), str(folder)]
        found.set_main_option("version_locations", os.pathsep.join(places))
        return found

    monkeypatch.setattr(schema, "config", config)


def test_an_upgrade_loses_no_running_job(store, database_url, next_migration):
    job = submit(store, 3)
    done, running, queued = chunk_ids(store, job)
    finish(store, done)
    claim = claimed(store, running)
    before = (store.chunks(job), store.events(job))
    store.engine.dispose()
    assert schema.upgrade(database_url) == "next"
    assert (store.chunks(job), store.events(job)) == before
    assert store.heartbeat(claim, Slice(1, 2)) is Verdict.GO_ON
    assert store.finish(claim, result_of(claim.spec))
    finish(store, queued)
    store.reconcile()
    view = store.job(job)
    assert (view.state, view.chunks_done, view.results) == ("done", 3, 6)
    store.engine.dispose()
    schema.downgrade(database_url, "0001")
    assert store.job(job).results == 6


def test_several_processes_may_upgrade_at_once(bare_database_url):
    barrier = threading.Barrier(4)

    def upgrade():
        barrier.wait(timeout=30)
        return schema.upgrade(bare_database_url)

    with ThreadPoolExecutor(4) as pool:
        found = [future.result(timeout=120) for future in [pool.submit(upgrade) for _ in range(4)]]
    assert found == [schema.head()] * 4


def test_a_migration_that_breaks_references_is_undone(sqlite_url):
    engine = make_engine(sqlite_url, foreign_keys=False)
    with write(engine) as conn:
        conn.execute(text("INSERT INTO peg_solution VALUES (1, 99, 0, 0, 1, '0-1', 1, 0)"))
    engine.dispose()
    with pytest.raises(SchemaError, match="1 rows pointing nowhere, first in peg_solution"):
        schema.upgrade(sqlite_url)
