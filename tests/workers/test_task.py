import collections
import logging
import threading
import time

import pytest
from chaos.place import Place

from db.errors import DatabaseUnreachableError
from db.session import write
from db.store import Verdict
from engine import registry
from engine.jobs import Slice
from workers import task
from workers.task import ChunkRunner, Outcome


@pytest.fixture
def place(tmp_path):
    place = Place(tmp_path)
    yield place
    place.close()


class Counting:
    """A store that counts calls, and fails or answers as told."""

    def __init__(self, store, **answers):
        self.store = store
        self.answers = answers
        self.calls = collections.Counter()

    def __getattr__(self, name):
        def call(*args, **more):
            self.calls[name] += 1
            answer = self.answers.get(name)
            return answer(self.calls[name], *args, **more) if answer else getattr(self.store, name)(*args, **more)

        return call


def only_chunk(place, **params):
    job_id = place.submit(**{"chunks": 1, "slices": 3, "seconds": 0.0, **params})
    return job_id, place.store.chunks(job_id)[0].id


def runner(store, **changes):
    return ChunkRunner(store, "test", **{"lease_seconds": 30.0, **changes})


def state(place, job_id):
    (chunk,) = place.store.chunks(job_id)
    return str(chunk.state), chunk.attempts


def test_a_chunk_is_claimed_computed_and_stored_once_however_often_it_is_called(place):
    job_id, chunk_id = only_chunk(place)
    assert [runner(place.store).run(chunk_id) for _ in range(3)] == [Outcome.DONE, Outcome.NOT_MINE, Outcome.NOT_MINE]
    assert state(place, job_id) == ("done", 1)


def test_an_unknown_chunk_is_not_mine(place):
    assert runner(place.store).run(12345) is Outcome.NOT_MINE


def test_an_exception_costs_an_attempt_and_leaves_its_traceback(place):
    job_id, chunk_id = only_chunk(place, kind="fake.trouble", bad=[0])
    assert runner(place.store).run(chunk_id) is Outcome.FAILED
    (chunk,) = place.store.chunks(job_id)
    assert (str(chunk.state), chunk.attempts) == ("queued", 1)
    first, *rest = chunk.last_error.splitlines()
    assert first == "ValueError: this chunk is poison"
    assert any("fake_kinds.py" in line for line in rest)


def test_memory_error_is_an_error_like_any_other(place):
    job_id, chunk_id = only_chunk(place, kind="fake.trouble", bad=[0], trouble="memory")
    assert runner(place.store).run(chunk_id) is Outcome.FAILED
    assert place.store.chunks(job_id)[0].last_error.startswith("MemoryError")


def test_a_kind_that_returns_nothing_useful_is_told_so(place, monkeypatch):
    def run(_spec):
        yield Slice(1, 1)

    monkeypatch.setattr(registry.kind("fake.sleep"), "run", run, raising=False)
    job_id, chunk_id = only_chunk(place)
    assert runner(place.store).run(chunk_id) is Outcome.FAILED
    assert place.store.chunks(job_id)[0].last_error.startswith("TypeError: fake.sleep returned NoneType where a ChunkResult")


@pytest.mark.parametrize(
    ("verdict", "outcome", "after"),
    [
        ("pause", Outcome.PAUSED, ("queued", 0)),
        ("cancel", Outcome.CANCELLED, ("cancelled", 0)),
    ],
)
def test_pause_and_cancel_are_seen_at_the_next_heartbeat(place, monkeypatch, verdict, outcome, after):
    monkeypatch.setattr(task, "BEAT_SECONDS", 0.0)
    job_id, chunk_id = only_chunk(place)

    def heartbeat(count, *args, **more):
        if count == 2:
            getattr(place.store, verdict)(job_id)
        return place.store.heartbeat(*args, **more)

    assert runner(Counting(place.store, heartbeat=heartbeat)).run(chunk_id) is outcome
    assert state(place, job_id) == after


def test_a_lost_lease_ends_the_work(place, monkeypatch):
    monkeypatch.setattr(task, "BEAT_SECONDS", 0.0)
    _job_id, chunk_id = only_chunk(place)
    counting = Counting(place.store, heartbeat=lambda _count, *_args, **_more: Verdict.LOST)
    assert runner(counting).run(chunk_id) is Outcome.LOST
    assert counting.calls["finish"] == counting.calls["release"] == 0


def test_a_lease_lost_at_the_very_end_stores_nothing(place):
    job_id, chunk_id = only_chunk(place, items=2)

    def finish(_count, *args):
        place.store.release_worker("test")
        return place.store.finish(*args)

    assert runner(Counting(place.store, finish=finish)).run(chunk_id) is Outcome.FENCED
    assert place.job(job_id).results == 0
    assert state(place, job_id) == ("queued", 1)


def test_a_stopping_worker_gives_its_chunk_back_after_the_slice_and_claims_no_other(place):
    job_id, chunk_id = only_chunk(place, slices=1000)
    asked = iter([False, False, True, True, True, True])
    stopping = runner(place.store, stopping=lambda: next(asked))
    assert stopping.run(chunk_id) is Outcome.RELEASED
    assert state(place, job_id) == ("queued", 0)
    assert stopping.run(chunk_id) is Outcome.NOT_MINE


def test_short_slices_do_not_cost_a_write_each(place):
    _job_id, chunk_id = only_chunk(place, slices=500)
    counting = Counting(place.store)
    assert runner(counting).run(chunk_id) is Outcome.DONE
    assert counting.calls["heartbeat"] <= 2


def test_results_are_stored_again_while_the_database_is_away(place, monkeypatch):
    monkeypatch.setattr(task, "RETRY_SECONDS", 0.0)
    job_id, chunk_id = only_chunk(place)

    def finish(count, *args):
        if count < 3:
            raise DatabaseUnreachableError("gone for a moment")
        return place.store.finish(*args)

    assert runner(Counting(place.store, finish=finish)).run(chunk_id) is Outcome.DONE
    assert state(place, job_id) == ("done", 1)


def test_a_claim_waits_for_the_database(place, monkeypatch):
    monkeypatch.setattr(task, "RETRY_SECONDS", 0.0)
    _job_id, chunk_id = only_chunk(place)

    def claim(count, *args):
        if count < 3:
            raise DatabaseUnreachableError("gone for a moment")
        return place.store.claim(*args)

    assert runner(Counting(place.store, claim=claim)).run(chunk_id) is Outcome.DONE


def test_no_longer_than_the_lease_though(place, monkeypatch):
    monkeypatch.setattr(task, "RETRY_SECONDS", 0.0)
    _job_id, chunk_id = only_chunk(place)

    def away(_count, *_args):
        raise DatabaseUnreachableError("gone")

    assert runner(Counting(place.store, finish=away), lease_seconds=0.05).run(chunk_id) is Outcome.UNSTORED


def test_heartbeats_may_fail_within_the_lease(place, monkeypatch):
    monkeypatch.setattr(task, "BEAT_SECONDS", 0.0)
    _job_id, chunk_id = only_chunk(place)

    def away(_count, *_args, **_more):
        raise DatabaseUnreachableError("gone")

    assert runner(Counting(place.store, heartbeat=away)).run(chunk_id) is Outcome.DONE


def test_a_heartbeat_does_not_wait_for_another_writer_until_it_is_late(place):
    _job_id, chunk_id = only_chunk(place)
    claim = place.store.claim(chunk_id, "test")
    asked = []

    def heartbeat(_count, *args, patient):
        asked.append(patient)
        return place.store.heartbeat(*args, patient=patient)

    beat = task._Beat(Counting(place.store, heartbeat=heartbeat), claim, 30.0, 1.0)
    before = place.store.chunks(claim.job_id)[0].lease_until
    beat._extended -= 1.5
    began = time.monotonic()
    with write(place.store.engine):  # another is storing its results
        assert beat.at(Slice(1, 2)) is Verdict.GO_ON
    assert time.monotonic() - began < 5.0
    assert place.store.chunks(claim.job_id)[0].lease_until == before
    beat._extended -= 1.0
    assert beat.at(Slice(1, 2)) is Verdict.GO_ON
    assert place.store.chunks(claim.job_id)[0].lease_until > before
    assert asked == [False, True]


def test_a_failure_that_cannot_be_stored_is_logged(place, caplog):
    _job_id, chunk_id = only_chunk(place, kind="fake.trouble", bad=[0])

    def away(_count, *_args):
        raise DatabaseUnreachableError("gone")

    with caplog.at_level(logging.ERROR):
        assert runner(Counting(place.store, fail=away)).run(chunk_id) is Outcome.UNSTORED
    assert "this chunk is poison" in caplog.text


def test_the_lease_is_kept_up_while_kernels_compile_after_the_fork(place, monkeypatch):
    _job_id, chunk_id = only_chunk(place)
    beaten = threading.Event()

    def heartbeat(_count, *args, **more):
        beaten.set()
        return place.store.heartbeat(*args, **more)

    kind = registry.kind("fake.sleep")
    monkeypatch.setattr(kind, "warm", lambda: beaten.wait(10), raising=False)
    one = runner(Counting(place.store, heartbeat=heartbeat), lease_seconds=0.3)
    assert one.run(chunk_id) is Outcome.DONE
    assert beaten.is_set()
    assert one.warmed == {"fake.sleep"}


def test_a_wake_up_goes_on_with_other_short_chunks(place):
    job_id = place.submit(chunks=5, slices=1, seconds=0.0)
    runner(place.store).run_chain(place.store.chunks(job_id)[2].id)
    assert {str(chunk.state) for chunk in place.store.chunks(job_id)} == {"done"}


def test_but_not_after_a_long_one(place, monkeypatch):
    monkeypatch.setattr(task, "CHAIN_SECONDS", 0.0)
    job_id = place.submit(chunks=5, slices=1, seconds=0.0)
    runner(place.store).run_chain(place.store.chunks(job_id)[0].id)
    assert [str(chunk.state) for chunk in place.store.chunks(job_id)] == ["done", *["queued"] * 4]


def test_no_childs_name_begins_anothers():
    assert not task.child_name("w", 12).startswith(task.child_name("w", 1))
