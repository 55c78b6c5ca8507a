"""What an enumeration or a solution graph will cost, guessed before it starts."""

from dataclasses import dataclass

from engine.pegs.boards import Board
from engine.pegs.parity import possible_finishes, reduced_jumps

_REACHED = 0.6
"""Share of a position class that is reached from a vacancy: 0.35 (English-33) to 0.71 (Triangle-28) where it was counted."""
_SECONDS_A_CLASS = 0.5e-6  # English-33 on one core of 2026: 11 s for 23.5 million classes, 76 jumps
_GRAPH_FACTOR = 1.5  # the solution graph and fewest moves, against the enumeration (English-33: 20 s to 11 s)
_GRAPH_MEMORY_FACTOR = 1.3
_LARGEST_LEVEL = 1 / 6  # of all positions, at the middle of a game
_BYTES_A_CLASS = 48  # a level, and the table of the next
_PROGRAM_MIB = 150


@dataclass(frozen=True, slots=True)
class Cost:
    """A guess, right to a factor of about two where positions were counted."""

    core_seconds: float
    memory_mib: int


def expected_cost(board: Board, position: int, *, enumerate_all: bool, graph: bool) -> Cost:
    """Return the cost of enumerating from `position`, of its solution graph with fewest moves (`graph`), or of both.

    The parities that never change cut the positions down to 2^rank, where rank is that of the jumps over GF(2).
    """
    if graph and not enumerate_all and not possible_finishes(board, position):
        return Cost(0.0, _PROGRAM_MIB)
    pegs_share = min(1.0, 2.0 ** (position.bit_count() - len(board) + 1))  # a start with fewer pegs reaches less
    rank = len(reduced_jumps(board))
    classes = _REACHED * pegs_share * 2.0**rank / len(board.stabiliser(position))
    once = classes * _SECONDS_A_CLASS * len(board.jumps) / 76
    memory = _PROGRAM_MIB + classes * _LARGEST_LEVEL * _BYTES_A_CLASS / 2**20 * (_GRAPH_MEMORY_FACTOR if graph else 1.0)
    return Cost(once * (enumerate_all + _GRAPH_FACTOR * graph), round(memory))
