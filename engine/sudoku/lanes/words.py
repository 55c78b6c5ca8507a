"""What one 27-bit word (a digit's candidates in a band) can tell, two puzzles to an unsigned 64-bit element.

Octal reads well here: one octal digit is one minirow, three are a row, nine a band.
"""

import numpy as np

from engine._jit import folded
from engine.sudoku.lanes.layout import BOX_CORNERS, FIRST_ROW, MINIROWS, both

S1 = np.uint64(1)
S2 = np.uint64(2)
S3 = np.uint64(3)
S6 = np.uint64(6)
S9 = np.uint64(9)
S18 = np.uint64(18)

FIRST_TWO = both(0o333)
LAST = both(0o444)
FIRST = both(0o111)
LAST_TWO = both(0o666)


@folded
def locked_rows(word: np.uint64) -> np.uint64:
    """Return the candidates that agree with some assignment of the band's three rows to its three boxes.

    A digit takes each row and each box of a band once, so that its minirows are one of six permutations. Keeping only minirows
    that belong to a permutation all of whose minirows have candidates applies every pointing and claiming of rows at once.
    """
    minirows = (word | (word >> S1) | (word >> S2)) & MINIROWS
    row0 = minirows & BOX_CORNERS
    row1 = (minirows >> S9) & BOX_CORNERS
    row2 = (minirows >> S18) & BOX_CORNERS
    # Doubling a row makes a shift by one box cyclic.
    twice1 = row1 | (row1 << S9)
    twice2 = row2 | (row2 << S9)
    even = row0 & (twice1 >> S3) & (twice2 >> S6)
    odd = row0 & (twice1 >> S6) & (twice2 >> S3)
    even |= even << S9
    odd |= odd << S9
    kept = (
        ((even | odd) & BOX_CORNERS)
        | ((((even >> S6) | (odd >> S3)) & BOX_CORNERS) << S9)
        | ((((even >> S3) | (odd >> S6)) & BOX_CORNERS) << S18)
    )
    return word & (kept | (kept << S1) | (kept << S2))


@folded
def next_in_stack(columns: np.uint64) -> np.uint64:
    """Return column flags moved one place to the right within each stack, cyclically: new flag j is old flag j + 1."""
    return ((columns >> S1) & FIRST_TWO) | ((columns << S2) & LAST)


@folded
def after_next_in_stack(columns: np.uint64) -> np.uint64:
    """Return column flags moved two places within each stack, cyclically: new flag j is old flag j + 2."""
    return ((columns >> S2) & FIRST) | ((columns << S1) & LAST_TWO)


@folded
def fold_rows(word: np.uint64) -> np.uint64:
    """Return which of the nine columns hold a candidate in the band."""
    return (word | (word >> S9) | (word >> S18)) & FIRST_ROW


@folded
def spread_rows(columns: np.uint64) -> np.uint64:
    """Return column flags repeated in the band's three rows."""
    return columns | (columns << S9) | (columns << S18)


@folded
def fill_boxes(corners: np.uint64) -> np.uint64:
    """Return all nine cells of each box whose corner is flagged."""
    across = corners | (corners << S1) | (corners << S2)
    return across | (across << S9) | (across << S18)


@folded
def touched_boxes(word: np.uint64) -> np.uint64:
    """Return the corners of the boxes that hold a flag."""
    minirows = (word | (word >> S1) | (word >> S2)) & MINIROWS
    return (minirows | (minirows >> S9) | (minirows >> S18)) & BOX_CORNERS


@folded
def boxes_with_less_than_two(word: np.uint64) -> np.uint64:
    """Return the corners of the boxes that hold at most one candidate."""
    second = word >> S1
    third = word >> S2
    some = (word | second | third) & MINIROWS
    several = ((word & second) | (third & (word | second))) & MINIROWS
    some1 = some >> S9
    some2 = some >> S18
    two = (some & some1) | (some2 & (some | some1)) | several | (several >> S9) | (several >> S18)
    return ~two & BOX_CORNERS
