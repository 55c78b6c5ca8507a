"""The searches for suppositions one after the other, from nishio to chains nested in dynamic chains nested in dynamic chains.

Up to dynamic chains plus one kernel does a whole search. What is nested makes a search inside each run: there the runs are made
one by one from here, each going on as long as the inner search extends it.
"""

from typing import Final

import numpy as np

from engine.sudoku.rating._extra import go_on, make_run
from engine.sudoku.rating._links import C_IMPLIED, C_SIZE
from engine.sudoku.rating._nested import F_SIZE, nest_chains, nest_search
from engine.sudoku.rating._nishio import want_refuted
from engine.sudoku.rating._record import chains_since, hints_since
from engine.sudoku.rating._run import D_OVER, D_SIZE, DYNAMIC, NISHIO, NODES, R_CLASH, R_SIZE, STATIC, Run
from engine.sudoku.rating._search import (
    MOST_NESTS,
    N_FIELDS,
    S_ASKED,
    S_MODE,
    S_NISHIO,
    S_SIZE,
    S_WANTED,
    conclude,
    make_runs,
    open_search,
    search,
    want_all,
)
from engine.sudoku.rating._shared import I_SIZE, ask
from engine.sudoku.rating._tables import Words

SEARCHES: Final = (
    (75, NISHIO, 0, 0),
    (80, STATIC, 0, 0),
    (85, DYNAMIC, 0, 0),
    (90, DYNAMIC, 1, 0),
    (95, DYNAMIC, 2, 0),
    (100, DYNAMIC, 3, 0),
    (105, DYNAMIC, 4, 0),
    (105, DYNAMIC, 4, 1),
    (105, DYNAMIC, 4, 2),
    (105, DYNAMIC, 4, 3),
)
"""Base rating in tenths, mode, level, and the level of the dynamic chains that level 4 nests; in the order of the scale.

Level 1 adds locking, pairs and X-wings to dynamic chains, level 2 also forcing chains and cycles, level 3 also cell and region
chains, level 4 dynamic chains instead of these two.
"""

NESTED: Final = 2
"""From this level on chains are nested."""
MULTIPLE: Final = 3
TWICE: Final = 4


class Depth:
    """The scratch of a search at one depth of nesting."""

    def __init__(self) -> None:
        self.run = np.zeros(D_SIZE, dtype=np.int64)
        # Made of pages that take memory only when a run is written to them.
        self.runs = np.zeros((NODES, R_SIZE), dtype=np.int16)
        self.nests = np.zeros(N_FIELDS * (MOST_NESTS + 1), dtype=np.int64)
        self.search = np.zeros(S_SIZE, dtype=np.int64)


class Suppositions:
    """Searches for suppositions, in arrays that are made once. For use by one thread at a time."""

    def __init__(self) -> None:
        self.depths = [Depth()]
        self.chains = np.zeros(C_SIZE, dtype=np.int64)
        self.implied = np.zeros(I_SIZE, dtype=np.int64)
        self.nest = np.zeros(F_SIZE, dtype=np.int64)
        self.recorded: dict[int, list[tuple[int, int]]] | None = None
        """The links of the nested chains of the run in hand, by number, if they are wanted."""
        self.limit = 0
        """After `find` found nothing: the next step has at least this rating, in tenths."""

    def forget(self) -> None:
        """Begin a new path."""
        self.depths[0].search[S_NISHIO : S_NISHIO + 36] = 0

    def find(self, grid: Words, hint: Words, effort: int) -> bool:
        """Write the first hint of searches whose base rating is at most `effort`."""
        top = self.depths[0]
        for base, mode, level, inner in SEARCHES:
            self.limit = base
            if base > effort:
                return False
            open_search(top.run, top.search, mode, level, 0)
            found = self._search(grid, 0, level, inner)
            if self._overflowed():
                return False
            if found:
                conclude(grid, hint, top.runs, top.search)
                return True
        return False

    def one_run(self, grid: Words, node: int, mode: int, level: int) -> tuple[Words, Run, dict[int, list[tuple[int, int]]]]:
        """Return the scratch and the run of one supposition, and the links of its nested chains, valid until the next call.

        Level 4 nests plain dynamic chains.
        """
        at = self.depths[0]
        open_search(at.run, at.search, mode, level, 0)
        if level >= NESTED:
            at.nests[0] = 0
            self.recorded = {}
            self._run(grid, 0, node, level, 0)
        else:
            make_run(grid, at.run, at.runs[node], node)
        recorded, self.recorded = self.recorded, None
        return at.run, at.runs[node], recorded or {}

    def _overflowed(self) -> bool:
        """Tell whether something did not fit into the scratch, so that the search proves nothing; and forget it."""
        over = any(depth.run[D_OVER] for depth in self.depths)
        for depth in self.depths:
            depth.run[D_OVER] = 0
        return over

    def _depth(self, depth: int) -> Depth:
        while len(self.depths) <= depth:
            self.depths.append(Depth())
        return self.depths[depth]

    def _search(self, grid: Words, depth: int, level: int, inner: int) -> bool:
        """Search the hints that this depth's search was opened for."""
        at = self.depths[depth]
        if at.search[S_MODE] == STATIC and not self.ask(grid, at):
            return False
        if at.search[S_MODE] == NISHIO and not want_refuted(grid, at.search):
            return False
        if at.search[S_MODE] == DYNAMIC:
            want_all(grid, at.search)
        if level < NESTED:
            make_runs(grid, at.run, at.runs, at.search)
        else:
            at.nests[0] = 0
            for node in np.flatnonzero(at.search[S_WANTED : S_WANTED + NODES]).tolist():
                self._run(grid, depth, node, level, inner)
        return search(grid, at.run, at.runs, at.nests, at.search)

    def ask(self, grid: Words, at: Depth) -> bool:
        """Mark the cells and regions that lead to something by static links, and the runs they need.

        The search for forcing chains, which comes before, has left the implications of this grid.
        """
        if self.chains[C_IMPLIED]:
            at.search[S_ASKED : S_ASKED + 324] = 1
            want_all(grid, at.search)
            return True
        return ask(grid, self.implied, at.search)

    def _run(self, grid: Words, depth: int, node: int, level: int, inner: int) -> None:
        """Make the run of one supposition with nested chains."""
        at = self.depths[depth]
        run = at.runs[node]
        make_run(grid, at.run, run, node)
        while not run[R_CLASH] and self._extend(grid, depth, run, level, inner):
            go_on(grid, at.run, run)

    def _extend(self, grid: Words, depth: int, run: Run, level: int, inner: int) -> bool:
        """Enter what chains nested in the run remove; tell whether there is anything."""
        at = self.depths[depth]
        if level < TWICE:
            before = int(at.nests[0])
            if nest_chains(grid, at.run, run, self.chains, self.implied, self.nest, at.nests):
                if depth == 0 and self.recorded is not None:
                    self.recorded |= chains_since(before, at.nests, self.chains)
                return True
            return level == MULTIPLE and self._nest(grid, depth, run, STATIC, 0)
        return self._nest(grid, depth, run, DYNAMIC, inner)

    def _nest(self, grid: Words, depth: int, run: Run, mode: int, level: int) -> bool:
        """Enter what a search on the run's working grid removes."""
        at = self.depths[depth]
        below = self._depth(depth + 1)
        open_search(below.run, below.search, mode, level, 1)
        if not self._search(at.run, depth + 1, level, 0):
            return False
        before = int(at.nests[0])
        found = nest_search(grid, at.run, run, self.nest, at.nests, below.run, below.runs, below.search)
        if depth == 0 and self.recorded is not None:
            self.recorded |= hints_since(before, at.nests, at.run, below.run, below.runs, below.search)
        return found
