"""Builds a solution graph: searches from the start and back from the finishes until they meet; so neither side gets large."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from engine.pegs import _graph_kernels as kernels
from engine.pegs.boards import Board
from engine.pegs.graph import SolutionGraph
from engine.pegs.group import GroupTables, group_tables
from engine.pegs.levels import DEFAULT_MEMORY_MIB, SLICE_POSITIONS, LevelSearch
from engine.pegs.parity import possible_finishes
from engine.pegs.steps import Step, Steps
from engine.steps import result_of

Words = npt.NDArray[np.uint64]

_SIEVE_BYTES_A_KEY = 8


def build_graph(
    board: Board, start: int, finishes: Iterable[int] | None = None, *, memory_mib: int = DEFAULT_MEMORY_MIB
) -> SolutionGraph:
    """Return the graph of all solutions from position `start` that end in one of `finishes` (default: any hole)."""
    return result_of(build_graph_stepwise(board, start, finishes, memory_mib=memory_mib))


def build_graph_stepwise(
    board: Board, start: int, finishes: Iterable[int] | None = None, *, memory_mib: int = DEFAULT_MEMORY_MIB
) -> Steps[SolutionGraph]:
    """Do as `build_graph`, step by step."""
    wanted = tuple(range(len(board))) if finishes is None else tuple(sorted(set(finishes)))
    symmetries = [s for s in board.stabiliser(start) if {s[hole] for hole in wanted} == set(wanted)]
    group = group_tables(board, symmetries)
    aims = [hole for hole in possible_finishes(board, start) if hole in wanted]
    search = _Meeting(group, start, aims, memory_mib)
    levels = yield from search.run()
    return (yield from _count(group, start, wanted, levels, len(search.ahead)))


@dataclass(slots=True)
class _Meeting:
    """Two searches, one by jumps from the start, one by undone jumps from the single pegs; the smaller side goes on."""

    group: GroupTables
    start: int
    aims: Sequence[int]
    memory_mib: int
    ahead: list[Words] = field(default_factory=list)
    behind: list[Words] = field(default_factory=list)

    def run(self) -> Steps[list[Words] | None]:
        """Return each level's sorted candidates, with `len(self.ahead)` of them from the start's side; None if none can win."""
        length = self.start.bit_count() - 1
        if length < 0 or not self.aims:
            return None
        forward = LevelSearch(self.group, memory_mib=self.memory_mib)
        backward = LevelSearch(self.group, backward=True, memory_mib=self.memory_mib)
        front = forward.first([self.start])
        back = backward.first([1 << hole for hole in self.aims])
        self.ahead.append(np.sort(front.positions()))
        if length == 0:
            return self.ahead if self.start in {1 << hole for hole in self.aims} else None
        self.behind.append(np.sort(back.positions()))
        while len(self.ahead) + len(self.behind) < length + 1:
            forward.held = backward.held = sum(level.nbytes for level in (*self.ahead, *self.behind))
            if len(front) <= len(back):
                front, _ = yield from forward.expand(front, f"from the start: jump {len(self.ahead)}")
                self.ahead.append(np.sort(front.positions()))
            else:
                back, _ = yield from backward.expand(back, f"from the finish: jump {length + 1 - len(self.behind)}")
                self.behind.append(np.sort(back.positions()))
            if not len(front) or not len(back):
                return None
        return [*self.ahead, *reversed(self.behind)]


def _count(
    group: GroupTables, start: int, finishes: tuple[int, ...], levels: list[Words] | None, ahead: int
) -> Steps[SolutionGraph]:
    """Keep the winning positions of each level and count their ways.

    The first `ahead` levels can be reached from the start, the others can reach a finish.
    """
    length = max(start.bit_count() - 1, 0)
    if levels is None:
        none = np.zeros(0, np.uint64)
        return SolutionGraph(group, start, finishes, none, np.zeros(length + 2, np.int64), none, none)
    for k in range(ahead, length + 1):
        ones = np.ones(len(levels[k - 1]), np.uint64)
        touched, _ = yield from _pull(
            f"winning positions: jump {k}", group, group.backward, levels[k], levels[k - 1], ones, np.zeros_like(ones)
        )
        levels[k] = levels[k][touched > 0]
    lows = [np.ones(len(levels[length]), np.uint64)]
    highs = [np.zeros(len(levels[length]), np.uint64)]
    for k in range(length - 1, -1, -1):
        low, high = yield from _pull(
            f"ways to win: jump {k}", group, group.forward, levels[k], levels[k + 1], lows[0], highs[0]
        )
        winning = (low > 0) | (high > 0)
        levels[k] = levels[k][winning]
        lows.insert(0, low[winning])
        highs.insert(0, high[winning])
    bounds = np.cumsum([0, *(len(level) for level in levels)], dtype=np.int64)
    return SolutionGraph(group, start, finishes, np.concatenate(levels), bounds, np.concatenate(lows), np.concatenate(highs))


def _pull(  # noqa: PLR0917  # as the kernel it calls
    note: str, group: GroupTables, before: Words, level: Words, keys: Words, lows: Words, highs: Words
) -> Steps[tuple[Words, Words]]:
    """Return for each position of `level` the sum of the counts of those in `keys` that a jump (or an undone one) leads to."""
    sieve = np.zeros(1 << max(10, (_SIEVE_BYTES_A_KEY * len(keys)).bit_length()), np.uint8)
    out_lows, out_highs = np.zeros(len(level), np.uint64), np.zeros(len(level), np.uint64)
    picked = np.zeros(len(group.triples) + 1, np.int64)
    with np.errstate(over="ignore"):  # the hash wraps on purpose
        kernels.mark(keys, sieve)
    for first in range(0, len(level), SLICE_POSITIONS):
        piece = slice(first, first + SLICE_POSITIONS)
        with np.errstate(over="ignore"):  # hashes and low words wrap on purpose
            kernels.pull(
                level[piece], group.triples, before, group.changes, group.tables, keys, lows, highs, sieve, group.scratch(),
                picked, out_lows[piece], out_highs[piece],
            )  # fmt: skip
        yield Step(len(level[piece]), note)
    return out_lows, out_highs
