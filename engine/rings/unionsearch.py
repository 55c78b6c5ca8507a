"""The bounded search with the unions of two colours: the same question as `engine.rings.ida.BoundedSearch` answers without."""

from collections.abc import Sequence
from functools import cache

import numpy as np

from engine.rings._sift import (
    FIELD,
    ORIGIN,
    Fields,
    Kit,
    Nodes,
    Order,
    Pairs,
    Room,
    Turns,
    enter,
    sift,
)
from engine.rings._unions import Unions
from engine.rings.model import Puzzle, State
from engine.rings.ordering import ordering, row_after
from engine.rings.stoppable import StoppableSearch
from engine.rings.tables import colour_words
from engine.rings.unions import union_distances, union_tables

BATCH = 64
"""Nodes expanded together: their 400 children hide the waiting, and what is known of them stays in the nearest caches."""


class UnionSearch(StoppableSearch):
    """The search for a solution of exactly `bound` clicks that starts with one of `prefixes`; it can be stopped and go on.

    No solution may have fewer clicks. `solution` is one of them, prefix included, once `run` has returned True: always the same
    one, but not the first of all. The prefixes are sequences of one length, none of them as long as the bound.
    """

    def __init__(self, state: State, bound: int, view: Unions, prefixes: Sequence[tuple[int, ...]] = ((),)) -> None:
        super().__init__()
        self._state = state
        self._bound = bound
        self._view = view
        self._kit = kit(state.puzzle, view)
        self._prefixes = prefixes
        self._left = bound - len(prefixes[0]) if prefixes else 1
        self._nodes = _nodes(state.puzzle, self._left, len(prefixes))
        self._room = _room(state.puzzle)
        self.finished = not prefixes
        if self.finished:
            return
        distances = np.array(union_distances(state, view), dtype=np.int64)
        words = colour_words(state)
        rows = np.array([row_after(state.puzzle, prefix) for prefix in prefixes], dtype=np.int64)
        clicks = np.array(prefixes, dtype=np.int64).reshape(len(prefixes), -1)
        with np.errstate(over="ignore"):  # as plain Python, shifts that drop bits would warn
            enter(
                self._kit,
                self._nodes,
                words,
                distances,
                clicks,
                rows,
                self._left,
                np.zeros_like(words),
                np.zeros_like(distances),
            )

    def _go_on(self, stop: int) -> int:
        return sift(self._kit, self._nodes, self._room, self._progress, self._left, stop)

    def _found(self) -> tuple[int, ...]:
        return self._traced(self._prefixes[int(self._progress[ORIGIN])])

    def _traced(self, prefix: tuple[int, ...]) -> tuple[int, ...]:
        """Return a whole solution that starts with the prefix: how a node was reached is not kept, so it is searched again."""
        if len(prefix) == self._bound:
            return prefix
        row = ordering(self._state.puzzle)[row_after(self._state.puzzle, prefix)]
        longer = [(*prefix, move) for move in range(self._state.puzzle.move_count) if row[move] >= 0]
        if len(prefix) == self._bound - 1:
            return next(moves for moves in longer if self._state.after(moves).is_solved)
        search = UnionSearch(self._state, self._bound, self._view, longer)
        search.run()
        assert search.solution is not None  # this start has one
        return search.solution


@cache
def _frameless(puzzle: Puzzle) -> tuple[Fields, Pairs, Turns, Order]:
    pairs = range(2 * puzzle.rings)
    ones = sum(1 << FIELD * pair for pair in pairs)
    fields = Fields(np.uint64(ones), np.uint64(15 * ones), np.uint64(16 * ones))
    return fields, _pairs(puzzle), _turns(puzzle), _order(puzzle)


def kit(puzzle: Puzzle, view: Unions) -> Kit:
    """Return what all searches of the puzzle share."""
    return Kit(view, *_frameless(puzzle))


def _pairs(puzzle: Puzzle) -> Pairs:
    rings, beads = puzzle.rings, puzzle.beads
    of_place = [place // FIELD for place in range(64)]
    rows = []
    for table in union_tables(puzzle):
        home, second_home = table.homes
        rows += [
            (
                first,
                (first + table.apart) % rings,
                home * beads,
                second_home * beads,
                (first - home) % rings * puzzle.move_count,
                table.apart - 1,
            )
            for first in range(rings)
        ]
    return Pairs(np.array(of_place, dtype=np.uint8), *(np.array(column, dtype=np.uint8) for column in zip(*rows, strict=True)))


def _turns(puzzle: Puzzle) -> Turns:
    """Return the clicks seen from each frame: in frame `f` ring `f` of the puzzle comes first."""
    beads, last_ring = puzzle.beads, puzzle.positions - puzzle.beads
    full = (1 << puzzle.positions) - 1
    ring = (1 << beads) - 1
    disc = sum(1 << beads * ring + place for ring in range(puzzle.rings) for place in puzzle.places)
    rows = []
    for frame in range(puzzle.rings):
        for move in range(puzzle.move_count):
            if move >> 1 < puzzle.rings:
                at = ((move >> 1) - frame) % puzzle.rings * beads
                mask, low, high = ring << at, 1 << at, 1 << at + beads - 1
                step, wrap = 1, beads - 1
            else:
                mask, low, high = disc, disc & ring, disc & ring << last_ring
                step, wrap = beads, last_ring
            if move & 1:
                rows.append((full & ~mask, wrap, high, step, mask & ~high))
            else:
                rows.append((full & ~mask, step, mask & ~low, wrap, low))
    return Turns(*(np.array(column, dtype=np.uint64) for column in zip(*rows, strict=True)))


def _order(puzzle: Puzzle) -> Order:
    table = ordering(puzzle)
    moves = np.zeros(table.shape, dtype=np.uint8)
    rows = np.zeros(table.shape, dtype=np.uint32)
    for row, following in enumerate(table):
        allowed = np.flatnonzero(following >= 0)
        moves[row, : len(allowed)] = allowed
        rows[row, : len(allowed)] = following[allowed]
    return Order((table >= 0).sum(axis=1).astype(np.uint8), moves, rows)


def _nodes(puzzle: Puzzle, left: int, starts: int) -> Nodes:
    """Return room for the starts, and for as many nodes a depth as can ever wait there: a batch less one, and its children."""
    a_depth = BATCH * (puzzle.move_count + 1)
    depths = max(left, 1) + 1
    room = max(starts, 1) + a_depth * (depths - 1) + 1
    first = np.concatenate(([0], max(starts, 1) + a_depth * np.arange(depths - 1)))
    return Nodes(
        words=np.zeros((room, puzzle.rings), dtype=np.uint64),
        slacks=np.zeros(room, dtype=np.uint64),
        rows=np.zeros(room, dtype=np.uint32),
        origins=np.zeros(room, dtype=np.uint32),
        first=first.astype(np.int64),
        number=np.zeros(depths, dtype=np.int64),
    )


def _room(puzzle: Puzzle) -> Room:
    children = BATCH * puzzle.move_count

    return Room(
        needed=np.zeros(BATCH, dtype=np.uint64),
        shift=np.zeros(BATCH, dtype=np.uint64),
        ceiling=np.zeros(BATCH, dtype=np.uint64),
        far=np.zeros(BATCH, dtype=np.uint64),
        parent=np.zeros(children, dtype=np.uint32),
        move=np.zeros(children, dtype=np.uint8),
        row=np.zeros(children, dtype=np.uint32),
        slack=np.zeros(children, dtype=np.uint64),
        waiting=np.zeros(children + 1, dtype=np.uint32),
        passed=np.zeros(children + 1, dtype=np.uint32),
        numbers=np.zeros(children, dtype=np.uint64),
    )
