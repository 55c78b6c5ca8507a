"""The job kind `rings.solve`: a short solution of each position, with a proved lower bound."""

import time
from collections.abc import Sequence

from pydantic import Field

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
    chunk_size,
)
from engine.rings.beam import MAX_WIDTH, WIDTH
from engine.rings.lines import parse_state_line
from engine.rings.model import Puzzle, State
from engine.rings.records import SolutionRecord
from engine.rings.solve import FAR_NODES, NEAR_NODES, Method, Solution, solve, solving

CHUNK_SECONDS = 15.0


class SolveParams(Params):
    """Parameters of `rings.solve`."""

    method: Method = Field(
        default=Method.BEST,
        description="best: a beam, then IDA* to prove or shorten; beam; ida: a proved optimum or none; thesis: three steps.",
        examples=["best"],
    )
    width: int = Field(default=WIDTH, ge=1, le=MAX_WIDTH, description="States a beam keeps in each layer.", examples=[WIDTH])
    max_nodes: int | None = Field(
        default=None,
        ge=0,
        description="IDA* nodes a position may take (default: by method and length).",
        examples=[100_000_000],
    )


class SolveKind:
    """Solves positions, one a line."""

    name = "rings.solve"
    family = "rings"
    summary = "Solve five rings positions: short solutions with proved lower bounds, shortest ones up to about 20 clicks."
    input = InputKind.LINES
    params_model = SolveParams

    def parse_line(self, text: str) -> str | None:
        """Return the state as 35 digits; None for a blank line, a comment or a heading."""
        return parse_state_line(text)

    def plan(self, params: SolveParams, items: Sequence[str]) -> StagePlan:
        """Plan chunks of about 15 seconds; with fewer items, smaller ones, so that all cores work."""
        share = chunk_size(len(items), 1, int(CHUNK_SECONDS / _seconds(params)))
        if len(items) * _seconds(params) < 1.0:
            share = max(1, len(items))
        parts = [list(items[start : start + share]) for start in range(0, len(items), share)]
        return StagePlan([ChunkPlan({"states": part}, len(part)) for part in parts])

    def next_stage(self, params: SolveParams, outcome: JobOutcome) -> StagePlan | None:
        """Return None: there is one stage."""
        del params, outcome
        return None

    def summarize(self, params: SolveParams, outcome: JobOutcome) -> JsonObject:
        """Return how many were solved and proved, and the mean length and lower bound of the solved ones."""
        done = [summary for stage in outcome.stages for summary in stage.summaries if summary is not None]
        total = {
            key: sum(summary[key] for summary in done) for key in ("states", "solved", "optimal", "clicks", "lower_bounds")
        }
        solved = total["solved"]
        return {
            "method": str(params.method),
            "states": total["states"],
            "distinct": outcome.distinct,
            "solved": solved,
            "optimal": total["optimal"],
            "mean_clicks": round(total["clicks"] / solved, 3) if solved else None,
            "mean_lower_bound": round(total["lower_bounds"] / total["states"], 3) if total["states"] else None,
        }

    def estimate(self, params: SolveParams, items: Sequence[str]) -> Estimate:
        """Return the expected cost, for positions like random ones."""
        return Estimate(core_seconds=len(items) * _seconds(params), memory_mib=400 + params.width // 3000)

    def warm(self) -> None:
        """Compile the searches, map the table, and make the thesis method's own small table."""
        puzzle = Puzzle()
        state = puzzle.solved.after(puzzle.parse_moves("D R1 D"))
        for method in (Method.BEST, Method.THESIS):
            solve(state, method, width=10)

    def run(self, spec: ChunkSpec) -> ChunkRun:
        """Solve the chunk's states."""
        params = SolveParams.model_validate(spec.params)
        states = spec.payload["states"]
        pause = max(1, int(2.0 / _seconds(params)))
        records: list[SolutionRecord] = []
        for done, text in enumerate(states):
            begin = time.perf_counter()  # for information only: nothing depends on it, and it is no part of the content
            steps = solving(State(text), params.method, width=params.width, max_nodes=params.max_nodes)
            while True:
                try:
                    note = next(steps)
                except StopIteration as stop:
                    solution = stop.value
                    break
                yield Slice(done, len(states), note)
            records.append(as_record(solution, time.perf_counter() - begin))
            if (done + 1) % pause == 0:
                yield Slice(done + 1, len(states))
        solved = [record.clicks for record in records if record.clicks is not None]
        summary = {
            "states": len(records),
            "solved": len(solved),
            "optimal": sum(record.optimal for record in records),
            "clicks": sum(solved),
            "lower_bounds": sum(record.lower_bound for record in records),
        }
        return ChunkResult(records, summary)


def as_record(solution: Solution, seconds: float | None = None) -> SolutionRecord:
    """Return the solution as a record."""
    state = solution.state
    return SolutionRecord(
        state=state.text,
        canonical=state.canonical().text,
        method=str(solution.method),
        moves=None if solution.moves is None else state.puzzle.format_moves(solution.moves),
        clicks=solution.clicks,
        lower_bound=solution.lower_bound,
        optimal=solution.optimal,
        nodes=solution.nodes,
        seconds=seconds,
    )


def _seconds(params: SolveParams) -> float:
    """Return what a random position takes on one core: IDA* 4e7 nodes a second, a beam 0.6 s at 150,000 wide."""
    beam = 0.6 * params.width / 150_000
    nodes = FAR_NODES if params.max_nodes is None else params.max_nodes
    return {
        Method.THESIS: 0.001,
        Method.BEAM: beam + 0.001,
        Method.IDA: (NEAR_NODES if params.max_nodes is None else params.max_nodes) / 4e7 + 0.001,
        Method.BEST: beam + nodes / 4e7 + 0.001,
    }[params.method]
