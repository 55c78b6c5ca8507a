"""The three-step method for five rings of the thesis this engine answers: the baseline, and the one a person can follow.

Step 1 fills the five places off the disc of every ring: ring by ring, a ring is turned clockwise while its place 0 shows its
own colour, at most six times; then the disc is turned. Steps 2 and 3 put the ten beads on the disc right with the thesis's
building blocks, all of which leave the other places right: the disc turned; a ring turned by one to swap its two disc beads;
a bead brought home through a helper ring that has six right, `R D^k R'`; and pairs exchanged, `R R D^k R' R'`. The thesis
leaves open which block comes next; here it is the cheapest sequence, known for all 113,400 arrangements of the disc.

On random states step 1 takes 41 clicks on average, all three about 59.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from engine.errors import EngineError, InvalidInputError
from engine.rings._thesis import FAR, disc_code, settle
from engine.rings.model import Puzzle, State

MOST_TURNS = 6

MOST_ROUNDS = 200
"""Disc turns after which step 1 is given up; on 100,000 random states it took at most 22, on average 12."""


@dataclass(frozen=True, slots=True)
class ThesisSolution:
    """The clicks of step 1, and of steps 2 and 3 together."""

    filling: tuple[int, ...]
    pairing: tuple[int, ...]

    @property
    def moves(self) -> tuple[int, ...]:
        """All clicks in order."""
        return self.filling + self.pairing


def thesis(state: State) -> ThesisSolution:
    """Return the method's solution. Raise `InvalidInputError` for a puzzle other than five rings of seven, places 0 and 6."""
    filling = fill(state)
    table = _table()
    here = np.array([int(digit) for digit in state.after(filling).text], dtype=np.int64)
    pairing: list[int] = []
    left = int(table.clicks[disc_code(here, table.disc, 5)])
    while left:
        for block, source in zip(table.blocks, table.sources, strict=True):
            there = here[source]
            if np.array_equal(there[table.off_disc], table.home[table.off_disc]):
                then = int(table.clicks[disc_code(there, table.disc, 5)])
                if then + len(block) == left:
                    pairing += block
                    here, left = there, then
                    break
        else:
            raise EngineError(f"state {state}: no building block leads on from here; this is a fault of the program")
    return ThesisSolution(filling, tuple(pairing))


def fill(state: State) -> tuple[int, ...]:
    """Return the clicks of step 1. Raise like `thesis`."""
    puzzle = state.puzzle
    if puzzle != Puzzle():
        raise InvalidInputError("the thesis's method is made for five rings of seven with places 0 and 6 on the disc only")
    beads = [int(digit) for digit in state.text]
    moves: list[int] = []

    def click(move: int) -> None:
        moves.append(move)
        beads[:] = [beads[source] for source in puzzle.sources(move)]

    for _ in range(MOST_ROUNDS):
        for ring in range(5):
            turns = 0
            while beads[7 * ring] == ring and turns < MOST_TURNS and not _filled(beads):
                click(2 * ring)
                turns += 1
        if _filled(beads):
            return tuple(moves)
        click(10)
    raise EngineError(f"state {state}: step 1 of the thesis's method does not end")


def _filled(beads: list[int]) -> bool:
    return all(beads[7 * ring + place] == ring for ring in range(5) for place in range(1, 6))


@dataclass(frozen=True, slots=True)
class _DiscTable:
    """The building blocks, and each arrangement's cost in clicks."""

    blocks: list[tuple[int, ...]]
    sources: NDArray[np.int64]
    home: NDArray[np.int64]
    disc: NDArray[np.int64]
    off_disc: NDArray[np.int64]
    clicks: NDArray[np.uint8]


@cache
def _table() -> _DiscTable:
    puzzle = Puzzle()
    blocks = _blocks()
    sources = np.array([_effect(puzzle, block) for block in blocks], dtype=np.int64)
    home = np.array([position // 7 for position in range(35)], dtype=np.int64)
    disc = np.array([7 * ring + place for ring in range(5) for place in (0, 6)], dtype=np.int64)
    off_disc = np.setdiff1d(np.arange(35), disc)
    costs = np.array([len(block) for block in blocks], dtype=np.int64)
    clicks = np.full(5**10, FAR, dtype=np.uint8)
    settle(sources, costs, home, disc, off_disc, clicks, np.empty_like(home), np.empty_like(home), 5)
    return _DiscTable(blocks, sources, home, disc, off_disc, clicks)


def _blocks() -> list[tuple[int, ...]]:
    disc_turns = [(10,), (11,), (10, 10), (11, 11)]
    blocks: list[tuple[int, ...]] = [(10,), (11,)]
    for ring in range(5):
        for turn in (2 * ring, 2 * ring + 1):
            blocks.append((turn,))
            blocks += [(turn, *middle, turn ^ 1) for middle in disc_turns]
            blocks += [(turn, turn, *middle, turn ^ 1, turn ^ 1) for middle in disc_turns]
    return blocks


def _effect(puzzle: Puzzle, moves: tuple[int, ...]) -> list[int]:
    """Return for each position the position whose bead is there after all the moves."""
    where = list(range(puzzle.positions))
    for move in moves:
        where = [where[source] for source in puzzle.sources(move)]
    return where
