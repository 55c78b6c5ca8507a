"""The path: try the techniques in the order of the scale, apply the first hint, start again from the top.

Each group of searches is a kernel of its own, called from here, so that none becomes slow to compile; the singles, locking,
sets and fish, which are nearly all of the work, run on in one call until they find nothing more.
"""

from typing import Final

import numpy as np

from engine._jit import forward_kernel as kernel
from engine.sudoku.rating import techniques as t
from engine.sudoku.rating._basic import fish, hidden_set, hidden_single, locking, naked_set, naked_single
from engine.sudoku.rating._bug import B_SIZE, bug
from engine.sudoku.rating._forcing import forcing
from engine.sudoku.rating._loop_types import W_KNOWN, W_SIZE
from engine.sudoku.rating._loops import unique_loop
from engine.sudoku.rating._state import (
    CAND,
    EMPTY,
    GRID_SIZE,
    H_CELL,
    H_COUNT,
    H_LINKS,
    H_NODES,
    H_RATING,
    H_REMOVE,
    H_TECHNIQUE,
    HINT_SIZE,
    LEFT,
    PATH_SIZE,
    PLACE,
    apply,
    load,
)
from engine.sudoku.rating._suppositions import Suppositions
from engine.sudoku.rating._tables import POP, Words
from engine.sudoku.rating._triplets import T_KNOWN, T_SIZE, aligned_triplet
from engine.sudoku.rating._wings import A_KNOWN, A_SIZE, aligned_pair, wing

# How a path ends.
SOLVED: Final = 0
STOPPED: Final = 1  # no technique that is built finds anything
IMPOSSIBLE: Final = 2  # a cell or a digit of a house has nowhere to go: the puzzle has no solution
CLASH: Final = 3  # two givens contradict each other

# A summary: ratings in tenths of SE units, -1 where the path did not get that far.
S_END: Final = 0
S_ER: Final = 1
S_EP: Final = 2
S_ED: Final = 3
S_STEPS: Final = 4
S_WORDS: Final = 5  # words of the path that are used
S_LIMIT: Final = 6  # of a path that stopped: the next step has at least this rating
S_COUNTS: Final = 7  # one for each technique code
SUMMARY_SIZE: Final = S_COUNTS + t.TECHNIQUES

BASIC: Final = 0
XY: Final = 1
XYZ: Final = 2
QUADS: Final = 3
GROUPS: Final = np.array([0, 14, 15, 16, len(t.SEARCHES)], dtype=np.int64)
"""First row of `SEARCHES` of each group: up to hidden triplet, XY-wing, XYZ-wing, sets and fish of four."""


@kernel
def find(g: Words, hint: Words, scratch: Words, first: int, last: int) -> bool:
    """Write the first hint of rows first..last-1 of `SEARCHES`, wings not among them."""
    for row in range(first, last):
        kind = t.SEARCHES[row, t.KIND]
        found = False
        if kind == t.SINGLE:
            found = hidden_single(g, hint, row)
        elif kind == t.LOCK:
            found = locking(g, hint, row)
        elif kind == t.HIDDEN:
            found = hidden_set(g, hint, row)
        elif kind == t.BARE:
            found = naked_single(g, hint, row)
        elif kind == t.NAKED:
            found = naked_set(g, hint, row)
        elif kind == t.FISH:
            found = fish(g, hint, scratch, row)
        if found:
            return True
    return False


@kernel
def record(g: Words, hint: Words, path: Words, summary: Words) -> None:
    """Apply the hint, append it to the path (cut off after its last removal) and enter it in the summary."""
    apply(g, hint)
    end = summary[S_WORDS]
    words = H_REMOVE + hint[H_COUNT]
    for i in range(words):
        path[end + i] = hint[i]
    for i in range(hint[H_LINKS]):
        path[end + words + i] = hint[H_NODES + i]
    summary[S_WORDS] += words + hint[H_LINKS]
    summary[S_STEPS] += 1
    summary[S_COUNTS + hint[H_TECHNIQUE]] += 1
    summary[S_ER] = max(summary[S_ER], hint[H_RATING])
    if summary[S_ED] < 0:
        summary[S_ED] = hint[H_RATING]
    if summary[S_EP] < 0 and hint[H_CELL] >= 0:
        summary[S_EP] = summary[S_ER]


@kernel
def run_basic(g: Words, hint: Words, scratch: Words, path: Words, summary: Words) -> None:
    """Follow the path with the searches up to hidden triplet as far as they go."""
    while g[LEFT] and find(g, hint, scratch, GROUPS[BASIC], GROUPS[BASIC + 1]):
        record(g, hint, path, summary)


class Walker:
    """Follows paths, one puzzle after another, in arrays that are made once. For use by one thread at a time."""

    def __init__(self) -> None:
        self.grid = np.zeros(GRID_SIZE, dtype=np.int64)
        self.hint = np.zeros(HINT_SIZE, dtype=np.int64)
        self.scratch = np.zeros(max(B_SIZE, W_SIZE), dtype=np.int64)
        self.pairs = np.zeros(A_SIZE, dtype=np.int64)
        self.triplets = np.zeros(T_SIZE, dtype=np.int64)
        self.suppositions = Suppositions()
        self.path = np.zeros(PATH_SIZE, dtype=np.int64)

    def advanced(self, effort: int) -> bool:
        """Write the first hint from XY-wing (4.2) to chains of base rating `effort`; the basic searches found nothing."""
        g, hint, scratch = self.grid, self.hint, self.scratch
        return (
            wing(g, hint, GROUPS[XY])
            or wing(g, hint, GROUPS[XYZ])
            or unique_loop(g, hint, scratch)
            or find(g, hint, scratch, GROUPS[QUADS], GROUPS[QUADS + 1])
            or bug(g, hint, scratch)
            or aligned_pair(g, hint, self.pairs)
            or forcing(g, hint, self.suppositions.chains, self.suppositions.implied)
            or aligned_triplet(g, hint, self.triplets)
            or self.suppositions.find(g, hint, effort)
        )

    def follow(self, digits: Words, effort: int) -> Words:
        """Follow the path of a puzzle ([81], 0 for empty), return its summary; `path` holds the steps until the next call.

        `effort` is the highest base rating of chains that are searched, in tenths.
        """
        summary = np.zeros(SUMMARY_SIZE, dtype=np.int64)
        summary[S_ER : S_ED + 1] = -1
        self.scratch[W_KNOWN] = 0
        self.pairs[A_KNOWN] = 0
        self.triplets[T_KNOWN] = 0
        self.suppositions.forget()
        if not load(self.grid, digits):
            summary[S_END] = CLASH
            return summary
        while True:
            run_basic(self.grid, self.hint, self.scratch, self.path, summary)
            if self.grid[LEFT] == 0:
                return summary
            if not self.advanced(effort):
                summary[S_END] = IMPOSSIBLE if self.is_impossible() else STOPPED
                summary[S_LIMIT] = self.suppositions.limit
                return summary
            record(self.grid, self.hint, self.path, summary)

    def is_impossible(self) -> bool:
        """Tell whether an empty cell has no candidate, or a house no place for a digit that it still needs."""
        places = np.count_nonzero(self.grid[PLACE:EMPTY].reshape(27, 9), axis=1)
        empty = POP[self.grid[EMPTY : EMPTY + 27]]
        cells = np.count_nonzero(self.grid[CAND : CAND + 81])
        return bool((places < empty).any() or cells < self.grid[LEFT])
