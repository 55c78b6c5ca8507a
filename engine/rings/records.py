"""The results of the five rings job kinds, as handed to the database."""

from dataclasses import dataclass
from typing import ClassVar

from engine.jobs import JsonObject, canonical_json


@dataclass(frozen=True, slots=True)
class PositionRecord:
    """A position, e.g. one that was scrambled."""

    family: ClassVar[str] = "rings"

    state: str
    """One digit a bead, ring by ring from place 0: 35 digits for five rings of seven."""
    canonical: str
    """The least state among the symmetric ones (ten symmetries for five rings)."""
    lower_bound: int
    """No solution has fewer clicks: proved by a table or a search."""
    origin: JsonObject
    """How it was made: {"scramble": "clicks"|"distance"|"uniform", "level": ..., "clicks": ..., "moves": ...}."""

    def natural_key(self) -> str:
        """Return the canonical state."""
        return self.canonical

    def content(self) -> bytes:
        """Return the fields as canonical JSON."""
        return canonical_json(["position", self.state, self.canonical, self.lower_bound, self.origin])


@dataclass(frozen=True, slots=True)
class SolutionRecord:
    """One solved (or proved) position."""

    family: ClassVar[str] = "rings"

    state: str
    canonical: str
    method: str
    """`thesis`, `beam`, `ida` or `prove`."""
    moves: str | None
    """`R1 R1' ... R5' D D'`, blank separated; None for a proof that only says "none below"."""
    clicks: int | None
    lower_bound: int
    optimal: bool
    """True if `clicks == lower_bound`, i.e. the solution is proved shortest."""
    nodes: int | None = None
    """Search nodes, where the method counts them; deterministic."""
    certificate: JsonObject | None = None
    """What a proof rests on, so that it can be done again (see `engine.rings.certificate`); None for other methods."""
    seconds: float | None = None
    """Time taken: kept for information, no part of the content."""

    def natural_key(self) -> str:
        """Return the canonical state and the method."""
        return f"{self.canonical}:{self.method}"

    def content(self) -> bytes:
        """Return the deterministic fields as canonical JSON; the certificate is one of them where there is one."""
        fields = [self.state, self.canonical, self.method, self.moves, self.clicks, self.lower_bound, self.optimal, self.nodes]
        return canonical_json(["solution", *fields, *([] if self.certificate is None else [self.certificate])])
