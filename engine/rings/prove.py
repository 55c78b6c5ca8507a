"""Proves shortest solutions bound by bound: none of so many clicks, none of one more, until there is one.

A state begins with the lower bound that its tables give and a solution that the beam finds: once the bounds meet, that solution
is proved shortest, and the last bound, which takes as long as all others together and more, need not be searched. A bound is
split by first clicks into shares that can be searched anywhere and in any order. If several find a solution, that of the first
counts, and of the nodes those of the shares up to it: the answer does not depend on which was faster.
"""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import NamedTuple

from engine.errors import EngineError
from engine.jobs import JsonObject, StageOutcome
from engine.rings._unions import Unions
from engine.rings.beam import beam
from engine.rings.ida import BoundedSearch
from engine.rings.model import Puzzle, State
from engine.rings.ordering import sequences
from engine.rings.tables import frame, table_name
from engine.rings.unions import table_bound, union_hashes, unions
from engine.rings.unionsearch import UnionSearch

COLOURS_PREFIX = 3
"""First clicks by which a bound is split: 650 sequences of three for five rings."""

UNIONS_PREFIX = 4
"""The same with unions, where starts are cheap: 4,480 sequences. A share takes every so manieth, which evens them out."""

GROWTH = 9
"""About how many times as many nodes the next bound takes, until that has been measured."""

MEASURED_FROM = 100_000
"""Nodes of a bound from which on the growth to the next is taken for the growth from then on."""

NODES_A_STEP = 20_000_000

MOST_CHUNKS = 650

BEAM_WIDTH = 10_000
"""Of the beam that looks for a solution to begin with, in less than a tenth of a second."""

WIDE_FROM = 5_000_000
"""Nodes expected at the next bound from which on the beam looks again: a shorter solution may spare the dearest bound."""

WIDE_BEAM = 200_000
"""Of the beam that looks again, which takes a second."""


class Refuted(NamedTuple):
    """A bound that was searched in vain."""

    bound: int
    nodes: int
    """Clicks tried."""
    share_nodes: tuple[int, ...] = ()
    """Of them, those of each share in order; empty if the bound was searched whole."""

    def as_json(self) -> JsonObject:
        """Return the fields, `share_nodes` only if there are shares; `Refuted.of(value)` is the inverse."""
        shares = {"share_nodes": list(self.share_nodes)} if self.share_nodes else {}
        return {"bound": self.bound, "nodes": self.nodes, **shares}

    @classmethod
    def of(cls, value: JsonObject) -> "Refuted":
        """Return what `as_json` made the value of."""
        return cls(int(value["bound"]), int(value["nodes"]), tuple(int(nodes) for nodes in value.get("share_nodes", ())))


@dataclass(frozen=True, slots=True)
class Standing:
    """How far the proof for one state has come. Everything is deterministic: no clock decides when to stop."""

    item: int
    """The state's number in the job."""
    state: str
    lower_bound: int
    """No solution has fewer clicks."""
    nodes: int
    """Clicks tried in all finished searches."""
    last_nodes: int
    """Clicks tried at the last bound: what the next one will take is guessed from it."""
    moves: str | None = None
    """A shortest solution, once there is one."""
    stuck: bool = False
    """True if a chunk of the next bound was lost (quarantined): that bound cannot be proved."""
    with_unions: bool = False
    """True if the searches use the tables of two colours."""
    known: str | None = None
    """A solution that may be longer than need be."""
    refuted: tuple[Refuted, ...] = ()
    """The bounds searched in vain, each one click above the one before; the tables refute those below the first."""

    def as_json(self) -> JsonObject:
        """Return the fields; `standing_of(value)` is the inverse."""
        return {
            "item": self.item,
            "state": self.state,
            "lower_bound": self.lower_bound,
            "nodes": self.nodes,
            "last_nodes": self.last_nodes,
            "moves": self.moves,
            "stuck": self.stuck,
            "with_unions": self.with_unions,
            "known": self.known,
            "refuted": [one.as_json() for one in self.refuted],
        }

    def is_open(self, max_clicks: int) -> bool:
        """True if there is a bound left to search."""
        return self.moves is None and not self.stuck and self.lower_bound <= max_clicks

    @property
    def next_nodes(self) -> int:
        """About how many clicks the next bound will try, by the growth of the last two."""
        if len(self.refuted) > 1 and self.refuted[-2].nodes >= MEASURED_FROM:
            return self.last_nodes * self.last_nodes // self.refuted[-2].nodes
        return self.last_nodes * GROWTH


def standing_of(value: JsonObject) -> Standing:
    """Return the standing that `as_json` made the value of."""
    return Standing(**{**value, "refuted": tuple(Refuted.of(one) for one in value.get("refuted", ()))})


def begin(
    item: int, text: str, *, max_clicks: int, max_nodes: int, with_unions: bool = False, width: int = BEAM_WIDTH
) -> Iterator[Standing]:
    """Yield how one state stands as bounds are searched alone, until the next would probably take more than `max_nodes`."""
    state = State.parse(text)
    view = _view(state.puzzle) if with_unions else None
    standing = Standing(item, text, table_bound(state, view), 0, 0, "" if state.is_solved else None, with_unions=with_unions)
    yield standing
    found = None if state.is_solved else beam(state, width)
    if found is not None and len(found) <= max_clicks:
        standing = _met(replace(standing, known=_text(state, found)))
    yield standing
    while standing.is_open(max_clicks) and standing.next_nodes <= max_nodes:
        *_, (nodes, moves) = _searched(state, standing.lower_bound, [()], view)
        standing = advanced(standing, nodes, moves)
        yield standing
    if standing.is_open(max_clicks) and standing.known is not None and standing.next_nodes >= WIDE_FROM:
        better = beam(state, WIDE_BEAM)
        if better is not None and len(better) < len(standing.known.split()):
            standing = _met(replace(standing, known=_text(state, better)))
        yield standing


def advanced(standing: Standing, nodes: int, moves: str | None, share_nodes: tuple[int, ...] = ()) -> Standing:
    """Return the standing after its next bound was searched to the end with `nodes` nodes and found `moves` or nothing.

    `share_nodes` are those of its shares, if it was split.
    """
    bound = standing.lower_bound
    after = replace(standing, nodes=standing.nodes + nodes, last_nodes=nodes, moves=moves)
    if moves is not None:
        return after
    return _met(replace(after, lower_bound=bound + 1, refuted=(*standing.refuted, Refuted(bound, nodes, share_nodes))))


def share_count(standing: Standing, chunk_nodes: int) -> int:
    """Return into how many chunks to split the next bound, so that each takes about `chunk_nodes` nodes; 4 at least."""
    return max(4, min(MOST_CHUNKS, -(-standing.next_nodes // chunk_nodes)))


def search_share(
    text: str, bound: int, share: int, shares: int, *, with_unions: bool = False
) -> Iterator[tuple[int, str | None]]:
    """Search share `share` of `shares` of a bound, yielding (nodes so far, None) on the way.

    The last pair yielded has all the share's nodes, and its solution if there is one; the search stops there. Raise
    `EngineError` if the unions are asked for and not there.
    """
    state = State.parse(text)
    yield 0, None
    if with_unions:
        prefixes = list(sequences(state.puzzle, min(UNIONS_PREFIX, bound - 1)))
        yield from _searched(state, bound, prefixes[share::shares], _view(state.puzzle))
    else:
        prefixes = list(sequences(state.puzzle, min(COLOURS_PREFIX, bound)))
        part = prefixes[len(prefixes) * share // shares : len(prefixes) * (share + 1) // shares]
        yield from _searched(state, bound, part, None)


def search_whole(text: str, bound: int, *, with_unions: bool = False) -> tuple[int, str | None]:
    """Search a bound that is not split; return its nodes and a solution, if it has one. Raise like `search_share`."""
    state = State.parse(text)
    *_, end = _searched(state, bound, [()], _view(state.puzzle) if with_unions else None)
    return end


def standings(stages: Sequence[StageOutcome], max_clicks: int) -> list[Standing]:
    """Return how every state stands after the finished stages, in item order.

    A state whose first chunk was lost (quarantined) is not among them: nothing is known of it.
    """
    known: dict[int, Standing] = {}
    if stages:
        for summary in stages[0].summaries:
            for value in (summary or {}).get("standings", ()):
                known[value["item"]] = standing_of(value)
    for stage in stages[1:]:
        shares: dict[int, list[JsonObject]] = {}
        for summary in stage.summaries:
            if summary is not None and "share" in summary:
                shares.setdefault(summary["item"], []).append(summary)
        for item, standing in known.items():
            if standing.is_open(max_clicks):  # then it was searched in this stage
                known[item] = folded(standing, shares.get(item, []))
    return [known[item] for item in sorted(known)]


def folded(standing: Standing, shares: Sequence[JsonObject]) -> Standing:
    """Return the standing after the shares of its next bound. Without a solution, all of them are needed to raise the bound."""
    in_order = sorted(shares, key=lambda share: int(share["share"]))
    nodes = 0
    for share in in_order:
        nodes += share["nodes"]
        if share["moves"] is not None:
            return advanced(standing, nodes, share["moves"])
    if not shares or len(shares) < shares[0]["shares"]:
        return replace(standing, nodes=standing.nodes + nodes, stuck=True)
    return advanced(standing, nodes, None, tuple(int(share["nodes"]) for share in in_order))


def tables_used(puzzle: Puzzle, *, with_unions: bool) -> JsonObject:
    """Return the tables of a search, names and BLAKE2b hashes. Raise `EngineError` if there are no unions, but should be."""
    used = {table_name(puzzle): blake2b(frame(puzzle).table.data, digest_size=32).hexdigest()}
    if with_unions:
        _view(puzzle)
        used |= union_hashes(puzzle)
    return used


def _view(puzzle: Puzzle) -> Unions:
    view = unions(puzzle)
    if view is None:
        raise EngineError(
            "the tables of unions are not built here, or damaged: `puzzlemill rings tables --unions` builds them (2.3 GB); "
            "without them, prove with the tables of single colours"
        )
    return view


def _searched(
    state: State, bound: int, prefixes: Sequence[tuple[int, ...]], view: Unions | None
) -> Generator[tuple[int, str | None], None, None]:
    """Search a bound below some first clicks, yielding the clicks tried so far, at the end with the solution found."""
    spent = 0
    searches: Iterator[UnionSearch | BoundedSearch]
    if view is None:
        searches = (BoundedSearch(state, bound, prefix) for prefix in prefixes)
    else:
        searches = iter([UnionSearch(state, bound, view, prefixes)])
    for search in searches:
        while not search.run(NODES_A_STEP):
            yield spent + search.nodes, None
        spent += search.nodes
        if search.solution is not None:
            yield spent, _text(state, search.solution)
            return
    yield spent, None


def _met(standing: Standing) -> Standing:
    """Return the standing with its known solution proved, if nothing shorter is left."""
    if standing.moves is None and standing.known is not None and len(standing.known.split()) == standing.lower_bound:
        return replace(standing, moves=standing.known)
    return standing


def _text(state: State, moves: tuple[int, ...] | None) -> str | None:
    return None if moves is None else state.puzzle.format_moves(moves)
