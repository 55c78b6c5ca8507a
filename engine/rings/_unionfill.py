"""Kernels that fill a table of codes in place, one depth at a time, without a queue: the table itself says what is where.

The table is read in the order of its entries, so that reading it costs little; what costs is to look at the neighbours of an
entry, which lie all over. They are asked for in batches, ahead of time. The table's own symmetries save three quarters of it:
only words whose low half is least among its images are turned, and what is found is written for all images.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine._jit import folded, kernel
from engine.rings._codes import UNSEEN, code_at, set_code
from engine.rings._instructions import prefetch
from engine.rings._words import ONE, Frame, rank, turned

BATCH = 64
"""Words turned together: enough that their neighbours are there when they are looked at, few enough for the nearest cache."""

CODES_A_WORD = 16
SEVENS = np.uint64(0x7777777777777777)
EIGHTS = np.uint64(0x8888888888888888)
ONES = np.uint64(0x1111111111111111)
FOUR = np.uint64(4)


class Halves(NamedTuple):
    """The words in the order of their ranks: all high halves for one low half, then for the next."""

    lows: NDArray[np.uint64]
    """Low halves in order."""
    visited: NDArray[np.uint8]
    """By place in `lows`: 0 for one that has a lesser image, whose words need not be turned."""
    high_beads: NDArray[np.int64]
    """By place in `lows`: how many beads the high half has."""
    highs: NDArray[np.uint64]
    """High halves by beads, in order."""
    first_high: NDArray[np.int64]
    """By beads: where the high halves with so many begin in `highs`; one more entry for the end."""
    images: NDArray[np.uint64]
    """Shape (symmetries, rings, 2 ** beads): what a ring with these beads becomes in each image. Identity not among them."""


class Batch(NamedTuple):
    """Room for words that are turned together."""

    sources: NDArray[np.uint64]
    words: NDArray[np.uint64]
    numbers: NDArray[np.int64]
    fresh: NDArray[np.uint64]
    image_numbers: NDArray[np.int64]


@kernel
def fill_part(  # noqa: PLR0917  # a kernel takes its arrays by position
    codes: NDArray[Any],
    wide: NDArray[Any],
    frame: Frame,
    halves: Halves,
    batch: Batch,
    code: int,
    following: int,
    backwards: bool,  # noqa: FBT001  # likewise
    begin: int,
    end: int,
) -> int:
    """Write code `following` for what is one click from entries of `code`, as far as low halves `begin` to `end` go; count it.

    `wide` is `codes` (length a multiple of 8) seen as uint64. Forwards, the entries of `code` are turned; backwards, those not
    yet seen, to find whether an entry of `code` is next to them: cheaper when few are left.
    """
    wanted = UNSEEN if backwards else code
    pattern = np.uint64(wanted) * ONES
    found = 0
    filled = 0
    for place in range(begin, end):
        if halves.visited[place] == 0:
            continue
        low = halves.lows[place]
        high = halves.first_high[halves.high_beads[place]]
        count = halves.first_high[halves.high_beads[place] + 1] - high
        first = np.int64(frame.low_rank[low])
        last = first + count
        for group in range(first // CODES_A_WORD, (last + CODES_A_WORD - 1) // CODES_A_WORD):
            differs = wide[group] ^ pattern
            equal = ~(((differs & SEVENS) + SEVENS) | differs) & EIGHTS
            number = group * CODES_A_WORD
            while equal != 0:
                if equal & np.uint64(8) != 0 and first <= number < last:
                    batch.sources[filled] = (halves.highs[high + number - first] << frame.low_bits) | low
                    filled += 1
                    if filled == BATCH:
                        found += _turn_batch(codes, frame, halves, batch, filled, code, following, backwards)
                        filled = 0
                equal >>= FOUR
                number += 1
    return found + _turn_batch(codes, frame, halves, batch, filled, code, following, backwards)


@kernel
def _turn_batch(  # noqa: PLR0917  # likewise
    codes: NDArray[Any],
    frame: Frame,
    halves: Halves,
    batch: Batch,
    filled: int,
    code: int,
    following: int,
    backwards: bool,  # noqa: FBT001  # likewise
) -> int:
    """Turn the batch's words every way, and write what that finds; return how many entries."""
    moves = 2 * frame.rings + 2
    turns = 0
    for source in range(filled):
        for move in range(moves):
            word = turned(batch.sources[source], move, 0, frame)
            number = np.int64(rank(word, frame))
            prefetch(codes, number >> 1)
            batch.words[turns] = word
            batch.numbers[turns] = number
            turns += 1
    fresh = 0
    if backwards:
        for source in range(filled):
            for turn in range(source * moves, (source + 1) * moves):
                if code_at(codes, batch.numbers[turn]) == code:
                    batch.fresh[fresh] = batch.sources[source]
                    fresh += 1
                    break
    else:
        for turn in range(turns):
            if code_at(codes, batch.numbers[turn]) == UNSEEN:
                set_code(codes, batch.numbers[turn], following)
                batch.fresh[fresh] = batch.words[turn]
                fresh += 1
    written = 0 if backwards else fresh
    images = 0
    for place in range(fresh):
        word = batch.fresh[place]
        if backwards:
            batch.image_numbers[images] = np.int64(rank(word, frame))
            images += 1
        for symmetry in range(len(halves.images)):
            number = np.int64(rank(_image(word, halves.images[symmetry], frame), frame))
            prefetch(codes, number >> 1)
            batch.image_numbers[images] = number
            images += 1
    for place in range(images):
        if code_at(codes, batch.image_numbers[place]) == UNSEEN:
            set_code(codes, batch.image_numbers[place], following)
            written += 1
    return written


@folded
def _image(word: Any, images: NDArray[Any], frame: Frame) -> Any:
    """Return the word in the mirror."""
    image = word & (ONE ^ ONE)
    for ring in range(frame.rings):
        image |= images[ring, (word >> (np.uint64(ring) * frame.bits)) & frame.ring_mask]
    return image
