"""What a proof rests on, on paper: the tables, and the bounds refuted with the nodes it took; and checking that paper again.

A search tries the same clicks wherever it runs. So a bound, or a share of one, that is searched again must not only find no
solution but count the same nodes: who had skipped a part would have to have guessed the number. A proof too dear to be done
again is checked in a sample of its shares.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b

from engine.jobs import JsonObject
from engine.rings.model import State
from engine.rings.prove import Refuted, Standing, search_share, search_whole, tables_used
from engine.rings.unions import table_bound, unions
from engine.version import ENGINE_VERSION


def certificate(standing: Standing, tables: JsonObject) -> JsonObject:
    """Return what the proof rests on: `engine_version, with_unions, tables, refuted`.

    `tables` are those of `engine.rings.prove.tables_used`: names with BLAKE2b hashes. `refuted` are the bounds in order
    (`bound, nodes`, and `share_nodes` if it was split).
    """
    return {
        "engine_version": ENGINE_VERSION,
        "with_unions": standing.with_unions,
        "tables": tables,
        "refuted": [one.as_json() for one in standing.refuted],
    }


@dataclass(slots=True)
class Recheck:
    """What came of checking a certificate again."""

    problem: str | None = None
    """What is wrong, or None."""
    proved: int = 0
    """No solution has fewer clicks: proved again."""
    sampled: list[tuple[int, int, int]] = field(default_factory=list)
    """Bounds of which only some shares were searched again: (bound, shares searched, shares)."""


def can_recheck(state: State, paper: JsonObject) -> bool:
    """Return whether the tables that the proof used are here."""
    return not paper["with_unions"] or unions(state.puzzle) is not None


def recheck(state: State, claimed: int, nodes: int | None, paper: JsonObject, budget: int) -> Recheck:
    """Do again as much of a proof that no solution has fewer than `claimed` clicks as `budget` nodes allow.

    `nodes` are those the record claims in all. The tables must be here (`can_recheck`).
    """
    refuted = [Refuted.of(value) for value in paper["refuted"]]
    problem = _contradiction(claimed, nodes, refuted)
    used = tables_used(state.puzzle, with_unions=paper["with_unions"])
    same_version = paper["engine_version"] == ENGINE_VERSION
    if problem is None and same_version and paper["tables"] != used:
        problem = f"its certificate names tables {_named(paper['tables'])}; here they are {_named(used)}"
    least = table_bound(state, unions(state.puzzle) if paper["with_unions"] else None)
    if problem is None and claimed - len(refuted) > least:
        problem = f"its certificate leaves bound {least} out, which the tables do not refute"
    found = Recheck(problem, min(least, claimed))
    for one in refuted:
        if found.problem is not None or budget <= 0:
            return found
        budget -= _again(state, one, found, budget, with_unions=paper["with_unions"], exactly=same_version)
    return found


def _contradiction(claimed: int, nodes: int | None, refuted: Sequence[Refuted]) -> str | None:
    """Return how the paper contradicts itself or its record, or None."""
    first = claimed - len(refuted)
    if [one.bound for one in refuted] != list(range(first, claimed)):
        return f"lower bound {claimed} claimed, but its certificate refutes bounds {[one.bound for one in refuted]}"
    for one in refuted:
        if one.share_nodes and sum(one.share_nodes) != one.nodes:
            return f"bound {one.bound}: {one.nodes} nodes claimed, but its shares have {sum(one.share_nodes)}"
    spent = sum(one.nodes for one in refuted)
    if nodes is not None and nodes < spent:
        return f"{nodes} nodes claimed, but its certificate has {spent}"
    return None


def _named(tables: JsonObject) -> str:
    return ", ".join(f"{name} {str(digest)[:12]}" for name, digest in sorted(tables.items())) or "none"


def _again(state: State, one: Refuted, found: Recheck, budget: int, *, with_unions: bool, exactly: bool) -> int:
    """Search a bound again, or as many of its shares as the budget allows; note what came of it. Return the nodes."""
    counts = one.share_nodes or (one.nodes,)
    spent = searched = 0
    for share in _drawn(state, one, len(counts)):
        if counts[share] > budget - spent:
            continue
        nodes, moves = _searched(state.text, one.bound, share, len(one.share_nodes), with_unions=with_unions)
        searched += 1
        spent += nodes
        if moves is not None:
            found.problem = f"bound {one.bound} is not refuted: {moves} solves it"
            return spent
        if exactly and nodes != counts[share]:
            part = f"share {share} of {len(counts)}" if one.share_nodes else "searching it"
            found.problem = f"bound {one.bound}: {part} takes {nodes} nodes, {counts[share]} claimed"
            return spent
    if searched == len(counts) and found.proved == one.bound:
        found.proved = one.bound + 1
    elif searched:
        found.sampled.append((one.bound, searched, len(counts)))
    return spent


def _drawn(state: State, one: Refuted, shares: int) -> Iterator[int]:
    """Return the shares in an order that a proof's author can't choose, but that is the same each time."""

    def lot(share: int) -> bytes:
        return blake2b(f"{state.text} {one.bound} {one.share_nodes} {share}".encode(), digest_size=8).digest()

    return iter(sorted(range(shares), key=lot))


def _searched(text: str, bound: int, share: int, shares: int, *, with_unions: bool) -> tuple[int, str | None]:
    """Search a share of a bound, or all of a bound that has none."""
    if not shares:
        return search_whole(text, bound, with_unions=with_unions)
    *_, end = search_share(text, bound, share, shares, with_unions=with_unions)
    return end
