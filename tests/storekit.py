"""What the store's tests are built from: a clock that stands still, small job kinds, plans, records."""

import random
from collections.abc import Iterator
from typing import Any, ClassVar

from db.store import Claim, Store
from engine.jobs import (
    ChunkPlan,
    ChunkResult,
    ChunkSpec,
    Estimate,
    InputKind,
    JobOutcome,
    Params,
    Slice,
    StagePlan,
)
from engine.sudoku.records import Rating, SudokuRecord


class ManualClock:
    """Time that moves when it is told to."""

    def __init__(self, now: float = 1000.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


class FakeParams(Params):
    stages: int = 1
    broken: str = ""


class FakeKind:
    """Plans `params.stages` stages of two chunks; `params.broken` names the method that raises."""

    name: ClassVar[str] = "fake.count"
    family: ClassVar[str] = "sudoku"
    summary: ClassVar[str] = "For tests."
    input: ClassVar[InputKind] = InputKind.NONE
    params_model: ClassVar[type[FakeParams]] = FakeParams

    def __init__(self) -> None:
        self.outcomes: list[JobOutcome] = []
        self.mended = False

    def parse_line(self, text: str) -> str | None:
        return text

    def plan(self, params: FakeParams, items: Any) -> StagePlan:
        return plan(2)

    def next_stage(self, params: FakeParams, outcome: JobOutcome) -> StagePlan | None:
        self.outcomes.append(outcome)
        if params.broken == "next_stage" and not self.mended:
            raise ZeroDivisionError("no way on")
        return plan(2, f"stage {len(outcome.stages)}") if len(outcome.stages) < params.stages else None

    def summarize(self, params: FakeParams, outcome: JobOutcome) -> dict[str, Any]:
        if params.broken == "summarize":
            raise KeyError("sum")
        done = [summary for stage in outcome.stages for summary in stage.summaries if summary is not None]
        return {"chunks": len(done), "distinct": outcome.distinct, "labels": [stage.label for stage in outcome.stages]}

    def estimate(self, params: FakeParams, items: Any) -> Estimate:
        return Estimate(1.0)

    def warm(self) -> None:
        pass

    def run(self, spec: ChunkSpec) -> Iterator[Slice]:
        yield Slice(1, 1)
        return result_of(spec)


def plan(chunks: int, label: str = "first", items: int = 10) -> StagePlan:
    return StagePlan([ChunkPlan({"part": part}, items) for part in range(chunks)], label)


def submit(store: Store, chunks: int = 2, **options: Any) -> int:
    params = options.pop("params", {})
    return store.submit("fake.count", params, 7, plan(chunks), **options).job_id


def chunk_ids(store: Store, job_id: int) -> list[int]:
    return [chunk.id for chunk in store.chunks(job_id)]


def claimed(store: Store, chunk_id: int, worker: str = "w") -> Claim:
    claim = store.claim(chunk_id, worker)
    assert claim is not None, f"chunk {chunk_id} is not to be had"
    return claim


def result_of(spec: ChunkSpec, records: int = 2) -> ChunkResult:
    """The result of a chunk, a function of its spec alone."""
    return ChunkResult([puzzle(f"{spec.seed}:{spec.stage}:{spec.index}:{i}") for i in range(records)], {"part": spec.index})


def finish(store: Store, chunk_id: int, worker: str = "w") -> None:
    claim = claimed(store, chunk_id, worker)
    assert store.finish(claim, result_of(claim.spec))


def events(store: Store, job_id: int) -> list[tuple[str, int | None]]:
    """(event, chunk index or None) of the whole log."""
    return [(event.event, event.index) for event in store.events(job_id)]


RATING = Rating(2.6, 1.2, 1.0, bound=False, level="easy", score=40, techniques={"hidden-single": 50, "x-wing": 1}, rater="t1")


def puzzle(key: str, form: str = "", **more: Any) -> SudokuRecord:
    """A made-up record: canonical form by `key`, its own form by `key` and `form`."""
    facts = {
        "puzzle": _text(key + form),
        "canonical": _text("canonical" + key),
        "status": "unique",
        "solution": _text("solution" + key + form).replace(".", "1"),
        "solutions_found": 1,
        "clues": 24,
    }
    return SudokuRecord(**(facts | more))


def _text(key: str) -> str:
    rng = random.Random(key)
    return "".join(rng.choice("123456789....") for _ in range(81))
