"""Kernels that count states: each class of symmetric states under one exact key, met once, in a hash set of keys.

A key is the least of a state's images under all symmetries of the puzzle: its rings carried round, their order reversed, and
each ring's direction reversed (where the disc's places allow that). In home frames (see `engine.rings._words`) carrying the
rings round only shifts the list of words, so that 20 images of five rings cost four. The words' ranks, 23 bits each for five
rings of seven, are packed into two 64-bit numbers; the last colour is where the others are not. Nothing is lost by that: equal
keys are symmetric states.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine._jit import folded, kernel
from engine.rings._words import ONE, Frame, rank, turn_all

EMPTY = np.uint64(0xFFFFFFFFFFFFFFFF)
"""Marks a free slot; a key's first number stays below 2 ** 63."""

MIX = np.uint64(0x9E3779B97F4A7C15)
MIX_TOO = np.uint64(0xBF58476D1CE4E5B9)
HALF = np.uint64(32)


class Packing(NamedTuple):
    """How states become keys, and back."""

    word_of: NDArray[np.uint64]
    """Word by rank."""
    flipped: NDArray[np.uint64]
    """A ring's beads, one bit each, in the other direction; the same where the puzzle has no such mirror image."""
    rank_bits: Any
    """Bits of a rank, as uint64."""
    ranks_a_number: int
    """How many ranks one of the two numbers of a key holds."""


class Scratch(NamedTuple):
    """Room for one state and its images."""

    words: NDArray[np.uint64]
    after: NDArray[np.uint64]
    images: NDArray[np.uint64]
    """Shape (4, rings): as it is, each ring reversed, their order reversed, both."""
    key: NDArray[np.uint64]


@kernel
def list_words(word_of: NDArray[Any], frame: Frame) -> None:
    """Fill `word_of` with every word of one colour, each at its rank."""
    word = frame.ring_mask
    for _ in range(len(word_of)):
        word_of[rank(word, frame)] = word
        lowest = word & (~word + ONE)  # the next greater word with as many bits: a carry, and the rest moved down
        carried = word + lowest
        rest = word ^ carried
        while rest & ONE == 0:
            rest >>= ONE
        word = carried | (rest >> np.uint64(2))


@kernel
def unpack(key: NDArray[Any], words: NDArray[Any], packing: Packing, frame: Frame) -> None:
    """Fill `words` with the state of a key; the inverse of `pack`."""
    positions = frame.wrap + frame.bits
    taken = np.uint64(0)
    mask = (ONE << packing.rank_bits) - ONE
    for colour in range(frame.rings - 1):
        number = colour // packing.ranks_a_number
        shift = packing.rank_bits * np.uint64(colour % packing.ranks_a_number)
        word = packing.word_of[(key[number] >> shift) & mask]
        words[colour] = word
        home = frame.bits * np.uint64(colour)
        taken |= (word << home) | (word >> (positions - home))
    left = ~taken & frame.full_mask
    words[frame.rings - 1] = ((left >> frame.wrap) | (left << frame.bits)) & frame.full_mask


@kernel
def pack(words: NDArray[Any], first: int, key: NDArray[Any], packing: Packing, frame: Frame) -> None:
    """Fill `key` (two numbers) with the state whose colours are those of `words` from number `first` on, going round."""
    key[0] = 0
    key[1] = 0
    for colour in range(frame.rings - 1):
        number = colour // packing.ranks_a_number
        shift = packing.rank_bits * np.uint64(colour % packing.ranks_a_number)
        key[number] |= np.uint64(rank(words[(first + colour) % frame.rings], frame)) << shift


@kernel
def canonical(words: NDArray[Any], images: NDArray[Any], key: NDArray[Any], packing: Packing, frame: Frame) -> int:
    """Fill `key` with the key of the state's class.

    Return `16 * ties + same`: how many of the 4 * rings images are the least one, and how many of these differ from the first
    by carrying round and whole mirror images alone (order and direction reversed together).
    """
    rings = frame.rings
    for colour in range(rings):
        word = words[colour]
        flip, turn, both = np.uint64(0), np.uint64(0), np.uint64(0)
        for ring in range(rings):
            place = frame.bits * np.uint64(ring)
            opposite = frame.bits * np.uint64(rings - ring if ring else 0)
            here = (word >> place) & frame.ring_mask
            there = packing.flipped[here]
            flip |= there << place
            turn |= here << opposite
            both |= there << opposite
        mirror = rings - colour if colour else 0
        images[0, colour] = word
        images[1, colour] = flip
        images[2, mirror] = turn
        images[3, mirror] = both
    best, first, ties, same = 0, 0, 0, 0
    for image in range(4):
        for start in range(rings):
            order = 0
            for k in range(rings):
                at, least = (start + k) % rings, (first + k) % rings
                if images[image, at] != images[best, least]:
                    order = -1 if images[image, at] < images[best, least] else 1
                    break
            if order < 0:
                best, first, ties, same = image, start, 1, 1
            elif order == 0:
                ties += 1
                same += int((image in (0, 3)) == (best in (0, 3)))
    pack(images[best], first, key, packing, frame)
    return 16 * ties + same


@folded
def mixed(key: Any, key_too: Any) -> Any:
    """Return a hash of a key: its high half chooses the pass, its low half the slot."""
    value = (key ^ (key_too * MIX)) * MIX_TOO
    value ^= value >> HALF
    value *= MIX
    return value ^ (value >> HALF)


@kernel
def enter(layer: NDArray[Any], table: NDArray[Any], passes: int, this_pass: int) -> int:
    """Put those keys of a layer (shape (n, 2)) that belong to this pass into the hash set; return how many."""
    slots = np.uint64(len(table) - 1)
    entered = 0
    for k in range(len(layer)):
        value = mixed(layer[k, 0], layer[k, 1])
        if ((value >> HALF) * np.uint64(passes)) >> HALF != np.uint64(this_pass):
            continue
        slot = value & slots
        while table[slot, 0] != EMPTY:
            slot = (slot + ONE) & slots
        table[slot, 0] = layer[k, 0]
        table[slot, 1] = layer[k, 1]
        entered += 1
    return entered


@kernel
def expand(  # noqa: PLR0917  # a kernel takes its arrays by position
    frame: Frame,
    packing: Packing,
    scratch: Scratch,
    layer: NDArray[Any],
    start: int,
    stop: int,
    table: NDArray[Any],
    room: int,
    passes: int,
    this_pass: int,
    found: NDArray[Any],
    totals: NDArray[Any],
) -> int:
    """Count the states that one click reaches from the classes `start` to `stop` of a layer and that are not in `table` yet.

    The hash set `table` (shape (slots, 2), slots a power of two, EMPTY where free) takes at most `room` more keys. `totals`
    grows by states, classes under whole mirror images, classes under all symmetries. New keys go to `found` after the
    `totals[2]` that it has, unless it has no rows. Returns where it stopped: before `stop` if the room may not do.
    """
    slots = np.uint64(len(table) - 1)
    moves = 2 * frame.rings + 2
    images = 4 * frame.rings
    for k in range(start, stop):
        if room < moves:
            return k
        unpack(layer[k], scratch.words, packing, frame)
        for move in range(moves):
            if not turn_all(scratch.words, move, scratch.after, frame):
                continue
            counts = canonical(scratch.after, scratch.images, scratch.key, packing, frame)
            key, key_too = scratch.key[0], scratch.key[1]
            value = mixed(key, key_too)
            if ((value >> HALF) * np.uint64(passes)) >> HALF != np.uint64(this_pass):
                continue
            slot = value & slots
            while table[slot, 0] != EMPTY and (table[slot, 0] != key or table[slot, 1] != key_too):
                slot = (slot + ONE) & slots
            if table[slot, 0] != EMPTY:
                continue
            table[slot, 0] = key
            table[slot, 1] = key_too
            room -= 1
            if len(found):
                found[totals[2], 0] = key
                found[totals[2], 1] = key_too
            ties, same = counts // 16, counts % 16
            totals[0] += images // ties
            totals[1] += 2 * same // ties
            totals[2] += 1
    return stop
