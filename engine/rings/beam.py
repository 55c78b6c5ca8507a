"""Short solutions of any state: a beam search that keeps, layer by layer, the states nearest to solved.

Five rings have a beam of their own, `engine.rings.lanebeam`, which judges nearness better and is five times as fast. For other
puzzles, near is a small sum of squares of the colours' distances.
"""

from collections.abc import Generator

import numpy as np
from numpy.typing import NDArray

from engine.errors import InvalidInputError
from engine.rings._beam import next_layer, score_children, sort_children
from engine.rings.lanebeam import lane_layers
from engine.rings.model import State
from engine.rings.soft import has_steps
from engine.rings.tables import colour_words, distances, frame

WIDTH = 150_000
"""States kept in each layer: about 0.6 s for a random state of five rings on one core."""

MAX_WIDTH = 4_000_000

MAX_LAYERS = 64
"""Random states of five rings take 30 to 45; a beam that has not arrived by then will not."""


def beam(state: State, width: int = WIDTH) -> tuple[int, ...] | None:
    """Return a short solution, or None if the beam lost its way. Raise `InvalidInputError` for a width out of range."""
    steps = beam_layers(state, width)
    while True:
        try:
            next(steps)
        except StopIteration as stop:
            return stop.value  # type: ignore[no-any-return]  # a generator's return value is untyped in StopIteration


def beam_layers(state: State, width: int = WIDTH) -> Generator[int, None, tuple[int, ...] | None]:
    """Search like `beam`, yielding the number of each finished layer (about half a second each at a width of a million)."""
    if not 1 <= width <= MAX_WIDTH:
        raise InvalidInputError(f"beam width {width}: expected 1 to {MAX_WIDTH:,}")
    if state.is_solved:
        return ()
    if has_steps(state.puzzle):
        return (yield from lane_layers(state, width, MAX_LAYERS))
    return (yield from _layers(state, width))


def _layers(state: State, width: int) -> Generator[int, None, tuple[int, ...] | None]:
    view = frame(state.puzzle)
    rings, moves = state.puzzle.rings, state.puzzle.move_count
    words = np.zeros((width, rings), dtype=np.uint64)
    floors = np.zeros((width, rings), dtype=np.int16)
    last = np.full(width, -1, dtype=np.int64)
    new_words, new_floors = np.zeros_like(words), np.zeros_like(floors)
    scores = np.zeros(width * moves, dtype=np.int32)
    order = np.zeros(width * moves, dtype=np.int64)
    histogram = np.zeros(rings * int(view.table.max()) ** 2 + 1, dtype=np.int64)
    seen = np.zeros(_slots(width), dtype=np.uint64)
    words[0] = colour_words(state)
    floors[0] = distances(state)
    count = 1
    trail: list[NDArray[np.int32]] = []
    for layer in range(MAX_LAYERS):
        histogram[:] = 0
        with np.errstate(over="ignore"):  # hashes and shifts drop bits on purpose; as plain Python, numpy would warn
            solved = score_children(view, words, floors, last, count, scores, histogram)
            if solved >= 0:
                return _path(trail, solved, moves)
            children = sort_children(scores, count * moves, histogram, order)
            parents = np.zeros(width, dtype=np.int64)
            count = next_layer(view, words, floors, order, children, seen, new_words, new_floors, last, parents)
        if count == 0:
            return None
        trail.append(parents[:count].astype(np.int32))
        words, new_words = new_words, words
        floors, new_floors = new_floors, floors
        yield layer
    return None


def _slots(width: int) -> int:
    """Return a power of two of hash slots, a third more at least than states can be kept over all layers."""
    return 1 << (width * MAX_LAYERS * 4 // 3).bit_length()


def _path(trail: list[NDArray[np.int32]], child: int, moves: int) -> tuple[int, ...]:
    """Return the clicks that led to `child`, an index (state * moves + move) into the layer after the last of `trail`."""
    path = [child % moves]
    for parents in reversed(trail):
        child = int(parents[child // moves])
        path.append(child % moves)
    return tuple(reversed(path))
