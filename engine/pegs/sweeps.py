"""Fewest moves: a move is a sweep, that is, consecutive jumps by one peg; found exactly on the solution graph.

Every position on a shortest solution is a winning one, and the levels of the graph are in order of jumps, so one pass over them
settles each position's fewest moves before it is gone on from.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from engine.pegs import _graph_kernels as kernels
from engine.pegs.errors import NoSolutionError
from engine.pegs.graph import SolutionGraph
from engine.pegs.solution import Solution
from engine.pegs.steps import Step, Steps
from engine.steps import result_of

_SLICE_POSITIONS = 1 << 17
_STEP_WORK = 1 << 18  # sweeps make a position dearer than its jumps


@dataclass(frozen=True, slots=True, eq=False)
class FewestMoves:
    """The fewest moves from the start to every class of the graph."""

    graph: SolutionGraph
    moves: npt.NDArray[np.uint8]
    """(classes,): in the order of the graph's keys."""
    by_finish: dict[int, int]
    """For each hole where the last peg can end, the fewest moves of a solution that ends there."""

    @property
    def fewest(self) -> int | None:
        """Return the fewest moves of any solution, or None if there is no solution."""
        return min(self.by_finish.values(), default=None)

    def shortest(self, finish: int | None = None) -> Solution:
        """Return one solution with the fewest moves that ends in `finish` (default: any hole), always the same one.

        Raise `NoSolutionError` if none ends there.
        """
        if finish is None:
            if not self.by_finish:
                raise NoSolutionError(f"{self.graph.board.name}: no solution from this start")
            finish = min(self.by_finish, key=lambda hole: (self.by_finish[hole], hole))
        if finish not in self.by_finish:
            raise NoSolutionError(f"{self.graph.board.name}: no solution from this start ends in hole {finish}")
        position = 1 << finish
        left = self.by_finish[finish]
        jumps: list[tuple[int, int]] = []
        while left:
            position, sweep = self._before(position, left)
            jumps[:0] = sweep
            left -= 1
        return Solution(self.graph.board, self.graph.start, tuple(jumps), finish)

    def _before(self, position: int, moves: int) -> tuple[int, list[tuple[int, int]]]:
        """Undo one move of a shortest way to `position`; return the position before it and the move's jumps."""
        for hole in self.graph.board.holes_of(position):
            found = self._undo(position, hole, moves - 1)
            if found is not None:
                return found
        raise AssertionError("a position with fewest moves has one before it")

    def _undo(self, position: int, peg: int, wanted: int) -> tuple[int, list[tuple[int, int]]] | None:
        for jump in self.graph.board.jumps:
            if jump.to != peg or position & jump.holes != 1 << peg:
                continue
            before = position ^ jump.holes
            index = self.graph.find(before)
            if index < 0:
                continue
            this = (jump.origin, jump.to)
            if self.moves[index] == wanted:
                return before, [this]
            earlier = self._undo(before, jump.origin, wanted)
            if earlier is not None:
                return earlier[0], [*earlier[1], this]
        return None


def fewest_moves(graph: SolutionGraph) -> FewestMoves:
    """Return the fewest moves to every position of `graph`."""
    return result_of(fewest_moves_stepwise(graph))


def fewest_moves_stepwise(graph: SolutionGraph) -> Steps[FewestMoves]:
    """Do as `fewest_moves`, step by step."""
    moves = np.full(len(graph), kernels.FAR, np.uint8)
    if not len(graph):
        return FewestMoves(graph, moves, {})
    moves[0] = 0
    group, board = graph.group, graph.board
    origins = [jump.origin for jump in board.jumps]
    jumps_from = np.searchsorted(origins, np.arange(len(board) + 1)).astype(np.int64)
    landing = np.array([jump.to for jump in board.jumps], np.int64)
    images = group.scratch()
    stack_positions, stack_jumps = np.zeros(graph.length + 1, np.uint64), np.zeros(graph.length + 1, np.int64)
    for level in range(graph.length):
        last = int(graph.bounds[level + 1])
        for first in range(int(graph.bounds[level]), last, _SLICE_POSITIONS):
            kernels.spread_moves(
                graph.keys, graph.bounds, level, first, min(first + _SLICE_POSITIONS, last), group.triples, group.forward,
                group.changes, group.tables, jumps_from, landing, moves, images, stack_positions, stack_jumps,
            )  # fmt: skip
            yield Step(_STEP_WORK, f"fewest moves: jump {level}")
    reached = {hole: graph.find(1 << hole) for hole in graph.finishes}
    by_finish = {hole: int(moves[index]) for hole, index in reached.items() if index >= 0}
    return FewestMoves(graph, moves, by_finish)
