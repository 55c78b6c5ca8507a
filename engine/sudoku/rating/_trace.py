"""The links behind a step: those of its chain, or all that the conclusion of a supposition depends on."""

from itertools import pairwise
from typing import Final

import numpy as np

from engine.sudoku.grid import Cells
from engine.sudoku.rating import techniques as t
from engine.sudoku.rating._record import NodeLink, links_behind, places_behind
from engine.sudoku.rating._run import (
    DYNAMIC,
    FIELDS,
    NISHIO,
    R_AT,
    R_CLASH,
    R_END,
    R_NEST,
    R_NODE,
    STATIC,
)
from engine.sudoku.rating._state import (
    CAND,
    GRID_SIZE,
    H_CELL,
    H_COUNT,
    H_DIGIT,
    H_DIGITS,
    H_HOUSE,
    H_PATTERN,
    H_REMOVE,
    H_TECHNIQUE,
    PLACE,
    apply,
    load,
)
from engine.sudoku.rating._suppositions import Suppositions
from engine.sudoku.rating._tables import HOUSES, LOW, Words

CYCLES: Final = range(t.X_CYCLE, t.XY_CYCLE + 1)
KINDS: Final = ("contradiction", "double", "cell", "region")


class Tracer:
    """Follows a path from its puzzle on and makes the runs of its suppositions again, with all their nodes."""

    def __init__(self, cells: Cells) -> None:
        self.grid = np.zeros(GRID_SIZE, dtype=np.int64)
        load(self.grid, cells.astype(np.int64))
        self.suppositions: Suppositions | None = None
        self.nested: dict[tuple[NodeLink, ...], dict[int, None]] = {}
        """The links of the chains that are nested in the step that was followed last, each with the nodes that it proves."""

    def follow(self, hint: Words, chain: list[int]) -> list[NodeLink]:
        """Return the links of a step, given its nodes from the start, and carry the step out."""
        code = int(hint[H_TECHNIQUE])
        self.nested = {}
        links: list[NodeLink] = []
        if code >= t.NISHIO_CHAINS:
            links = self._supposed(hint, code, chain)
        elif chain:
            links = list(pairwise(chain))
            if code in CYCLES:
                links.append((chain[-1], chain[0]))
        apply(self.grid, hint)
        return links

    def _supposed(self, hint: Words, code: int, chain: list[int]) -> list[NodeLink]:
        """Return the links of a nishio, cell, region or dynamic step."""
        mode, level, kind = DYNAMIC, 0, ""
        if code == t.NISHIO_CHAINS:
            mode, kind = NISHIO, "contradiction"
        elif code in (t.CELL_CHAINS, t.REGION_CHAINS):
            mode, kind = STATIC, "cell" if code == t.CELL_CHAINS else "region"
        else:
            level, which = divmod(code - t.DYNAMIC_CONTRADICTION, len(KINDS))
            kind = KINDS[which]
        if self.suppositions is None:
            self.suppositions = Suppositions()
        links: dict[NodeLink, None] = {}
        for node in self._sources(hint, kind, chain):
            links |= dict.fromkeys(self._links(node, mode, level, _target(hint)))
        return list(links)

    def _sources(self, hint: Words, kind: str, chain: list[int]) -> list[int]:
        """Return the nodes that are supposed."""
        if kind == "contradiction":
            return chain[:1]
        if kind == "double":
            return [chain[0] ^ 1, chain[0]]
        if kind == "cell":
            cell = next(c for c in range(81) if int(hint[H_PATTERN + c // 27]) >> (c % 27) & 1)
            return [2 * (9 * cell + d) + 1 for d in range(9) if int(self.grid[CAND + cell]) >> d & 1]
        house, digit = int(hint[H_HOUSE]), int(LOW[hint[H_DIGITS]])
        where = int(self.grid[PLACE + 9 * house + digit])
        return [2 * (9 * int(HOUSES[house, i]) + digit) + 1 for i in range(9) if where >> i & 1]

    def _links(self, node: int, mode: int, level: int, target: int) -> list[NodeLink]:
        """Return the links of one supposition's run behind its contradiction, if it has one, or else behind the target.

        The nested chains among them are added to `nested`.
        """
        assert self.suppositions is not None
        scratch, run, recorded = self.suppositions.one_run(self.grid, node, mode, level)
        refuted = run[R_CLASH] and target == node ^ 1
        ends = [int(run[R_CLASH]) - 1, int(run[R_END])] if refuted else [int(run[R_AT + target]) - 1]
        found: list[NodeLink] = []
        for end in ends:
            if end < 0:
                continue
            found += links_behind(scratch, run, end)
            for n in places_behind(scratch, run, end):
                number = int(run[R_NEST + FIELDS * n])
                if number:
                    proved = self.nested.setdefault(tuple(recorded[number]), {})
                    proved[int(run[R_NODE + FIELDS * n])] = None
        return found


def _target(hint: Words) -> int:
    """Return the node that a step proves."""
    if hint[H_CELL] >= 0:
        return 2 * (9 * int(hint[H_CELL]) + int(hint[H_DIGIT])) + 1
    assert hint[H_COUNT] == 1
    word = int(hint[H_REMOVE])
    return 2 * (9 * (word >> 9) + int(LOW[word & 511]))
