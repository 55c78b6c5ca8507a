"""The job kind `pegs.enumerate`: everything about a board and a start, or every start."""

from collections.abc import Sequence

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
from engine.pegs.catalogue import find_board, named_board
from engine.pegs.cost import expected_cost
from engine.pegs.enumeration import enumerate_from, enumerate_stepwise
from engine.pegs.graph_file import graph_bytes
from engine.pegs.levels import SLICE_POSITIONS
from engine.pegs.params import Choice, EnumerateParams
from engine.pegs.records import EnumerationRecord, SolutionRecord
from engine.pegs.report import StartReport, enumerate_vacancy, exact, report_stepwise
from engine.pegs.solution import count_moves
from engine.pegs.steps import every
from engine.steps import result_of

STORED_AUTO = 100_000
"""Solutions a start that `store=auto` keeps as rows: all of Triangle-15, none of Triangle-21."""
STORED_MAX = 2_000_000
"""Beyond this, rows are no use: the graph gives any solution by its index."""
GRAPH_STORED_MAX = 16_000_000
"""Classes of a solution graph that is kept as a file (up to 24 bytes each): English-33 from the centre has 1.7 million."""
MOVES_AUTO_HOLES = 33
SMALL_HOLES = 24
"""Up to here every start is enumerated by itself; on larger boards symmetric starts share one enumeration."""


class Enumerate:
    """`pegs.enumerate`. Small boards: a chunk for each start; larger ones: a chunk for each class of symmetric starts."""

    name = "pegs.enumerate"
    family = "pegs"
    summary = "Count everything about a peg solitaire board: positions, games, solutions, fewest moves."
    input = InputKind.BOARD
    params_model = EnumerateParams

    def parse_line(self, text: str) -> str | None:
        """Return the line: this kind reads a board, not lines."""
        return text or None

    def plan(self, params: EnumerateParams, items: Sequence[str]) -> StagePlan:
        """Plan the starts; raise `UnknownBoardError`, `BoardTextError` or `UnknownHoleError` for what does not exist."""
        del items
        board = find_board(params.board)
        groups = _start_groups(board, params.start)
        return StagePlan([ChunkPlan({"starts": starts}, items=len(starts)) for starts in groups], label=board.name)

    def next_stage(self, params: EnumerateParams, outcome: JobOutcome) -> StagePlan | None:
        """Return None: one stage does it."""
        del params, outcome
        return None

    def summarize(self, params: EnumerateParams, outcome: JobOutcome) -> JsonObject:
        """Return totals, and for each start its solutions and the answers to Problem A and Problem B."""
        chunks = [summary for stage in outcome.stages for summary in stage.summaries if summary is not None]
        starts = {str(row["start"]): row for chunk in chunks for row in chunk["starts"]}
        ordered = dict(sorted(starts.items(), key=lambda item: int(item[0])))
        answers = [row["problem_a"] for row in ordered.values() if isinstance(row.get("problem_a"), int)]
        return {
            "board": find_board(params.board).name,
            "starts_done": len(ordered),
            "solutions": exact(sum(int(row["solutions"]) for row in ordered.values())),
            "games": exact(sum(int(row["games"]) for row in ordered.values())),
            "fewest_moves": min(answers, default=None),
            "starts": ordered,
        }

    def estimate(self, params: EnumerateParams, items: Sequence[str]) -> Estimate:
        """Return a guess from the rank of the board's jumps, with a warning where the memory limit will hardly do."""
        del items
        board = find_board(params.board)
        moves = _wants_moves(params, board)
        seconds, memory = 0.0, 0
        for starts in _start_groups(board, params.start):
            position = board.vacancy(starts[0])
            once = expected_cost(board, position, enumerate_all=True, graph=False)
            graph = expected_cost(board, position, enumerate_all=False, graph=moves)
            seconds += once.core_seconds + len(starts) * graph.core_seconds
            memory = max(memory, once.memory_mib, graph.memory_mib)
        return Estimate(round(seconds, 1), min(memory, params.memory_mib), memory_note(memory, params.memory_mib))

    def warm(self) -> None:
        """Compile the kernels, on the smallest board that has solutions."""
        board = named_board("triangle-10")
        enumeration = enumerate_from(board, board.vacancy(1))
        report = result_of(report_stepwise(enumeration, 1, moves=True))
        assert report.graph is not None
        assert len(list(report.graph.solutions())) == report.graph.total

    def run(self, spec: ChunkSpec) -> ChunkRun:
        """Enumerate the chunk's starts; the result has a record for each."""
        params = EnumerateParams.model_validate(spec.params)
        board = find_board(params.board)
        starts = [int(hole) for hole in spec.payload["starts"]]
        want_moves = _wants_moves(params, board)
        steps = enumerate_stepwise(board, board.vacancy(starts[0]), memory_mib=params.memory_mib)
        notes = every(SLICE_POSITIONS, steps)
        while True:
            try:
                yield Slice(0, len(starts), next(notes))
            except StopIteration as stop:
                enumeration = stop.value
                break
        records, rows = [], []
        for done, hole in enumerate(starts):
            mine = enumerate_vacancy(enumeration, hole)
            work = report_stepwise(mine, hole, moves=want_moves, memory_mib=params.memory_mib)
            report_notes = every(SLICE_POSITIONS, work)
            while True:
                try:
                    yield Slice(done, len(starts), next(report_notes))
                except StopIteration as stop:
                    report = stop.value
                    break
            records.append(start_record(report, hole, params.store))
            rows.append(_row(report, hole))
            if hole != starts[-1]:
                yield Slice(done + 1, len(starts), f"{board.name}: start {hole}")
        return ChunkResult(records, {"starts": rows})


def _wants_moves(params: EnumerateParams, board: Board) -> bool:
    small = len(board) <= MOVES_AUTO_HOLES
    return Choice.YES in (params.moves, params.store) or (params.moves is Choice.AUTO and small)


def memory_note(expected: int, limit: int) -> str:
    """Return a warning if the expected memory passes the limit (both in MiB), else nothing."""
    if expected <= limit:
        return ""
    return f"may need {expected:,} MiB and stops with a message at the limit of {limit:,} MiB"


def _start_groups(board: Board, start: str) -> list[list[int]]:
    if start.strip().lower() != "all":
        return [[board.hole(start)]]
    if len(board) <= SMALL_HOLES:
        return [[hole] for hole in range(len(board))]
    return [list(holes) for holes in board.start_classes]


def _row(report: StartReport, hole: int) -> JsonObject:
    enumeration = report.enumeration
    row = {
        "start": hole,
        "positions": enumeration.positions,
        "solutions": exact(enumeration.solutions),
        "solutions_complement": exact(enumeration.solutions_by_finish.get(hole, 0)),
        "games": exact(enumeration.games),
    }
    return row | report.problems()


def start_record(report: StartReport, hole: int, store: Choice) -> EnumerationRecord:
    """Return the record of a start, with its graph and its solutions: all of them, or the shortest one of each finish.

    Raise `LimitExceededError` if all are wanted and they are too many.
    """
    board, total = report.enumeration.board, report.enumeration.solutions
    if report.graph is None or report.moves is None:
        return EnumerationRecord(board.record(), hole, report.figures())
    if store is Choice.YES and total > STORED_MAX:
        raise LimitExceededError(
            f"{board.name} from hole {hole} has {total:,} solutions; at most {STORED_MAX:,} are stored as rows "
            "(store=auto keeps the graph, which gives any of them by index)"
        )
    if store is Choice.YES or (store is Choice.AUTO and total <= STORED_AUTO):
        solutions = _all_solutions(report, hole)
    else:
        solutions = [_shortest_record(report, hole, finish) for finish in sorted(report.moves.by_finish)]
    graph = graph_bytes(report.graph) if len(report.graph) <= GRAPH_STORED_MAX else None
    return EnumerationRecord(board.record(), hole, report.figures(), solutions, graph)


def _shortest_record(report: StartReport, hole: int, finish: int) -> SolutionRecord:
    assert report.graph is not None
    assert report.moves is not None
    solution = report.moves.shortest(finish)
    index = report.graph.index_of(solution.jumps)
    return SolutionRecord(solution.board.record(), hole, index, finish, solution.jumps, solution.moves, shortest=True)


def _all_solutions(report: StartReport, hole: int) -> list[SolutionRecord]:
    assert report.graph is not None
    assert report.moves is not None
    board, fewest = report.enumeration.board.record(), report.moves.by_finish
    found = []
    for index, solution in enumerate(report.graph.solutions()):
        moves = count_moves(solution.jumps)
        shortest = moves == fewest[solution.finish]
        found.append(SolutionRecord(board, hole, index, solution.finish, solution.jumps, moves, shortest))
    return found
