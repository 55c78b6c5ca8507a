"""A solution: jumps that leave one peg, and how many moves they are."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.pegs.boards import Board
from engine.pegs.errors import IllegalJumpError


@dataclass(frozen=True, slots=True)
class Solution:
    """A sequence of legal jumps from `start` (a position) to a single peg. Make one with `replay`, which checks it."""

    board: Board
    start: int
    jumps: tuple[tuple[int, int], ...]
    """(from, to) hole numbers."""
    finish: int
    """The hole of the last peg."""

    @property
    def moves(self) -> int:
        """Return the number of moves: consecutive jumps by one peg (a sweep) count once."""
        return count_moves(self.jumps)

    def sweeps(self) -> list[list[int]]:
        """Return the moves, each as the holes its peg visits."""
        found: list[list[int]] = []
        for origin, to in self.jumps:
            if found and found[-1][-1] == origin:
                found[-1].append(to)
            else:
                found.append([origin, to])
        return found

    def __str__(self) -> str:
        names = self.board.hole_names
        return ", ".join("-".join(names[hole] for hole in sweep) for sweep in self.sweeps())

    def positions(self) -> list[int]:
        """Return the positions from the start to the single peg, one more than there are jumps."""
        listed = [self.start]
        for origin, to in self.jumps:
            listed.append(self.board.jump(listed[-1], origin, to))
        return listed


def count_moves(jumps: Iterable[tuple[int, int]]) -> int:
    """Return how many moves the jumps are: a new one begins whenever another peg jumps."""
    moves, last = 0, -1
    for origin, to in jumps:
        moves += origin != last
        last = to
    return moves


def replay(board: Board, start: int, jumps: Sequence[tuple[int, int]]) -> Solution:
    """Return the solution made of `jumps`.

    Raise `IllegalJumpError` at the first that is not legal, or if more than one peg is left.
    """
    position = start
    for number, (origin, to) in enumerate(jumps, start=1):
        try:
            position = board.jump(position, origin, to)
        except IllegalJumpError as error:
            raise IllegalJumpError(f"jump {number}: {error}") from None
    left = board.holes_of(position)
    if len(left) != 1:
        raise IllegalJumpError(f"{len(left)} pegs are left after {len(jumps)} jumps; a solution leaves one")
    return Solution(board, start, tuple((int(a), int(b)) for a, b in jumps), left[0])
