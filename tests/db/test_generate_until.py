"""A bank of N: exactly N puzzles and the same ones, whatever order the chunks come in."""

import random

import pytest
from storekit import ManualClock

from db import schema
from db.queries.sudoku import Filters, query
from db.session import make_engine
from db.store import Store
from engine import jobs
from engine.registry import kind

COUNT = 40
WISH = {"count": COUNT, "clues": "..23", "rate": False, "attempts": 6, "sampling": "top-down"}


@pytest.fixture
def twins(monkeypatch):
    """Two chunks each have the same seed, so that the second finds nothing new, which only the database can tell."""
    one_each = jobs.chunk_seed
    monkeypatch.setattr(jobs, "chunk_seed", lambda seed, name, stage, index: one_each(seed, name, stage, index // 2))


@pytest.fixture
def run(tmp_path, twins):
    """Run a job on a new database, the chunks of each stage in the order that `order` makes of them."""
    engines = []

    def to_the_end(order):
        url = f"sqlite:///{tmp_path}/{len(engines)}.db"
        schema.upgrade(url)
        engines.append(make_engine(url))
        store = Store(engines[-1], clock=ManualClock(), artifact_dir=tmp_path)
        job = kind("sudoku.generate")
        params = job.params_model(**WISH)
        job_id = store.submit(job.name, params.model_dump(mode="json"), 5, job.plan(params, [])).job_id
        made = []
        while not store.job(job_id).closed:
            last = max(chunk.stage for chunk in store.chunks(job_id))
            arrived = order([chunk for chunk in store.chunks(job_id) if chunk.stage == last])
            for chunk in arrived:
                claim = store.claim(chunk.id, "w")
                result = jobs.run_to_end(job, claim.spec)
                assert store.finish(claim, result)
                made.append(len(result.records))
            store.reconcile()
        with engines[-1].connect() as conn:
            puzzles = sorted(row["puzzle"] for row in query(conn, Filters(job_id=job_id)))
        return store.job(job_id), last, sum(made), puzzles

    yield to_the_end
    for engine in engines:
        engine.dispose()


def test_a_bank_of_n_stops_at_n_in_any_order_of_arrival(run):
    job, stages, made, puzzles = run(list)
    assert stages > 1  # something was missing, and was asked for again
    assert made > COUNT  # some were there already
    assert job.summary["distinct"] == len(puzzles) == COUNT
    assert job.summary["missing"] == 0
    shuffler = random.Random(3)
    for order in (lambda chunks: shuffler.sample(chunks, len(chunks)), lambda chunks: chunks[::-1]):
        other, *rest = run(order)
        assert (other.digest, other.summary, other.results) == (job.digest, job.summary, job.results)
        assert rest == [stages, made, puzzles]
