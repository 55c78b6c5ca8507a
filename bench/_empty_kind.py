"""A job kind whose chunks do nothing: what remains is the service. Workers find it by the setting `extra_kinds`."""

from collections.abc import Sequence

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
    StagePlan,
)


class EmptyParams(Params):
    """How many chunks."""

    chunks: int = 1000


class Empty:
    """See the module."""

    name = "bench.empty"
    family = "bench"
    summary = "Chunks that do nothing"
    input = InputKind.NONE
    params_model = EmptyParams

    def parse_line(self, text: str) -> str | None:  # noqa: ARG002  # the contract's signature
        """Return None: there is no input."""
        return None

    def plan(self, params: EmptyParams, items: Sequence[str]) -> StagePlan:  # noqa: ARG002  # the contract's signature
        """Plan as many chunks as asked."""
        return StagePlan([ChunkPlan({})] * params.chunks)

    def next_stage(self, params: EmptyParams, outcome: JobOutcome) -> StagePlan | None:  # noqa: ARG002  # the contract's
        """Return None: one stage."""
        return None

    def summarize(self, params: EmptyParams, outcome: JobOutcome) -> JsonObject:  # noqa: ARG002  # the contract's signature
        """Return nothing."""
        return {}

    def estimate(self, params: EmptyParams, items: Sequence[str]) -> Estimate:  # noqa: ARG002  # the contract's signature
        """Say that it costs nothing."""
        return Estimate(0.0)

    def warm(self) -> None:
        """Do nothing."""

    def run(self, spec: ChunkSpec) -> ChunkRun:  # noqa: ARG002  # the contract's signature
        """Return nothing, after no slice."""
        yield from ()
        return ChunkResult()


KINDS = (Empty(),)
