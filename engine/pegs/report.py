"""A start's full report: the enumeration's figures, fewest moves, and the answers to the two problems of a vacancy.

Problem A: fewest moves that leave one peg anywhere. Problem B: fewest moves that leave it in the hole empty at the start.
"""

from dataclasses import dataclass

from engine.errors import EngineError
from engine.jobs import JsonObject
from engine.pegs.build import build_graph_stepwise
from engine.pegs.enumeration import Enumeration
from engine.pegs.graph import SolutionGraph
from engine.pegs.levels import DEFAULT_MEMORY_MIB
from engine.pegs.steps import Steps
from engine.pegs.sweeps import FewestMoves, fewest_moves_stepwise

MAX_PLAIN = 2**53
"""Integers beyond this lose digits in JSON readers that use floating point; they are given as text too."""


@dataclass(frozen=True, slots=True, eq=False)
class StartReport:
    """What is known about one vacancy of a board. `graph` and `moves` are there if they were asked for."""

    hole: int | None
    """The hole that is empty at the start; None if the start is another kind of position."""
    enumeration: Enumeration
    graph: SolutionGraph | None
    moves: FewestMoves | None

    def problem_a(self) -> int | None:
        """Return the fewest moves to one peg anywhere; None if that is impossible or was not asked for."""
        return self.moves.fewest if self.moves else None

    def problem_b(self) -> int | None:
        """Return the fewest moves to one peg in the start hole; None if that is impossible or was not asked for."""
        return self.moves.by_finish.get(self.hole) if self.moves and self.hole is not None else None

    def problems(self) -> JsonObject:
        """Return the answers to Problem A and Problem B, `impossible` where there is none; nothing if not asked for."""
        if self.moves is None:
            return {}
        found: JsonObject = {"problem_a": _answer(self.problem_a())}
        return found if self.hole is None else {**found, "problem_b": _answer(self.problem_b())}

    def figures(self) -> JsonObject:
        """Return all figures under the names of `pegs enumerate`, integers exact."""
        found = figures_of(self.enumeration)
        if self.hole is not None:
            found["solutions_complement"] = self.enumeration.solutions_by_finish.get(self.hole, 0)
        if self.graph is not None:
            found["winning_classes"] = len(self.graph)
        if self.moves is not None:
            found["min_moves"] = self.problem_a()
            if self.hole is not None:
                found["min_moves_complement"] = self.problem_b()
            found["min_moves_by_finish"] = {str(hole): moves for hole, moves in self.moves.by_finish.items()}
        return found | self.problems()


def figures_of(enumeration: Enumeration) -> JsonObject:
    """Return an enumeration's figures under the names of `pegs enumerate`, integers exact, holes as text keys."""
    return {
        "positions": enumeration.positions,
        "classes": enumeration.classes,
        "positions_by_jumps": list(enumeration.positions_by_jumps),
        "classes_by_jumps": list(enumeration.classes_by_jumps),
        "solutions": enumeration.solutions,
        "solutions_by_finish": {str(hole): count for hole, count in enumeration.solutions_by_finish.items()},
        "games": enumeration.games,
        "games_by_jumps": list(enumeration.games_by_jumps),
        "shortest_game": enumeration.shortest_game,
        "stuck_positions": enumeration.stuck_positions,
        "stuck_positions_by_jumps": list(enumeration.stuck_by_jumps),
    }


def report_stepwise(
    enumeration: Enumeration, hole: int | None, *, moves: bool, memory_mib: int = DEFAULT_MEMORY_MIB
) -> Steps[StartReport]:
    """Return the report of the vacancy `hole` from its enumeration; with `moves`, its solution graph and fewest moves too.

    The graph counts the solutions a second time, from the finishes; raise `EngineError` should the two counts differ.
    """
    if not moves:
        return StartReport(hole, enumeration, None, None)
    graph = yield from build_graph_stepwise(enumeration.board, enumeration.start, memory_mib=memory_mib)
    if graph.total != enumeration.solutions:
        raise EngineError(
            f"{enumeration.board.name}: {enumeration.solutions} solutions counted forward, "
            f"{graph.total} backward; this is a bug, please report it"
        )
    fewest = yield from fewest_moves_stepwise(graph)
    return StartReport(hole, enumeration, graph, fewest)


def enumerate_vacancy(board_enumeration: Enumeration, hole: int) -> Enumeration:
    """Return the enumeration of the vacancy `hole`, carried over by symmetry from that of a symmetric vacancy."""
    return board_enumeration.moved(_symmetry_to(board_enumeration, hole))


def carried_figures(report: StartReport, hole: int) -> JsonObject:
    """Return the figures of the vacancy `hole`, carried over by symmetry from the report of a symmetric vacancy."""
    symmetry = _symmetry_to(report.enumeration, hole)
    found = report.figures()
    for name in ("solutions_by_finish", "min_moves_by_finish"):
        if name in found:
            moved = sorted((symmetry[int(finish)], value) for finish, value in found[name].items())
            found[name] = {str(finish): value for finish, value in moved}
    return found


def _symmetry_to(enumeration: Enumeration, hole: int) -> tuple[int, ...]:
    board = enumeration.board
    wanted = board.vacancy(hole)
    return next(s for s in board.symmetries if board.moved(enumeration.start, s) == wanted)


def with_texts(value: JsonObject) -> JsonObject:
    """Return `value` with a `NAME_text` beside every integer (or list or table of integers) that passes 2^53 anywhere."""
    found: JsonObject = {}
    for name, item in value.items():
        found[name] = item
        inner = list(item.values()) if isinstance(item, dict) else item if isinstance(item, list) else [item]
        if any(isinstance(i, int) and i > MAX_PLAIN for i in inner) or name in ("solutions", "games"):
            found[f"{name}_text"] = _texts(item)
    return found


def exact(value: int) -> int | str:
    """Return an integer as it is, or as text where a JSON reader might round it."""
    return value if abs(value) <= MAX_PLAIN else str(value)


def _texts(item: object) -> object:
    if isinstance(item, dict):
        return {key: str(value) for key, value in item.items()}
    return [str(value) for value in item] if isinstance(item, list) else str(item)


def _answer(moves: int | None) -> int | str:
    return "impossible" if moves is None else moves
