"""Random histories: after every step the store agrees with the plain model, and its event log walks only along legal edges."""

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test
from naive import jobs as naive
from sqlalchemy import Engine
from storekit import FakeKind, ManualClock, plan, result_of

from db.errors import JobStateError
from db.models import Base
from db.session import make_engine
from db.store import Store
from db.store.states import CHUNK_EDGES, JOB_EDGES
from engine.jobs import Slice

FLAGS = {"paused", "resumed", "cancel-requested"}


class History(RuleBasedStateMachine):
    engine: Engine

    def __init__(self) -> None:
        super().__init__()
        with self.engine.begin() as conn:
            for table in reversed(Base.metadata.sorted_tables):
                conn.execute(table.delete())
        self.clock = ManualClock()
        kind = FakeKind()
        self.store = Store(
            self.engine, lease_seconds=30, dispatch_deadline=20, clock=self.clock, kinds=lambda: {kind.name: kind}
        )
        self.model = naive.Store(lease=30, deadline=20, later_chunks=2)
        self.model.now = self.clock.now
        self.claims = []

    def ids(self, number):
        return {(number, chunk.stage, chunk.index): chunk.id for chunk in self.store.chunks(number)}

    @rule(chunks=st.integers(0, 3), stages=st.integers(1, 3), attempts=st.integers(1, 2), priority=st.integers(0, 1))
    def submit(self, chunks, stages, attempts, priority):
        submitted = self.store.submit(
            "fake.count", {"stages": stages}, 7, plan(chunks), priority=priority, max_attempts=attempts
        )
        self.model.submit(submitted.job_id, chunks, stages, attempts, priority)

    @rule(seconds=st.sampled_from([0.5, 1.0, 2.0, 19.5, 20.0, 30.0]))
    def wait(self, seconds):
        self.clock.now += seconds
        self.model.now += seconds

    @rule(limit=st.integers(1, 4))
    def take_due(self, limit):
        ids = {key: chunk for number in self.model.jobs for key, chunk in self.ids(number).items()}
        assert self.store.take_due(limit) == [ids[key] for key in self.model.take_due(limit)]

    @precondition(lambda self: any(job.chunks for job in self.model.jobs.values()))
    @rule(data=st.data(), worker=st.sampled_from(["a:1", "a:2", "b:1"]))
    def claim(self, data, worker):
        everything = [(number, chunk) for number, job in self.model.jobs.items() for chunk in job.chunks]
        number, chunk = data.draw(st.sampled_from(everything), label="chunk")
        token = object()
        claim = self.store.claim(self.ids(number)[number, chunk.stage, chunk.index], worker)
        assert (claim is not None) == self.model.claim(number, chunk, worker, token)
        if claim is not None:
            assert (claim.attempt, claim.spec.stage, claim.spec.index) == (chunk.attempts, chunk.stage, chunk.index)
            self.claims.append((claim, number, chunk, token))

    @precondition(lambda self: self.claims)
    @rule(data=st.data(), what=st.sampled_from(["heartbeat", "finish", "finish", "fail", "release"]))
    def use_a_claim(self, data, what):
        """Any claim ever made: most are stale after a while."""
        claim, *mine = data.draw(st.sampled_from(self.claims), label="claim")
        expected = getattr(self.model, what)(*mine)
        if what == "heartbeat":
            assert self.store.heartbeat(claim, Slice(1, 2)).name == expected
        elif what == "finish":
            assert self.store.finish(claim, result_of(claim.spec)) == expected
        elif what == "fail":
            assert self.store.fail(claim, "boom") == expected
        else:
            assert self.store.release(claim, "enough") == expected

    @rule(prefix=st.sampled_from(["a:1", "a:", "b"]))
    def a_worker_dies(self, prefix):
        assert self.store.release_worker(prefix) == self.model.release_worker(prefix)

    @rule()
    def reconcile(self):
        self.store.reconcile()
        self.model.reconcile()

    @precondition(lambda self: self.model.jobs)
    @rule(data=st.data(), what=st.sampled_from(["pause", "resume", "resume", "cancel", "retry"]))
    def control(self, data, what):
        number = data.draw(st.sampled_from(sorted(self.model.jobs)), label="job")
        try:
            getattr(self.model, what)(number)
        except naive.RefusedError:
            with pytest.raises(JobStateError):
                getattr(self.store, what)(number)
        else:
            getattr(self.store, what)(number)

    @invariant()
    def they_agree(self):
        assert self.store.outstanding() == self.model.outstanding()
        for view in self.store.jobs():
            job = self.model.jobs[view.id]
            assert (view.state, view.stage, view.paused) == (job.state, job.stage, job.paused)
            assert (view.chunk_count, view.chunks_queued) == (len(job.chunks), job.count("queued"))
            assert (view.chunks_running, view.chunks_done) == (job.count("running"), job.count("done"))
            assert view.chunks_quarantined == job.count("quarantined")
            assert (view.items_done, view.results) == (10 * job.count("done"), 2 * job.count("done"))
            assert [
                (c.stage, c.index, c.state, c.attempts, c.not_before, c.lease_until, c.dispatched_at)
                for c in self.store.chunks(view.id)
                if c.state in ("queued", "running")
            ] == [
                (c.stage, c.index, c.state, c.attempts, c.not_before, c.lease_until, c.dispatched)
                for c in job.chunks
                if c.state in ("queued", "running")
            ]

    def teardown(self):
        jobs = {(edge.before, edge.event.value): edge.after for edge in JOB_EDGES}
        chunks = {(edge.before, edge.event.value): edge.after for edge in CHUNK_EDGES}
        for view in self.store.jobs():
            states, job = {}, None
            for line in self.store.events(view.id):
                if line.chunk_id is None:
                    job = job if line.event in FLAGS else jobs[job, line.event]
                else:
                    states[line.chunk_id] = chunks[states.get(line.chunk_id, "queued"), line.event]
            assert job == view.state
            assert states == {c.id: c.state for c in self.store.chunks(view.id) if c.id in states}
            assert all(c.state == "queued" for c in self.store.chunks(view.id) if c.id not in states)


def run(url, examples, steps):
    class Here(History):
        engine = make_engine(url)

    few = settings(
        max_examples=examples, stateful_step_count=steps, deadline=None, suppress_health_check=list(HealthCheck), database=None
    )
    run_state_machine_as_test(Here, settings=few)
    Here.engine.dispose()


def test_random_histories_on_sqlite(sqlite_url):
    run(sqlite_url, examples=20, steps=35)


@pytest.mark.postgres
def test_random_histories_on_postgresql(postgres_url):
    run(postgres_url, examples=5, steps=25)
