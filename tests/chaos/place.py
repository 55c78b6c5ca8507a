"""A place where jobs run: a database, a broker, and real service processes that can be killed, stopped and started again."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import redis as redis_client

from db import schema
from db.session import make_engine
from db.settings import Settings
from db.store import Store
from engine import registry
from workers.app import QUEUE, make_app
from workers.task import TASK_NAME

ROOT = Path(__file__).parents[2]
KINDS = "chaos.fake_kinds"
FINISHED = {"done", "partial", "cancelled", "failed"}


def wait_for(condition, seconds=30.0, what="the condition"):
    """Wait until `condition()` is true and return its value; fail after `seconds`."""
    deadline = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise AssertionError(f"{what} did not come true within {seconds} s")
        time.sleep(0.02)


class Process:
    """A service process in a session of its own, with its output in a file."""

    def __init__(self, place, role, number):
        self.role = role
        self.place = place
        self.output = place.folder / f"{role}-{number}.txt"
        with self.output.open("ab") as out:
            self.popen = subprocess.Popen(
                [sys.executable, "-m", "chaos.serve", role],
                env=place.environment,
                cwd=place.folder,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                start_new_session=True,
            )

    def send(self, number):
        self.popen.send_signal(number)

    def kill(self):
        """Kill the supervisor itself, nothing else: the rest has to notice."""
        self.popen.kill()
        self.popen.wait()

    def stop(self, seconds=20.0):
        """Ask to stop, and return the exit code."""
        with contextlib.suppress(ProcessLookupError):
            self.popen.send_signal(signal.SIGCONT)
        self.popen.terminate()
        return self.popen.wait(seconds)

    def celery(self):
        """Return the Celery parent, None if there is none just now."""
        return next(iter(_children(self.popen.pid)), None)

    def pool(self):
        """Return the pool processes."""
        parent = self.celery()
        return _children(parent.pid) if parent else []

    def alive(self):
        return self.popen.poll() is None


def _children(pid):
    with contextlib.suppress(psutil.NoSuchProcess):
        return [p for p in psutil.Process(pid).children() if p.status() != psutil.STATUS_ZOMBIE]
    return []


class Place:
    """Settings, a store, and the processes started here. Times are short: leases of 2 s, dispatch deadlines of 3 s."""

    def __init__(self, folder, *, database_url=None, redis=None, slots=2, **changes):
        self.folder = Path(folder)
        self.ledger = self.folder / "ledger.jsonl"
        self.redis = redis
        self.processes = []
        self.changes = {
            "data_dir": str(self.folder / "data"),
            "lease_seconds": 2.0,
            "dispatch_deadline": 3.0,
            "sweep_seconds": 0.3,
            "dispatch_seconds": 0.1,
            "slots": slots,
            "extra_kinds": KINDS,
            **changes,
        }
        if database_url:
            self.changes["database_url"] = database_url
        if redis:
            self.changes["broker_url"] = redis.url
        self.settings = Settings(_env_file=None, **self.changes)
        registry.add_modules([KINDS])
        schema.upgrade(self.settings.effective_database_url())
        self.engine = make_engine(self.settings.effective_database_url())
        self.store = Store(
            self.engine,
            lease_seconds=self.settings.lease_seconds,
            dispatch_deadline=self.settings.dispatch_deadline,
            artifact_dir=self.settings.artifact_dir,
        )
        self.environment = {
            **{k: v for k, v in os.environ.items() if not k.startswith("PUZZLEMILL_")},
            **{f"PUZZLEMILL_{k.upper()}": str(v) for k, v in self.changes.items()},
            "FAKE_LEDGER": str(self.ledger),
            "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tests")]),
        }

    @property
    def embedded(self):
        return self.redis is None

    def start(self, role):
        process = Process(self, role, len(self.processes))
        self.processes.append(process)
        return process

    def start_all(self, workers=1):
        """Start what computes here: an embedded supervisor, or workers and a keeper. Return the processes with a pool."""
        if self.embedded:
            return [self.start("embedded")]
        self.start("keeper")
        return [self.start("worker") for _ in range(workers)]

    def submit(self, kind="fake.sleep", *, seed=1, priority=0, max_attempts=3, key=None, **params):
        found = registry.kind(kind)
        model = found.params_model(**params)
        plan = found.plan(model, [])
        return self.store.submit(
            kind, model.model_dump(mode="json"), seed, plan, priority=priority, max_attempts=max_attempts, idempotency_key=key
        ).job_id

    def job(self, job_id):
        return self.store.job(job_id)

    def finished(self, job_id, seconds=60.0):
        """Wait for the job's end and return its view."""
        try:
            wait_for(lambda: str(self.job(job_id).state) in FINISHED, seconds, f"the end of job {job_id}")
        except AssertionError as error:
            raise AssertionError(f"{error}\n{self.job(job_id)}\n{self.told()}") from None
        return self.job(job_id)

    def executions(self, event="end"):
        """Return what the ledger says: the key of each execution that started or ended, in order."""
        if not self.ledger.exists():
            return []
        lines = [json.loads(line) for line in self.ledger.read_text().splitlines()]
        return [tuple(line["key"]) for line in lines if line["event"] == event]

    def forks(self, file, pid):
        """Return what the process `pid` noted before each of its forks."""
        return [line for line in map(json.loads, file.read_text().splitlines()) if line["pid"] == pid]

    def running(self, count=1, seconds=30.0):
        """Wait until at least `count` chunks have been started."""
        wait_for(lambda: len(self.executions("start")) >= count, seconds, f"{count} chunks started\n{self.told()}")

    def told(self, size=3000):
        """Return the last `size` characters of every log, for the message of a failed test."""
        logs = [*self.folder.glob("*.txt"), *self.folder.glob("data/log/*.log")]
        return "\n".join(f"--- {log.name}\n{log.read_text()[-size:]}" for log in logs)

    def wipe_broker(self):
        """Drop all messages."""
        if self.redis:
            client = redis_client.Redis.from_url(self.redis.url)
            client.flushall()
            client.close()
        else:
            for message in self.settings.spool_dir.rglob("*.msg"):
                message.unlink(missing_ok=True)

    def waiting_messages(self):
        """Return how many messages wait in the broker."""
        if self.embedded:
            return len(list(self.settings.spool_dir.rglob("*.msg")))
        client = redis_client.Redis.from_url(self.redis.url)
        try:
            return client.llen(QUEUE)
        finally:
            client.close()

    def lose_broker(self):
        """Kill the broker and start it empty; the spool's folders are deleted, and it is up to the others to make them."""
        if self.redis:
            self.redis.kill()
            self.redis.start()
        else:
            shutil.rmtree(self.settings.spool_dir, ignore_errors=True)

    def publish(self, chunk_ids):
        """Send wake-ups behind the keeper's back."""
        app = make_app(self.settings)
        for chunk_id in chunk_ids:
            app.send_task(TASK_NAME, (chunk_id,), retry=False)
        app.close()

    def close(self):
        for process in self.processes:
            tree = [process.popen.pid, *(p.pid for p in [process.celery(), *process.pool()] if p)] if process.alive() else []
            for pid in tree:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            process.popen.wait()
        self.engine.dispose()
