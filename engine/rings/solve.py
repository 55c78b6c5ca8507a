"""Solves a state by a named method, always with a lower bound that is proved."""

from collections.abc import Generator
from dataclasses import dataclass
from enum import StrEnum

from engine.errors import EngineError, LimitExceededError, UnknownNameError
from engine.rings._unions import Unions
from engine.rings.beam import MAX_WIDTH, WIDTH, beam_layers
from engine.rings.ida import BoundedSearch, Shortest, deepening
from engine.rings.model import Puzzle, State
from engine.rings.stoppable import StoppableSearch
from engine.rings.tables import lower_bound
from engine.rings.thesis import fill, thesis
from engine.rings.unions import table_bound
from engine.rings.unionsearch import UnionSearch
from engine.steps import result_of

NARROW = 2_000
"""Width of a first beam, which takes a hundredth of a second: where it arrives soon, IDA* does the rest."""

NEAR_NODES = 600_000_000

FAR_NODES = 5_000_000
"""For longer solutions IDA* only lifts the lower bound, by about five clicks in 0.15 s; the unions say more at once."""


@dataclass(frozen=True, slots=True)
class Reach:
    """How far method BEST goes with IDA*, by the tables that it has."""

    quick_nodes: int
    """Spent before the beam, which near states need not have."""
    narrow: int
    """A narrow beam's solution of so many clicks is good enough to go on from."""
    near: int
    """Solutions up to this length are worth a longer search."""
    near_nodes: int
    far_nodes: int
    """For longer solutions, to lift the lower bound."""


COLOURS_REACH = Reach(2_000_000, 20, 20, NEAR_NODES, FAR_NODES)
"""The quick search is enough for nearly all states within 15 clicks; proofs took up to 0.4 s at 18 clicks, 2 and 6 s at 20."""

UNIONS_REACH = Reach(500_000, 22, 26, 100_000_000, 2_000_000)
"""Nodes of the unions' search, of which a core does 8 to 17 million a second."""

NODES_A_STEP = 50_000_000
"""Search nodes between two steps of `solving`: one to two seconds."""

UNION_NODES_A_STEP = 10_000_000


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

    With `unions` (of the state's puzzle, see `engine.rings.unions`), their lower bound counts too, and IDA* searches with them:
    it goes farther, so that solutions may be shorter and bounds higher than without.
    """
    known = _Known.of(state, unions)
    if method is Method.THESIS:
        return known.solution(method, thesis(state).moves)
    if method is Method.BEAM:
        return known.solution(method, (yield from _beam(state, width)))
    if method is Method.IDA:
        found = yield from _deepen(known, 10**9, known.reach.near_nodes if max_nodes is None else max_nodes)
        return known.solution(method, found.moves, found.lower_bound, found.nodes)
    return (yield from _best(known, width, max_nodes))


@dataclass(frozen=True, slots=True)
class _Known:
    """A state and what the tables say of it."""

    state: State
    unions: Unions | None
    lower_bound: int
    bound: Bound

    @classmethod
    def of(cls, state: State, unions: Unions | None) -> "_Known":
        least = table_bound(state, unions)
        return cls(state, unions, least, Bound.UNIONS if least > lower_bound(state) else Bound.COLOURS)

    @property
    def reach(self) -> Reach:
        return COLOURS_REACH if self.unions is None else UNIONS_REACH

    def search(self, state: State, bound: int) -> StoppableSearch:
        """Return the search for a solution of `bound` clicks."""
        return BoundedSearch(state, bound) if self.unions is None else UnionSearch(state, bound, self.unions)

    def solution(self, method: Method, moves: tuple[int, ...] | None, searched: int = 0, nodes: int = 0) -> Solution:
        """Return a solution with its lower bound: the tables', or the one that a search has proved, if that is higher."""
        if searched > self.lower_bound:
            return Solution(self.state, method, moves, searched, nodes, Bound.SEARCH)
        return Solution(self.state, method, moves, self.lower_bound, nodes, self.bound)


def _best(known: _Known, width: int, max_nodes: int | None) -> Generator[str, None, Solution]:
    state, reach = known.state, known.reach
    quick = yield from _deepen(known, 10**9, reach.quick_nodes if max_nodes is None else min(reach.quick_nodes, max_nodes))
    if quick.moves is not None:
        return known.solution(Method.IDA, quick.moves, quick.lower_bound, quick.nodes)
    method, moves = Method.BEAM, (yield from _beam(state, min(width, NARROW)))
    if len(moves) > reach.narrow:
        method, moves = _no_worse_than_thesis(state, (yield from _beam(state, width)))
    if max_nodes is None:
        max_nodes = reach.near_nodes if len(moves) <= reach.near else reach.far_nodes
    found = yield from _deepen(known, len(moves) - 1, max_nodes - quick.nodes, quick.lower_bound)
    nodes = quick.nodes + found.nodes
    if found.moves is not None:
        return known.solution(Method.IDA, found.moves, found.lower_bound, nodes)
    proved = found.lower_bound == len(moves)
    return known.solution(Method.IDA if proved else method, moves, found.lower_bound, nodes)


def _beam(state: State, width: int) -> Generator[str, None, tuple[int, ...]]:
    """Return the beam's solution; a beam that loses its way is tried again four times as wide."""
    while True:
        layers = beam_layers(state, width)
        while True:
            try:
                layer = next(layers)
            except StopIteration as stop:
                moves: tuple[int, ...] | None = stop.value
                break
            if layer * width % 500_000 < width:
                yield f"beam, layer {layer + 1}"
        if moves is not None:
            return moves
        if width >= MAX_WIDTH:
            raise LimitExceededError(f"state {state}: a beam of {width:,} finds no solution")
        width = min(4 * width, MAX_WIDTH)


def _deepen(known: _Known, max_clicks: int, max_nodes: int, proved: int = 0) -> Generator[str, None, Shortest]:
    last = None
    for last in deepening(
        known.state,
        max_clicks=max_clicks,
        max_nodes=max_nodes,
        step=NODES_A_STEP if known.unions is None else UNION_NODES_A_STEP,
        known=max(known.lower_bound, proved),
        search_of=known.search,
    ):
        yield f"no solution below {last.lower_bound}"
    if last is None:
        raise EngineError("a search that says nothing")
    return last


def _no_worse_than_thesis(state: State, moves: tuple[int, ...]) -> tuple[Method, tuple[int, ...]]:
    """Return the beam's solution, or the thesis's if that is shorter. It never is for a beam of any width worth having."""
    if state.puzzle != Puzzle() or len(moves) <= len(fill(state)):
        return Method.BEAM, moves
    by_thesis = thesis(state).moves
    return (Method.BEAM, moves) if len(by_thesis) >= len(moves) else (Method.THESIS, by_thesis)
