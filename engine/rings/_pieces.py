"""Kernels of the count on disk: turn a part of a layer, share the keys among pieces, and tell a piece's keys apart.

Keys are those of `engine.rings._count`, with how many images the class has in the free high bits of their second number:
whoever meets the key knows the size of the class without making its images again.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine._jit import folded, kernel
from engine.rings._count import EMPTY, HALF, Packing, Scratch, canonical, mixed, unpack
from engine.rings._words import ONE, Frame, turn_all

SIZE_BITS = np.uint64(54)
"""Where the class's `canonical` count begins in a key's second number: ten bits are free from there for 5 rings."""


@folded
def piece_of(key: Any, key_too: Any, pieces: int) -> int:
    """Return which piece a key belongs to."""
    return int(((mixed(key, key_too) >> HALF) * np.uint64(pieces)) >> HALF)


@kernel
def turn(  # noqa: PLR0917  # a kernel takes its arrays by position
    frame: Frame,
    packing: Packing,
    scratch: Scratch,
    layer: NDArray[Any],
    start: int,
    stop: int,
    pieces: int,
    keys: NDArray[Any],
    known: int,
    sizes: NDArray[Any],
) -> int:
    """Append to `keys` (shape (n, 2)), which has `known`, those one click from the classes `start` to `stop` of a layer.

    `sizes[piece]` grows by the number of each piece's. Returns how many keys there are.
    """
    for k in range(start, stop):
        unpack(layer[k], scratch.words, packing, frame)
        for move in range(2 * frame.rings + 2):
            if not turn_all(scratch.words, move, scratch.after, frame):
                continue
            count = canonical(scratch.after, scratch.images, scratch.key, packing, frame)
            key, key_too = scratch.key[0], scratch.key[1] | (np.uint64(count) << SIZE_BITS)
            keys[known, 0] = key
            keys[known, 1] = key_too
            sizes[piece_of(key, key_too, pieces)] += 1
            known += 1
    return known


@kernel
def share(keys: NDArray[Any], count: int, pieces: int, places: NDArray[Any], shared: NDArray[Any]) -> None:
    """Fill `shared` with the keys, piece by piece: `places[piece]` is where the next one of a piece goes."""
    for k in range(count):
        piece = piece_of(keys[k, 0], keys[k, 1], pieces)
        place = places[piece]
        shared[place, 0] = keys[k, 0]
        shared[place, 1] = keys[k, 1]
        places[piece] = place + 1


@kernel
def sift(keys: NDArray[Any], table: NDArray[Any], images: int, found: NDArray[Any], totals: NDArray[Any]) -> None:
    """Put the keys into the hash set `table`, which has room for all, and count those that are new.

    `totals` grows by states, classes under whole mirror images, classes under all symmetries; new keys go to `found` after the
    `totals[2]` it has, unless it has no rows. `images` is four times the number of rings.
    """
    slots = np.uint64(len(table) - 1)
    for k in range(len(keys)):
        key, key_too = keys[k, 0], keys[k, 1]
        slot = mixed(key, key_too) & slots
        while table[slot, 0] != EMPTY and (table[slot, 0] != key or table[slot, 1] != key_too):
            slot = (slot + ONE) & slots
        if table[slot, 0] != EMPTY:
            continue
        table[slot, 0] = key
        table[slot, 1] = key_too
        if len(found):
            found[totals[2], 0] = key
            found[totals[2], 1] = key_too
        size = int(key_too >> SIZE_BITS)
        ties, same = size // 16, size % 16
        totals[0] += images // ties
        totals[1] += 2 * same // ties
        totals[2] += 1
