"""Everything that can happen from a start: positions, games and solutions, counted exactly level by level."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.pegs import _kernels as kernels
from engine.pegs.boards import Board
from engine.pegs.group import GroupTables, group_tables
from engine.pegs.levels import DEFAULT_MEMORY_MIB, Level, LevelSearch
from engine.pegs.steps import Steps
from engine.steps import result_of


@dataclass(frozen=True, slots=True)
class Enumeration:
    """The exact figures of a board and a start position. Lists are by number of jumps, from 0 to the longest game's."""

    board: Board
    start: int
    """The start position (bit i = a peg in hole i)."""
    positions_by_jumps: tuple[int, ...]
    """Positions that can be reached, each counted."""
    classes_by_jumps: tuple[int, ...]
    """The same, positions that are symmetric on the board counted once."""
    games_by_jumps: tuple[int, ...]
    """Jump sequences that end there because no jump is left; a solution is one of them."""
    stuck_by_jumps: tuple[int, ...]
    """Positions without a jump."""
    solutions_by_finish: dict[int, int]
    """Jump sequences to a single peg, by its hole; holes without any are left out."""

    @property
    def positions(self) -> int:
        """Return the number of positions that can be reached, the start among them."""
        return sum(self.positions_by_jumps)

    @property
    def classes(self) -> int:
        """Return the number of positions up to the board's symmetries."""
        return sum(self.classes_by_jumps)

    @property
    def games(self) -> int:
        """Return the number of games: jump sequences until no jump is left."""
        return sum(self.games_by_jumps)

    @property
    def solutions(self) -> int:
        """Return the number of jump sequences that leave one peg."""
        return sum(self.solutions_by_finish.values())

    @property
    def stuck_positions(self) -> int:
        """Return the number of positions without a jump, those with one peg among them."""
        return sum(self.stuck_by_jumps)

    @property
    def shortest_game(self) -> int:
        """Return the fewest jumps after which no jump is left."""
        return next(k for k, games in enumerate(self.games_by_jumps) if games)

    def moved(self, symmetry: Sequence[int]) -> "Enumeration":
        """Return the enumeration of the start's image under a symmetry of the board: the same counts, finishes moved along."""
        return Enumeration(
            self.board,
            self.board.moved(self.start, symmetry),
            self.positions_by_jumps,
            self.classes_by_jumps,
            self.games_by_jumps,
            self.stuck_by_jumps,
            dict(sorted((symmetry[hole], count) for hole, count in self.solutions_by_finish.items())),
        )


def enumerate_from(board: Board, start: int, *, memory_mib: int = DEFAULT_MEMORY_MIB) -> Enumeration:
    """Return all figures of `board` from the position `start`.

    Raise `BoardTooLargeError` when a level would take more than `memory_mib`.
    """
    return result_of(enumerate_stepwise(board, start, memory_mib=memory_mib))


def enumerate_stepwise(board: Board, start: int, *, memory_mib: int = DEFAULT_MEMORY_MIB) -> Steps[Enumeration]:
    """Do as `enumerate_from`, step by step."""
    # Only symmetries that keep the start keep the counts; positions that others map to each other are counted apart below.
    group = group_tables(board, board.stabiliser(start))
    whole = group_tables(board)
    search = LevelSearch(group, memory_mib=memory_mib)
    level = search.first([start])
    classes: list[int] = []
    positions: list[int] = []
    games: list[int] = []
    stuck: list[int] = []
    finishes: dict[int, int] = {}
    while len(level):
        classes.append(len(level) if group.order == whole.order else _count_classes(level, whole))
        if start.bit_count() - len(positions) == 1:
            finishes = _single_pegs(level, group)
        level, figures = yield from search.expand(level, f"{board.name}: jump {len(positions)}")
        positions.append(figures.positions)
        games.append(figures.games)
        stuck.append(figures.stuck)
    return Enumeration(board, start, tuple(positions), tuple(classes), tuple(games), tuple(stuck), finishes)


def _count_classes(level: Level, whole: GroupTables) -> int:
    """Return how many of the level's positions differ under the board's whole group."""
    forms = np.empty(len(level), np.uint64)
    key_bits = np.uint64((1 << level.holes) - 1)
    kernels.canonical_forms(level.words, key_bits, whole.tables, whole.scratch(), forms)
    forms.sort()
    return 1 + int(np.count_nonzero(forms[1:] != forms[:-1]))


def _single_pegs(level: Level, group: GroupTables) -> dict[int, int]:
    """Return the path counts of the level of single pegs, by hole: a class's count is shared evenly by its holes."""
    counts: dict[int, int] = {}
    for index, position in enumerate(level.positions().tolist()):
        holes = {image.bit_length() - 1 for image in group.images(position)}
        for hole in holes:
            counts[hole] = level.count(index) // len(holes)
    return dict(sorted(counts.items()))
