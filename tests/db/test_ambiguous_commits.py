"""A commit whose answer is lost: it may or may not have happened. Doing it again is safe either way."""

import pytest
from storekit import chunk_ids, claimed, plan, result_of, submit

from db.errors import DatabaseUnreachableError
from db.models import ChunkState, JobState
from db.store import Verdict
from engine.jobs import Slice


@pytest.fixture(params=["before", "after"])
def lose_a_commit(request, store, monkeypatch):
    """Make the next commit fail, before or after the database has done it; the attribute `done` says whether it has."""
    dialect = store.engine.dialect
    commit = dialect.do_commit

    def arm():
        def fail_once(connection):
            monkeypatch.setattr(dialect, "do_commit", commit)
            if arm.done:
                commit(connection)
            raise dialect.loaded_dbapi.OperationalError("the connection is gone")

        monkeypatch.setattr(dialect, "do_commit", fail_once)

    arm.done = request.param == "after"
    return arm


def lost(action, *arguments):
    with pytest.raises(DatabaseUnreachableError, match="the connection is gone"):
        action(*arguments)


def test_submitting_again_with_the_key_gives_one_job(store, lose_a_commit):
    def submit_it():
        return store.submit("fake.count", {}, 7, plan(3), idempotency_key="k")

    lose_a_commit()
    lost(submit_it)
    assert submit_it().created is not lose_a_commit.done
    assert [(job.chunk_count, job.idempotency_key) for job in store.jobs()] == [(3, "k")]


def test_a_claim_that_nobody_heard_of_comes_back_with_its_lease(store, clock, lose_a_commit):
    job = submit(store, 1)
    (chunk,) = chunk_ids(store, job)
    lose_a_commit()
    lost(store.claim, chunk, "w")
    again = store.claim(chunk, "w")
    assert (again is None) == lose_a_commit.done
    if again is None:
        clock.now += 30
        assert store.reconcile().requeued == 1
        again = claimed(store, chunk)
        assert again.attempt == 2
    assert store.finish(again, result_of(again.spec))


def test_finishing_again_tells_whether_it_is_done_and_does_it_once(store, lose_a_commit):
    job = submit(store, 1)
    claim = claimed(store, chunk_ids(store, job)[0])
    lose_a_commit()
    lost(store.finish, claim, result_of(claim.spec))
    assert (store.job(job).chunks_done, store.job(job).results) == ((1, 2) if lose_a_commit.done else (0, 0))
    assert store.finish(claim, result_of(claim.spec))
    assert (store.job(job).chunks_done, store.job(job).items_done, store.job(job).results) == (1, 10, 2)
    assert [event.event for event in store.events(job)].count("done") == 1


def test_a_heartbeat_again(store, lose_a_commit):
    claim = claimed(store, chunk_ids(store, submit(store, 1))[0])
    lose_a_commit()
    lost(store.heartbeat, claim, Slice(1, 2))
    assert store.heartbeat(claim, Slice(1, 2)) is Verdict.GO_ON


@pytest.mark.parametrize("how", ["fail", "release"])
def test_giving_back_again(store, lose_a_commit, how):
    job = submit(store, 1)
    claim = claimed(store, chunk_ids(store, job)[0])
    lose_a_commit()
    action = getattr(store, how)
    lost(action, claim, "why")
    again = action(claim, "why")
    assert bool(again) is not lose_a_commit.done
    view = store.chunks(job)[0]
    assert (view.state, view.attempts) == (ChunkState.QUEUED, 1 if how == "fail" else 0)


def test_closing_and_planning_again(store, lose_a_commit):
    job = submit(store, 1, params={"stages": 2})
    for stage in range(2):
        for chunk in store.chunks(job):
            if chunk.stage == stage:
                claim = claimed(store, chunk.id)
                assert store.finish(claim, result_of(claim.spec))
        lose_a_commit()
        lost(store.reconcile)
        store.reconcile()
    view = store.job(job)
    assert (view.state, view.chunk_count, view.chunks_done) == (JobState.DONE, 3, 3)
    assert [event.event for event in store.events(job)].count("planned") == 1


def test_cancelling_again(store, lose_a_commit):
    job = submit(store, 2)
    lose_a_commit()
    lost(store.cancel, job)
    assert store.cancel(job).state == JobState.CANCELLED
    assert [event.event for event in store.events(job)].count("cancel-requested") == 1


def test_a_message_without_a_commit_wakes_nobody(store, lose_a_commit):
    """Chunks of a submission that did not get through cannot be claimed; those of one that did are dispatched later."""
    lose_a_commit()
    lost(lambda: submit(store, 2))
    assert len(store.take_due(10)) == (2 if lose_a_commit.done else 0)
