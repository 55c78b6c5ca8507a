"""Kernels of the beam search: one layer of states to the next, the best by the sum of the squares of the colours' distances."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine._jit import kernel
from engine.rings._words import Frame, rank, turned

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
MIX = np.uint64(0xBF58476D1CE4E5B9)
HALF = np.uint64(32)


@kernel
def fingerprint(words: NDArray[Any], rings: int) -> Any:
    """Return a 64-bit hash of a state, never 0 (which marks an empty slot). The last word follows from the others."""
    value = GOLDEN
    for colour in range(rings - 1):
        value = (value ^ words[colour]) * MIX
        value ^= value >> HALF
    return value if value != 0 else GOLDEN


@kernel
def score_children(  # noqa: PLR0917  # a kernel takes its arrays by position
    frame: Frame,
    words: NDArray[Any],
    floors: NDArray[Any],
    last: NDArray[Any],
    count: int,
    scores: NDArray[Any],
    histogram: NDArray[Any],
) -> int:
    """Fill `scores[state * moves + move]` with the child's sum of squares, or -1 for a click that undoes or does nothing.

    `histogram` (zeroed by the caller) counts the scores. Returns the index of a solved child, or -1.
    """
    moves = 2 * frame.rings + 2
    solved = -1
    for state in range(count):
        for move in range(moves):
            child = state * moves + move
            total = 0
            changed = False
            if move ^ 1 != last[state]:
                for colour in range(frame.rings):
                    before = words[state, colour]
                    after = turned(before, move, colour, frame)
                    if after != before:
                        changed = True
                        clicks = int(frame.table[rank(after, frame)])
                    else:
                        clicks = int(floors[state, colour])
                    total += clicks * clicks
            if not changed:
                scores[child] = -1
                continue
            scores[child] = total
            histogram[total] += 1
            if total == 0:
                solved = child
    return solved


@kernel
def sort_children(scores: NDArray[Any], count: int, histogram: NDArray[Any], order: NDArray[Any]) -> int:
    """Fill `order` with the children by ascending score, equal ones as they come; return how many there are."""
    total = 0
    for score in range(len(histogram)):
        total += histogram[score]
        histogram[score] = total - histogram[score]  # where the score's children begin
    for child in range(count):
        score = scores[child]
        if score >= 0:
            order[histogram[score]] = child
            histogram[score] += 1
    return total


@kernel
def next_layer(  # noqa: PLR0917  # a kernel takes its arrays by position
    frame: Frame,
    words: NDArray[Any],
    floors: NDArray[Any],
    order: NDArray[Any],
    count: int,
    seen: NDArray[Any],
    new_words: NDArray[Any],
    new_floors: NDArray[Any],
    last: NDArray[Any],
    parents: NDArray[Any],
) -> int:
    """Take the first children of `order` that were never seen, as many as fit; return how many.

    `seen` is a hash set of fingerprints (a power of two of slots) over all layers. `parents[k]` becomes the child's index
    (state * moves + move) and `last[k]` its click.
    """
    moves = 2 * frame.rings + 2
    mask = np.uint64(len(seen) - 1)
    width = len(new_words)
    taken = 0
    for place in range(count):
        if taken == width:
            break
        child = order[place]
        state = child // moves
        move = child % moves
        for colour in range(frame.rings):
            new_words[taken, colour] = turned(words[state, colour], move, colour, frame)
        mark = fingerprint(new_words[taken], frame.rings)
        slot = mark & mask
        while seen[slot] != 0 and seen[slot] != mark:
            slot = (slot + np.uint64(1)) & mask
        if seen[slot] == mark:
            continue
        seen[slot] = mark
        for colour in range(frame.rings):
            if new_words[taken, colour] == words[state, colour]:
                new_floors[taken, colour] = floors[state, colour]
            else:
                new_floors[taken, colour] = frame.table[rank(new_words[taken, colour], frame)]
        last[taken] = move
        parents[taken] = child
        taken += 1
    return taken
