"""The grid as the rater sees it, one flat array; and the hint, what a technique writes when it has found something.

Keeping the places of each digit in each house beside the candidates of each cell makes every search a few table look-ups.
"""

from typing import Final

from engine._jit import forward_kernel as kernel
from engine.sudoku.rating._tables import ALL, HOUSE_OF, HOUSES, PEER_WORDS, PEERS, POSITION, Words

# Offsets into the grid array.
CAND: Final = 0  # 81: candidates of each cell, 0 when it is filled
PLACE: Final = 81  # 27 * 9: positions where a house can take a digit
EMPTY: Final = 324  # 27: positions of a house's empty cells
BOARD: Final = 351  # 9 * 3: all cells where a digit can go, as a set of cells
PLACED: Final = 378  # 9: how often a digit is placed
LEFT: Final = 387  # 1: number of empty cells
COPIED: Final = 388  # what a run's working grid is made of
FRESH_HOUSE: Final = COPIED  # 27: rows of `SEARCHES` that have not looked at a house since it last changed
FRESH_DIGIT: Final = COPIED + 27  # 9: the same for the places of a digit
GRID_SIZE: Final = COPIED + 36

# Offsets into a hint, which is also one step of a recorded path.
H_TECHNIQUE: Final = 0
H_RATING: Final = 1  # tenths of SE units
H_CELL: Final = 2  # cell that is filled, or -1
H_DIGIT: Final = 3
H_PATTERN: Final = 4  # 3 words: the cells of the pattern
H_DIGITS: Final = 7  # its digits
H_HOUSE: Final = 8  # the house it lies in (for fish: the mask of base houses), or -1
H_OTHER: Final = 9  # the second house (for fish: the mask of cover houses), or -1
H_COUNT: Final = 10  # number of removals
H_COMPLEXITY: Final = 11  # of a chain: its number of nodes, else 0
H_LINKS: Final = 12  # number of nodes of the chain that are recorded behind the removals
H_REMOVE: Final = 13  # removals: cell << 9 | digits
H_COMMON: Final = H_REMOVE + 81  # 3 words, not part of the step: the cells that see all of some cells
H_NODES: Final = H_COMMON + 3  # nodes of the chain: 2 * candidate + (1 if on), candidate = 9 * cell + digit
MOST_NODES: Final = 64
HINT_SIZE: Final = H_NODES + MOST_NODES

BAND: Final = (1 << 27) - 1
"""All cells of a band, one word of a set of cells."""

PATH_SIZE: Final = (H_REMOVE + MOST_NODES) * 810 + 729
"""Words that any path fits in: every step fills a cell or removes at least one candidate."""


@kernel
def clear(g: Words, cell: int, digit: int) -> None:
    """Remove one candidate, which must be there."""
    bit = 1 << digit
    g[CAND + cell] &= ~bit
    for t in range(3):
        g[PLACE + HOUSE_OF[cell, t] * 9 + digit] &= ~(1 << POSITION[cell, t])
        g[FRESH_HOUSE + HOUSE_OF[cell, t]] = -1
    g[FRESH_DIGIT + digit] = -1
    g[BOARD + digit * 3 + cell // 27] &= ~(1 << (cell % 27))


@kernel
def fill(g: Words, cell: int, digit: int) -> None:
    """Put a digit into an empty cell and remove it from the 20 peers."""
    for d in range(9):
        if g[CAND + cell] >> d & 1:
            clear(g, cell, d)
    for t in range(3):
        g[EMPTY + HOUSE_OF[cell, t]] &= ~(1 << POSITION[cell, t])
    for i in range(20):
        if g[CAND + PEERS[cell, i]] >> digit & 1:
            clear(g, PEERS[cell, i], digit)
    g[PLACED + digit] += 1
    g[LEFT] -= 1


@kernel
def load(g: Words, puzzle: Words) -> bool:
    """Set up the grid from 81 digits (0 for empty); False if two givens contradict each other."""
    for i in range(81):
        g[CAND + i] = ALL
    for i in range(PLACE, BOARD):
        g[i] = ALL
    for i in range(BOARD, PLACED):
        g[i] = BAND
    for d in range(9):
        g[PLACED + d] = 0
    g[LEFT] = 81
    for i in range(COPIED, GRID_SIZE):
        g[i] = -1
    for cell in range(81):
        digit = puzzle[cell] - 1
        if digit >= 0:
            if g[CAND + cell] >> digit & 1 == 0:
                return False
            fill(g, cell, digit)
    return True


@kernel
def begin(hint: Words) -> None:
    """Start a hint that has no cells, no placement, no house and no removals yet; the caller sets what it has."""
    hint[H_CELL] = -1
    hint[H_DIGIT] = -1
    for w in range(3):
        hint[H_PATTERN + w] = 0
    hint[H_HOUSE] = -1
    hint[H_OTHER] = -1
    hint[H_COUNT] = 0
    hint[H_COMPLEXITY] = 0
    hint[H_LINKS] = 0


@kernel
def mark(hint: Words, cell: int) -> None:
    """Add a cell to the pattern of the hint."""
    hint[H_PATTERN + cell // 27] |= 1 << (cell % 27)


@kernel
def mark_house(hint: Words, house: int, positions: int) -> None:
    """Add the cells at these positions of a house to the pattern."""
    for p in range(9):
        if positions >> p & 1:
            mark(hint, HOUSES[house, p])


@kernel
def drop(g: Words, hint: Words, cell: int, digits: int) -> None:
    """Add the removal of those of `digits` that are candidates of the cell."""
    present = g[CAND + cell] & digits
    if present:
        hint[H_REMOVE + hint[H_COUNT]] = cell << 9 | present
        hint[H_COUNT] += 1


@kernel
def drop_house(g: Words, hint: Words, house: int, positions: int, digits: int) -> None:
    """Add the removal of `digits` from the cells at these positions of a house."""
    for p in range(9):
        if positions >> p & 1:
            drop(g, hint, HOUSES[house, p], digits)


@kernel
def see_none(hint: Words) -> None:
    """Start the set of cells that see all of some cells: for no cells, it is all cells."""
    for w in range(3):
        hint[H_COMMON + w] = BAND


@kernel
def see(hint: Words, cell: int) -> None:
    """Narrow that set to the peers of one more cell."""
    for w in range(3):
        hint[H_COMMON + w] &= PEER_WORDS[cell, w]


@kernel
def any_common(g: Words, hint: Words, digit: int) -> bool:
    """Tell whether a cell of that set has the digit as a candidate."""
    at = BOARD + digit * 3
    return bool((hint[H_COMMON] & g[at] | hint[H_COMMON + 1] & g[at + 1] | hint[H_COMMON + 2] & g[at + 2]) != 0)


@kernel
def drop_common(g: Words, hint: Words, digit: int) -> None:
    """Add the removal of one digit from the cells of that set."""
    for w in range(3):
        word = hint[H_COMMON + w] & g[BOARD + digit * 3 + w]
        if word:
            for i in range(27):
                if word >> i & 1:
                    drop(g, hint, 27 * w + i, 1 << digit)


@kernel
def apply(g: Words, hint: Words) -> None:
    """Carry the hint out: the removals, then the placement."""
    for i in range(hint[H_COUNT]):
        cell = hint[H_REMOVE + i] >> 9
        for d in range(9):
            if hint[H_REMOVE + i] >> d & 1:
                clear(g, cell, d)
    if hint[H_CELL] >= 0:
        fill(g, hint[H_CELL], hint[H_DIGIT])
