"""Databases and brokers for tests: a fresh database for each test that asks, on servers shared by the whole run."""

import shutil
import signal
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
import servers
from hypothesis import settings
from sqlalchemy import create_engine, text

from db import schema
from db.models import Base

# No test asks how long something takes: a first call compiles kernels, and the machine may have other work.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")

# A shell that starts a run in the background has it ignore interrupts, and the programs under test would inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated, empty SQLite file to copy."""
    path = tmp_path_factory.mktemp("template") / "empty.db"
    schema.upgrade(f"sqlite:///{path}")
    return path


@pytest.fixture
def sqlite_url(sqlite_template: Path, tmp_path: Path) -> str:
    """A fresh, migrated SQLite database."""
    path = tmp_path / "puzzlemill.db"
    shutil.copyfile(sqlite_template, path)
    return f"sqlite:///{path}"


@pytest.fixture(scope="session")
def postgres_sockets() -> str:
    """The socket folder of the shared PostgreSQL server, which has a migrated, empty database `template_puzzlemill`."""
    folder = str(servers.shared("postgres")["socket_folder"])
    with servers.shared_lock() as shared_folder:
        made = shared_folder / "template-made"
        if not made.exists():
            servers.postgres_execute(folder, "CREATE DATABASE template_puzzlemill")
            schema.upgrade(servers.postgres_url(folder, "template_puzzlemill"))
            made.touch()
    return folder


@pytest.fixture
def bare_postgres_url(postgres_sockets: str) -> Iterator[str]:
    """A fresh PostgreSQL database without any table."""
    yield from _database(postgres_sockets, "template1")


@pytest.fixture(scope="session")
def own_postgres_url(postgres_sockets: str) -> Iterator[str]:
    """A migrated PostgreSQL database for the tests of this process, one after the other."""
    yield from _database(postgres_sockets, "template_puzzlemill")


@pytest.fixture
def postgres_url(own_postgres_url: str) -> str:
    """A migrated PostgreSQL database without any row. Numbers go on from test to test: emptying is much cheaper than making."""
    engine = create_engine(own_postgres_url)
    with engine.begin() as conn:
        # Connections that a killed process of the last test left behind may hold locks.
        others = "datname = current_database() AND pid <> pg_backend_pid()"
        conn.execute(text(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {others}"))
        for table in reversed(Base.metadata.sorted_tables):
            conn.execute(table.delete())
    engine.dispose()
    return own_postgres_url


def _database(sockets: str, template: str) -> Iterator[str]:
    name = f"t_{uuid.uuid4().hex}"
    servers.postgres_execute(sockets, f"CREATE DATABASE {name} TEMPLATE {template}")
    yield servers.postgres_url(sockets, name)
    servers.postgres_execute(sockets, f"DROP DATABASE {name} WITH (FORCE)")


BOTH = ["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)]


@pytest.fixture(params=BOTH)
def database_url(request: pytest.FixtureRequest) -> str:
    """A fresh, migrated database, on SQLite and on PostgreSQL in turn."""
    return str(request.getfixturevalue("sqlite_url" if request.param == "sqlite" else "postgres_url"))


@pytest.fixture(params=BOTH)
def bare_database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database without any table, on SQLite and on PostgreSQL in turn."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'folder' / 'bare.db'}"
    return str(request.getfixturevalue("bare_postgres_url"))


@pytest.fixture(scope="session")
def redis_url() -> str:
    """The URL of the Redis server shared by the whole run. A test that needs it empty, or wants to kill it, starts its own."""
    return str(servers.shared("redis")["url"])
