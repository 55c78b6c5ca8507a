"""The beam search for five rings: layer by layer the states with the least sum of soft distances, five times as fast.

It gives up some generality of `engine.rings.beam` for that: five rings only, scores that are looked up for all clicks at once,
and no memory of states that were left behind several layers ago.
"""

from collections.abc import Generator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.rings._lanes import BLOCK, MOVES, PLANES, WAYS, admit, choose, judge
from engine.rings._soft import BIAS, RINGS, soft_distance
from engine.rings.model import State
from engine.rings.soft import views
from engine.rings.tables import colour_words

CHOSEN = 2
"""So many times the width are chosen by score before those that are the same state are left out, which are about a third."""

ROOM = 3
"""Room for the chosen, as scores have many children each."""

LEAST_CHOSEN = 4096
"""In narrow beams nearly all of the best children may be states that were seen."""

REMEMBERED = 4
"""Marks of seen states that there is room for, by width: the three layers among which a state can come again at once."""


class _Layer(NamedTuple):
    planes: NDArray[np.uint64]
    scores: NDArray[np.int32]


def lane_layers(state: State, width: int, max_layers: int) -> Generator[int, None, tuple[int, ...] | None]:
    """Search like `engine.rings.beam.beam_layers`, for a puzzle with `has_steps`."""
    frame, steps = views(state.puzzle)
    layer, after = _layer(width), _layer(width)
    layer.planes[0] = _planes(state)
    with np.errstate(over="ignore"):  # shifts drop bits on purpose; as plain Python, numpy would warn
        layer.scores[0] = sum(int(soft_distance(word, steps, frame)) for word in colour_words(state))
    lanes = np.empty((width + 1, 2), dtype=np.uint64)
    wanted = max(CHOSEN * width, min(MOVES * width, LEAST_CHOSEN))
    chosen = np.empty(max(ROOM * width, min(MOVES * width, 2 * LEAST_CHOSEN)), dtype=np.uint32)
    seen, cursors = _seen(width)
    ranks = np.empty((BLOCK, RINGS), dtype=np.int64)
    block = np.empty((BLOCK, PLANES + 2), dtype=np.uint64)
    highest = RINGS * BIAS * int(frame.table.max())  # no colour is farther than its clicks times what one may change
    histogram = np.zeros(highest + 1, dtype=np.int64)
    count = 1
    trail: list[NDArray[np.uint32]] = []
    for number in range(max_layers):
        histogram[:] = 0
        with np.errstate(over="ignore"):
            judge(frame, steps, layer.planes, layer.scores, count, ranks, lanes, histogram)
            ends = np.cumsum(histogram)
            if ends[0]:
                choose(layer.scores, lanes, count, -1, 0, np.zeros(1, dtype=np.int64), chosen)
                return _path(trail, int(chosen[0]))
            all_to = int(np.searchsorted(ends, width, side="right")) - 1
            some_to = min(int(np.searchsorted(ends, wanted)), len(ends) - 1)
            if ends[some_to] > len(chosen):
                some_to -= 1
            places = np.concatenate(([0], ends[:-1]))
            choose(layer.scores, lanes, count, all_to, some_to, places, chosen)
            total = int(ends[some_to]) if some_to >= 0 else 0
            parents = np.empty(width + 1, dtype=np.uint32)
            count = admit(
                frame,
                layer.planes,
                layer.scores,
                lanes,
                chosen,
                total,
                block,
                seen,
                cursors,
                after.planes,
                after.scores,
                parents,
            )
        if count == 0:
            return None
        trail.append(parents[:count].copy() if count < width else parents)
        layer, after = after, layer
        yield number
    return None


def _layer(width: int) -> _Layer:
    return _Layer(np.zeros((width + 1, PLANES), dtype=np.uint64), np.zeros(width + 1, dtype=np.int32))


def _planes(state: State) -> list[int]:
    return [sum((int(digit) >> plane & 1) << place for place, digit in enumerate(state.text)) for plane in range(PLANES)]


def _seen(width: int) -> tuple[NDArray[np.uint64], NDArray[np.uint8]]:
    """Return an empty set, its lines at multiples of their size in memory, and the lines' cursors."""
    size = max(WAYS, 1 << (REMEMBERED * width - 1).bit_length())
    room = np.zeros(size + WAYS, dtype=np.uint64)
    start = -room.ctypes.data % (8 * WAYS) // 8
    return room[start : start + size], np.zeros(size // WAYS, dtype=np.uint8)


def _path(trail: list[NDArray[np.uint32]], child: int) -> tuple[int, ...]:
    """Return the clicks that led to `child`, an index (state * MOVES + move) into the layer after the last of `trail`."""
    path = [child % MOVES]
    for parents in reversed(trail):
        child = int(parents[child // MOVES])
        path.append(child % MOVES)
    return tuple(reversed(path))
