"""Levels of positions: all positions one jump further (or one jump back), up to symmetry, with exact path counts."""

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from engine.errors import LimitExceededError
from engine.pegs import _kernels as kernels
from engine.pegs.errors import BoardTooLargeError
from engine.pegs.group import GroupTables
from engine.pegs.steps import Step, Steps

Words = npt.NDArray[np.uint64]

MAX_PACKED_HOLES = 60
"""A key shares its word with the high part of a count; fewer than 4 bits for that would soon overflow."""
SLICE_POSITIONS = 1 << 20
"""Positions expanded between two slices: about a second of work on one core."""
DEFAULT_MEMORY_MIB = 4096
_FILL = 0.8  # beyond this, linear probing gets long
_FIRST_BITS = 12


@dataclass(frozen=True, slots=True, eq=False)
class Level:
    """Positions with the same number of jumps behind them, one of each class under the group.

    `words` (classes, 2) are as the kernels have them: canonical position and high part of the path count, low part of it.
    """

    holes: int
    words: Words

    def __len__(self) -> int:
        """Return the number of classes."""
        return len(self.words)

    def positions(self) -> Words:
        """Return the canonical positions, in the level's order."""
        return self.words[:, 0] & np.uint64((1 << self.holes) - 1)

    def count(self, index: int) -> int:
        """Return how many jump sequences lead to the class: the sum over its positions."""
        return (int(self.words[index, 0]) >> self.holes) << 64 | int(self.words[index, 1])


@dataclass(slots=True)
class LevelFigures:
    """What expanding a level tells about it."""

    classes: int = 0
    positions: int = 0
    stuck: int = 0
    stuck_classes: int = 0
    games: int = 0
    """Jump sequences that end at this level."""


@dataclass(slots=True, eq=False)
class LevelSearch:
    """Expands levels under one group. With `backward`, jumps are undone instead of made.

    Memory is bounded: the level, the table of the next one and the `held` bytes that the caller says it keeps besides may
    together take `memory_mib`.
    """

    group: GroupTables
    backward: bool = False
    memory_mib: int = DEFAULT_MEMORY_MIB
    held: int = 0
    _slots: Words = field(init=False, repr=False)
    _queue: Words = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if int(self.group.holes) > MAX_PACKED_HOLES:
            raise BoardTooLargeError(
                f"board {self.group.board.name} has {self.group.holes} holes; enumeration takes at most {MAX_PACKED_HOLES}"
            )
        self._slots = np.zeros((1 << _FIRST_BITS, 2), np.uint64)
        self._queue = np.zeros((kernels.BATCH + len(self.group.triples) + 1, 2), np.uint64)

    def first(self, positions: Iterable[int]) -> Level:
        """Return the level made of these positions, each path count 1; `positions` must be closed under the group."""
        totals: dict[int, int] = {}
        for position in positions:
            key = self.group.canonical(position)
            totals[key] = totals.get(key, 0) + 1
        words = np.array(sorted(totals.items()), np.uint64).reshape(len(totals), 2)
        return Level(int(self.group.holes), words)

    def expand(self, level: Level, note: str) -> Steps[tuple[Level, LevelFigures]]:
        """Return the next level and the figures of this one."""
        group, stats = self.group, np.zeros(kernels.STATS, np.int64)
        before = group.backward if self.backward else group.forward
        images, picked = group.scratch(), np.zeros(len(group.triples) + 1, np.int64)
        occupied = done = 0
        while done < len(level):
            first, last = done, min(done + SLICE_POSITIONS, len(level))
            while done < last:
                with np.errstate(over="ignore"):  # the hash wraps on purpose
                    done, occupied = kernels.expand(
                        level.words, done, last, group.holes, group.triples, before, group.changes, group.tables,
                        self._slots, _shift(self._slots), occupied, int(len(self._slots) * _FILL), stats, images, picked,
                        self._queue,
                    )  # fmt: skip
                if done < last:
                    self._grow(len(level), stats)
            yield Step(done - first, f"{note}, {done:,} of {len(level):,} classes")
        if stats[kernels.STAT_OVERFLOW]:
            raise LimitExceededError(f"a path count on {group.board.name} passed {128 - int(group.holes)} bits")
        words = np.empty((occupied, 2), np.uint64)
        kernels.collect(self._slots, words)
        low, middle = int(stats[kernels.STAT_GAMES_LOW]), int(stats[kernels.STAT_GAMES_MIDDLE])
        figures = LevelFigures(
            classes=len(level),
            positions=int(stats[kernels.STAT_POSITIONS]),
            stuck=int(stats[kernels.STAT_STUCK]),
            stuck_classes=int(stats[kernels.STAT_STUCK_CLASSES]),
            games=low + (middle << 32) + (int(stats[kernels.STAT_GAMES_HIGH]) << 64),
        )
        return Level(level.holes, words), figures

    def _grow(self, level_size: int, stats: npt.NDArray[np.int64]) -> None:
        size = 2 * len(self._slots)
        # For a moment the old table is there beside the new one.
        needed = (self.held + 16 * (level_size + size + len(self._slots))) >> 20
        if needed > self.memory_mib:
            raise BoardTooLargeError(
                f"{self.group.board.name} would take more than {self.memory_mib} MiB of memory "
                f"(at a level of {level_size:,} classes, and rising); choose a more symmetric start or a smaller board, "
                "or allow more memory"
            )
        bigger = np.zeros((size, 2), np.uint64)
        with np.errstate(over="ignore"):
            kernels.refill(self._slots, bigger, _shift(bigger), self._key_bits, stats)
        self._slots = bigger

    @property
    def _key_bits(self) -> np.uint64:
        return np.uint64((1 << int(self.group.holes)) - 1)


def _shift(slots: Words) -> np.uint64:
    """Return how far a 64-bit hash is shifted to give a slot of the table."""
    return np.uint64(65 - len(slots).bit_length())
