"""Migrations: from nothing to head and back, and what is said when the tables are not those of this version."""

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import create_engine, inspect

from db import schema
from db.models import Base
from db.session import make_engine


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
