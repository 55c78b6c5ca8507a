"""Job kinds without results, for trying the command line on a real database and real workers."""

import time
from collections.abc import Sequence
from typing import ClassVar

from pydantic import Field

from engine.errors import InvalidInputError
from engine.jobs import (
    ChunkPlan,
    ChunkResult,
    ChunkRun,
    ChunkSpec,
    Estimate,
    InputKind,
    JobOutcome,
    JsonObject,
    Params,
    Slice,
    StagePlan,
)


class _Kind:
    family = "cli"
    input: ClassVar[InputKind] = InputKind.NONE

    def parse_line(self, text: str) -> str | None:
        text = text.strip()
        if not text or text.startswith("#"):
            return None
        if not (text.isascii() and text.isdigit()):
            raise InvalidInputError(f"{text[:20]!r} is not a number")
        return text

    def next_stage(self, params: Params, outcome: JobOutcome) -> StagePlan | None:
        return None

    def summarize(self, params: Params, outcome: JobOutcome) -> JsonObject:
        return {"total": sum(s["sum"] for stage in outcome.stages for s in stage.summaries if s is not None)}

    def estimate(self, params: Params, items: Sequence[str]) -> Estimate:
        return Estimate(core_seconds=3600.0 * len(items) if len(items) > 50 else 0.1, note="a guess")

    def warm(self) -> None:
        pass


class AddParams(Params):
    plus: int = Field(default=0, description="Added to each number.", examples=[1])


class Add(_Kind):
    name = "cli.add"
    summary = "Add up numbers."
    input = InputKind.LINES
    params_model = AddParams

    def plan(self, params: AddParams, items: Sequence[str]) -> StagePlan:
        return StagePlan([ChunkPlan({"items": list(items[i : i + 2])}, len(items[i : i + 2])) for i in range(0, len(items), 2)])

    def run(self, spec: ChunkSpec) -> ChunkRun:
        yield Slice(0, len(spec.payload["items"]))
        return ChunkResult(summary={"sum": sum(int(item) + spec.params["plus"] for item in spec.payload["items"])})


class NapParams(Params):
    chunks: int = Field(default=2, description="How many chunks.")
    seconds: float = Field(default=0.1, description="How long each lasts.")
    fail: bool = Field(default=False, description="Whether the last chunk raises.")


class Nap(_Kind):
    name = "cli.nap"
    summary = "Last a while."
    params_model = NapParams

    def plan(self, params: NapParams, items: Sequence[str]) -> StagePlan:
        return StagePlan([ChunkPlan({"last": i == params.chunks - 1}) for i in range(params.chunks)], label="napping")

    def run(self, spec: ChunkSpec) -> ChunkRun:
        if spec.payload["last"] and spec.params["fail"]:
            raise ValueError("this chunk was told to fail")
        end = time.monotonic() + spec.params["seconds"]
        while time.monotonic() < end:
            time.sleep(0.05)
            yield Slice(0, 1, note="napping")
        return ChunkResult(summary={"sum": 1})


KINDS = (Add(), Nap())
