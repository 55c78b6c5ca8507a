"""Kernels on colour words: where a colour's beads are, one bit a position, seen from that colour's own home.

Word `c` of a state is turned so that ring `c` comes first. In this frame every colour is solved by the same word and one
distance table serves all of them; only the ring that a click turns differs.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine._jit import folded, kernel

ONE = np.uint64(1)


class Frame(NamedTuple):
    """What the kernels know of a puzzle: its sizes, its masks, and the ranking and distances of one colour's words."""

    rings: int
    beads: int
    bits: Any
    """`beads` as uint64, for shifts."""
    wrap: Any
    """Positions less one ring, as uint64."""
    ring_mask: Any
    disc_mask: Any
    full_mask: Any
    low_bits: Any
    """How many positions the low half of a word has, as uint64."""
    low_mask: Any
    low_rank: NDArray[np.uint32]
    """Rank of the first word with this low half."""
    high_rank: NDArray[np.uint32]
    """Rank of a high half among those with as many beads."""
    table: NDArray[np.uint8]
    """Clicks from home by rank."""


@folded
def rank(word: Any, frame: Frame) -> Any:
    """Return the number of a colour's word among all words with as many beads."""
    return frame.low_rank[word & frame.low_mask] + frame.high_rank[word >> frame.low_bits]


@folded
def turned(word: Any, move: int, colour: int, frame: Frame) -> Any:
    """Return the word of `colour` after a click."""
    ring = move >> 1
    if ring < frame.rings:
        place = ring - colour
        if place < 0:
            place += frame.rings
        shift = np.uint64(place * frame.beads)
        here = (word >> shift) & frame.ring_mask
        if move & 1:
            after = ((here >> ONE) | (here << (frame.bits - ONE))) & frame.ring_mask
        else:
            after = ((here << ONE) | (here >> (frame.bits - ONE))) & frame.ring_mask
        return word ^ ((here ^ after) << shift)
    here = word & frame.disc_mask
    if move & 1:
        after = ((here >> frame.bits) | (here << frame.wrap)) & frame.full_mask
    else:
        after = ((here << frame.bits) | (here >> frame.wrap)) & frame.full_mask
    return (word ^ here) | after


@folded
def turn_all(words: NDArray[Any], move: int, after: NDArray[Any], frame: Frame) -> bool:
    """Fill `after` with the words of all colours after a click; return whether any has changed."""
    changed = False
    for colour in range(frame.rings):
        after[colour] = turned(words[colour], move, colour, frame)
        changed |= bool(after[colour] != words[colour])
    return changed


@folded
def carried(word: Any, rings: int, frame: Frame) -> Any:
    """Return the word turned so that what was in ring 0 is in ring `rings`."""
    up = np.uint64(rings) * frame.bits
    down = np.uint64(frame.rings - rings) * frame.bits
    return ((word << up) | (word >> down)) & frame.full_mask


@kernel
def spread(table: NDArray[np.uint8], queue: NDArray[np.uint64], ends: NDArray[np.int64], words: int, frame: Frame) -> None:
    """Go on filling `table` with each word's distance by breadth-first search, for up to `words` words of the queue.

    `ends` holds where the queue's head and tail are, at first (0, 1): `queue[0]` is a word whose entry is 0, all others are
    255, and there is room for every word. The search has ended when they are equal; tail counts the words reached so far.
    """
    head, tail = ends[0], ends[1]
    stop = head + words
    while head < tail and head < stop:
        word = queue[head]
        head += 1
        clicks = table[rank(word, frame)] + 1
        for move in range(2 * frame.rings + 2):
            after = turned(word, move, 0, frame)
            number = rank(after, frame)
            if table[number] == 255:
                table[number] = clicks
                queue[tail] = after
                tail += 1
    ends[0], ends[1] = head, tail
