"""Constant tables of the rater: geometry in the order in which the SE scale looks at houses, subsets in colexicographic order.

Houses are numbered 0..8 blocks, 9..17 columns, 18..26 rows: the scan order of singles, sets and fish. Loops and BUGs scan
block, row, column instead, which is what `WALK` is for. Digits are 0..8 here; sets of digits, of positions in a house and of
houses are bit masks. A set of cells is three words of 27 bits, one a band of rows.
"""

from itertools import combinations
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Words: TypeAlias = NDArray[np.int64]

ALL = 0x1FF
"""All nine digits, or all nine positions of a house."""
FIRST_BLOCK = 0b111_000_000_111_000_000_111
"""The first block of a band of 27 cells."""


def _houses() -> list[list[int]]:
    blocks = [[(b // 3 * 3 + p // 3) * 9 + b % 3 * 3 + p % 3 for p in range(9)] for b in range(9)]
    columns = [[9 * r + c for r in range(9)] for c in range(9)]
    rows = [[9 * r + c for c in range(9)] for r in range(9)]
    return blocks + columns + rows


def _words(cells: list[int]) -> list[int]:
    return [sum(1 << (c % 27) for c in cells if c // 27 == w) for w in range(3)]


# Made with plain lists, because a module should import in no time, and turned into arrays for the kernels.
_HOUSES = _houses()
_HOUSE_OF = [[c // 27 * 3 + c % 9 // 3, 9 + c % 9, 18 + c // 9] for c in range(81)]
_PEERS = [sorted({p for h in of for p in _HOUSES[h]} - {c}) for c, of in enumerate(_HOUSE_OF)]
_CROSS = [[sum(1 << p for p, c in enumerate(x) if c in y) for y in map(set, _HOUSES)] for x in _HOUSES]

HOUSES = np.array(_HOUSES, dtype=np.int64)
"""[27, 9] the cells of each house."""
HOUSE_OF = np.array(_HOUSE_OF, dtype=np.int64)
"""[81, 3] each cell's block, column and row, as house numbers."""
POSITION = np.array([[_HOUSES[h].index(c) for h in of] for c, of in enumerate(_HOUSE_OF)], dtype=np.int64)
"""[81, 3] the cell's position in each of them."""
PEERS = np.array(_PEERS, dtype=np.int64)
"""[81, 20] each cell's peers in ascending order."""
WALK_PEERS = np.array(
    [list(dict.fromkeys(p for h in (of[0], of[2], of[1]) for p in _HOUSES[h] if p != c)) for c, of in enumerate(_HOUSE_OF)]
)
"""[81, 20] each cell's peers in the order of chains: those in its block, in its row, in its column."""
BESIDE = np.array(
    [
        sum(1 << p for p, x in enumerate(_HOUSES[h]) if x != c and (h == of[0] or x not in _HOUSES[of[0]]))
        for c, of in enumerate(_HOUSE_OF)
        for h in (of[0], of[2], of[1])
    ],
    dtype=np.int64,
)
"""[81 * 3] the positions of the peers in the cell's block, of those in its row and in its column that are not in its block."""
WALK_HOUSE = np.array([9 * h for of in _HOUSE_OF for h in (of[0], of[2], of[1])], dtype=np.int64)
"""[81 * 3] nine times the number of the cell's block, row and column."""
WALK_BIT = np.array([1 << _HOUSES[h].index(c) for c, of in enumerate(_HOUSE_OF) for h in (of[0], of[2], of[1])], dtype=np.int64)
"""[81 * 3] the cell's position in them as a mask."""
FIRST_OF = np.array([9 * c for house in _HOUSES for c in house], dtype=np.int64)
"""[27 * 9] nine times the cell at each position of each house: the number of its first candidate."""
PEER_WORDS = np.array([_words(peers) for peers in _PEERS], dtype=np.int64)
"""[81, 3] the same as a set of cells."""
SEES = np.array([[int(b in peers) for b in range(81)] for peers in _PEERS], dtype=np.int64)
"""[81, 81] 1 where two cells share a house."""
HOUSE_BITS = np.array([sum(1 << h for h in of) for of in _HOUSE_OF], dtype=np.int64)
"""[81] each cell's three houses as a mask of 27 bits."""
CROSS = np.array(_CROSS, dtype=np.int64)
"""[27, 27] the positions of house x that lie in house y too."""

POP = np.array([m.bit_count() for m in range(512)], dtype=np.int64)
"""[512] number of bits."""
LOW = np.array([9] + [(m & -m).bit_length() - 1 for m in range(1, 512)], dtype=np.int64)
"""[512] lowest bit; 9 for the empty mask."""


def _subsets() -> tuple[Words, Words]:
    """Subsets of nine things by size, each size in colexicographic order, which is the order of the masks as numbers."""
    found: list[int] = []
    start = [0]
    for size in range(10):
        found += sorted(sum(1 << i for i in chosen) for chosen in combinations(range(9), size))
        start.append(len(found))
    return np.array(found, dtype=np.int64), np.array(start, dtype=np.int64)


SUBSETS, SUBSET_START = _subsets()
"""The subsets of size k are SUBSETS[SUBSET_START[k]:SUBSET_START[k + 1]]."""

# Locking is looked for as block in column, block in row, column in block, row in block.
LOCK_FIRST = np.array([0, 0, 9, 18], dtype=np.int64)
"""First house of the type that holds the locked digit, for the four kinds of locking."""


def _lock_houses() -> tuple[Words, Words]:
    second = np.full((4, 9, 512), -1, dtype=np.int64)
    third = np.zeros((4, 9, 2), dtype=np.int64)
    for kind, (first, other) in enumerate(((0, 9), (0, 18), (9, 0), (18, 0))):
        for i in range(9):
            crossing = [h for h in range(other, other + 9) if _CROSS[first + i][h]]
            for h in crossing:
                full = _CROSS[first + i][h]
                second[kind, i, [m for m in range(512) if m & ~full == 0 and m.bit_count() > 1]] = h
            # Houses of the first type that meet the same second houses are the two beside it in its band or stack.
            third[kind, i] = [h for h in range(first, first + 9) if h != first + i and all(_CROSS[h][x] for x in crossing)]
    return second, third


LOCK_SECOND, LOCK_THIRD = _lock_houses()
"""[4, 9, 512] the house that holds all of these positions, or -1; [4, 9, 2] the two neighbours of the same type."""

WALK = np.array([0, 2, 1], dtype=np.int64)
"""Column of `HOUSE_OF` in the order block, row, column."""


def _signs() -> Words:
    """Return a number of 61 bits for each candidate, from a linear congruential generator."""
    signs, x = [], 1
    for _ in range(729):
        x = (x * 6364136223846793005 + 1442695040888963407) % 2**64
        signs.append(x >> 3)
    return np.array(signs, dtype=np.int64)


SIGN = _signs()
"""[729] hash of each candidate; the hash of a set of candidates is the exclusive or of its members'."""
