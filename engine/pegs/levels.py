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

    `keys` packs the canonical position (low `holes` bits) and the high part of the class's path count; `lows` its low 64 bits.
    """

    holes: int
    keys: Words
    lows: Words

    def __len__(self) -> int:
        """Return the number of classes."""
        return len(self.keys)

    def positions(self) -> Words:
        """Return the canonical positions, in the level's order."""
        return self.keys & np.uint64((1 << self.holes) - 1)

    def count(self, index: int) -> int:
        """Return how many jump sequences lead to the class: the sum over its positions."""
        return (int(self.keys[index]) >> self.holes) << 64 | int(self.lows[index])


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
    """Expands levels under one group. With `backward`, jumps are undone instead of made. Memory is bounded by `memory_mib`."""

    group: GroupTables
    backward: bool = False
    memory_mib: int = DEFAULT_MEMORY_MIB
    _slot_keys: Words = field(init=False, repr=False)
    _slot_lows: Words = field(init=False, repr=False)
    _queue: Words = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if int(self.group.holes) > MAX_PACKED_HOLES:
            raise BoardTooLargeError(
                f"board {self.group.board.name} has {self.group.holes} holes; enumeration takes at most {MAX_PACKED_HOLES}"
            )
        self._slot_keys = np.zeros(1 << _FIRST_BITS, np.uint64)
        self._slot_lows = np.zeros(1 << _FIRST_BITS, np.uint64)
        self._queue = np.zeros((3, kernels.QUEUE + 1), np.uint64)

    def first(self, positions: Iterable[int]) -> Level:
        """Return the level made of these positions, each path count 1; `positions` must be closed under the group."""
        totals: dict[int, int] = {}
        for position in positions:
            key = self.group.canonical(position)
            totals[key] = totals.get(key, 0) + 1
        keys = np.array(sorted(totals), np.uint64)
        return Level(int(self.group.holes), keys, np.array([totals[int(key)] for key in keys], np.uint64))

    def expand(self, level: Level, note: str) -> Steps[tuple[Level, LevelFigures]]:
        """Return the next level and the figures of this one."""
        group, stats = self.group, np.zeros(kernels.STATS, np.int64)
        before = group.backward if self.backward else group.forward
        images = group.scratch()
        occupied = done = 0
        while done < len(level):
            first, last = done, min(done + SLICE_POSITIONS, len(level))
            while done < last:
                size = len(self._slot_keys)
                with np.errstate(over="ignore"):  # the hash wraps on purpose
                    done, occupied = kernels.expand(
                        level.keys, level.lows, done, last, group.holes, group.triples, before, group.changes, group.tables,
                        self._slot_keys, self._slot_lows, np.uint64(64 - size.bit_length() + 1), occupied,
                        int(size * _FILL), stats, images, self._queue,
                    )  # fmt: skip
                if done < last:
                    self._grow(len(level), stats)
            yield Step(done - first, f"{note}, {done:,} of {len(level):,} classes")
        if stats[kernels.STAT_OVERFLOW]:
            raise LimitExceededError(f"a path count on {group.board.name} passed {128 - int(group.holes)} bits")
        keys, lows = np.empty(occupied, np.uint64), np.empty(occupied, np.uint64)
        kernels.collect(self._slot_keys, self._slot_lows, keys, lows)
        low, middle, high = (
            int(stats[row]) for row in (kernels.STAT_GAMES_LOW, kernels.STAT_GAMES_MIDDLE, kernels.STAT_GAMES_HIGH)
        )
        figures = LevelFigures(
            classes=len(level),
            positions=int(stats[kernels.STAT_POSITIONS]),
            stuck=int(stats[kernels.STAT_STUCK]),
            stuck_classes=int(stats[kernels.STAT_STUCK_CLASSES]),
            games=low + (middle << 32) + (high << 64),
        )
        return Level(level.holes, keys, lows), figures

    def _grow(self, level_size: int, stats: npt.NDArray[np.int64]) -> None:
        size = 2 * len(self._slot_keys)
        needed = (16 * level_size + 24 * size) >> 20  # this level, and for a moment the old table beside the new one
        if needed > self.memory_mib:
            raise BoardTooLargeError(
                f"a level of {self.group.board.name} would take more than {self.memory_mib} MiB "
                f"({level_size:,} classes and rising); choose a more symmetric start, a smaller board, or more memory"
            )
        keys, lows = np.zeros(size, np.uint64), np.zeros(size, np.uint64)
        with np.errstate(over="ignore"):
            kernels.refill(
                self._slot_keys, self._slot_lows, keys, lows, self.group.holes, np.uint64(64 - size.bit_length() + 1), stats
            )
        self._slot_keys, self._slot_lows = keys, lows
