"""One pass of deduction over sixteen puzzles at once."""

import numpy as np
import numpy.typing as npt

from engine._jit import kernel
from engine.sudoku.lanes.layout import ALL, CANDIDATES, DEAD, HIDDEN, MANY, MORE, NEWS, ONE, PLACED, VECTOR, both
from engine.sudoku.lanes.words import (
    after_next_in_stack,
    boxes_with_less_than_two,
    fill_boxes,
    fold_rows,
    locked_rows,
    next_in_stack,
    spread_rows,
    touched_boxes,
)

_ZERO = np.uint64(0)
_UNIT = both(1)
_SIGN = both(1 << 31)


@kernel
def one_pass(words: npt.NDArray[np.uint64]) -> None:
    """Remove candidates in all lanes, and refresh all that `layout` says a pass does.

    `words` is the flat array of `layout`, with CANDIDATES and ONE set. Afterwards a lane is dead if DEAD is not 0; else every
    cell has one candidate if MANY is 0 (which need not be a solution); else it has made no real progress if NEWS is 0.
    """
    for e in range(VECTOR):
        words[PLACED * VECTOR + e] = _ZERO
        words[(PLACED + 1) * VECTOR + e] = _ZERO
        words[(PLACED + 2) * VECTOR + e] = _ZERO
        words[DEAD * VECTOR + e] = _ZERO
        words[NEWS * VECTOR + e] = _ZERO
    for digit in range(9):
        for e in range(VECTOR):
            at = (CANDIDATES + 3 * digit) * VECTOR + e
            placed0 = words[PLACED * VECTOR + e]
            placed1 = words[(PLACED + 1) * VECTOR + e]
            placed2 = words[(PLACED + 2) * VECTOR + e]
            # Cells taken by smaller digits in this very pass are gone for this one.
            word0 = words[at] & ~placed0
            word1 = words[at + VECTOR] & ~placed1
            word2 = words[at + 2 * VECTOR] & ~placed2
            # A naked single empties the rest of its box; rows and columns follow from the permutations below.
            single0 = word0 & words[ONE * VECTOR + e]
            single1 = word1 & words[(ONE + 1) * VECTOR + e]
            single2 = word2 & words[(ONE + 2) * VECTOR + e]
            word0 &= ~fill_boxes(touched_boxes(single0)) | single0
            word1 &= ~fill_boxes(touched_boxes(single1)) | single1
            word2 &= ~fill_boxes(touched_boxes(single2)) | single2
            word0 = locked_rows(word0)
            word1 = locked_rows(word1)
            word2 = locked_rows(word2)
            # The same for columns: in each stack the digit's three columns are a permutation of the three bands.
            columns0 = fold_rows(word0)
            columns1 = fold_rows(word1)
            columns2 = fold_rows(word2)
            even = columns0 & next_in_stack(columns1) & after_next_in_stack(columns2)
            odd = columns0 & after_next_in_stack(columns1) & next_in_stack(columns2)
            word0 &= spread_rows(even | odd)
            word1 &= spread_rows(after_next_in_stack(even) | next_in_stack(odd))
            word2 &= spread_rows(next_in_stack(even) | after_next_in_stack(odd))
            # Hidden singles of rows and columns are alone in their box by now.
            hidden0 = word0 & fill_boxes(boxes_with_less_than_two(word0))
            hidden1 = word1 & fill_boxes(boxes_with_less_than_two(word1))
            hidden2 = word2 & fill_boxes(boxes_with_less_than_two(word2))
            words[PLACED * VECTOR + e] = placed0 | hidden0
            words[(PLACED + 1) * VECTOR + e] = placed1 | hidden1
            words[(PLACED + 2) * VECTOR + e] = placed2 | hidden2
            hidden = (HIDDEN + 3 * digit) * VECTOR + e
            words[hidden] = hidden0
            words[hidden + VECTOR] = hidden1
            words[hidden + 2 * VECTOR] = hidden2
            words[at] = word0
            words[at + VECTOR] = word1
            words[at + 2 * VECTOR] = word2
            # Subtracting 1 from a word borrows from bit 31 only if the word is 0: the digit has no place left in a band.
            words[DEAD * VECTOR + e] |= (
                ~(((word0 | _SIGN) - _UNIT) & ((word1 | _SIGN) - _UNIT) & ((word2 | _SIGN) - _UNIT)) & _SIGN
            )
    for band in range(3):
        for e in range(VECTOR):
            placed = words[(PLACED + band) * VECTOR + e]
            one = _ZERO
            many = _ZERO
            more = _ZERO
            for digit in range(9):
                at = (CANDIDATES + 3 * digit + band) * VECTOR + e
                # A cell that took a hidden single keeps that digit alone.
                word = words[at] & (~placed | words[(HIDDEN + 3 * digit + band) * VECTOR + e])
                words[at] = word
                more |= many & word
                many |= one & word
                one |= word
            words[DEAD * VECTOR + e] |= one ^ ALL
            one &= ~many
            at = (ONE + band) * VECTOR + e
            words[NEWS * VECTOR + e] |= one & ~words[at]
            words[at] = one
            words[(MANY + band) * VECTOR + e] = many
            words[(MORE + band) * VECTOR + e] = more
