"""Compiled kernels of the enumeration: one level of positions to the next, up to symmetry, with exact path counts.

A position is a uint64, bit i = a peg in hole i. A level is an array (classes, 2): the first word has the canonical position in
its low `holes` bits and the high part of the class's count above them, the second the low 64 bits of the count; so a count has
128 - holes bits and a class costs 16 bytes. The next level is gathered in an open-addressed table of the same two words; a
first word of 0 marks a free slot, for no position that jumps were made from or to is empty.

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
_HALF_WIDTH = np.uint64(32)
_HALF = np.uint64(0xFFFFFFFF)
_SCATTER = np.uint64(0x9E3779B97F4A7C15)  # 2^64 / golden ratio: Knuth, TAOCP 3, 6.4, multiplicative hashing

BATCH = 128
"""Successors hashed at a time: their first probes are loaded together, so that the cache misses overlap, and fit in L1."""

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
    """Fill `images` with the position's images under the group, the identity's first; then, if there is room, with itself."""
    for g in range(tables.shape[0]):
        image = _ZERO
        rest = position
        for byte in range(tables.shape[1]):
            image |= tables[g, byte, rest & _LOW_BYTE]
            rest >>= _BYTE
        images[g] = image
    for g in range(tables.shape[0], images.shape[0]):
        images[g] = position


@inlined
def smallest_image(images: Words, changes: Words, jump: int) -> np.uint64:
    """Return the canonical form of the position whose images are `images` XOR `changes[jump]`; both have a multiple of 4."""
    smallest: np.uint64 = images[0] ^ changes[jump, 0]
    for g in range(0, images.shape[0], 4):
        # Four at a time: nothing waits for the one before it.
        first = min(images[g] ^ changes[jump, g], images[g + 1] ^ changes[jump, g + 1])
        second = min(images[g + 2] ^ changes[jump, g + 2], images[g + 3] ^ changes[jump, g + 3])
        smallest = min(smallest, first, second)
    return smallest


@inlined
def add_to_table(  # noqa: PLR0917  # a kernel takes its arrays by position
    packed: np.uint64, low: np.uint64, slot: np.uint64, slots: Words, key_bits: np.uint64, stats: npt.NDArray[np.int64]
) -> int:
    """Add a count to its position's slot, looking from `slot` on; return 1 if the position is new, else 0."""
    last_slot = np.uint64(slots.shape[0] - 1)
    while True:
        there = slots[slot, 0]
        if (there ^ packed) & key_bits == _ZERO:
            total = slots[slot, 1] + low
            carry = key_bits + _ONE if total < low else _ZERO
            higher = there + (packed & ~key_bits)
            highest = higher + carry
            if higher < there or highest < higher:
                stats[STAT_OVERFLOW] = 1
            slots[slot, 0] = highest
            slots[slot, 1] = total
            return 0
        if there == _ZERO:
            slots[slot, 0] = packed
            slots[slot, 1] = low
            return 1
        slot = (slot + _ONE) & last_slot


@kernel
def expand(  # noqa: PLR0917  # a kernel takes its arrays by position
    level: Words,
    first: int,
    last: int,
    holes: np.uint64,
    triples: Words,
    before: Words,
    changes: Words,
    tables: Words,
    slots: Words,
    shift: np.uint64,
    occupied: int,
    limit: int,
    stats: npt.NDArray[np.int64],
    images: Words,
    picked: npt.NDArray[np.int64],
    queue: Words,
) -> tuple[int, int]:
    """Make the jumps of positions `first` to `last` - 1 and gather the successors with their counts.

    Arguments: `triples[j]` the three holes of jump j and `before[j]` those that must hold a peg; `changes[j, g]` the image of
    the three holes under symmetry g; `tables[g, byte, value]` images of a byte; `slots` the table and `shift` = 64 - log2 of
    its size; `images` (as many as `changes` has columns), `picked` (jumps + 1) and `queue` (BATCH + jumps, 2) are scratch.
    Stops early, before the table holds more than `limit` positions.
    Returns (the first position not done, occupied slots).
    """
    key_bits = (_ONE << holes) - _ONE
    jumps = triples.shape[0]
    order = tables.shape[0]
    queued = 0
    for p in range(first, last):
        if queued >= BATCH or occupied + queued + jumps > limit:
            occupied += _flush(queue, queued, slots, shift, key_bits, stats)
            queued = 0
            if occupied + jumps > limit:
                return p, occupied
        packed = level[p, 0]
        low = level[p, 1]
        position = packed & key_bits
        high = packed & ~key_bits
        images_of(position, tables, images)
        fixed = 0
        for g in range(order):
            fixed += images[g] == position
        stats[STAT_POSITIONS] += order // fixed
        legal = 0
        for j in range(jumps):
            # Written always and kept if legal: a branch would be mispredicted at every legal jump.
            picked[legal] = j
            legal += position & triples[j] == before[j]
        for i in range(legal):
            queue[queued, 0] = smallest_image(images, changes, picked[i]) | high
            queue[queued, 1] = low
            queued += 1
        if legal == 0:
            stats[STAT_STUCK] += order // fixed
            stats[STAT_STUCK_CLASSES] += 1
            stats[STAT_GAMES_LOW] += np.int64(low & _HALF)
            stats[STAT_GAMES_MIDDLE] += np.int64(low >> _HALF_WIDTH)
            stats[STAT_GAMES_HIGH] += np.int64(packed >> holes)
    occupied += _flush(queue, queued, slots, shift, key_bits, stats)
    return last, occupied


@kernel
def _flush(  # noqa: PLR0917  # a kernel takes its arrays by position
    queue: Words, queued: int, slots: Words, shift: np.uint64, key_bits: np.uint64, stats: npt.NDArray[np.int64]
) -> int:
    """Add the queue to the table; return how many positions were new."""
    # The first loop has no branches: its loads are in flight together and bring the slots near for the second.
    near = _ZERO
    for i in range(queued):
        near |= slots[((queue[i, 0] & key_bits) * _SCATTER) >> shift, 0]
    queue[queue.shape[0] - 1, 0] = near  # kept, so that the loop is not dropped as having no effect
    new = 0
    for i in range(queued):
        slot = ((queue[i, 0] & key_bits) * _SCATTER) >> shift
        new += add_to_table(queue[i, 0], queue[i, 1], slot, slots, key_bits, stats)
    return new


@kernel
def refill(slots: Words, bigger: Words, shift: np.uint64, key_bits: np.uint64, stats: npt.NDArray[np.int64]) -> None:
    """Move every entry to a bigger (empty) table; `shift` is the bigger one's."""
    for i in range(slots.shape[0]):
        if slots[i, 0] != _ZERO:
            slot = ((slots[i, 0] & key_bits) * _SCATTER) >> shift
            add_to_table(slots[i, 0], slots[i, 1], slot, bigger, key_bits, stats)


@kernel
def collect(slots: Words, level: Words) -> None:
    """Copy the occupied slots to `level`, in slot order, and free the table."""
    n = 0
    for i in range(slots.shape[0]):
        if slots[i, 0] != _ZERO:
            level[n, 0] = slots[i, 0]
            level[n, 1] = slots[i, 1]
            slots[i, 0] = _ZERO
            n += 1


@kernel
def canonical_forms(level: Words, key_bits: np.uint64, tables: Words, images: Words, out: Words) -> None:
    """Fill `out` with the canonical form of every position of the level under the group of `tables` (counts dropped)."""
    for p in range(level.shape[0]):
        images_of(level[p, 0] & key_bits, tables, images)
        smallest = images[0]
        for g in range(1, images.shape[0]):
            smallest = min(images[g], smallest)
        out[p] = smallest
