"""Chaos under load: a seeded schedule of kills, stops and losses, an independent ledger, verdicts, a scorecard.

The schedule depends on the seed alone; when exactly a blow lands depends on the machine. What must hold depends on neither.
"""

import collections
import contextlib
import random
import signal
import time
from dataclasses import asdict, dataclass, field

import psutil
from chaos.place import FINISHED, wait_for
from chaos.reference import digest_of

from db.errors import StoreError

CHUNKS, ITEMS, UNDER_WAY = 12, 3, 4

BLOWS = ["kill child", "kill worker", "kill supervisor", "terminate supervisor", "stop and continue", "wipe broker"]
CLUSTER_BLOWS = ["kill keeper", "restart redis"]
SERVER_BLOWS = ["restart database"]

DURABLE = "&options=-c%20synchronous_commit%3Don"
"""To append to the URL of a test server that is killed: else it may forget the last commits, by its own configuration."""


@dataclass
class Scorecard:
    """What happened and whether it was all right. `verdicts` maps each promise to whether it held."""

    place: str
    seed: int
    seconds: float
    blows: list = field(default_factory=list)
    jobs: int = 0
    chunks: int = 0
    executions_started: int = 0
    executions_ended: int = 0
    attempts_lost: int = 0
    released: int = 0
    recovery_seconds: float = 0.0
    verdicts: dict = field(default_factory=dict)

    @property
    def passed(self):
        return bool(self.verdicts) and all(self.verdicts.values())

    def as_json(self):
        return {**asdict(self), "passed": self.passed}


class Storm:
    """One storm over a place; `database` is a server that may be killed and started, if there is one of its own."""

    def __init__(self, place, *, seconds, seed, workers=2, database=None):
        self.place = place
        self.workers = 1 if place.embedded else workers
        self.database = database
        self.chance = random.Random(seed)
        self.card = Scorecard("embedded" if place.embedded else "cluster", seed, seconds)
        self.kinds = BLOWS + ([] if place.embedded else CLUSTER_BLOWS) + (SERVER_BLOWS if database else [])
        self.jobs = {}  # number: seed
        self.progress = collections.defaultdict(int)
        self.monotone = True
        self.missed = 0

    def run(self):
        self.fleet = self.place.start_all(workers=self.workers)
        self.keepers = [p for p in self.place.processes if p.role == "keeper"]
        self._load()
        self.place.running()
        end = time.monotonic() + self.card.seconds
        order = []
        while time.monotonic() < end:
            if not order:  # each kind once, in random order, then again: a short storm misses none
                order = self.chance.sample(self.kinds, len(self.kinds))
            self._blow(order.pop())
            self._calm(self.chance.uniform(0.5, 2.0))
        self._recover()
        self._judge()
        return self.card

    def _calm(self, seconds):
        """Keep the load up and watch the progress until the next blow."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            with contextlib.suppress(StoreError):
                self._load()
                self._watch()
            time.sleep(0.05)

    def _load(self):
        unfinished = [n for n in self.jobs if str(self.place.job(n).state) not in FINISHED]
        for _ in range(UNDER_WAY - len(unfinished)):
            seed = 1000 + len(self.jobs)
            number = self.place.submit(
                chunks=CHUNKS, slices=3, seconds=0.05, items=ITEMS, seed=seed, max_attempts=1000, key=f"storm-{seed}"
            )
            self.jobs[number] = seed

    def _watch(self):
        for number in self.jobs:
            done = self.place.job(number).items_done
            self.monotone &= done >= self.progress[number]
            self.progress[number] = done

    def _blow(self, kind):
        """Strike once and see that it landed; put back at once what only an operator could."""
        process = self.chance.choice(self.fleet)
        began = time.monotonic()
        landed = getattr(self, "_" + kind.replace(" ", "_"))(process)
        self.missed += not landed
        self.card.blows.append({"kind": kind, "landed": landed, "took": round(time.monotonic() - began, 2)})

    def _kill_child(self, process):
        pool = wait_for(process.pool, 60, "a pool to strike at")
        return _kill(self.chance.choice(pool))

    def _kill_worker(self, process):
        return _kill(wait_for(process.celery, 60, "a worker to strike at"))

    def _kill_supervisor(self, process):
        family = psutil.Process(process.popen.pid).children(recursive=True)
        process.kill()
        _gone, alive = psutil.wait_procs(family, timeout=10)
        self._replace(process)
        return not alive

    def _terminate_supervisor(self, process):
        wait_for(process.pool, 60, "a pool to strike at")
        code = process.stop(seconds=60)
        self._replace(process)
        return code == 0

    def _stop_and_continue(self, process):
        """Freeze a worker past its lease, the embedded one with its supervisor: a closed lid."""
        root = psutil.Process(process.popen.pid)
        family = [root, *root.children(recursive=True)]
        for one in family:
            with contextlib.suppress(psutil.NoSuchProcess):
                one.suspend()
        # The signal is taken when the process next runs or leaves a system call, a moment after it is sent.
        stopped = wait_for(lambda: root.status() == psutil.STATUS_STOPPED, 10, "a stop")
        self._calm_frozen(self.place.settings.lease_seconds + 0.5)
        for one in family:
            with contextlib.suppress(psutil.NoSuchProcess):
                one.resume()
        return stopped

    def _calm_frozen(self, seconds):
        """Let time pass without writing: what is frozen may hold SQLite's one write lock."""
        if self.place.embedded:
            end = time.monotonic() + seconds
            wait_for(lambda: time.monotonic() > end, seconds + 5)
        else:
            self._calm(seconds)

    def _wipe_broker(self, _process):
        self.place.wipe_broker()
        return True

    def _kill_keeper(self, _process):
        keeper = self.keepers[0]
        keeper.kill()
        self.keepers[0] = self.place.start("keeper")
        return True

    def _restart_redis(self, _process):
        self.place.lose_broker()
        return self.place.redis.answers()

    def _restart_database(self, _process):
        self.database.kill()
        self.database.start()
        return True

    def _replace(self, process):
        self.place.processes.remove(process)
        self.fleet[self.fleet.index(process)] = self.place.start(process.role)

    def _recover(self):
        """The storm is over: everything must come to its end by itself."""
        began = time.monotonic()

        def over():
            with contextlib.suppress(StoreError):
                return all(str(self.place.job(n).state) in FINISHED for n in self.jobs)
            return False

        with contextlib.suppress(AssertionError):
            wait_for(over, 90, "the end of all jobs")
        self.card.recovery_seconds = round(time.monotonic() - began, 2)

    def _workers_back(self):
        # An embedded worker leaves the rows of killed predecessors behind for a while: look at the living.
        return sum(all([p.alive(), p.celery(), len(p.pool()) == self.place.settings.slots]) for p in self.fleet)

    def _judge(self):
        store, card = self.place.store, self.card
        self._watch()
        views = {number: self.place.job(number) for number in self.jobs}
        events = {number: store.events(number) for number in self.jobs}
        chunks = [chunk for number in self.jobs for chunk in store.chunks(number)]
        counts = collections.Counter(event.event for each in events.values() for event in each)
        done = collections.Counter(event.chunk_id for each in events.values() for event in each if event.event == "done")
        ended = collections.Counter(self.place.executions("end"))
        card.jobs, card.chunks = len(self.jobs), len(chunks)
        card.executions_started, card.executions_ended = len(self.place.executions("start")), ended.total()
        card.attempts_lost, card.released = counts["expired"] + counts["lost"], counts["released"]
        quiet = True
        try:
            wait_for(lambda: self._workers_back() == len(self.fleet), 60, "all workers")
            wait_for(lambda: self.place.waiting_messages() == 0, 60, "an empty broker")
        except AssertionError:
            quiet = False
        card.verdicts = {
            "submitted some": card.jobs > 0,
            "all blows landed": self.missed == 0 and len(card.blows) > 0,
            "none lost": all(str(chunk.state) == "done" for chunk in chunks) and len(chunks) == card.jobs * CHUNKS,
            "none pending": all(str(view.state) == "done" for view in views.values()),
            "each result exactly once": all(view.results == CHUNKS * ITEMS for view in views.values()),
            "each chunk done exactly once": all(done[chunk.id] == 1 for chunk in chunks),
            "the ledger agrees": set(ended) == {(seed, 0, i) for seed in self.jobs.values() for i in range(CHUNKS)},
            "same bytes as undisturbed": all(
                views[n].digest == digest_of("fake.sleep", seed=seed, chunks=CHUNKS, items=ITEMS)
                for n, seed in self.jobs.items()
            ),
            "progress never went back": self.monotone,
            "progress is exact": all(view.items_done == view.items_expected for view in views.values()),
            "all workers back": self._workers_back() == len(self.fleet),
            "broker clean": quiet and self.place.waiting_messages() == 0,
        }


def _kill(process):
    with contextlib.suppress(psutil.NoSuchProcess):
        process.send_signal(signal.SIGKILL)
    return wait_for(lambda: _is_dead(process), 10, "a kill")


def _is_dead(process):
    try:
        return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:  # it went between the two questions
        return True
