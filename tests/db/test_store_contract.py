"""The store's contract, the same on SQLite and PostgreSQL."""

import pytest
from storekit import chunk_ids, claimed, events, finish, plan, result_of, submit

from db.errors import IdempotencyConflictError, JobNotFoundError, JobStateError
from db.models import ChunkState, JobState
from db.store import Verdict
from db.store.reconcile import EXPIRED
from engine.jobs import MAX_SEED, ChunkResult, Slice, StagePlan

SLICE = Slice(1, 2, "half way")


def test_a_submitted_job_is_there_with_its_chunks(store, clock):
    submitted = store.submit("fake.count", {"stages": 1}, MAX_SEED, plan(3), priority=5)
    assert submitted.created
    job = store.job(submitted.job_id)
    assert (job.kind, job.params, job.seed, job.state) == ("fake.count", {"stages": 1}, MAX_SEED, JobState.QUEUED)
    assert (job.chunk_count, job.chunks_queued, job.items_expected, job.items_done) == (3, 3, 30, 0)
    assert (job.created_at, job.started_at, job.at, job.elapsed, job.closed) == (clock.now, None, clock.now, 0, False)
    assert [(c.stage, c.index, c.state) for c in store.chunks(job.id)] == [(0, i, ChunkState.QUEUED) for i in range(3)]
    assert events(store, job.id) == [("submitted", None)]
    assert store.job(job.id).as_json()["state"] == "queued"


@pytest.mark.parametrize("bad", [{"seed": -1}, {"seed": MAX_SEED + 1}, {"max_attempts": 0}])
def test_a_submission_that_makes_no_sense_is_refused(store, bad):
    with pytest.raises(ValueError, match="must be"):
        store.submit(**({"kind": "fake.count", "params": {}, "seed": 1, "plan": plan(1)} | bad))
    assert store.jobs() == []


def test_the_same_request_with_the_same_key_is_the_same_job(store):
    first = store.submit("fake.count", {"stages": 2}, 7, plan(2), idempotency_key="k", priority=1)
    again = store.submit("fake.count", {"stages": 2}, 7, plan(2), idempotency_key="k", priority=9)
    assert (again.job_id, again.created) == (first.job_id, False)
    assert len(store.jobs()) == 1
    assert len(store.chunks(first.job_id)) == 2


@pytest.mark.parametrize("other", [{"kind": "fake.other"}, {"params": {"stages": 3}}, {"seed": 8}, {"plan": plan(3)}])
def test_another_request_with_the_same_key_is_refused(store, other):
    request = {"kind": "fake.count", "params": {"stages": 2}, "seed": 7, "plan": plan(2)}
    store.submit(**request, idempotency_key="k")
    with pytest.raises(IdempotencyConflictError, match="belongs to job"):
        store.submit(**(request | other), idempotency_key="k")
    assert len(store.jobs()) == 1


def test_chunks_are_taken_once_and_the_most_urgent_first(store, clock):
    slow, fast = submit(store), submit(store, priority=3)
    assert store.take_due(0) == []
    assert store.take_due(3) == [*chunk_ids(store, fast), chunk_ids(store, slow)[0]]
    assert store.take_due(5) == [chunk_ids(store, slow)[1]]
    assert store.take_due(5) == []
    assert store.outstanding() == 4


def test_a_chunk_is_dispatched_again_exactly_at_the_deadline(store, clock):
    job = submit(store, 1)
    (chunk,) = store.take_due(9)
    clock.now += 29.999
    assert store.take_due(9) == []
    assert store.outstanding() == 1
    clock.now = 1030.0
    assert store.outstanding() == 0
    assert store.take_due(9) == [chunk]
    assert store.job(job).chunks_queued == 1


def test_forgotten_dispatches_are_due_at_once(store):
    submit(store)
    taken = store.take_due(9)
    assert store.forget_dispatches() == 2
    assert store.outstanding() == 0
    assert store.take_due(9) == taken


def test_a_claim_tells_the_worker_all_it_needs(store, clock):
    job = submit(store, params={"stages": 1})
    chunk = chunk_ids(store, job)[1]
    claim = claimed(store, chunk, "host:1")
    assert (claim.chunk_id, claim.job_id, claim.attempt, claim.max_attempts, claim.worker) == (chunk, job, 1, 3, "host:1")
    spec = claim.spec
    assert (spec.kind, spec.params, spec.seed, spec.stage, spec.index) == ("fake.count", {"stages": 1}, 7, 0, 1)
    assert spec.payload == {"part": 1}
    view = store.chunks(job)[1]
    assert (view.state, view.worker, view.lease_until, view.attempts) == (ChunkState.RUNNING, "host:1", clock.now + 30, 1)
    assert (store.job(job).state, store.job(job).started_at) == (JobState.RUNNING, clock.now)
    assert events(store, job) == [("submitted", None), ("started", None), ("claimed", 1)]


def test_what_cannot_be_claimed(store, clock):
    job = submit(store, 5)
    ids = chunk_ids(store, job)
    assert store.claim(ids[-1] + 100, "w") is None
    claimed(store, ids[0])
    assert store.claim(ids[0], "w") is None  # running
    finish(store, ids[1])
    assert store.claim(ids[1], "w") is None  # done
    store.fail(claimed(store, ids[2]), "boom")
    assert store.claim(ids[2], "w") is None  # backing off
    store.pause(job)
    assert store.claim(ids[3], "w") is None  # paused
    store.resume(job)
    store.cancel(job)
    assert store.claim(ids[4], "w") is None  # cancelled


def test_a_refused_claim_does_not_start_the_job(store):
    job = submit(store)
    store.pause(job)
    assert store.claim(chunk_ids(store, job)[0], "w") is None
    assert store.job(job).state == JobState.QUEUED
    assert events(store, job) == [("submitted", None), ("paused", None)]


def test_a_heartbeat_extends_the_lease_and_notes_progress(store, clock):
    job = submit(store)
    claim = claimed(store, chunk_ids(store, job)[0])
    clock.now += 20
    assert store.heartbeat(claim, Slice(3, 4, "x" * 500)) is Verdict.GO_ON
    view = store.chunks(job)[0]
    assert (view.lease_until, view.progress_done, view.progress_total, view.note) == (clock.now + 30, 3, 4, "x" * 200)
    assert store.job(job).items_in_progress == 7.5
    assert events(store, job)[-1] == ("claimed", 0)  # heartbeats are not logged


def test_heartbeats_see_pause_and_cancel_and_leave_the_lease_alone(store, clock):
    job = submit(store)
    claim = claimed(store, chunk_ids(store, job)[0])
    clock.now += 10
    store.pause(job)
    assert store.heartbeat(claim, SLICE) is Verdict.PAUSED
    store.cancel(job)
    assert store.heartbeat(claim, SLICE) is Verdict.CANCELLED
    assert store.chunks(job)[0].lease_until == 1030.0


def test_finishing_stores_results_state_counters_and_event_together(store, clock):
    job = submit(store)
    claim = claimed(store, chunk_ids(store, job)[0])
    clock.now += 5
    result = result_of(claim.spec)
    assert store.finish(claim, result)
    view = store.chunks(job)[0]
    assert (view.state, view.result_items, view.result_digest) == (ChunkState.DONE, 2, result.digest())
    assert (view.summary, view.finished_at, view.lease_until) == ({"part": 0}, clock.now, None)
    now = store.job(job)
    assert (now.chunks_done, now.items_done, now.results, now.state) == (1, 10, 2, JobState.RUNNING)
    assert events(store, job)[-1] == ("done", 0)


def test_finishing_twice_is_finishing_once(store):
    job = submit(store)
    claim = claimed(store, chunk_ids(store, job)[0])
    assert store.finish(claim, result_of(claim.spec))
    assert store.finish(claim, result_of(claim.spec))
    assert (store.job(job).chunks_done, store.job(job).results) == (1, 2)
    assert [event for event, _ in events(store, job)].count("done") == 1


def test_a_zombie_writes_nothing(store, clock):
    job = submit(store, 1)
    (chunk,) = chunk_ids(store, job)
    zombie = claimed(store, chunk, "old")
    clock.now += 30
    store.reconcile()
    clock.now += 1
    heir = claimed(store, chunk, "new")
    before = (store.chunks(job), store.events(job))
    assert store.heartbeat(zombie, SLICE) is Verdict.LOST
    assert store.finish(zombie, result_of(zombie.spec)) is False
    assert store.fail(zombie, "late") is None
    assert store.release(zombie, "late") is False
    assert (store.chunks(job), store.events(job)) == before
    assert store.job(job).results == 0
    assert store.finish(heir, result_of(heir.spec))
    assert store.finish(zombie, result_of(zombie.spec)) is False
    assert (store.job(job).results, store.job(job).chunks_done) == (2, 1)


def test_a_failed_chunk_waits_longer_each_time_and_is_quarantined_in_the_end(store, clock):
    job = submit(store, 1, max_attempts=3)
    (chunk,) = chunk_ids(store, job)
    for pause in (1.0, 2.0):
        assert store.fail(claimed(store, chunk), "ValueError: boom") is ChunkState.QUEUED
        assert store.chunks(job)[0].not_before == clock.now + pause
        assert store.take_due(5) == []
        clock.now += pause
        assert store.take_due(5) == [chunk]
    assert store.fail(claimed(store, chunk), "ValueError: boom") is ChunkState.QUARANTINED
    view = store.chunks(job)[0]
    assert (view.attempts, view.last_error, view.finished_at) == (3, "ValueError: boom", clock.now)
    assert store.job(job).chunks_quarantined == 1
    assert [e for e, _ in events(store, job)].count("failed") == 2
    assert store.events(job)[-1].detail == "attempt 3 of 3: ValueError: boom"
    assert store.reconcile().jobs_closed == 1
    assert store.job(job).state == JobState.PARTIAL


def test_a_released_chunk_is_as_if_it_had_not_been_tried(store):
    job = submit(store, 1)
    (chunk,) = store.take_due(1)
    claim = claimed(store, chunk)
    assert store.release(claim, "stopping")
    view = store.chunks(job)[0]
    assert (view.state, view.attempts, view.dispatched_at, view.last_error) == (ChunkState.QUEUED, 0, None, None)
    assert store.take_due(1) == [chunk]
    assert store.events(job)[-1].detail == "stopping"


def test_a_lease_expires_exactly_at_its_end(store, clock):
    job = submit(store, 1)
    claim = claimed(store, chunk_ids(store, job)[0])
    clock.now = 1029.999
    assert store.reconcile().requeued == 0
    clock.now = 1030.0
    assert store.reconcile().requeued == 1
    view = store.chunks(job)[0]
    assert (view.state, view.attempts, view.not_before, view.last_error) == (ChunkState.QUEUED, 1, 0.0, EXPIRED)
    assert events(store, job)[-1] == ("expired", 0)
    assert store.heartbeat(claim, SLICE) is Verdict.LOST


def test_a_lease_that_ran_out_unnoticed_may_still_be_extended_or_used(store, clock):
    job = submit(store)
    first, second = (claimed(store, chunk) for chunk in chunk_ids(store, job))
    clock.now += 1000
    assert store.heartbeat(first, SLICE) is Verdict.GO_ON
    assert store.finish(second, result_of(second.spec))
    assert store.reconcile().requeued == 0


def test_expired_leases_end_in_quarantine_too(store, clock):
    job = submit(store, 1, max_attempts=2)
    (chunk,) = chunk_ids(store, job)
    claimed(store, chunk)
    clock.now += 30
    assert store.reconcile().requeued == 1
    claimed(store, chunk)
    clock.now += 30
    swept = store.reconcile()
    assert (swept.requeued, swept.quarantined, swept.jobs_closed) == (0, 1, 1)
    assert (store.chunks(job)[0].state, store.chunks(job)[0].last_error) == (ChunkState.QUARANTINED, EXPIRED)
    assert (store.job(job).state, store.job(job).chunks_quarantined) == (JobState.PARTIAL, 1)


def test_a_dead_workers_chunks_go_back_at_once(store):
    job = submit(store, 4, max_attempts=1)
    ids = chunk_ids(store, job)
    for chunk, worker in zip(ids, ["host:1:a", "host:1:b", "HOST:1:a", "host:2:a"], strict=True):
        claimed(store, chunk, worker)
    assert store.release_worker("host:1:") == 2
    assert [c.state for c in store.chunks(job)] == [ChunkState.QUARANTINED] * 2 + [ChunkState.RUNNING] * 2
    assert store.release_worker("host:%") == 0


def test_a_job_closes_when_all_is_done(store, clock, kind):
    job = submit(store)
    for chunk in reversed(chunk_ids(store, job)):
        assert store.reconcile().jobs_closed == 0
        finish(store, chunk)
    clock.now += 3
    assert store.reconcile().jobs_closed == 1
    view = store.job(job)
    assert (view.state, view.finished_at, view.error) == (JobState.DONE, clock.now, None)
    assert view.summary == {"chunks": 2, "distinct": 4, "labels": ["first"]}
    assert view.items_done == view.items_expected == 20
    assert store.reconcile().jobs_closed == 0
    assert events(store, job)[-1] == ("done", None)


def test_the_digest_does_not_depend_on_who_finished_what_when(store):
    digests = set()
    for turn in (1, -1):
        job = submit(store, 4)
        for chunk in chunk_ids(store, job)[::turn]:
            finish(store, chunk, f"w{turn}")
        store.reconcile()
        digests.add(store.job(job).digest)
    assert len(digests) == 1
    assert None not in digests
    other = store.submit("fake.count", {}, 8, plan(4)).job_id
    for chunk in chunk_ids(store, other):
        finish(store, chunk)
    store.reconcile()
    assert store.job(other).digest not in digests


def test_stages_follow_each_other(store, kind):
    job = submit(store, 3, params={"stages": 3})
    for stage in range(3):
        chunks = [chunk for chunk in store.chunks(job) if chunk.stage == stage]
        assert len(chunks) == (3 if stage == 0 else 2)
        for chunk in chunks:
            finish(store, chunk.id)
        swept = store.reconcile()
        assert (swept.stages_planned, swept.jobs_closed) == ((1, 0) if stage < 2 else (0, 1))
    view = store.job(job)
    assert (view.state, view.stage, view.stage_label, view.chunk_count) == (JobState.DONE, 2, "stage 2", 7)
    assert view.summary == {"chunks": 7, "distinct": 14, "labels": ["first", "stage 1", "stage 2"]}
    last = kind.outcomes[-1]
    assert [len(stage.summaries) for stage in last.stages] == [3, 2, 2]
    assert [event for event, _ in events(store, job)].count("planned") == 2


def test_a_job_without_chunks_goes_straight_on(store):
    empty = store.submit("fake.count", {}, 1, StagePlan([])).job_id
    staged = store.submit("fake.count", {"stages": 2}, 1, StagePlan([])).job_id
    swept = store.reconcile()
    assert (swept.stages_planned, swept.jobs_closed) == (1, 1)
    assert (store.job(empty).state, store.job(staged).state) == (JobState.DONE, JobState.RUNNING)


def test_a_quarantined_chunk_stops_the_job_at_its_stage_until_it_is_retried(store, kind):
    job = submit(store, 2, params={"stages": 2}, max_attempts=1)
    poison, good = chunk_ids(store, job)
    finish(store, good)
    store.fail(claimed(store, poison), "boom")
    assert store.reconcile() == store.reconcile().__class__(0, 0, 0, 1)
    view = store.job(job)
    assert (view.state, view.stage, view.chunks_quarantined) == (JobState.PARTIAL, 0, 1)
    assert view.summary == {"chunks": 1, "distinct": 2, "labels": ["first"]}
    assert kind.outcomes == []
    view = store.retry(job)
    assert (view.state, view.chunks_quarantined, view.chunks_queued) == (JobState.RUNNING, 0, 1)
    assert (view.finished_at, view.summary, view.digest) == (None, None, None)
    assert store.chunks(job)[0].attempts == 0
    finish(store, poison)
    assert store.reconcile().stages_planned == 1
    for chunk in store.chunks(job)[2:]:
        finish(store, chunk.id)
    store.reconcile()
    assert store.job(job).state == JobState.DONE


def test_retry_while_the_rest_still_runs(store):
    job = submit(store, 2, max_attempts=1)
    poison, other = chunk_ids(store, job)
    store.fail(claimed(store, poison), "boom")
    assert store.retry(job).chunks_quarantined == 0
    finish(store, poison)
    finish(store, other)
    store.reconcile()
    assert store.job(job).state == JobState.DONE


@pytest.mark.parametrize("broken", ["next_stage", "summarize"])
def test_a_kind_that_raises_fails_the_job_and_a_retry_asks_it_again(store, kind, broken):
    job = submit(store, 1, params={"broken": broken})
    finish(store, chunk_ids(store, job)[0])
    assert store.reconcile().jobs_closed == 1
    view = store.job(job)
    assert view.state == JobState.FAILED
    assert "ZeroDivisionError: no way on" in view.error if broken == "next_stage" else "KeyError: 'sum'" in view.error
    assert store.retry(job).state == JobState.RUNNING
    kind.mended = True
    store.reconcile()
    assert store.job(job).state == (JobState.DONE if broken == "next_stage" else JobState.FAILED)


def test_a_kind_that_is_not_known_fails_the_job(store):
    job = store.submit("gone.kind", {}, 1, StagePlan([])).job_id
    store.reconcile()
    assert store.job(job).error == "this version has no job kind 'gone.kind'"


def test_pause_and_resume(store):
    job = submit(store)
    store.take_due(5)
    running = claimed(store, chunk_ids(store, job)[0])
    assert store.pause(job).paused
    assert store.pause(job).paused
    assert store.take_due(5) == []
    assert store.outstanding() == 1  # the running one
    assert store.heartbeat(running, SLICE) is Verdict.PAUSED
    assert store.release(running, "paused")
    assert store.take_due(5) == []
    assert not store.resume(job).paused
    assert store.take_due(5) == chunk_ids(store, job)
    assert [e for e, _ in events(store, job)].count("paused") == 1


def test_cancel_with_nothing_running_closes_at_once(store, clock):
    job = submit(store, 3)
    finish(store, chunk_ids(store, job)[0])
    view = store.cancel(job)
    assert (view.state, view.finished_at, view.chunks_done, view.results) == (JobState.CANCELLED, clock.now, 1, 2)
    assert [c.state for c in store.chunks(job)] == [ChunkState.DONE, ChunkState.CANCELLED, ChunkState.CANCELLED]
    assert store.cancel(job).state == JobState.CANCELLED


@pytest.mark.parametrize("ending", ["release", "fail", "expire", "die", "finish"])
def test_cancel_closes_once_the_last_running_chunk_has_stopped(store, clock, ending):
    job = submit(store, 2, max_attempts=1)
    claim = claimed(store, chunk_ids(store, job)[0])
    view = store.cancel(job)
    assert (view.state, view.cancel_requested, view.chunks_running, view.chunks_queued) == (JobState.RUNNING, True, 1, 0)
    assert store.reconcile().jobs_closed == 0
    if ending == "release":
        assert store.release(claim, "cancelled")
    elif ending == "fail":
        assert store.fail(claim, "boom") is ChunkState.CANCELLED
    elif ending == "die":
        assert store.release_worker("w") == 1
    elif ending == "finish":
        assert store.finish(claim, result_of(claim.spec))
    else:
        clock.now += 30
    assert store.reconcile().jobs_closed == 1
    view = store.job(job)
    assert (view.state, view.chunks_quarantined) == (JobState.CANCELLED, 0)
    expected = ChunkState.DONE if ending == "finish" else ChunkState.CANCELLED
    assert [c.state for c in store.chunks(job)] == [expected, ChunkState.CANCELLED]
    assert view.results == (2 if ending == "finish" else 0)


def test_a_cancelled_staged_job_plans_no_more(store):
    job = submit(store, 1, params={"stages": 2})
    claim = claimed(store, chunk_ids(store, job)[0])
    store.cancel(job)
    store.finish(claim, result_of(claim.spec))
    swept = store.reconcile()
    assert (swept.stages_planned, swept.jobs_closed) == (0, 1)
    assert store.job(job).state == JobState.CANCELLED


def test_what_closed_jobs_refuse(store):
    done = submit(store, 1)
    finish(store, chunk_ids(store, done)[0])
    store.reconcile()
    for action in (store.pause, store.resume, store.cancel, store.retry):
        with pytest.raises(JobStateError, match=f"job {done} is done"):
            action(done)
    cancelled = submit(store, 1)
    store.cancel(cancelled)
    with pytest.raises(JobStateError, match="nothing to retry"):
        store.retry(cancelled)
    running = submit(store, 2)
    finish(store, chunk_ids(store, running)[0])
    with pytest.raises(JobStateError, match="no quarantined chunk"):
        store.retry(running)


def test_jobs_that_do_not_exist(store):
    for action in (store.job, store.chunks, store.events, store.pause, store.resume, store.cancel, store.retry):
        with pytest.raises(JobNotFoundError, match="there is no job 1000000000"):
            action(10**9)


def test_a_paused_job_that_is_done_is_not_paused_any_more(store):
    job = submit(store, 1)
    claim = claimed(store, chunk_ids(store, job)[0])
    store.pause(job)
    assert store.finish(claim, result_of(claim.spec))
    store.reconcile()
    assert (store.job(job).state, store.job(job).paused) == (JobState.DONE, False)


def test_listing_jobs(store):
    ids = [submit(store, 1) for _ in range(5)]
    store.submit("fake.other", {}, 1, plan(1))
    store.cancel(ids[1])
    assert [job.id for job in store.jobs(kind="fake.count")] == ids[::-1]
    assert [job.id for job in store.jobs(state="cancelled")] == [ids[1]]
    page = store.jobs(kind="fake.count", limit=2, before_id=ids[4])
    assert [job.id for job in page] == [ids[3], ids[2]]


def test_events_can_be_followed(store):
    job = submit(store, 1)
    seen = store.events(job)[-1].id
    finish(store, chunk_ids(store, job)[0])
    assert [event.event for event in store.events(job, seen)] == ["started", "claimed", "done"]
    assert store.events(job)[-1].as_json()["worker"] == "w"


def test_summaries_of_nothing_and_of_much(store):
    job = submit(store, 2)
    first, second = (claimed(store, chunk) for chunk in chunk_ids(store, job))
    big = {"figures": [2**70, 0.1, None, "ä"], "nested": {"x": {}}}
    assert store.finish(first, ChunkResult())
    assert store.finish(second, ChunkResult((), big))
    assert [c.summary for c in store.chunks(job)] == [{}, big]


def test_workers_are_seen_and_go(store, clock):
    store.worker_seen("b", "host", 11, 2, "running", 0)
    clock.now += 100
    store.worker_seen("a", "host", 10, 4, "running", 0)
    store.worker_seen("a", "host", 12, 4, "restarting", 1)
    assert [w.name for w in store.workers()] == ["a", "b"]
    (alive,) = store.workers(alive_within=60)
    assert (alive.name, alive.pid, alive.state, alive.restarts, alive.last_seen) == ("a", 12, "restarting", 1, clock.now)
    assert store.workers(alive_within=100)[1].name == "b"
    store.worker_gone("a")
    assert [w.as_json()["name"] for w in store.workers()] == ["b"]
