"""The job kind `pegs.solve`: solutions of one problem, that is, of a start and the finishes allowed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random

from engine.errors import LimitExceededError
from engine.jobs import (
    ChunkPlan,
    ChunkResult,
    ChunkRun,
    ChunkSpec,
    Estimate,
    InputKind,
    JobOutcome,
    JsonObject,
    Slice,
    StagePlan,
)
from engine.pegs.boards import Board
from engine.pegs.build import build_graph, build_graph_stepwise
from engine.pegs.catalogue import find_board, named_board
from engine.pegs.cost import expected_cost
from engine.pegs.enumerate_job import memory_note
from engine.pegs.errors import NoSolutionError
from engine.pegs.graph import SolutionGraph
from engine.pegs.levels import SLICE_POSITIONS
from engine.pegs.params import Mode, SolveParams, finish_holes
from engine.pegs.parity import possible_finishes
from engine.pegs.records import SolutionRecord
from engine.pegs.report import exact
from engine.pegs.solution import Solution
from engine.pegs.steps import every
from engine.pegs.sweeps import FewestMoves, fewest_moves, fewest_moves_stepwise

LISTED_MAX = 1_000_000
"""Solutions that `mode=all` lists; more are reached by index."""
_COUNTED_HOLES = 28
"""Up to here a solution's index among all finishes is cheap to find even when one finish was asked for."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A vacancy to start from, and where the last peg may end (None: anywhere)."""

    board: Board
    start: int
    finishes: tuple[int, ...] | None


def no_solution(board: Board, start: int, finishes: tuple[int, ...] | None) -> NoSolutionError:
    """Return the error of a problem without a solution: position `start`, last peg in `finishes` (None: anywhere).

    Where parity shows it, the message says so.
    """
    where = "any hole" if finishes is None else ", ".join(f"hole {hole} ({board.hole_names[hole]})" for hole in finishes)
    possible = possible_finishes(board, start)
    wanted = possible if finishes is None else [hole for hole in possible if hole in finishes]
    why = "" if wanted else " (by parity: it is in another position class than the start)"
    return NoSolutionError(f"{board.name}: no solution from this start leaves one peg in {where}{why}")


def graph_finishes(board: Board, start: int, finishes: tuple[int, ...] | None, mode: Mode) -> tuple[int, ...] | None:
    """Return the finishes to build the graph for, so that it serves `mode` with the finishes asked for (None: any hole).

    For a shortest solution the symmetric finishes do no harm, and the graph stays as small as the start's symmetries make it.
    The other modes number and count the solutions of just those finishes.
    """
    if finishes is None or mode is not Mode.SHORTEST:
        return finishes
    return tuple(sorted({s[hole] for s in board.stabiliser(start) for hole in finishes}))


def solutions_of(graph: SolutionGraph, finishes: tuple[int, ...] | None) -> int:
    """Return how many solutions end in `finishes` (None: any hole), given a graph from `graph_finishes`."""
    # The graph may have the symmetric finishes as well: each of them has as many.
    return graph.total if finishes is None else graph.total * len(finishes) // len(graph.finishes)


def choose(
    graph: SolutionGraph,
    moves: FewestMoves,
    mode: Mode,
    *,
    finishes: tuple[int, ...] | None,
    index: int,
    count: int,
    rng: Random,
) -> Iterator[Solution]:
    """Yield the solutions that `mode` asks for from a graph that has some.

    Raise `LimitExceededError` when all are too many, `InvalidInputError` when there is none of that index.
    """
    if mode is Mode.SHORTEST:
        yield moves.shortest(finishes[0] if finishes is not None else None)
    elif mode is Mode.RANDOM:
        for _ in range(count):
            yield graph.sample(rng)
    elif mode is Mode.INDEX:
        yield graph.solution(index)
        yield from islice(graph.solutions(index), 1, count)
    elif graph.total > LISTED_MAX:
        raise LimitExceededError(
            f"{graph.board.name}: {graph.total:,} solutions, more than the {LISTED_MAX:,} that are listed; "
            "ask for some by index, or at random"
        )
    else:
        yield from graph.solutions()


class Solve:
    """`pegs.solve`: one chunk."""

    name = "pegs.solve"
    family = "pegs"
    summary = "Solve a peg solitaire problem: shortest, every, numbered or random solutions."
    input = InputKind.BOARD
    params_model = SolveParams

    def parse_line(self, text: str) -> str | None:
        """Return the line: this kind reads a board, not lines."""
        return text or None

    def plan(self, params: SolveParams, items: Sequence[str]) -> StagePlan:
        """Plan the one chunk; raise `UnknownBoardError`, `BoardTextError` or `UnknownHoleError` for what does not exist."""
        del items
        problem = _problem(params)
        items_expected = params.count if params.mode in (Mode.RANDOM, Mode.INDEX) else 1
        return StagePlan([ChunkPlan({"start": problem.start}, items=items_expected)], label=problem.board.name)

    def next_stage(self, params: SolveParams, outcome: JobOutcome) -> StagePlan | None:
        """Return None: one stage does it."""
        del params, outcome
        return None

    def summarize(self, params: SolveParams, outcome: JobOutcome) -> JsonObject:
        """Return the number of solutions there are and the fewest moves."""
        done = [summary for stage in outcome.stages for summary in stage.summaries if summary is not None]
        return {"board": find_board(params.board).name, **(done[0] if done else {})}

    def estimate(self, params: SolveParams, items: Sequence[str]) -> Estimate:
        """Return a guess from the rank of the board's jumps, with a warning where the memory limit will hardly do."""
        del items
        problem = _problem(params)
        cost = expected_cost(problem.board, problem.board.vacancy(problem.start), enumerate_all=False, graph=True)
        memory = min(cost.memory_mib, params.memory_mib)
        return Estimate(round(cost.core_seconds, 1), memory, memory_note(cost.memory_mib, params.memory_mib))

    def warm(self) -> None:
        """Compile the kernels, on the smallest board that has solutions."""
        board = named_board("triangle-10")
        graph = build_graph(board, board.vacancy(1))
        assert len(list(graph.solutions())) == graph.total
        fewest_moves(graph)

    def run(self, spec: ChunkSpec) -> ChunkRun:
        """Build the problem's solution graph and give the solutions asked for; an unsolvable problem gives none."""
        params = SolveParams.model_validate(spec.params)
        problem = _problem(params)
        position = problem.board.vacancy(problem.start)
        aims = graph_finishes(problem.board, position, problem.finishes, params.mode)
        graph: SolutionGraph
        notes = every(SLICE_POSITIONS, build_graph_stepwise(problem.board, position, aims, memory_mib=params.memory_mib))
        while True:
            try:
                yield Slice(0, 1, next(notes))
            except StopIteration as stop:
                graph = stop.value
                break
        moves: FewestMoves
        move_notes = every(SLICE_POSITIONS, fewest_moves_stepwise(graph))
        while True:
            try:
                yield Slice(0, 1, next(move_notes))
            except StopIteration as stop:
                moves = stop.value
                break
        total = exact(solutions_of(graph, problem.finishes))
        summary = {"start": problem.start, "solutions": total, "fewest_moves": moves.fewest}
        if not graph.total:
            return ChunkResult((), {**summary, "why": str(no_solution(problem.board, position, problem.finishes))})
        numbering = _numbering(problem, graph)
        rng = Random(spec.rng_seed())  # noqa: S311  # a reproducible draw, not a secret
        chosen = choose(graph, moves, params.mode, finishes=problem.finishes, index=params.index, count=params.count, rng=rng)
        records = [
            SolutionRecord(
                problem.board.record(),
                problem.start,
                numbering.index_of(solution.jumps) if numbering is not None else None,
                solution.finish,
                solution.jumps,
                solution.moves,
                shortest=solution.moves == moves.by_finish[solution.finish],
            )
            for solution in chosen
        ]
        return ChunkResult(records, summary)


def _problem(params: SolveParams) -> Problem:
    board = find_board(params.board)
    start = board.hole(params.start)
    return Problem(board, start, finish_holes(board, start, params.finish))


def _numbering(problem: Problem, graph: SolutionGraph) -> SolutionGraph | None:
    """Return the graph of all finishes, whose numbers the database keeps; None where that would be dear."""
    if problem.finishes is None:
        return graph
    return build_graph(problem.board, graph.start) if len(problem.board) <= _COUNTED_HOLES else None
