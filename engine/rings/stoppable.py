"""What bounded searches have in common: they can be stopped after any number of nodes, and go on."""

from abc import ABC, abstractmethod

import numpy as np

FOUND = 1
NONE = 2
PAUSED = 3
"""What the kernel of a search says: a solution, none, or that it met its node limit."""

NODES = 0
"""Index in `progress`: clicks tried so far. What else the two numbers say is the kernel's."""

UNLIMITED = 2**62


class StoppableSearch(ABC):
    """A search for a solution of so many clicks. `solution` holds it once `run` has returned True, or None if there is none."""

    def __init__(self) -> None:
        self._progress = np.zeros(2, dtype=np.int64)
        self.solution: tuple[int, ...] | None = None
        self.finished = False

    @property
    def nodes(self) -> int:
        """Clicks tried so far."""
        return int(self._progress[NODES])

    def run(self, node_limit: int = UNLIMITED) -> bool:
        """Go on for about `node_limit` more nodes; return True if the search is over."""
        if self.finished:
            return True
        with np.errstate(over="ignore"):  # as plain Python, shifts that drop bits would warn
            outcome = self._go_on(min(self.nodes + node_limit, UNLIMITED))
        self.finished = outcome != PAUSED
        if outcome == FOUND:
            self.solution = self._found()
        return self.finished

    @abstractmethod
    def _go_on(self, stop: int) -> int:
        """Run the kernel until `stop` nodes in all; return FOUND, NONE or PAUSED."""

    @abstractmethod
    def _found(self) -> tuple[int, ...]:
        """Return the solution that the kernel has just found."""
