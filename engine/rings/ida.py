"""Shortest solutions, proved: iterative deepening (IDA*) with the one-colour distance tables.

Source of the method: R. E. Korf, "Depth-first iterative-deepening: an optimal admissible tree search" (1985); pattern
databases: Culberson and Schaeffer (1998).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from engine.rings._ida import DEPTH, deepen
from engine.rings.model import State
from engine.rings.ordering import START, ordering, row_after
from engine.rings.stoppable import UNLIMITED, StoppableSearch
from engine.rings.tables import colour_words, distances, frame, lower_bound


@dataclass(frozen=True, slots=True)
class Shortest:
    """What iterative deepening found out about a state."""

    moves: tuple[int, ...] | None
    """A shortest solution: the first one in the order of the searches; None if the search ended before."""
    lower_bound: int
    """No solution has fewer clicks; equals `len(moves)` if there is one."""
    nodes: int
    """Clicks tried in all."""


class BoundedSearch(StoppableSearch):
    """The search for a solution of at most `bound` clicks, all of which start with `prefix`; it can be stopped and go on.

    `node_limit` counts clicks tried. `solution` holds the whole solution, prefix included, once `run` has returned True.
    """

    def __init__(self, state: State, bound: int, prefix: tuple[int, ...] = ()) -> None:
        super().__init__()
        self._prefix = prefix
        self._frame = frame(state.puzzle)
        self._next_row = ordering(state.puzzle)
        self._left = bound - len(prefix)
        start = state.after(prefix)
        floors = distances(start)
        size = max(self._left, 0) + 1
        self._words = np.zeros((size, state.puzzle.rings), dtype=np.uint64)
        self._floors = np.zeros((size, state.puzzle.rings), dtype=np.int64)
        self._rows = np.zeros(size, dtype=np.int64)
        self._clicks = np.full(size, -1, dtype=np.int64)
        self._words[0] = colour_words(start)
        self._floors[0] = floors
        self._rows[0] = row_after(state.puzzle, prefix) if prefix else START
        if max(floors) > self._left:
            self.finished = True
        elif max(floors) == 0:
            self.finished, self.solution = True, prefix

    def _go_on(self, stop: int) -> int:
        return deepen(
            self._frame,
            self._next_row,
            self._words,
            self._floors,
            self._rows,
            self._clicks,
            self._progress,
            self._left,
            stop,
        )

    def _found(self) -> tuple[int, ...]:
        depth = int(self._progress[DEPTH])
        return (*self._prefix, *(int(move) for move in self._clicks[:depth]))


def deepening(
    state: State,
    *,
    max_clicks: int,
    max_nodes: int = UNLIMITED,
    step: int = UNLIMITED,
    known: int = 0,
    search_of: Callable[[State, int], StoppableSearch] = BoundedSearch,
) -> Iterator[Shortest]:
    """Yield what is known after every `step` nodes and bound; the last one has a solution, or the search met a limit.

    Stops when no solution of `max_clicks` clicks or fewer exists, or, between two bounds or within one, when `max_nodes`
    nodes were spent: then `lower_bound` is the first bound that was not searched to its end. `known` is a lower bound that
    was proved before. `search_of` makes the search of a bound, below which there is no solution.
    """
    bound, spent = max(lower_bound(state), known), 0
    yield Shortest(() if state.is_solved else None, bound, 0)
    if state.is_solved:
        return
    while bound <= max_clicks and spent < max_nodes:
        search = search_of(state, bound)
        while not search.run(min(step, max_nodes - spent - search.nodes)):
            yield Shortest(None, bound, spent + search.nodes)
            if spent + search.nodes >= max_nodes:
                return
        spent += search.nodes
        if search.solution is not None:
            yield Shortest(search.solution, bound, spent)
            return
        bound += 1
        yield Shortest(None, bound, spent)


def shortest(state: State, *, max_clicks: int, max_nodes: int = UNLIMITED) -> Shortest:
    """Return the last of `deepening`: a shortest solution of at most `max_clicks` clicks, or the lower bound it proved."""
    *_, last = deepening(state, max_clicks=max_clicks, max_nodes=max_nodes)
    return last
