"""What docs/7-operations.md promises, held against real processes on both databases and brokers."""

import collections
import contextlib
import os
import random
import signal
import time

import psutil
import pytest
from chaos.place import wait_for
from chaos.reference import digest_of

from workers.task import ChunkRunner, Outcome

LEASE, SWEEP = 2.0, 0.3


def kill_everything(place):
    """Kill what was started here and all that it started, at once, as a power cut would. Redis loses all, too."""
    pids = []
    for process in place.processes:
        if process.alive():
            tree = psutil.Process(process.popen.pid)
            pids += [tree.pid, *(child.pid for child in tree.children(recursive=True))]
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    for process in place.processes:
        process.popen.wait()
    place.processes.clear()
    if place.redis:
        place.redis.kill()
        place.redis.start()


@pytest.mark.slow
def test_a_job_survives_the_death_of_everything(make_place):
    place = make_place()
    chance = random.Random(20)
    job_id = place.submit(chunks=40, slices=4, seconds=0.08, items=5, seed=11, max_attempts=50)
    kills = 0
    for _kill in range(10):
        place.start_all()
        seen = len(place.executions("start"))
        place.running(seen + 1)
        delay = chance.uniform(0.0, 0.6)
        started = time.monotonic()
        wait_for(lambda now=started, d=delay: time.monotonic() - now >= d, 5)
        kill_everything(place)
        kills += 1
        if str(place.job(job_id).state) == "done":
            break
    assert kills >= 5
    place.start_all()
    view = place.finished(job_id)
    assert (str(view.state), view.chunks_done, view.results) == ("done", 40, 200)
    assert view.digest == digest_of("fake.sleep", seed=11, chunks=40, items=5)
    assert len(set(place.executions())) == 40


@pytest.mark.slow
def test_a_dead_machine_delays_its_chunks_by_lease_and_sweep_at_most(make_place):
    place = make_place(slots=1)
    if place.embedded:  # the machine comes back at once: it knows that its own leases are void, and does not wait for them
        place.start_all()
    else:
        first, _second = place.start_all(workers=2)
    job_id = place.submit(chunks=2, slices=30, seconds=0.1)
    place.running(1 if place.embedded else 2)
    killed = time.time()
    if place.embedded:
        kill_everything(place)
        place.start_all()
    else:
        for child in [*psutil.Process(first.popen.pid).children(recursive=True), psutil.Process(first.popen.pid)]:
            with contextlib.suppress(psutil.NoSuchProcess):  # its parent's death was its own
                child.kill()
    back = wait_for(lambda: [e for e in place.store.events(job_id) if e.event in {"expired", "lost"}], 60)
    if place.embedded:
        assert back[0].event == "lost"
    else:
        assert back[0].at - killed <= LEASE + SWEEP + 3.0  # the last is the test machine's own slowness
    assert str(place.finished(job_id).state) == "done"


def test_a_killed_child_gives_its_chunk_back_without_waiting_for_the_lease(make_place):
    place = make_place(slots=1, lease_seconds=60.0, dispatch_deadline=60.0)
    (process,) = place.start_all()
    job_id = place.submit(chunks=1, slices=20, seconds=0.1)
    place.running()
    process.pool()[0].kill()
    place.running(2, seconds=40)  # sooner than the lease
    view = place.finished(job_id)
    assert str(view.state) == "done"
    assert place.store.chunks(job_id)[0].attempts == 2


def kill_one(pool):
    """Kill a process of the pool; False if there is none, or if it has just gone by itself: pools are renewed."""
    with contextlib.suppress(psutil.NoSuchProcess):
        for process in pool[:1]:
            process.kill()
            return True
    return False


def test_idle_children_may_be_killed_as_well(make_place):
    """With pipes shared between children one of these kills used to take the pipe's lock with it, and all stood still."""
    place = make_place()
    (process,) = place.start_all()
    for number in range(3):
        place.finished(place.submit(chunks=2, slices=1, seconds=0.0, seed=number))
        wait_for(lambda: kill_one(process.pool()), 60, "an idle child to kill")
    view = place.finished(place.submit(chunks=6, slices=1, seconds=0.0, seed=9), seconds=30)
    assert str(view.state) == "done"


def test_a_zombie_cannot_write(make_place):
    place = make_place(slots=1)
    (process,) = place.start_all()
    job_id = place.submit(chunks=1, slices=8, seconds=0.1, items=3)
    place.running()
    frozen = [*psutil.Process(process.popen.pid).children(recursive=True), psutil.Process(process.popen.pid)]
    for one in frozen:
        one.suspend()
    wait_for(lambda: place.store.reconcile().requeued or place.store.take_due(1), 10, "the lease to run out")
    (chunk,) = place.store.chunks(job_id)
    assert ChunkRunner(place.store, "another", lease_seconds=LEASE).run(chunk.id) is Outcome.DONE
    place.store.reconcile()  # where the keeper is frozen, too
    view = place.finished(job_id)
    before = (view.digest, view.results, [event.id for event in place.store.events(job_id)])
    for one in frozen:
        one.resume()
    wait_for(lambda: process.pool() and "lost after" in place.told(), 15, "the zombie to learn that it is one")
    view = place.job(job_id)
    assert (view.digest, view.results, [event.id for event in place.store.events(job_id)]) == before
    assert view.results == 3


def test_losing_the_broker_is_harmless(make_place):
    place = make_place()
    place.start_all()
    job_id = place.submit(chunks=24, slices=2, seconds=0.1)
    place.running(2)
    place.wipe_broker()
    place.running(8)
    place.lose_broker()
    view = place.finished(job_id)
    assert (str(view.state), view.chunks_done) == ("done", 24)


def test_duplicates_are_harmless(make_place):
    place = make_place()
    job_id = place.submit(chunks=12, slices=1, seconds=0.05)
    ids = [chunk.id for chunk in place.store.chunks(job_id)] * 3
    random.Random(3).shuffle(ids)
    processes = place.start_all()
    wait_for(lambda: all(p.pool() for p in processes), 20, "the pool")
    place.publish(ids)
    view = place.finished(job_id)
    assert str(view.state) == "done"
    assert collections.Counter(place.executions("start")) == dict.fromkeys([(1, 0, index) for index in range(12)], 1)


@pytest.mark.slow
def test_poison_is_quarantined_and_the_rest_finishes(make_place):
    place = make_place(time_limit=2.0, dispatch_deadline=2.0)
    place.start_all()
    jobs = {
        trouble: place.submit(
            "fake.trouble", trouble=trouble, bad=[1], chunks=4, slices=1, seconds=0.01, seed=number, max_attempts=2
        )
        for number, trouble in enumerate(["raise", "die", "exit", "memory", "hang"])
    }
    for trouble, job_id in jobs.items():
        view = place.finished(job_id)
        assert (str(view.state), view.chunks_done, view.chunks_quarantined) == ("partial", 3, 1), trouble
        bad = place.store.chunks(job_id)[1]
        assert (str(bad.state), bad.attempts) == ("quarantined", 2)
        assert bad.last_error
    assert place.store.chunks(jobs["raise"])[1].last_error.splitlines()[0] == "ValueError: this chunk is poison"
    assert place.store.chunks(jobs["memory"])[1].last_error.startswith("MemoryError")


def test_pause_and_cancel_act_within_a_slice_and_survive_restarts(make_place):
    place = make_place()
    place.start_all()
    job_id = place.submit(chunks=6, slices=40, seconds=0.1)
    place.running(2)
    place.store.pause(job_id)
    wait_for(lambda: place.job(job_id).chunks_running == 0, 15, "the pause")
    assert [chunk.attempts for chunk in place.store.chunks(job_id)] == [0] * 6
    started = len(place.executions("start"))
    kill_everything(place)
    other = place.submit(chunks=2, slices=1, seconds=0.05, seed=2)
    place.start_all()
    assert str(place.finished(other).state) == "done"  # so the workers work, but not on the paused job
    assert len(place.executions("start")) == started + 2
    place.store.resume(job_id)
    place.running(started + 4)
    place.store.cancel(job_id)
    view = place.finished(job_id, seconds=15)
    assert str(view.state) == "cancelled"


def test_sigterm_gives_chunks_back_unspent(make_place):
    place = make_place(max_tasks_per_child=1, lease_seconds=30.0)
    (process,) = place.start_all()
    first = place.submit(chunks=2, slices=1, seconds=0.01)
    place.finished(first)  # so that the pool has been replaced once: those children were forked by a thread that stops early
    job_id = place.submit(chunks=2, slices=100, seconds=0.1, seed=5)
    place.running(4)
    asked = time.monotonic()
    assert process.stop() == 0
    assert time.monotonic() - asked < 15.0
    chunks = place.store.chunks(job_id)
    assert [(str(chunk.state), chunk.attempts) for chunk in chunks] == [("queued", 0)] * 2
    assert {event.event for event in place.store.events(job_id)} >= {"released"}


def test_nothing_outlives_a_killed_supervisor_and_the_next_one_goes_on(make_place):
    place = make_place()
    (process,) = place.start_all()
    job_id = place.submit(chunks=4, slices=10, seconds=0.1)
    place.running(2)
    family = psutil.Process(process.popen.pid).children(recursive=True)
    assert len(family) >= 3
    process.kill()
    _gone, alive = psutil.wait_procs(family, timeout=5)
    assert alive == []
    place.start("embedded" if place.embedded else "worker")
    assert str(place.finished(job_id).state) == "done"


@pytest.mark.parametrize("slots", [1, 4])
def test_same_seed_same_bytes_on_any_number_of_workers(make_place, slots):
    place = make_place(slots=slots)
    place.start_all()
    job_id = place.submit(chunks=12, slices=1, seconds=0.01, items=4, seed=77)
    assert place.finished(job_id).digest == digest_of("fake.sleep", seed=77, chunks=12, items=4)


@pytest.mark.slow
def test_a_real_bank_has_the_same_bytes_through_the_service(make_place):
    place = make_place()
    place.start_all()
    job_id = place.submit("sudoku.generate", count=60, seed=7)
    view = place.finished(job_id, seconds=240)
    assert view.results == 60
    assert view.digest == digest_of("sudoku.generate", seed=7, count=60)


def test_stages_follow_each_other_without_waiting_for_the_sweep(make_place):
    place = make_place(sweep_seconds=30.0)
    place.start_all()
    job_id = place.submit("fake.staged", stages=4, chunks=2)
    view = place.finished(job_id, seconds=20)
    assert (str(view.state), view.stage, view.chunk_count) == ("done", 3, 2 + 3 + 4 + 5)
    assert view.digest == digest_of("fake.staged", seed=1, stages=4, chunks=2)
