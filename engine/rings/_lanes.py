"""Kernels of the beam for five rings: a state is three planes of bits, and all its twelve clicks are judged at once.

The colour of a position is a number of three bits; plane `b` of a state holds bit `b` of all positions, so that a click turns
three words and not five. What the clicks change in a colour's soft distance is looked up together, ten bits a click, in the two
numbers `steps` has for each placing (see `engine.rings._soft`). Five look-ups and their sum judge all children of a state; the
lanes that are good enough are found by one subtraction.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine._jit import folded, kernel
from engine.rings._instructions import prefetch
from engine.rings._soft import BIAS, LANE_BITS, RINGS
from engine.rings._words import ONE, Frame, carried, rank, turned

MOVES = 2 * RINGS + 2

PLANES = 3

LANE = np.uint64(2**10 - 1)
RING_LANES = np.uint64(2 ** (10 * RINGS) - 1)
DISC_LANE = np.uint64(LANE << np.uint64(10 * RINGS))
LAST_RING = np.uint64(10 * (RINGS - 1))
IN_EACH = np.uint64(sum(1 << (10 * lane) for lane in range(RINGS + 1)))
GUARDS = np.uint64(sum(1 << (10 * lane + 9) for lane in range(RINGS + 1)))
"""The top bit of each lane, which five changes never reach."""
GUARD_BIT = np.uint64(9)
MOST = 511

BLOCK = 64
"""States treated together: their look-ups are under way at once."""

WAYS = 8
"""Marks a line of the set of seen states has: 64 bytes, fetched together."""

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
MIX = np.uint64(0xBF58476D1CE4E5B9)
MIX_TOO = np.uint64(0x94D049BB133111EB)
HALF = np.uint64(32)


@folded
def carried_lanes(lanes: Any) -> Any:
    """Return the lanes with each ring's moved to the next ring; the disc's stays."""
    return ((lanes << LANE_BITS) & RING_LANES) | ((lanes >> LAST_RING) & LANE) | (lanes & DISC_LANE)


@folded
def at_home(word: Any, colour: int, frame: Frame) -> Any:
    """Return the word turned so that the colour's own ring comes first."""
    return carried(word, frame.rings - colour, frame)


@folded
def within(lanes: Any, limit: int) -> Any:
    """Return the guard bits of those lanes that hold at most `limit`."""
    if limit < 0:
        return np.uint64(0)
    if limit >= MOST:
        return GUARDS
    return ((np.uint64(limit) * IN_EACH | GUARDS) - lanes) & GUARDS


@kernel
def judge(  # noqa: PLR0917  # a kernel takes its arrays by position
    frame: Frame,
    steps: NDArray[Any],
    planes: NDArray[Any],
    scores: NDArray[Any],
    count: int,
    ranks: NDArray[Any],
    lanes: NDArray[Any],
    histogram: NDArray[Any],
) -> None:
    """Fill `lanes[state]` with the changes of all clicks; count the children's scores in `histogram` (zeroed by the caller).

    A child's score is its parent's, plus its lane, less `RINGS * BIAS`. `ranks`, shape (BLOCK, RINGS), is room to work in.
    """
    for start in range(0, count, BLOCK):
        stop = min(start + BLOCK, count)
        for state in range(start, stop):
            low, middle, high = planes[state, 0], planes[state, 1], planes[state, 2]
            row = state - start
            ranks[row, 0] = rank(frame.full_mask & ~(low | middle | high), frame)
            ranks[row, 1] = rank(at_home(low & ~middle, 1, frame), frame)
            ranks[row, 2] = rank(at_home(middle & ~low, 2, frame), frame)
            ranks[row, 3] = rank(at_home(low & middle, 3, frame), frame)
            ranks[row, 4] = rank(at_home(high, 4, frame), frame)
            for colour in range(RINGS):
                prefetch(steps, 2 * ranks[row, colour])
        for state in range(start, stop):
            row = state - start
            base = scores[state] - RINGS * BIAS
            for back in range(2):
                total = carried_lanes(steps[2 * ranks[row, 4] + back]) + steps[2 * ranks[row, 3] + back]
                total = carried_lanes(total) + steps[2 * ranks[row, 2] + back]
                total = carried_lanes(total) + steps[2 * ranks[row, 1] + back]
                total = carried_lanes(total) + steps[2 * ranks[row, 0] + back]
                lanes[state, back] = total
                for _ in range(RINGS + 1):
                    histogram[base + int(total & LANE)] += 1
                    total >>= LANE_BITS


@kernel
def choose(  # noqa: PLR0917  # likewise
    scores: NDArray[Any],
    lanes: NDArray[Any],
    count: int,
    all_to: int,
    some_to: int,
    places: NDArray[Any],
    chosen: NDArray[Any],
) -> None:
    """Fill `chosen` with the children (state * MOVES + move) of scores up to `some_to`.

    First come those up to `all_to`, as they are found, then the others by score: `places[score]` is where a score's begin.
    """
    first = 0
    for state in range(count):
        base = scores[state] - RINGS * BIAS
        for back in range(2):
            total = lanes[state, back]
            good = within(total, some_to - base)
            if good == 0:
                continue
            best = within(total, all_to - base)
            for ring in range(RINGS + 1):
                if (good >> GUARD_BIT) & ONE:
                    child = np.uint32(state * MOVES + 2 * ring + back)
                    if (best >> GUARD_BIT) & ONE:
                        chosen[first] = child
                        first += 1
                    else:
                        score = base + int(total & LANE)
                        chosen[places[score]] = child
                        places[score] += 1
                good >>= LANE_BITS
                best >>= LANE_BITS
                total >>= LANE_BITS


@kernel
def admit(  # noqa: PLR0917  # likewise
    frame: Frame,
    planes: NDArray[Any],
    scores: NDArray[Any],
    lanes: NDArray[Any],
    chosen: NDArray[Any],
    total: int,
    block: NDArray[Any],
    seen: NDArray[Any],
    cursors: NDArray[Any],
    new_planes: NDArray[Any],
    new_scores: NDArray[Any],
    parents: NDArray[Any],
) -> int:
    """Take the first of the `total` chosen children that were not seen lately, up to `len(parents) - 1`; return how many.

    `seen` is a set of 64-bit marks with room for `WAYS` a line, a power of two of lines; `cursors` says for each line which
    mark is the oldest, to be replaced next. A state forgotten so early that it comes again costs a place of the beam, no more.
    `block`, shape (BLOCK, PLANES + 2), is room to work in; the new arrays have one row more than is ever filled.
    """
    width = len(parents) - 1
    lines = np.uint64(len(cursors) - 1)
    taken = 0
    for start in range(0, total, BLOCK):
        stop = min(start + BLOCK, total)
        for place in range(start, stop):
            child = int(chosen[place])
            state = child // MOVES
            move = child - state * MOVES
            row = place - start
            value = GOLDEN
            for plane in range(PLANES):
                word = turned(planes[state, plane], move, 0, frame)
                block[row, plane] = word
                value = (value ^ word) * MIX
                value ^= value >> HALF
            value *= MIX_TOO
            value ^= value >> HALF
            prefetch(seen, int(value & lines) * WAYS)
            block[row, PLANES] = value
            lane = (lanes[state, move & 1] >> (LANE_BITS * np.uint64(move >> 1))) & LANE
            block[row, PLANES + 1] = np.uint64(scores[state] - RINGS * BIAS + int(lane))
        for place in range(start, stop):
            if taken == width:
                return taken
            row = place - start
            mark = block[row, PLANES]
            line = int(mark & lines)
            known = False
            for way in range(WAYS):
                known |= bool(seen[line * WAYS + way] == mark)
            cursor = int(cursors[line])
            oldest = line * WAYS + cursor
            # No branch: whether a state is known cannot be foreseen, and waiting for it would stop the look-ups that follow.
            seen[oldest] = seen[oldest] if known else mark
            new = 0 if known else 1
            cursors[line] = np.uint8((cursor + new) & (WAYS - 1))
            for plane in range(PLANES):
                new_planes[taken, plane] = block[row, plane]
            new_scores[taken] = int(block[row, PLANES + 1])
            parents[taken] = chosen[place]
            taken += new
    return taken
