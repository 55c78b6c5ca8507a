"""Compiled kernels of the solution graph: counting ways by pulling from the next level, moves by sweeps, listing solutions.

A graph's levels are sorted arrays of canonical positions (uint64), laid end to end in `keys`; `bounds[k]` is where level k
begins. Counts have two words, `lows` and `highs`.
"""

import numpy as np
import numpy.typing as npt

from engine._jit import inlined, kernel
from engine.pegs._kernels import images_of, smallest_image

Words = npt.NDArray[np.uint64]
Ints = npt.NDArray[np.int64]

_ZERO = np.uint64(0)
_ONE = np.uint64(1)

FAR = 255
"""The number of moves of a position that has not been reached."""


@inlined
def _find(keys: Words, first: int, last: int, key: np.uint64) -> int:
    """Return the index of `key` in the sorted `keys[first:last]`, or -1."""
    low, high = first, last
    while low < high:
        middle = (low + high) >> 1
        if keys[middle] < key:
            low = middle + 1
        else:
            high = middle
    return low if low < last and keys[low] == key else -1


@kernel
def pull(  # noqa: PLR0917  # a kernel takes its arrays by position
    level: Words,
    triples: Words,
    before: Words,
    changes: Words,
    tables: Words,
    keys: Words,
    lows: Words,
    highs: Words,
    sieve: npt.NDArray[np.uint8],
    images: Words,
    picked: Ints,
    out_lows: Words,
    out_highs: Words,
) -> None:
    """Give every position of `level` the sum of the counts of the positions in `keys` that one jump leads to.

    `before[j]` says which of the holes `triples[j]` hold a peg before jump j (or after it, to undo jumps). `sieve` has a power
    of two of bytes, 1 at the scattered place of every key: most positions that are not in `keys` are seen there. `images` and
    `picked` (jumps + 1) are scratch.
    """
    place_bits = np.uint64(64)
    size = sieve.shape[0]
    while size > 1:
        size >>= 1
        place_bits -= _ONE
    for p in range(level.shape[0]):
        position = level[p]
        images_of(position, tables, images)
        legal = 0
        for j in range(triples.shape[0]):
            # Written always and kept if legal: a branch would be mispredicted at every legal jump.
            picked[legal] = j
            legal += position & triples[j] == before[j]
        low, high = _ZERO, _ZERO
        for n in range(legal):
            key = smallest_image(images, changes, picked[n])
            if sieve[_scatter(key) >> place_bits] != 0:
                i = _find(keys, 0, keys.shape[0], key)
                if i >= 0:
                    low += lows[i]
                    high += highs[i]
                    if low < lows[i]:
                        high += _ONE
        out_lows[p] = low
        out_highs[p] = high


@inlined
def _scatter(key: np.uint64) -> np.uint64:
    return key * np.uint64(0x9E3779B97F4A7C15)  # 2^64 / golden ratio: multiplicative hashing


@kernel
def mark(keys: Words, sieve: npt.NDArray[np.uint8]) -> None:
    """Set the sieve's byte of every key."""
    place_bits = np.uint64(64)
    size = sieve.shape[0]
    while size > 1:
        size >>= 1
        place_bits -= _ONE
    for i in range(keys.shape[0]):
        sieve[_scatter(keys[i]) >> place_bits] = 1


@kernel
def spread_moves(  # noqa: PLR0917  # a kernel takes its arrays by position
    keys: Words,
    bounds: Ints,
    level: int,
    first: int,
    last: int,
    triples: Words,
    forward: Words,
    changes: Words,
    tables: Words,
    jumps_from: Ints,
    landing: Ints,
    moves: npt.NDArray[np.uint8],
    images: Words,
    stack_positions: Words,
    stack_jumps: Ints,
) -> None:
    """Reach on from positions `first` to `last` - 1 of a level by one move each: every sweep of every peg, within the graph.

    Levels must be done in order. `jumps_from[h]` is the first jump from hole h (jumps are sorted), `landing[j]` the hole that
    jump j ends in, `moves` (uint8, `FAR` at the start) the fewest moves to each position; the stacks hold one entry for each
    jump of a sweep.
    """
    holes = jumps_from.shape[0] - 1
    depth_limit = bounds.shape[0] - 2 - level
    for p in range(first, last):
        if moves[p] == FAR:
            continue
        reached = moves[p] + 1
        for hole in range(holes):
            depth = 0
            stack_positions[0] = keys[p]
            stack_jumps[0] = jumps_from[hole]
            peg = hole
            while depth >= 0:
                jump = stack_jumps[depth]
                if jump == jumps_from[peg + 1] or depth == depth_limit:
                    depth -= 1
                    if depth >= 0:
                        # Back in the hole that the sweep's last jump came from, which the jump after it starts from too.
                        peg = hole if depth == 0 else landing[stack_jumps[depth - 1] - 1]
                    continue
                stack_jumps[depth] = jump + 1
                position = stack_positions[depth]
                if position & triples[jump] == forward[jump]:
                    images_of(position, tables, images)
                    key = smallest_image(images, changes, jump)
                    at = level + depth + 1
                    i = _find(keys, bounds[at], bounds[at + 1], key)
                    if i >= 0:
                        moves[i] = min(moves[i], reached)
                        depth += 1
                        stack_positions[depth] = position ^ triples[jump]
                        peg = landing[jump]
                        stack_jumps[depth] = jumps_from[peg]


@kernel
def list_solutions(  # noqa: PLR0917  # a kernel takes its arrays by position
    keys: Words,
    bounds: Ints,
    triples: Words,
    forward: Words,
    changes: Words,
    tables: Words,
    images: Words,
    positions: Words,
    chosen: Ints,
    depth: int,
    out: npt.NDArray[np.uint16],
) -> tuple[int, int]:
    """Fill rows of `out` with the next solutions in order, each as its jumps' numbers.

    `positions` and `chosen` hold the path so far, `chosen[d]` the next jump to try at depth d; begin with the start position,
    zeros and depth 0. Returns (rows filled, depth to go on from); a depth of -1 means that there are no more.
    """
    length = bounds.shape[0] - 2
    filled = 0
    while depth >= 0 and filled < out.shape[0]:
        if depth == length:
            for d in range(length):
                out[filled, d] = chosen[d] - 1
            filled += 1
            depth -= 1
            continue
        position = positions[depth]
        images_of(position, tables, images)
        found = False
        while chosen[depth] < triples.shape[0] and not found:
            jump = chosen[depth]
            chosen[depth] += 1
            if position & triples[jump] == forward[jump]:
                key = smallest_image(images, changes, jump)
                if _find(keys, bounds[depth + 1], bounds[depth + 2], key) >= 0:
                    positions[depth + 1] = position ^ triples[jump]
                    found = True
        if found:
            depth += 1
            if depth < length:
                chosen[depth] = 0
        else:
            depth -= 1
    return filled, depth
