"""The solution graph: every position on a winning path, up to symmetry, with its number of ways to win.

It answers at once, without a list of the solutions: how many there are, solution number k and its inverse, a solution drawn
uniformly, and how many ways each next jump leaves. Solutions are numbered in the order of their jumps (`Board.jumps`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random

import numpy as np
import numpy.typing as npt

from engine.errors import InvalidInputError
from engine.pegs import _graph_kernels as kernels
from engine.pegs.boards import Board, Jump
from engine.pegs.errors import IllegalJumpError, NoSolutionError
from engine.pegs.group import GroupTables
from engine.pegs.solution import Solution

Words = npt.NDArray[np.uint64]
Ints = npt.NDArray[np.int64]

_BATCHES = (1 << 6, 1 << 14)  # solutions listed by one kernel call: few at first, for one may be all that is wanted
_REMEMBERED = 1 << 16  # positions whose next jumps are kept, for many solutions share them


@dataclass(frozen=True, slots=True, eq=False)
class SolutionGraph:
    """All ways from the position `start` to a single peg in one of `finishes`; made by `build_graph` or read from bytes."""

    group: GroupTables
    start: int
    finishes: tuple[int, ...]
    """The holes where the last peg may end: those asked for, whether or not they can be reached."""
    keys: Words
    """(classes,): canonical positions, sorted within each level."""
    bounds: Ints
    """(levels + 1,): level k is keys[bounds[k]:bounds[k + 1]]."""
    lows: Words
    highs: Words
    """(classes,): the ways from each position to a finish, 128 bits in two words."""
    _seen: dict[int, list[tuple[Jump, int]]] = field(default_factory=dict, repr=False)

    @property
    def board(self) -> Board:
        """Return the board."""
        return self.group.board

    @property
    def length(self) -> int:
        """Return the number of jumps of every solution."""
        return self.start.bit_count() - 1

    @property
    def total(self) -> int:
        """Return the number of solutions, exactly."""
        return self.ways(self.start)

    def __len__(self) -> int:
        """Return the number of classes of winning positions."""
        return len(self.keys)

    def find(self, position: int) -> int:
        """Return the index of the position's class in `keys`, or -1 if no solution passes through it."""
        level = self.start.bit_count() - position.bit_count()
        if not 0 <= level <= self.length:
            return -1
        first, last = int(self.bounds[level]), int(self.bounds[level + 1])
        key = np.uint64(self.group.canonical(position))
        index = first + int(np.searchsorted(self.keys[first:last], key))
        return index if index < last and self.keys[index] == key else -1

    def ways(self, position: int) -> int:
        """Return how many ways lead from `position` to a finish; 0 if it is lost, or not reachable from the start."""
        index = self.find(position)
        return 0 if index < 0 else int(self.highs[index]) << 64 | int(self.lows[index])

    def next_jumps(self, position: int) -> list[tuple[Jump, int]]:
        """Return each legal jump that can still win, with the number of ways after it, in the board's order."""
        found = self._seen.get(position)
        if found is None:
            after = ((jump, self.ways(position ^ jump.holes)) for jump in self.board.legal_jumps(position))
            found = [(jump, ways) for jump, ways in after if ways]
            if len(self._seen) >= _REMEMBERED:
                self._seen.clear()
            self._seen[position] = found
        return found

    def solution(self, index: int) -> Solution:
        """Return solution number `index`, from 0; raise `InvalidInputError` if there are not so many."""
        total = self.total
        if not 0 <= index < total:
            many = f"numbered 0 to {total - 1}" if total else "and there is none"
            raise InvalidInputError(f"no solution number {index}; the solutions are {many}")
        position = self.start
        jumps: list[tuple[int, int]] = []
        while len(jumps) < self.length:
            for jump, ways in self.next_jumps(position):
                if index < ways:
                    jumps.append((jump.origin, jump.to))
                    position ^= jump.holes
                    break
                index -= ways
        return Solution(self.board, self.start, tuple(jumps), position.bit_length() - 1)

    def index_of(self, jumps: Sequence[tuple[int, int]]) -> int:
        """Return the number of the solution made of `jumps`: the inverse of `solution`.

        Raise `IllegalJumpError` if they are not a solution.
        """
        position, index = self.start, 0
        for origin, to in jumps:
            after = self.board.jump(position, origin, to)
            for jump, ways in self.next_jumps(position):
                if (jump.origin, jump.to) == (origin, to):
                    break
                index += ways
            else:
                raise IllegalJumpError(f"after the jump from {origin} to {to} no solution is left")
            position = after
        if position.bit_count() != 1:
            raise IllegalJumpError(f"{position.bit_count()} pegs are left after {len(jumps)} jumps; a solution leaves one")
        return index

    def sample(self, rng: Random) -> Solution:
        """Return a solution drawn uniformly by `rng`; raise `NoSolutionError` if there is none."""
        if not self.total:
            raise NoSolutionError(f"no solution on {self.board.name} to draw from")
        return self.solution(rng.randrange(self.total))

    def solutions(self, first: int = 0) -> Iterator[Solution]:
        """Yield the solutions in order, from number `first` on."""
        ends = [(jump.origin, jump.to) for jump in self.board.jumps]
        for rows in self.jump_rows(first):
            for row in rows.tolist():
                jumps = tuple(ends[jump] for jump in row)
                finish = jumps[-1][1] if jumps else self.start.bit_length() - 1
                yield Solution(self.board, self.start, jumps, finish)

    def jump_rows(self, first: int = 0) -> Iterator[npt.NDArray[np.uint16]]:
        """Yield the solutions in order, in batches: arrays (solutions, length) of jump numbers."""
        if not self.total or first >= self.total:
            return
        positions, chosen = np.zeros(self.length + 1, np.uint64), np.zeros(self.length + 1, np.int64)
        depth = self._seek(first, positions, chosen)
        group, images = self.group, self.group.scratch()
        size, largest = _BATCHES
        while depth >= 0:
            rows = np.zeros((size, self.length), np.uint16)
            size = min(4 * size, largest)
            filled, depth = kernels.list_solutions(
                self.keys, self.bounds, group.triples, group.forward, group.changes, group.tables, images, positions, chosen,
                depth, rows,
            )  # fmt: skip
            if filled:
                yield rows[:filled]

    def _seek(self, first: int, positions: Words, chosen: Ints) -> int:
        """Put the path of solution number `first` on the stacks, as `list_solutions` wants it; return its depth."""
        number = {(jump.origin, jump.to): i for i, jump in enumerate(self.board.jumps)}
        solution = self.solution(first)
        positions[:] = solution.positions()
        chosen[: self.length] = [number[jump] + 1 for jump in solution.jumps]
        return self.length
