"""The links of chains nested in a run, read off the scratch of the search that has just found them."""

from itertools import pairwise
from typing import TypeAlias

from engine.sudoku.rating._links import C_HINTS, C_POOL, CYCLE, K_KIND, K_LENGTH, K_NODES
from engine.sudoku.rating._nested import gather
from engine.sudoku.rating._run import D_QUEUE, FIELDS, R_FIRST, R_NODE, R_PARENTS, Run, Runs, ancestors
from engine.sudoku.rating._search import N_FIELDS, N_HINT, S_PART_COUNT, S_PARTS, S_PLACES
from engine.sudoku.rating._tables import Words

NodeLink: TypeAlias = tuple[int, int]
"""Two nodes by number."""


def chains_since(before: int, nests: Words, chains: Words) -> dict[int, list[NodeLink]]:
    """Return the links of the cycles and forcing chains that were nested after number `before`, by number."""
    found = {}
    for number in range(before + 1, int(nests[0]) + 1):
        at = C_HINTS + 6 * int(nests[N_FIELDS * number + N_HINT])
        first = C_POOL + int(chains[at + K_NODES])
        nodes = chains[first : first + int(chains[at + K_LENGTH])][::-1].tolist()
        found[number] = list(pairwise(nodes))
        if chains[at + K_KIND] == CYCLE:
            found[number].append((nodes[-1], nodes[0]))
    return found


def hints_since(before: int, nests: Words, grid: Words, inner: Words, runs: Runs, search: Words) -> dict[int, list[NodeLink]]:  # noqa: PLR0917  # a search's arrays
    """Return the links of the suppositions that were nested after number `before`, by number."""
    found = {}
    for number in range(before + 1, int(nests[0]) + 1):
        gather(grid, runs, search, int(nests[N_FIELDS * number + N_HINT]))
        links: dict[NodeLink, None] = {}
        for k in range(int(search[S_PART_COUNT])):
            links |= dict.fromkeys(links_behind(inner, runs[search[S_PARTS + k]], int(search[S_PLACES + k])))
        found[number] = list(links)
    return found


def links_behind(scratch: Words, run: Run, place: int) -> list[NodeLink]:
    """Return the links that a node of a run depends on, in the order in which they were found."""
    found = []
    for n in places_behind(scratch, run, place):
        first, end = (R_PARENTS + int(run[R_FIRST + FIELDS * k]) for k in (n, n + 1))
        found += [(int(run[R_NODE + FIELDS * parent]), int(run[R_NODE + FIELDS * n])) for parent in run[first:end].tolist()]
    return found


def places_behind(scratch: Words, run: Run, place: int) -> list[int]:
    """Return the places in a run of a node and of all that it depends on, ascending."""
    return sorted(scratch[D_QUEUE : D_QUEUE + ancestors(scratch, run, place)].tolist())
