"""Stored results checked again: enumerations are counted anew, solutions replayed and renumbered."""

from collections.abc import Iterable, Iterator
from functools import lru_cache

from engine.errors import EngineError
from engine.jobs import JsonObject, Record
from engine.pegs.boards import Board
from engine.pegs.build import build_graph
from engine.pegs.catalogue import parse_board
from engine.pegs.enumeration import enumerate_from
from engine.pegs.graph import SolutionGraph
from engine.pegs.graph_file import read_graph
from engine.pegs.records import BoardRecord, EnumerationRecord, SolutionRecord
from engine.pegs.report import StartReport
from engine.pegs.solution import replay
from engine.pegs.sweeps import FewestMoves, fewest_moves


def verify(records: Iterable[Record]) -> Iterator[str | None]:
    """Yield for each record None if it holds when recomputed, else what is wrong with it."""
    for record in records:
        try:
            if isinstance(record, EnumerationRecord):
                yield _enumeration_fault(record)
            elif isinstance(record, SolutionRecord):
                yield _solution_fault(record)
            else:
                yield f"not a peg solitaire result: {type(record).__name__}"
        except EngineError as error:
            yield str(error)


@lru_cache(maxsize=64)
def _board(text: str) -> Board:
    return parse_board(text)


@lru_cache(maxsize=2)
def _solved(text: str, start: int) -> tuple[SolutionGraph, FewestMoves]:
    board = _board(text)
    graph = build_graph(board, board.vacancy(start))
    return graph, fewest_moves(graph)


def _board_fault(record: BoardRecord) -> str | None:
    board = _board(record.text)
    if board.shape_hash != record.shape_hash or len(board) != record.holes:
        return f"board {record.name}: the drawing does not fit the shape hash"
    return None


def _enumeration_fault(record: EnumerationRecord) -> str | None:
    fault = _board_fault(record.board)
    if fault is not None:
        return fault
    board = _board(record.board.text)
    enumeration = enumerate_from(board, board.vacancy(record.start))
    graph, moves = _solved(record.board.text, record.start) if "min_moves" in record.figures else (None, None)
    fresh = StartReport(record.start, enumeration, graph, moves).figures()
    for name, value in fresh.items():
        if name not in record.figures:
            return f"start {record.start}: figure {name} is missing"
        if _plain(record.figures[name]) != _plain(value):
            return f"start {record.start}: {name} is stored as {_short(record.figures[name])}, counted as {_short(value)}"
    if record.graph is not None:
        stored = read_graph(record.graph)
        if stored.total != enumeration.solutions or stored.start != enumeration.start or stored.board != board:
            return f"start {record.start}: the stored solution graph is another problem's"
    return next((fault for solution in record.solutions if (fault := _solution_fault(solution)) is not None), None)


def _solution_fault(record: SolutionRecord) -> str | None:
    fault = _board_fault(record.board)
    if fault is not None:
        return fault
    board = _board(record.board.text)
    solution = replay(board, board.vacancy(record.start), record.jumps)
    where = f"solution {record.jumps_text()} from hole {record.start}"
    if solution.finish != record.finish:
        return f"{where} ends in hole {solution.finish}, not {record.finish}"
    if solution.moves != record.moves:
        return f"{where} has {solution.moves} moves, not {record.moves}"
    graph, fewest = _solved(record.board.text, record.start)
    if record.shortest != (solution.moves == fewest.by_finish[solution.finish]):
        return f"{where}: the fewest moves to hole {solution.finish} are {fewest.by_finish[solution.finish]}"
    number = graph.index_of(record.jumps)
    return f"{where} is number {number}, not {record.index}" if record.index not in (None, number) else None


def _plain(value: object) -> object:
    """Return `value` with every integer as text: databases keep large ones so."""
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return None if value is None else str(value)


def _short(value: JsonObject | object) -> str:
    text = str(value)
    return text if len(text) <= 60 else text[:57] + "..."
