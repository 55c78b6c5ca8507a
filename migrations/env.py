"""Runs migrations: on the connection that `db.schema` hands over, or, for the command `alembic`, on the settings' database."""

from alembic import context
from sqlalchemy import Connection

from db.models import Base
from db.session import make_engine
from db.settings import Settings


def run(conn: Connection) -> None:
    """Run what Alembic was asked for on `conn`, in the caller's transaction."""
    context.configure(
        connection=conn,
        target_metadata=Base.metadata,
        # SQLite cannot alter most things in place: Alembic then rebuilds the table, which its batch mode does.
        render_as_batch=conn.dialect.name == "sqlite",
        compare_type=True,
        compare_server_default=True,
        transactional_ddl=True,
    )
    context.run_migrations()


def run_from_settings() -> None:
    """Run on the database of the settings, in a transaction of our own."""
    engine = make_engine(Settings().effective_database_url(), foreign_keys=False)
    with engine.begin() as conn:
        run(conn)
    engine.dispose()


given = context.config.attributes.get("connection")
if isinstance(given, Connection):
    run(given)
else:
    run_from_settings()
