"""Compiled kernels of the enumeration: one level of positions to the next, up to symmetry, with exact path counts.

A position is a uint64, bit i = a peg in hole i. A level is two arrays: `keys` (the canonical position in the low `holes` bits,
the high part of its count above them) and `lows` (the low 64 bits of its count); so a count has 128 - holes bits and a level
costs 16 bytes a class. The next level is gathered in an open-addressed table of the same two words; key 0 marks a free slot,
for no position that jumps were made from or to is empty.

Every image of a position under the group is found once (`images_of`, by table over bytes). A successor's images are those XOR
the images of the jump's three holes, so its canonical form (the smallest image) costs one XOR and one minimum a symmetry.
"""

import numpy as np
import numpy.typing as npt

from engine._jit import inlined, kernel

Words = npt.NDArray[np.uint64]

_ZERO = np.uint64(0)
_ONE = np.uint64(1)
_BYTE = np.uint64(8)
_LOW_BYTE = np.uint64(255)
_SCATTER = np.uint64(0x9E3779B97F4A7C15)  # 2^64 / golden ratio: Knuth, TAOCP 3, 6.4, multiplicative hashing

QUEUE = 512
"""Successors hashed at a time: their first probes are loaded together, so that the cache misses overlap."""

# Rows of the `stats` array that `expand` adds to.
STAT_POSITIONS = 0  # positions of the level, symmetric ones counted each
STAT_STUCK = 1  # positions without a jump, symmetric ones counted each
STAT_STUCK_CLASSES = 2  # the same, symmetric ones counted once
STAT_GAMES_LOW = 3  # jump sequences that end here, in three words of 32 bits so that no carry is lost
STAT_GAMES_MIDDLE = 4
STAT_GAMES_HIGH = 5
STAT_OVERFLOW = 6  # 1 if a count passed 128 - holes bits
STATS = 7


@inlined
def images_of(position: np.uint64, tables: Words, images: Words) -> None:
    """Fill `images` with the position's images under the group, the identity's first."""
    for g in range(tables.shape[0]):
        image = _ZERO
        rest = position
        for byte in range(tables.shape[1]):
            image |= tables[g, byte, rest & _LOW_BYTE]
            rest >>= _BYTE
        images[g] = image


@inlined
def smallest_image(images: Words, change: Words) -> np.uint64:
    """Return the canonical form of the position whose images are `images` XOR `change`."""
    smallest: np.uint64 = images[0] ^ change[0]
    for g in range(1, images.shape[0]):
        image = images[g] ^ change[g]
        smallest = min(image, smallest)
    return smallest


@inlined
def add_to_table(  # noqa: PLR0917  # a kernel takes its arrays by position
    key: np.uint64,
    low: np.uint64,
    high: np.uint64,
    slot: np.uint64,
    slot_keys: Words,
    slot_lows: Words,
    holes: np.uint64,
    occupied: int,
    stats: npt.NDArray[np.int64],
) -> int:
    """Add the count (high, low) to `key`'s slot, looking from `slot` on; return the new number of occupied slots."""
    last_slot = np.uint64(slot_keys.shape[0] - 1)
    key_bits = (_ONE << holes) - _ONE
    while True:
        there = slot_keys[slot]
        if there == _ZERO:
            slot_keys[slot] = key | (high << holes)
            slot_lows[slot] = low
            occupied += 1
            break
        if there & key_bits == key:
            total = slot_lows[slot] + low
            carry = _ONE if total < low else _ZERO
            slot_lows[slot] = total
            upper = (there >> holes) + high + carry
            if (upper << holes) >> holes != upper:
                stats[STAT_OVERFLOW] = 1
            slot_keys[slot] = key | (upper << holes)
            break
        slot = (slot + _ONE) & last_slot
    return occupied


@kernel
def expand(  # noqa: PLR0917  # a kernel takes its arrays by position
    keys: Words,
    lows: Words,
    first: int,
    last: int,
    holes: np.uint64,
    triples: Words,
    before: Words,
    changes: Words,
    tables: Words,
    slot_keys: Words,
    slot_lows: Words,
    shift: np.uint64,
    occupied: int,
    limit: int,
    stats: npt.NDArray[np.int64],
    images: Words,
    queue: Words,
) -> tuple[int, int]:
    """Make the jumps of positions `first` to `last` - 1 and gather the successors with their counts.

    Arguments: `triples[j]` the three holes of jump j and `before[j]` those that must hold a peg; `changes[j, g]` the image of
    the three holes under symmetry g; `tables[g, byte, value]` images of a byte; `shift` = 64 - log2(slots); `images` (group
    size) and `queue` (3, QUEUE + 1) are scratch. Stops early, before the table holds more than `limit` keys.
    Returns (the first position not done, occupied slots).
    """
    key_bits = (_ONE << holes) - _ONE
    half = np.uint64(0xFFFFFFFF)
    group = images.shape[0]
    queued = 0
    for p in range(first, last):
        if queued + triples.shape[0] > QUEUE:
            occupied = _flush(queue, queued, holes, slot_keys, slot_lows, shift, occupied, stats)
            queued = 0
        if occupied + queued + triples.shape[0] > limit:
            occupied = _flush(queue, queued, holes, slot_keys, slot_lows, shift, occupied, stats)
            queued = 0
            if occupied + triples.shape[0] > limit:
                return p, occupied
        packed = keys[p]
        position = packed & key_bits
        high = packed >> holes
        low = lows[p]
        images_of(position, tables, images)
        fixed = 0
        for g in range(group):
            if images[g] == position:
                fixed += 1
        stats[STAT_POSITIONS] += group // fixed
        already = queued
        for j in range(triples.shape[0]):
            if position & triples[j] == before[j]:
                queue[0, queued] = smallest_image(images, changes[j])
                queue[1, queued] = low
                queue[2, queued] = high
                queued += 1
        if queued == already:
            stats[STAT_STUCK] += group // fixed
            stats[STAT_STUCK_CLASSES] += 1
            stats[STAT_GAMES_LOW] += np.int64(low & half)
            stats[STAT_GAMES_MIDDLE] += np.int64(low >> np.uint64(32))
            stats[STAT_GAMES_HIGH] += np.int64(high)
    occupied = _flush(queue, queued, holes, slot_keys, slot_lows, shift, occupied, stats)
    return last, occupied


@kernel
def _flush(  # noqa: PLR0917  # a kernel takes its arrays by position
    queue: Words,
    queued: int,
    holes: np.uint64,
    slot_keys: Words,
    slot_lows: Words,
    shift: np.uint64,
    occupied: int,
    stats: npt.NDArray[np.int64],
) -> int:
    # The first loop has no branches: its loads are in flight together and bring the slots near for the second.
    near = _ZERO
    for i in range(queued):
        near |= slot_keys[(queue[0, i] * _SCATTER) >> shift] | slot_lows[(queue[0, i] * _SCATTER) >> shift]
    queue[2, QUEUE] = near  # kept, so that the loop is not dropped as having no effect
    for i in range(queued):
        key = queue[0, i]
        slot = (key * _SCATTER) >> shift
        occupied = add_to_table(key, queue[1, i], queue[2, i], slot, slot_keys, slot_lows, holes, occupied, stats)
    return occupied


@kernel
def refill(  # noqa: PLR0917  # a kernel takes its arrays by position
    slot_keys: Words,
    slot_lows: Words,
    bigger_keys: Words,
    bigger_lows: Words,
    holes: np.uint64,
    shift: np.uint64,
    stats: npt.NDArray[np.int64],
) -> None:
    """Move every entry to a bigger (empty) table; `shift` is the bigger one's."""
    key_bits = (_ONE << holes) - _ONE
    occupied = 0
    for i in range(slot_keys.shape[0]):
        packed = slot_keys[i]
        if packed != _ZERO:
            key = packed & key_bits
            slot = (key * _SCATTER) >> shift
            occupied = add_to_table(key, slot_lows[i], packed >> holes, slot, bigger_keys, bigger_lows, holes, occupied, stats)


@kernel
def collect(slot_keys: Words, slot_lows: Words, keys: Words, lows: Words) -> None:
    """Copy the occupied slots to `keys` and `lows`, in slot order, and free the table."""
    n = 0
    for i in range(slot_keys.shape[0]):
        packed = slot_keys[i]
        if packed != _ZERO:
            keys[n] = packed
            lows[n] = slot_lows[i]
            n += 1
            slot_keys[i] = _ZERO


@kernel
def canonical_forms(keys: Words, holes: np.uint64, tables: Words, images: Words, out: Words) -> None:
    """Fill `out` with the canonical form of every key's position under the group of `tables` (counts dropped)."""
    key_bits = (_ONE << holes) - _ONE
    for p in range(keys.shape[0]):
        images_of(keys[p] & key_bits, tables, images)
        smallest = images[0]
        for g in range(1, images.shape[0]):
            smallest = min(images[g], smallest)
        out[p] = smallest
