"""Proves shortest solutions in stages: one stage a bound, its search split by first clicks into chunks.

Stage 0 searches each state alone while that is quick. A state still open then gets, stage by stage, one bound more: every
chunk searches the solutions of exactly that many clicks that begin with its share of the first three clicks. A bound without
a solution raises the lower bound; the first bound with one ends the proof. The chunks of the winning bound all run to their
own end, and the solution of the first of them counts, so the answer does not depend on which worker was faster.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from engine.jobs import JsonObject, StageOutcome
from engine.rings.ida import BoundedSearch
from engine.rings.model import State
from engine.rings.ordering import sequences
from engine.rings.tables import lower_bound

PREFIX_CLICKS = 3
"""First clicks by which a bound is split: 650 sequences of three for five rings."""

GROWTH = 8
"""About how many times as many nodes the next bound takes (7.1 sequences a click, a little more with the bound's slack)."""

NODES_A_STEP = 50_000_000

MOST_CHUNKS = 650


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

    def as_json(self) -> JsonObject:
        """Return the fields; `Standing(**value)` is the inverse."""
        return {
            "item": self.item,
            "state": self.state,
            "lower_bound": self.lower_bound,
            "nodes": self.nodes,
            "last_nodes": self.last_nodes,
            "moves": self.moves,
            "stuck": self.stuck,
        }

    def is_open(self, max_clicks: int) -> bool:
        """True if there is a bound left to search."""
        return self.moves is None and not self.stuck and self.lower_bound <= max_clicks


def begin(item: int, text: str, *, max_clicks: int, max_nodes: int) -> Iterator[Standing]:
    """Yield how one state stands as bounds are searched alone, until the next would probably take more than `max_nodes`."""
    state = State.parse(text)
    standing = Standing(item, text, lower_bound(state), 0, 0, "" if state.is_solved else None)
    yield standing
    while standing.is_open(max_clicks) and standing.last_nodes * GROWTH <= max_nodes:
        search = BoundedSearch(state, standing.lower_bound)
        while not search.run(NODES_A_STEP):
            yield standing
        standing = advanced(standing, search.nodes, _text(state, search.solution))
        yield standing


def advanced(standing: Standing, nodes: int, moves: str | None) -> Standing:
    """Return the standing after its next bound was searched to the end with `nodes` nodes and found `moves` or nothing."""
    bound = standing.lower_bound
    return replace(
        standing,
        nodes=standing.nodes + nodes,
        last_nodes=nodes,
        moves=moves,
        lower_bound=bound if moves is not None else bound + 1,
    )


def share_count(standing: Standing, chunk_nodes: int) -> int:
    """Return into how many chunks to split the next bound, so that each takes about `chunk_nodes` nodes; 4 at least."""
    return max(4, min(MOST_CHUNKS, -(-standing.last_nodes * GROWTH // chunk_nodes)))


def search_share(text: str, bound: int, share: int, shares: int) -> Iterator[tuple[int, str | None]]:
    """Search share `share` of `shares` of a bound, first clicks in order, yielding (nodes so far, None) on the way.

    The last pair yielded has all the share's nodes, and its first solution if there is one; the search stops there.
    """
    state = State.parse(text)
    prefixes = list(sequences(state.puzzle, min(PREFIX_CLICKS, bound)))
    spent = 0
    yield spent, None
    for prefix in prefixes[len(prefixes) * share // shares : len(prefixes) * (share + 1) // shares]:
        search = BoundedSearch(state, bound, prefix)
        while not search.run(NODES_A_STEP):
            yield spent + search.nodes, None
        spent += search.nodes
        yield spent, _text(state, search.solution)
        if search.solution is not None:
            return


def standings(stages: Sequence[StageOutcome], max_clicks: int) -> list[Standing]:
    """Return how every state stands after the finished stages, in item order.

    A state whose first chunk was lost (quarantined) is not among them: nothing is known of it.
    """
    known: dict[int, Standing] = {}
    if stages:
        for summary in stages[0].summaries:
            for value in (summary or {}).get("standings", ()):
                known[value["item"]] = Standing(**value)
    for stage in stages[1:]:
        shares: dict[int, list[JsonObject]] = {}
        for summary in stage.summaries:
            if summary is not None and "share" in summary:
                shares.setdefault(summary["item"], []).append(summary)
        for item, standing in known.items():
            if standing.is_open(max_clicks):  # then it was searched in this stage
                known[item] = _folded(standing, shares.get(item, []))
    return [known[item] for item in sorted(known)]


def _folded(standing: Standing, shares: Sequence[JsonObject]) -> Standing:
    """Return the standing after the shares of its next bound. Without a solution, all of them are needed to raise the bound."""
    nodes = sum(share["nodes"] for share in shares)
    solutions = [share["moves"] for share in sorted(shares, key=lambda s: int(s["share"])) if share["moves"] is not None]
    if not solutions and (not shares or len(shares) < shares[0]["shares"]):
        return replace(standing, nodes=standing.nodes + nodes, stuck=True)
    return advanced(standing, nodes, solutions[0] if solutions else None)


def _text(state: State, moves: tuple[int, ...] | None) -> str | None:
    return None if moves is None else state.puzzle.format_moves(moves)
