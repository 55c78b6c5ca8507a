"""Where everything is in the array of lane words, and the masks of one word.

The array holds unsigned 32-bit words [vector][lane], flat: index = vector * LANES + lane.
"""

from typing import Final

import numpy as np

LANES: Final = 16
"""Puzzles in lockstep: as many 32-bit words as one 512-bit vector holds."""

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
VECTORS: Final = 36

ALL: Final = 0o777777777
"""The 27 cells of a band."""
ALL_32: Final = np.uint32(ALL)

ROW_MASK: Final = np.array([0o777 << 9 * (bit // 9) for bit in range(27)], np.uint32)
"""For each bit of a band word the cells of its row."""
BOX_MASK: Final = np.array([0o007007007 << 3 * (bit % 9 // 3) for bit in range(27)], np.uint32)
"""For each bit the cells of its box."""
COLUMN_MASK: Final = np.array([0o001001001 << bit % 9 for bit in range(27)], np.uint32)
"""For each bit the cells of its column within one band."""

UP: Final = 0
"""In a frame, elements 0, 2, .. 16: each digit's candidates in bands 0 and 1."""
LOW: Final = 1
"""In a frame, elements 1, 3, .. 17: each digit's candidates in band 2."""
ONE_UP: Final = 18
"""In a frame: cells with exactly one candidate in bands 0 and 1."""
ONE_LOW: Final = 19
"""In a frame: cells with exactly one candidate in band 2."""
PAIRS_UP: Final = 20
"""In a frame: cells with exactly two candidates in bands 0 and 1."""
PAIRS_LOW: Final = 21
"""In a frame: cells with exactly two candidates in band 2."""
GUESSED: Final = 22
"""In a frame: the cell of the guess that was made there."""
FRAME: Final = 24
"""Unsigned 64-bit elements that keep a lane's state aside, two bands in one: bits 0..26 and 32..58."""
CELLS: Final = 96
"""Numbers of cells, 32 * band + bit: some of them, between the bands, stand for none."""

ONE_BLAME: Final = np.uint32(128)
BLAMELESS: Final = np.arange(CELLS, dtype=np.uint32)
"""What is kept of a lane's cells: 128 * how many branches died with no guess after the one there, plus the cell's number.

With the number in it, adding it to a cell's weight also names the cell, which costs an instruction less.
"""


def _peers() -> np.ndarray[tuple[int, int], np.dtype[np.uint64]]:
    """Return (CELLS, 2) the 20 peers of each cell as UP and LOW elements; a cell is 32 * band + bit, the rows between are 0."""
    peers = np.zeros((CELLS, 2), np.uint64)
    for cell in range(81):
        band, bit = divmod(cell, 27)
        words = [int(COLUMN_MASK[bit])] * 3
        words[band] |= int(ROW_MASK[bit] | BOX_MASK[bit])
        words[band] &= ~(1 << bit)
        peers[32 * band + bit] = words[0] | words[1] << 32, words[2]
    return peers


PEERS: Final = np.concatenate([_peers(), _peers()], axis=1)
"""(CELLS, 4): for cell 32 * band + bit its peers in bands 0 and 1, and in band 2, and both once more."""
