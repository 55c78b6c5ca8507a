"""Two at a time, let go by a barrier: whatever the order, one wins, nothing is lost and nobody waits for ever."""

import random
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from storekit import RATING, FakeKind, ManualClock, chunk_ids, claimed, finish, plan, puzzle, result_of, submit

from db import session
from db.models import ChunkState, JobState
from db.session import make_engine
from db.store import Store
from engine.jobs import ChunkResult, Slice
from engine.pegs.records import BoardRecord
from engine.pegs.records import SolutionRecord as PegRecord
from engine.rings.records import PositionRecord
from engine.rings.records import SolutionRecord as RingRecord


@pytest.fixture
def stores(database_url, kind, clock):
    """Two stores with connections of their own, as two processes would have."""
    engines = [make_engine(database_url), make_engine(database_url)]
    yield [Store(engine, clock=clock, kinds=lambda: {kind.name: kind}) for engine in engines]
    for engine in engines:
        engine.dispose()


def race(*actions):
    """Call all at the same moment, each in a thread; return their answers."""
    barrier = threading.Barrier(len(actions))

    def go(action):
        barrier.wait(timeout=30)
        return action()

    with ThreadPoolExecutor(len(actions)) as pool:
        return [future.result(timeout=60) for future in [pool.submit(go, action) for action in actions]]


def test_one_claim_wins(stores):
    job = submit(stores[0], 6)
    for chunk in chunk_ids(stores[0], job):
        claims = race(*(lambda s=s, c=chunk: s.claim(c, "w") for s in (*stores, *stores)))
        assert sum(claim is not None for claim in claims) == 1
    assert [chunk.attempts for chunk in stores[0].chunks(job)] == [1] * 6
    assert [e.event for e in stores[0].events(job)].count("started") == 1


def test_dispatchers_never_take_the_same_chunk(stores):
    submit(stores[0], 30)
    taken = [race(*(lambda s=s: s.take_due(4) for s in stores)) for _ in range(5)]
    ids = [chunk for pair in taken for half in pair for chunk in half]
    assert len(ids) == len(set(ids))
    assert len(ids) + len(stores[0].take_due(100)) == 30


def test_one_submission_wins_a_key(stores):
    request = {"kind": "fake.count", "params": {}, "seed": 7, "plan": plan(5), "idempotency_key": "k"}
    answers = race(*(lambda s=s: s.submit(**request) for s in (*stores, *stores)))
    assert Counter(answer.created for answer in answers) == {True: 1, False: 3}
    assert len({answer.job_id for answer in answers}) == 1
    assert stores[0].job(answers[0].job_id).chunk_count == 5


def test_counters_are_exact_when_chunks_finish_together(stores):
    job = submit(stores[0], 16)
    claims = [claimed(stores[0], chunk) for chunk in chunk_ids(stores[0], job)]
    for some in (claims[i : i + 4] for i in range(0, 16, 4)):
        assert all(race(*(lambda s=s, c=c: s.finish(c, result_of(c.spec)) for s, c in zip(stores * 2, some, strict=True))))
    view = stores[0].job(job)
    assert (view.chunks_done, view.items_done, view.results) == (16, 160, 32)


def test_overlapping_results_in_opposite_order_do_not_deadlock(stores):
    """Chunks of several jobs bring the same puzzles, rated and not, in other orders; every puzzle becomes one row."""
    puzzles = [puzzle(str(i)) for i in range(300)]
    rated = [puzzle(str(i), minimal=True, automorphisms=1) for i in range(300)]
    sets = [puzzles, puzzles[::-1], rated, rated[::-1]]
    claims = []
    for store, records in zip(stores * 2, sets, strict=True):
        (chunk,) = chunk_ids(store, submit(store, 1))
        claims.append((store, claimed(store, chunk), records))
    assert all(race(*(lambda s=s, c=c, r=r: s.finish(c, ChunkResult(r)) for s, c, r in claims)))
    stores[0].reconcile()
    assert [job.summary["distinct"] for job in stores[0].jobs()] == [300] * 4


def test_results_of_all_families_written_at_once_never_deadlock(stores, monkeypatch):
    """Overlapping keys in random order, new and known, better and worse, while keepers sweep."""
    monkeypatch.setattr(session, "TRIES", 1)  # a deadlock is an error here, not something to try again
    board = BoardRecord("tiny", "ab" * 16, 6, "o o\no")

    def records(rng):
        found = []
        for i in rng.sample(range(200), 100):
            rating = rng.choice([None, replace(RATING, rater=rng.choice("abc"))])
            found.append(puzzle(str(i), rng.choice(["", "turned"]), minimal=rng.choice([None, True]), rating=rating))
            rank, shortest = rng.choice([None, i]), rng.choice([False, True])
            found.append(PegRecord(board, 1, rank, 2, ((0, 3), (3, i)), 2, shortest=shortest))
            method, clicks, bound = rng.choice(["beam", "ida"]), rng.randrange(20, 40), rng.randrange(10, 20)
            found.append(RingRecord(f"s{i}", f"c{i}", method, "R1", clicks, bound, optimal=False))
            found.append(PositionRecord(f"s{i}", f"c{i}", bound, {"moves": "R1"}))
        rng.shuffle(found)
        return found

    jobs = [submit(stores[0], 8) for _ in range(4)]
    ids = [chunk for job in jobs for chunk in chunk_ids(stores[0], job)]
    random.Random(1).shuffle(ids)

    def work(store, mine, seed):
        rng = random.Random(seed)
        for chunk in mine:
            claim = claimed(store, chunk)
            assert store.finish(claim, ChunkResult(records(rng), {"part": 0}))
            store.reconcile()
        return len(mine)

    workers = [lambda s=s, n=n: work(s, ids[n::8], n) for n, s in enumerate(stores * 4)]
    assert sum(race(*workers)) == len(ids)
    stores[0].reconcile()
    assert [(job.state, job.results) for job in stores[0].jobs()] == [(JobState.DONE, 8 * 400)] * 4


@pytest.mark.parametrize("other", ["reconcile", "release", "fail", "cancel", "pause", "finish"])
def test_finish_against(stores, clock, other):
    """The chunk ends up done with its results, or not done and without: never in between."""
    for round_ in range(4):
        job = submit(stores[0], 1)
        (chunk,) = chunk_ids(stores[0], job)
        claim = claimed(stores[0], chunk)
        clock.now += 30
        rival = {
            "reconcile": stores[1].reconcile,
            "release": lambda c=claim: stores[1].release(c, "why"),
            "fail": lambda c=claim: stores[1].fail(c, "boom"),
            "cancel": lambda j=job: stores[1].cancel(j),
            "pause": lambda j=job: stores[1].pause(j),
            "finish": lambda c=claim: stores[1].finish(c, result_of(c.spec)),
        }[other]
        finished, _ = race(lambda c=claim: stores[0].finish(c, result_of(c.spec)), rival)
        view = stores[0].chunks(job)[0]
        assert finished == (view.state == ChunkState.DONE), round_
        assert stores[0].job(job).results == (2 if finished else 0)
        assert stores[0].job(job).chunks_done == finished
        if other in ("cancel", "pause", "finish"):
            assert finished


def test_claim_against_cancel(stores):
    for _ in range(6):
        job = submit(stores[0], 3)
        ids = chunk_ids(stores[0], job)
        claim, _ = race(lambda i=ids: stores[0].claim(i[0], "w"), lambda j=job: stores[1].cancel(j))
        if claim is not None:
            assert stores[0].heartbeat(claim, Slice(1, 2)).name == "CANCELLED"
            assert stores[0].release(claim, "cancelled")
        stores[0].reconcile()
        assert stores[0].job(job).state == JobState.CANCELLED
        assert {chunk.state for chunk in stores[0].chunks(job)} == {ChunkState.CANCELLED}


def test_one_reconciler_advances_a_stage_and_one_closes_the_job(stores):
    for _ in range(4):
        job = submit(stores[0], 1, params={"stages": 2})
        finish(stores[0], chunk_ids(stores[0], job)[0])
        swept = race(*(s.reconcile for s in (*stores, *stores)))
        assert sum(sweep.stages_planned for sweep in swept) == 1
        assert stores[0].job(job).chunk_count == 3
        for chunk in chunk_ids(stores[0], job)[1:]:
            finish(stores[0], chunk)
        swept = race(*(s.reconcile for s in (*stores, *stores)))
        assert sum(sweep.jobs_closed for sweep in swept) == 1
        assert stores[0].job(job).state == JobState.DONE


def test_an_expired_lease_is_taken_back_once(stores, clock):
    job = submit(stores[0], 8)
    for chunk in chunk_ids(stores[0], job):
        claimed(stores[0], chunk)
    clock.now += 30
    swept = race(*(s.reconcile for s in (*stores, *stores)))
    assert sum(sweep.requeued for sweep in swept) == 8
    assert [e.event for e in stores[0].events(job)].count("expired") == 8


def test_retry_against_the_closing_of_the_job(stores):
    """The retried chunk is never left behind in a closed job."""
    for _ in range(6):
        job = submit(stores[0], 1, max_attempts=1)
        (chunk,) = chunk_ids(stores[0], job)
        stores[0].fail(claimed(stores[0], chunk), "boom")
        race(lambda j=job: stores[0].retry(j), stores[1].reconcile)
        assert stores[0].job(job).state == JobState.RUNNING
        finish(stores[0], chunk)
        stores[0].reconcile()
        assert stores[0].job(job).state == JobState.DONE


def test_a_decision_made_on_an_old_view_is_dropped(store):
    """A retry, and all that follows, between looking at a finished stage and closing it."""
    from db.session import in_write, read
    from db.store import stages
    from db.store.terms import Terms

    kinds = {FakeKind.name: FakeKind()}
    terms = Terms(30, 30, ManualClock())
    job = submit(store, 1, max_attempts=1)
    (chunk,) = chunk_ids(store, job)
    store.fail(claimed(store, chunk), "boom")
    with read(store.engine) as conn:
        old = stages.find(conn, job)
    store.retry(job)
    assert not in_write(store.engine, lambda conn: stages.carry_out(conn, terms, old, stages.decide(old, kinds)))
    finish(store, chunk)
    assert not in_write(store.engine, lambda conn: stages.carry_out(conn, terms, old, stages.decide(old, kinds)))
    assert store.job(job).state == JobState.RUNNING
    store.reconcile()
    assert store.job(job).state == JobState.DONE
