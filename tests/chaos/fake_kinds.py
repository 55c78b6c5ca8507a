"""Job kinds for tests only, without kernels: they sleep, fail, die, hang, eat memory or plan stages, as their parameters say.

Workers find them by `PUZZLEMILL_EXTRA_KINDS=fake_kinds` with this folder on PYTHONPATH. Each start and end of an execution is
appended to the file that FAKE_LEDGER names: what really happened, told by those who did it, apart from the database.
"""

import hashlib
import json
import os
import resource
import signal
import threading
import time
from pathlib import Path

import psutil

from engine.jobs import ChunkPlan, ChunkResult, Estimate, InputKind, Params, Slice, StagePlan
from engine.sudoku.records import SudokuRecord


def note_fork():
    """Write down what a child is about to inherit, into the file that FAKE_FORKS names."""
    me = psutil.Process()
    maps = Path("/proc/self/maps").read_text()
    line = {
        "pid": me.pid,
        "threads": me.num_threads(),
        "openmp": [name for name in ("libgomp", "libiomp", "libomp") if name in maps],
        "databases": [file.path for file in me.open_files() if ".db" in Path(file.path).name],
        "sockets": [str(link) for link in me.net_connections(kind="inet")],
    }
    with Path(os.environ["FAKE_FORKS"]).open("a") as file:
        file.write(json.dumps(line) + "\n")


if "FAKE_FORKS" in os.environ:
    os.register_at_fork(before=note_fork)


class SleepParams(Params):
    chunks: int = 4
    slices: int = 4
    seconds: float = 0.25
    """Of each slice."""
    items: int = 0
    """Records of each chunk."""


class TroubleParams(SleepParams):
    trouble: str = "raise"
    bad: tuple[int, ...] = ()
    """Indices of the chunks that are trouble at every attempt."""
    once: str = ""
    """A folder; with it, a bad chunk is trouble at its first attempt only."""


class StagedParams(Params):
    stages: int = 3
    chunks: int = 2
    seconds: float = 0.05


def ledger(event, spec):
    path = os.environ.get("FAKE_LEDGER")
    if path:
        line = {"event": event, "at": time.time(), "pid": os.getpid(), "key": [spec.seed, spec.stage, spec.index]}
        file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        os.write(file, json.dumps(line).encode() + b"\n")
        os.close(file)


def answer(spec):
    """Return what the chunk's content must be: any other execution of it gives the same."""
    return hashlib.blake2b(f"{spec.rng_seed()}".encode(), digest_size=8).hexdigest()


def record(spec, ordinal):
    """Return a record that looks like a sudoku; its puzzle is a number written in the digits 1 to 9 and blanks."""
    digest = hashlib.blake2b(f"{spec.rng_seed()}:{ordinal}".encode(), digest_size=33).digest()
    text = "".join(".123456789"[byte % 10] for byte in digest + digest + digest)[:81]
    return SudokuRecord(text, text, "unique", text.replace(".", "1"), 1, sum(c != "." for c in text))


class Fake:
    family = "sudoku"
    input = InputKind.NONE

    def parse_line(self, text):
        return text or None

    def plan(self, params, items):
        return StagePlan([ChunkPlan({}, max(1, getattr(params, "items", 1))) for _ in range(params.chunks)])

    def next_stage(self, params, outcome):
        return None

    def summarize(self, params, outcome):
        return {"answers": [s["answer"] if s else None for stage in outcome.stages for s in stage.summaries]}

    def estimate(self, params, items):
        return Estimate(core_seconds=1.0)

    def warm(self):
        pass


class Sleep(Fake):
    name = "fake.sleep"
    summary = "sleeps"
    params_model = SleepParams

    def run(self, spec):
        params = self.params_model.model_validate(spec.params)
        ledger("start", spec)
        for number in range(params.slices):
            time.sleep(params.seconds)
            yield Slice(number + 1, params.slices)
        ledger("end", spec)
        return ChunkResult([record(spec, n) for n in range(params.items)], {"answer": answer(spec)})


class Trouble(Sleep):
    name = "fake.trouble"
    summary = "troubles"
    params_model = TroubleParams

    def run(self, spec):
        params = self.params_model.model_validate(spec.params)
        bad = spec.index in params.bad
        if bad and params.once:
            try:
                os.close(os.open(Path(params.once) / str(spec.index), os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                bad = False
        if bad:
            ledger("start", spec)
            yield Slice(0, 1)
            match params.trouble:
                case "raise":
                    raise ValueError("this chunk is poison")
                case "die":
                    os.kill(os.getpid(), signal.SIGKILL)
                case "exit":
                    os._exit(7)
                case "hang":
                    threading.Event().wait()
                case "memory":
                    resource.setrlimit(resource.RLIMIT_AS, (2**32, resource.RLIM_INFINITY))
                    try:
                        bytearray(2**34)
                    finally:
                        resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        return (yield from super().run(spec))


class Staged(Fake):
    name = "fake.staged"
    summary = "plans stages"
    params_model = StagedParams

    def next_stage(self, params, outcome):
        done = len(outcome.stages)
        if done >= params.stages:
            return None
        seen = [s["answer"] for s in outcome.stages[-1].summaries if s]
        return StagePlan([ChunkPlan({"seen": seen}) for _ in range(params.chunks + done)], f"stage {done}")

    def run(self, spec):
        params = self.params_model.model_validate(spec.params)
        ledger("start", spec)
        time.sleep(params.seconds)
        yield Slice(1, 1)
        ledger("end", spec)
        text = json.dumps([spec.rng_seed(), spec.payload], sort_keys=True)
        return ChunkResult((), {"answer": hashlib.blake2b(text.encode(), digest_size=8).hexdigest()})


KINDS = (Sleep(), Trouble(), Staged())
