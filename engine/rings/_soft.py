"""Kernels that make the table of soft distances: how many ways home one colour has, and what each click changes in that.

See `engine.rings.soft` for what the numbers mean and `engine.rings._lanes` for how a search uses them.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine._jit import kernel
from engine.rings._words import Frame, rank, turned

RINGS = 5

BIAS = 51
"""Added to each change, so that none is negative: five of them then stay below 2**9."""

LANE_BITS = np.uint64(10)


@kernel
def sweep(  # noqa: PLR0917  # a kernel takes its arrays by position
    ways: NDArray[Any],
    order: NDArray[Any],
    start: int,
    stop: int,
    word_of: NDArray[Any],
    home: int,
    damping: float,
    frame: Frame,
) -> None:
    """Improve `ways` (float64, by rank) in place for the ranks of `order[start:stop]`.

    It comes near the solution of `ways = [rank is home] + damping * (sum of the ways after each click)`.
    """
    for place in range(start, stop):
        number = order[place]
        word = word_of[number]
        total = 0.0
        for move in range(2 * RINGS + 2):
            total += ways[rank(turned(word, move, 0, frame), frame)]
        ways[number] = damping * total + (1.0 if number == home else 0.0)


@kernel
def fill_steps(  # noqa: PLR0917  # likewise
    steps: NDArray[Any], soft: NDArray[Any], start: int, stop: int, word_of: NDArray[Any], frame: Frame
) -> int:
    """Fill `steps[2 * rank + back]` for ranks `start` to `stop`: what each click changes in `soft` (int64, by rank).

    Ten bits a click, the change plus `BIAS`: rings 0 to 4 and the disc, clockwise (`back` 0) or the other way (1). Returns how
    many changes had no room.
    """
    lost = 0
    for number in range(start, stop):
        word = word_of[number]
        for back in range(2):
            lanes = np.uint64(0)
            for ring in range(RINGS + 1):
                change = soft[rank(turned(word, 2 * ring + back, 0, frame), frame)] - soft[number] + BIAS
                if change < 0 or change > 2 * BIAS:
                    lost += 1
                    change = BIAS
                lanes |= np.uint64(change) << (LANE_BITS * np.uint64(ring))
            steps[2 * number + back] = lanes
    return lost


@kernel
def soft_distance(word: Any, steps: NDArray[Any], frame: Frame) -> int:
    """Return the soft distance of one colour's word: the changes on a shortest way home, added up."""
    mask = (np.uint64(1) << LANE_BITS) - np.uint64(1)
    number = rank(word, frame)
    total = 0
    while frame.table[number] > 0:
        for move in range(2 * RINGS + 2):
            after = turned(word, move, 0, frame)
            there = rank(after, frame)
            if frame.table[there] < frame.table[number]:
                lanes = steps[2 * int(number) + (move & 1)]
                total += BIAS - int((lanes >> (LANE_BITS * np.uint64(move >> 1))) & mask)
                word, number = after, there
                break
    return total
