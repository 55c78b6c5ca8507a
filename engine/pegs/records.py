"""The results of the peg solitaire job kinds, as handed to the database."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from engine.jobs import JsonObject, canonical_json


@dataclass(frozen=True, slots=True)
class BoardRecord:
    """Which board a result belongs to: name, drawing and a hash of the geometry (holes and legal jumps)."""

    name: str
    shape_hash: str
    """32 hex digits of BLAKE2b over the holes and jumps: two boards with one shape hash play alike hole by hole."""
    holes: int
    text: str
    """The board drawn in text, all holes filled."""


@dataclass(frozen=True, slots=True)
class SolutionRecord:
    """One solution: a sequence of jumps that leaves one peg."""

    family: ClassVar[str] = "pegs"

    board: BoardRecord
    start: int
    """The hole that is empty at the start."""
    index: int | None
    """Rank among all solutions of (board, start) in the order of the solution graph; None where it was not counted."""
    finish: int
    jumps: Sequence[tuple[int, int]]
    """(from, to) hole numbers."""
    moves: int
    """Sweeps: consecutive jumps by one peg count once."""
    shortest: bool = False
    """True if no solution with this finish has fewer moves."""

    def natural_key(self) -> str:
        """Return board shape, start and the jumps themselves."""
        return f"{self.board.shape_hash}:{self.start}:{self.jumps_text()}"

    def jumps_text(self) -> str:
        """Return the jumps as text, e.g. `3-0 5-3 ...`."""
        return " ".join(f"{a}-{b}" for a, b in self.jumps)

    def content(self) -> bytes:
        """Return the fields as canonical JSON."""
        return canonical_json(
            [self.board.shape_hash, self.start, self.index, self.finish, self.jumps_text(), self.moves, self.shortest]
        )


@dataclass(frozen=True, slots=True)
class EnumerationRecord:
    """Everything about a board and a start. `figures` holds the keys of `pegs enumerate` (see docs/4-cli.md)."""

    family: ClassVar[str] = "pegs"

    board: BoardRecord
    start: int
    figures: JsonObject
    """Exact figures; integers of any size (the database keeps those beyond 2^63 as text)."""
    solutions: Sequence[SolutionRecord] = field(default_factory=tuple)
    """All solutions by index where the board is small enough to store them as rows, else the shortest one of each finish."""
    graph: bytes | None = None
    """The solution graph in its file form: index -> solution, uniform samples, next best jump. Stored as an artifact."""

    def natural_key(self) -> str:
        """Return board shape and start."""
        return f"{self.board.shape_hash}:{self.start}"

    def content(self) -> bytes:
        """Return figures, a hash over the solutions in order, and the graph's hash."""
        h = hashlib.blake2b(digest_size=16)
        for solution in self.solutions:
            h.update(solution.content())
        graph = hashlib.blake2b(self.graph, digest_size=16).hexdigest() if self.graph is not None else None
        return canonical_json([self.board.shape_hash, self.start, self.figures, h.hexdigest(), graph])
