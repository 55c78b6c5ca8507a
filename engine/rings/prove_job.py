"""The job kind `rings.prove`: shortest solutions with proof, a stage a bound."""

from collections.abc import Sequence
from enum import StrEnum

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
from engine.rings.beam import beam
from engine.rings.certificate import certificate
from engine.rings.ida import shortest
from engine.rings.lines import parse_state_line
from engine.rings.model import Puzzle, State
from engine.rings.prove import (
    Standing,
    begin,
    search_share,
    share_count,
    standing_of,
    standings,
    tables_used,
)
from engine.rings.records import SolutionRecord
from engine.rings.unions import unions
from engine.rings.unionsearch import UnionSearch
from engine.version import ENGINE_VERSION

STATES_A_CHUNK = 8
"""Stage 0 takes up to a second or two a state."""

LISTED = 100
"""States that the summary lists one by one."""


class Tables(StrEnum):
    """Which distance tables the searches use. The answer is the same; what it takes is not."""

    COLOURS = "colours"
    """Those of one colour, which build themselves."""
    UNIONS = "unions"
    """Those of two colours, which all workers must have: `puzzlemill rings tables --unions`."""


class ProveParams(Params):
    """Parameters of `rings.prove`."""

    max_clicks: int = Field(
        default=24,
        ge=0,
        le=60,
        description="Stop when no solution of so many clicks exists. Each click more takes seven to ten times as long.",
        examples=[24, 36],
    )
    tables: Tables = Field(
        default=Tables.COLOURS,
        description="unions: the tables of two colours, which `puzzlemill rings tables --unions` builds for all workers; "
        "random states need them (with max_clicks 36).",
        examples=["unions"],
    )
    alone_nodes: int = Field(
        default=50_000_000,
        ge=0,
        description="A bound expected to take fewer nodes is not split into chunks.",
        examples=[50_000_000],
    )
    chunk_nodes: int = Field(
        default=500_000_000, ge=1, description="Nodes a chunk is planned for (1 to 4e7 a second).", examples=[500_000_000]
    )


class ProveKind:
    """Proves shortest solutions of positions, one a line, or that there is none of `max_clicks` clicks."""

    name = "rings.prove"
    family = "rings"
    summary = "Prove the shortest solution of five rings positions, or that there is none within so many clicks."
    input = InputKind.LINES
    params_model = ProveParams

    def parse_line(self, text: str) -> str | None:
        """Return the state as 35 digits; None for a blank line, a comment or a heading."""
        return parse_state_line(text)

    def plan(self, params: ProveParams, items: Sequence[str]) -> StagePlan:
        """Plan stage 0: each state searched alone while that is quick."""
        if params.tables is Tables.UNIONS:
            tables_used(Puzzle(), with_unions=True)  # says so now if they are not there
        share = chunk_size(len(items), 1, STATES_A_CHUNK)
        starts = range(0, len(items), share)
        parts = [{"begin": [[start + k, text] for k, text in enumerate(items[start : start + share])]} for start in starts]
        return StagePlan([ChunkPlan(part, len(part["begin"])) for part in parts], "first bounds")

    def next_stage(self, params: ProveParams, outcome: JobOutcome) -> StagePlan | None:
        """Plan the next bound of every open state, and the results of those that the last stage closed."""
        before = {s.item: s for s in standings(outcome.stages[:-1], params.max_clicks)}
        chunks: list[ChunkPlan] = []
        bounds, expected = [], 0
        for standing in standings(outcome.stages, params.max_clicks):
            if standing.is_open(params.max_clicks):
                shares = share_count(standing, params.chunk_nodes)
                bounds.append(standing.lower_bound)
                expected += standing.next_nodes
                search = {"item": standing.item, "state": standing.state, "bound": standing.lower_bound, "shares": shares}
                chunks += [ChunkPlan({"search": {**search, "share": share}}) for share in range(shares)]
            elif standing.item in before and before[standing.item].is_open(params.max_clicks):
                chunks.append(ChunkPlan({"conclude": standing.as_json(), "tables": _tables(outcome)}))
        if not chunks:
            return None
        if not bounds:
            return StagePlan(chunks, "results")
        span = f"{min(bounds)}" if min(bounds) == max(bounds) else f"{min(bounds)} to {max(bounds)}"
        return StagePlan(chunks, f"bound {span}, about {expected:.1e} nodes")

    def summarize(self, params: ProveParams, outcome: JobOutcome) -> JsonObject:
        """Return how many are proved, and for each of the first hundred states its optimum or lower bound."""
        known = standings(outcome.stages, params.max_clicks)
        proved = [s for s in known if s.moves is not None]
        return {
            "states": len(known),
            "optimal": len(proved),
            "mean_optimal_clicks": round(sum(s.lower_bound for s in proved) / len(proved), 3) if proved else None,
            "nodes": sum(s.nodes for s in known),
            "tables": _tables(outcome),
            "engine_version": ENGINE_VERSION,
            "results": [answer(s) for s in known[:LISTED]],
        }

    def estimate(self, params: ProveParams, items: Sequence[str]) -> Estimate:
        """Return the expected cost for random positions, by what a bound of 24 (with unions: 32) clicks takes."""
        with_unions = params.tables is Tables.UNIONS
        seconds = 30.0 * 9.0 ** (min(params.max_clicks, 34) - 32) if with_unions else 1.0 * 8.0 ** (params.max_clicks - 24)
        memory = 2600 if with_unions else 400
        return Estimate(core_seconds=len(items) * max(1.0, seconds), memory_mib=memory, note="for positions like random ones")

    def warm(self) -> None:
        """Compile the searches, and map the tables that are there."""
        puzzle = Puzzle()
        near = puzzle.solved.after(puzzle.parse_moves("D R1 D"))
        shortest(near, max_clicks=5)
        beam(near, 10)
        view = unions(puzzle)
        if view is not None:
            UnionSearch(near, 3, view).run()

    def run(self, spec: ChunkSpec) -> ChunkRun:
        """Search the first bounds of some states, or a share of one bound, or give a result."""
        params = ProveParams.model_validate(spec.params)
        if "begin" in spec.payload:
            return _begin(params, spec.payload["begin"])
        if "search" in spec.payload:
            return _search(params, spec.payload["search"])
        return _conclude(standing_of(spec.payload["conclude"]), spec.payload["tables"])


def _begin(params: ProveParams, items: Sequence[tuple[int, str]]) -> ChunkRun:
    closed, known = [], []
    with_unions = params.tables is Tables.UNIONS
    tables = tables_used(Puzzle(), with_unions=with_unions)
    for done, (item, text) in enumerate(items):
        standing = None
        steps = begin(item, text, max_clicks=params.max_clicks, max_nodes=params.alone_nodes, with_unions=with_unions)
        for standing in steps:
            yield Slice(done, len(items), f"bound {standing.lower_bound}")
        if standing is None:
            continue
        known.append(standing.as_json())
        if not standing.is_open(params.max_clicks):
            closed.append(record_of(standing, tables))
    return ChunkResult(closed, {"standings": known, "tables": tables})


def _search(params: ProveParams, search: JsonObject) -> ChunkRun:
    nodes: int = 0
    moves: str | None = None
    with_unions = params.tables is Tables.UNIONS
    for step in search_share(search["state"], search["bound"], search["share"], search["shares"], with_unions=with_unions):
        nodes, moves = step
        yield Slice(0, 1, f"{nodes:,} nodes")
    return ChunkResult(
        (), {"item": search["item"], "share": search["share"], "shares": search["shares"], "nodes": nodes, "moves": moves}
    )


def _conclude(standing: Standing, tables: JsonObject) -> ChunkRun:
    yield Slice(0, 1)
    return ChunkResult([record_of(standing, tables)], {"item": standing.item})


def _tables(outcome: JobOutcome) -> JsonObject:
    """Return the tables that the first bounds were searched with, as the first chunk that is not lost has them."""
    named = (summary["tables"] for summary in outcome.stages[0].summaries if summary is not None)
    return next(named, {})


def record_of(standing: Standing, tables: JsonObject) -> SolutionRecord:
    """Return the record of a state's proof with the tables it used: its shortest solution, or only the lower bound."""
    state = State(standing.state)
    return SolutionRecord(
        state=standing.state,
        canonical=state.canonical().text,
        method="prove",
        moves=standing.moves,
        clicks=None if standing.moves is None else standing.lower_bound,
        lower_bound=standing.lower_bound,
        optimal=standing.moves is not None,
        nodes=standing.nodes,
        certificate=certificate(standing, tables),
    )


def answer(standing: Standing) -> JsonObject:
    """Return the result as the command line prints it: `state, optimal_clicks | none_below, moves, nodes, refuted`."""
    key = "none_below" if standing.moves is None else "optimal_clicks"
    return {
        "state": standing.state,
        key: standing.lower_bound,
        "moves": standing.moves,
        "nodes": standing.nodes,
        "refuted": [{"bound": one.bound, "nodes": one.nodes} for one in standing.refuted],
    }
