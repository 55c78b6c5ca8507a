"""What the service costs: the same chunks through queue, database and workers against the engine called directly.

Both sides use one process a core, started and warm before the clock starts. The service's side ends when the job is closed:
every result stored, every digest noted. Chunks that do nothing show what a chunk costs at least.

`alone_per_second` is what one process computes while the other cores are idle. As many times that as there are cores is the
ideal of which the other figures give the share: `service_percent_of_alone` for all that the service does, and
`direct_percent_of_alone` for bare processes on all cores, where what is missing is the machine's loss from being busy on all.
"""

import gzip
import multiprocessing
import os
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing.pool import Pool
from pathlib import Path
from statistics import median
from typing import Any, Self

from bench import queue_store
from bench.result import BenchResult
from db import schema
from db.session import make_engine
from db.settings import Settings
from db.store import Store
from engine import registry
from engine.jobs import ChunkSpec, JobKind, JobOutcome, JsonObject, StageOutcome, StagePlan, run_to_end
from workers.supervisor import Supervisor

TARGET_SECONDS = 30.0
"""Work of one run, on all cores together."""

SAMPLE = 2000
"""Puzzles made to find out how many make up the target."""

EMPTY_CHUNKS = 1000

SEED = 1


@dataclass(frozen=True, slots=True)
class Work:
    """A job to measure with."""

    kind: str
    params: JsonObject
    items: Sequence[str]
    what: str

    def parts(self) -> tuple[JobKind[Any], Any, StagePlan]:
        """Return the kind, its parameters and the first stage."""
        kind = registry.kind(self.kind)
        params = kind.params_model.model_validate(self.params)
        return kind, params, kind.plan(params, self.items)


def run(path: Path | None, *, repeats: int) -> BenchResult:
    """Solve the puzzles of a file, or else make and rate sudokus for about 30 s, both ways in turn."""
    slots = os.cpu_count() or 1
    registry.add_modules(["bench._empty_kind"])
    name = "sudoku.generate" if path is None else "sudoku.solve"
    start = time.perf_counter()
    registry.kind(name).warm()
    compile_seconds = time.perf_counter() - start
    empty = Work("bench.empty", {"chunks": EMPTY_CHUNKS}, (), "nothing")
    with multiprocessing.get_context("fork").Pool(slots) as pool, tempfile.TemporaryDirectory() as folder:
        work = _generate(pool) if path is None else _solve(path)
        settings = Settings(data_dir=Path(folder), extra_kinds="bench._empty_kind")
        with Service(settings, slots, work.kind) as service:
            runs = [(_direct(work, pool)[0], service.seconds(work, number), _alone(work, pool)) for number in range(repeats)]
            empty_seconds = service.seconds(empty, 0)
            items = service.items
    direct, through, _ = (median(times) for times in zip(*runs, strict=True))
    # Whatever else the machine does only adds time, so the fastest runs are the ones to compare.
    fastest_direct, fastest_through, fastest_alone = (min(times) for times in zip(*runs, strict=True))
    ideal = items * fastest_alone / slots
    return BenchResult(
        "queue",
        items,
        through,
        repeats,
        compile_seconds,
        {
            "work": work.what,
            "chunks": len(work.parts()[2].chunks),
            "slots": slots,
            "direct_seconds": round(direct, 3),
            "overhead_percent": round(100 * (fastest_through / fastest_direct - 1), 1),
            "alone_per_second": round(1 / fastest_alone, 1),
            "direct_percent_of_alone": round(100 * ideal / fastest_direct, 1),
            "service_percent_of_alone": round(100 * ideal / fastest_through, 1),
            "empty_chunks_per_second": round(EMPTY_CHUNKS / empty_seconds, 1),
            "claim_and_finish_alone": queue_store.run(None, repeats=1).details,
            "database": "sqlite",
            "broker": "file spool",
        },
    )


class Service:
    """The embedded service on a database of its own, its workers warm."""

    def __init__(self, settings: Settings, slots: int, kind: str) -> None:
        url = settings.effective_database_url()
        schema.upgrade(url)
        self.items = 0
        self._engine = make_engine(url)
        self._store = Store(
            self._engine,
            lease_seconds=settings.lease_seconds,
            dispatch_deadline=settings.dispatch_deadline,
            artifact_dir=settings.artifact_dir,
        )
        self._supervisor = Supervisor(settings, slots, warm=[kind])

    def __enter__(self) -> Self:
        self._supervisor.__enter__()
        self._supervisor.run(until=lambda: self._supervisor.ready)
        return self

    def __exit__(self, *_exc: object) -> None:
        self._supervisor.__exit__()
        self._engine.dispose()

    def seconds(self, work: Work, number: int) -> float:
        """Return the time from submitting the work to its job's end. Each run has a seed of its own: no result is there yet."""
        _kind, params, plan = work.parts()
        start = time.perf_counter()
        job_id = self._store.submit(work.kind, params.model_dump(mode="json"), SEED + number, plan).job_id
        self._supervisor.run(until=lambda: self._store.job(job_id).closed)
        seconds = time.perf_counter() - start
        view = self._store.job(job_id)
        if str(view.state) != "done":
            raise RuntimeError(f"the benchmark's job ended as {view.state}: {view.error}")
        self.items = max(self.items, view.items_done)
        return seconds


def _direct(work: Work, pool: Pool) -> tuple[float, float]:
    """Compute the same chunks with their digests, stage by stage, in a pool of processes; return wall and processor seconds."""
    kind, params, plan = work.parts()
    start = time.perf_counter()
    stages: list[StageOutcome] = []
    keys: set[str] = set()
    busy = 0.0
    following: StagePlan | None = plan
    while following is not None:
        number = len(stages)
        specs = [ChunkSpec(work.kind, work.params, SEED, number, i, chunk.payload) for i, chunk in enumerate(following.chunks)]
        results = pool.map(_compute, specs, chunksize=1)
        keys.update(key for each, _, _ in results for key in each)
        busy += sum(seconds for _, _, seconds in results)
        stages.append(StageOutcome(number, following.label, [summary for _, summary, _ in results]))
        following = kind.next_stage(params, JobOutcome(stages, len(keys)))
    return time.perf_counter() - start, busy


def _alone(work: Work, pool: Pool) -> float:
    """Return the seconds an item takes in one process, the others idle: the engine alone, without digest or keys."""
    chunk = work.parts()[2].chunks[0]
    return pool.apply(_seconds_an_item, (ChunkSpec(work.kind, work.params, SEED, 0, 0, chunk.payload),))


def _seconds_an_item(spec: ChunkSpec) -> float:
    start = time.perf_counter()
    result = run_to_end(registry.kind(spec.kind), spec)
    return (time.perf_counter() - start) / len(result.records)


def _compute(spec: ChunkSpec) -> tuple[list[str], JsonObject, float]:
    start = time.process_time()
    result = run_to_end(registry.kind(spec.kind), spec)
    result.digest()
    return [record.natural_key() for record in result.records], result.summary, time.process_time() - start


def _generate(pool: Pool) -> Work:
    """Return a job of as many sudokus as take about the target, from the processor time of a sample."""

    def work(count: int) -> Work:
        return Work("sudoku.generate", {"count": count}, (), f"sudoku.generate --count {count}")

    _direct(work(SAMPLE), pool)  # the first call in each process loads the kernels
    _wall, busy = _direct(work(SAMPLE), pool)
    return work(max(SAMPLE, round(SAMPLE * TARGET_SECONDS / busy / 1000) * 1000))


def _solve(path: Path) -> Work:
    parse: Callable[[str], str | None] = registry.kind("sudoku.solve").parse_line
    with gzip.open(path, "rt") if path.suffix == ".gz" else path.open() as lines:
        items = [item for item in map(parse, lines) if item is not None]
    return Work("sudoku.solve", {}, items, f"sudoku.solve {path.name}")
