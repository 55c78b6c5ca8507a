"""Solves a state by a named method, always with a lower bound that is proved."""

from collections.abc import Generator
from dataclasses import dataclass, replace
from enum import StrEnum

from engine.errors import EngineError, LimitExceededError, UnknownNameError
from engine.rings._unions import Unions
from engine.rings.beam import MAX_WIDTH, WIDTH, beam_layers
from engine.rings.ida import Shortest, deepening
from engine.rings.model import Puzzle, State
from engine.rings.tables import lower_bound
from engine.rings.thesis import fill, thesis
from engine.rings.unions import union_distances
from engine.steps import result_of

NEAR = 20
"""Solutions up to this length are worth a longer search: proofs took up to 0.4 s at 18 clicks, 2 and 6 s at 20."""

NARROW = 2_000
"""Width of a first beam, which takes a hundredth of a second: where it arrives within NEAR clicks, IDA* does the rest."""

QUICK_NODES = 2_000_000
"""What method BEST spends before its beam: enough for nearly all states within 15 clicks."""

NEAR_NODES = 600_000_000

FAR_NODES = 5_000_000
"""For longer solutions IDA* only lifts the lower bound, by about five clicks in 0.15 s; the unions say more at once."""

NODES_A_STEP = 50_000_000
"""Search nodes between two steps of `solving`: one to two seconds."""


class Bound(StrEnum):
    """What a lower bound rests on."""

    SEARCH = "search"
    """IDA*: all shorter sequences were ruled out."""
    UNIONS = "unions"
    """The tables of the unions of two colours."""
    COLOURS = "colours"
    """The table of one colour."""


class Method(StrEnum):
    """How to solve."""

    BEST = "best"
    """A little IDA*, a beam, a wider one if it is far, then IDA* below the beam's length so far as a node budget goes.

    Never longer than the thesis's solution."""
    BEAM = "beam"
    """A beam search alone, with the tables' lower bound."""
    IDA = "ida"
    """IDA* alone: a shortest solution, proved, or only a lower bound if the node budget is spent."""
    THESIS = "thesis"
    """The thesis's three-step method, with the tables' lower bound."""

    @classmethod
    def named(cls, name: str) -> "Method":
        """Return the method; raise `UnknownNameError`, which lists them."""
        try:
            return cls(name)
        except ValueError:
            raise UnknownNameError(f"no method {name!r}; methods: {', '.join(cls)}") from None


@dataclass(frozen=True, slots=True)
class Solution:
    """A solved state: `moves` solve it (None if IDA* met its limit), and no solution has fewer clicks than `lower_bound`."""

    state: State
    method: Method
    """What found the solution, or proved it shortest: never BEST."""
    moves: tuple[int, ...] | None
    lower_bound: int
    nodes: int = 0
    """IDA* nodes; 0 where there was no such search."""
    bound: Bound = Bound.COLOURS
    """What proves the lower bound."""

    @property
    def clicks(self) -> int | None:
        """Number of clicks."""
        return None if self.moves is None else len(self.moves)

    @property
    def optimal(self) -> bool:
        """True if the solution is proved shortest."""
        return self.clicks == self.lower_bound


def solve(
    state: State,
    method: Method = Method.BEST,
    *,
    width: int = WIDTH,
    max_nodes: int | None = None,
    unions: Unions | None = None,
) -> Solution:
    """Return a solution. `max_nodes` limits IDA* (default: by the method). Deterministic: no clock decides anything."""
    return result_of(solving(state, method, width=width, max_nodes=max_nodes, unions=unions))


def solving(
    state: State,
    method: Method = Method.BEST,
    *,
    width: int = WIDTH,
    max_nodes: int | None = None,
    unions: Unions | None = None,
) -> Generator[str, None, Solution]:
    """Solve like `solve`, yielding a note on the way at least every two seconds of work or so.

    With `unions` (of the state's puzzle, see `engine.rings.unions`), their lower bound counts too; it changes nothing else.
    """
    found = yield from _solving(state, method, width, max_nodes)
    if unions is None or found.optimal:
        return found
    bound = max(union_distances(state, unions))
    return found if bound <= found.lower_bound else replace(found, lower_bound=bound, bound=Bound.UNIONS)


def _solving(state: State, method: Method, width: int, max_nodes: int | None) -> Generator[str, None, Solution]:
    if method is Method.THESIS:
        return Solution(state, method, thesis(state).moves, lower_bound(state))
    if method is Method.IDA:
        known = yield from _deepen(state, 10**9, NEAR_NODES if max_nodes is None else max_nodes)
        return _known(state, method, known.moves, known, known.nodes)
    if method is Method.BEAM:
        return (yield from _beam(state, width))
    quick = yield from _deepen(state, 10**9, QUICK_NODES if max_nodes is None else min(QUICK_NODES, max_nodes))
    if quick.moves is not None:
        return _known(state, Method.IDA, quick.moves, quick, quick.nodes)
    found = yield from _beam(state, min(width, NARROW))
    if len(found.moves or ()) > NEAR:
        found = _no_worse_than_thesis((yield from _beam(state, width)))
    length = len(found.moves or ())
    if max_nodes is None:
        max_nodes = NEAR_NODES if length <= NEAR else FAR_NODES
    known = yield from _deepen(state, length - 1, max_nodes - quick.nodes, quick.lower_bound)
    nodes = quick.nodes + known.nodes
    if known.moves is not None:
        return _known(state, Method.IDA, known.moves, known, nodes)
    proved = known.lower_bound == length
    return _known(state, Method.IDA if proved else found.method, found.moves, known, nodes)


def _known(state: State, method: Method, moves: tuple[int, ...] | None, known: Shortest, nodes: int) -> Solution:
    """Return the solution with the lower bound that a search knows."""
    bound = Bound.SEARCH if known.lower_bound > lower_bound(state) else Bound.COLOURS
    return Solution(state, method, moves, known.lower_bound, nodes, bound)


def _beam(state: State, width: int) -> Generator[str, None, Solution]:
    """Return the beam's solution; a beam that loses its way is tried again four times as wide."""
    while True:
        layers = beam_layers(state, width)
        while True:
            try:
                layer = next(layers)
            except StopIteration as stop:
                moves = stop.value
                break
            if layer * width % 500_000 < width:
                yield f"beam, layer {layer + 1}"
        if moves is not None:
            return Solution(state, Method.BEAM, moves, lower_bound(state))
        if width >= MAX_WIDTH:
            raise LimitExceededError(f"state {state}: a beam of {width:,} finds no solution")
        width = min(4 * width, MAX_WIDTH)


def _deepen(state: State, max_clicks: int, max_nodes: int, bound: int = 0) -> Generator[str, None, Shortest]:
    known = None
    for found in deepening(state, max_clicks=max_clicks, max_nodes=max_nodes, step=NODES_A_STEP, known=bound):
        known = found
        yield f"no solution below {known.lower_bound}"
    if known is None:
        raise EngineError("a search that says nothing")
    return known


def _no_worse_than_thesis(found: Solution) -> Solution:
    """Return `found`, or the thesis's solution if that is shorter. It never is for a beam of any width worth having."""
    if found.state.puzzle != Puzzle() or len(found.moves or ()) <= len(fill(found.state)):
        return found
    moves = thesis(found.state).moves
    return found if len(moves) >= len(found.moves or ()) else Solution(found.state, Method.THESIS, moves, found.lower_bound)
