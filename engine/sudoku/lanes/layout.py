"""Where everything is in the flat array of lane words, and the masks of one word.

Offsets are counted in vectors of `VECTOR` unsigned 64-bit elements; index = offset * VECTOR + element. Seen as unsigned
32-bit the same array is indexed offset * LANES + lane.
"""

from typing import Final

import numpy as np

VECTOR: Final = 8
"""Unsigned 64-bit elements in one vector: 512 bits."""
LANES: Final = 2 * VECTOR
"""Puzzles in lockstep."""

CANDIDATES: Final = 0
"""27 vectors: candidates of digit d in band b at 3 * d + b."""
ONE: Final = 27
"""3 vectors, one a band: cells with exactly one candidate, known at the start of a pass and refreshed by it."""
SAVED: Final = 30
"""These first vectors are a lane's whole state; all others are made anew by each pass."""
MANY: Final = 30
"""3 vectors: cells with two candidates or more."""
MORE: Final = 33
"""3 vectors: cells with three candidates or more."""
NEWS: Final = 36
"""1 vector, not 0 where the last pass left a cell with one candidate that had more before."""
DEAD: Final = 37
"""1 vector, not 0 where a lane has a contradiction."""
PLACED: Final = 38
"""3 vectors, within a pass: cells that got a hidden single."""
HIDDEN: Final = 41
"""27 vectors, within a pass, in the order of the candidates: cells in which the digit is a hidden single."""
VECTORS: Final = 68


def both(word: int) -> np.uint64:
    """Return a 32-bit mask in both halves of an element."""
    return np.uint64(word | word << 32)


ALL: Final = both(0o777777777)
"""The 27 cells of a band."""
ALL_32: Final = np.uint32(0o777777777)
MINIROWS: Final = both(0o111111111)
"""The first cell of each of the nine minirows (row-box intersections) of a band."""
BOX_CORNERS: Final = both(0o111)
"""The first cell of each box of a band."""
FIRST_ROW: Final = both(0o777)
"""The nine columns, as the first row of a band."""

CELL_BAND: Final = np.arange(81, dtype=np.int64) // 27
CELL_BIT: Final = np.uint32(1) << (np.arange(81, dtype=np.uint32) % np.uint32(27))

ROW_MASK: Final = np.array([0o777 << 9 * (bit // 9) for bit in range(27)], np.uint32)
"""For each bit of a band word the cells of its row."""
BOX_MASK: Final = np.array([0o007007007 << 3 * (bit % 9 // 3) for bit in range(27)], np.uint32)
"""For each bit the cells of its box."""
COLUMN_MASK: Final = np.array([0o001001001 << bit % 9 for bit in range(27)], np.uint32)
"""For each bit the cells of its column within one band."""


def _peers() -> np.ndarray[tuple[int, int], np.dtype[np.uint64]]:
    """Return for each cell (81, 3) its 20 peers as words of the three bands."""
    words = np.zeros((81, 3), np.uint64)
    for cell in range(81):
        bit = cell % 27
        words[cell] = COLUMN_MASK[bit]
        words[cell, cell // 27] |= np.uint64(ROW_MASK[bit] | BOX_MASK[bit])
        words[cell, cell // 27] &= ~np.uint64(CELL_BIT[cell])
    return words


PEERS_UP: Final = _peers()[:, 0] | _peers()[:, 1] << np.uint64(32)
"""For each cell its peers in bands 0 and 1, in the halves of one element."""
PEERS_LOW: Final = _peers()[:, 2].copy()
"""For each cell its peers in band 2."""
