"""The three-step method for five rings of the thesis this engine answers: the baseline, and the one a person can follow.

Step 1 fills the five places off the disc of every ring: ring by ring, a ring is turned clockwise while its place 0 shows
its own colour, at most six times; then the disc is turned. Step 2 pairs the beads on the disc, so that the two of each ring
have one colour: the disc turned, a ring turned by one to swap its two disc beads, and a bead exchanged through a helper ring
that has six right, `R D^k R'`. Step 3 brings the pairs home: the disc turned, and pairs exchanged, `R R D^k R' R'`. All blocks
of steps 2 and 3 leave the other places right. The thesis leaves open which block comes next; here it is the cheapest sequence
of step 2 blocks and then of step 3 blocks, known for all 113,400 arrangements of the disc: 24 clicks at most.

On 500 random states the steps took 41.1, 14.9 and 3.2 clicks on average, 59.2 in all (`puzzlemill bench rings.thesis`).
"""

from dataclasses import dataclass
from functools import cache
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from engine.errors import EngineError, InvalidInputError
from engine.rings._thesis import FAR, disc_code, settle
from engine.rings.model import Puzzle, State

MOST_TURNS = 6

MOST_ROUNDS = 200
"""Disc turns after which step 1 is given up; on 100,000 random states it took at most 22, on average 12."""


STEPS = ("fill the rings", "pair the beads", "bring the pairs home")
"""The names of the three steps."""


@dataclass(frozen=True, slots=True)
class ThesisSolution:
    """The clicks of each step."""

    filling: tuple[int, ...]
    pairing: tuple[int, ...]
    exchanging: tuple[int, ...]

    @property
    def moves(self) -> tuple[int, ...]:
        """All clicks in order."""
        return self.filling + self.pairing + self.exchanging

    @property
    def steps(self) -> tuple[tuple[str, tuple[int, ...]], ...]:
        """The three steps in order, each with its name and its clicks, also where it has none."""
        return tuple(zip(STEPS, (self.filling, self.pairing, self.exchanging), strict=True))


def thesis(state: State) -> ThesisSolution:
    """Return the method's solution. Raise `InvalidInputError` for a puzzle other than five rings of seven, places 0 and 6."""
    filling = fill(state)
    middle = np.array([int(digit) for digit in state.after(filling).text], dtype=np.int64)
    pairing, paired = _descend(_pairing(), middle)
    exchanging, _ = _descend(_exchanging(), paired)
    return ThesisSolution(filling, pairing, exchanging)


def _descend(table: "_DiscTable", here: NDArray[np.int64]) -> tuple[tuple[int, ...], NDArray[np.int64]]:
    """Return the clicks of a step's cheapest sequence of blocks from `here`, and the beads after them."""
    moves: list[int] = []
    while not table.done(here):
        left = table.cost(here)
        for block, source in zip(table.blocks, table.sources, strict=True):
            there = here[source]
            if np.array_equal(there[table.off_disc], table.home[table.off_disc]) and table.cost(there) + len(block) == left:
                moves += block
                here = there
                break
        else:
            raise EngineError("no building block of the thesis's method leads on; this is a fault of the program")
    return tuple(moves), here


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
    """A step's building blocks, and what each arrangement of the disc costs in clicks to the end of step 3."""

    blocks: list[tuple[int, ...]]
    sources: NDArray[np.int64]
    home: NDArray[np.int64]
    disc: NDArray[np.int64]
    off_disc: NDArray[np.int64]
    clicks: NDArray[np.uint8]
    goals: NDArray[np.uint8]
    """What the step may end with, by arrangement: the cost of the steps after it; FAR elsewhere."""

    def cost(self, beads: NDArray[np.int64]) -> int:
        """Return the clicks from here to home."""
        return int(self.clicks[disc_code(beads, self.disc, 5)])

    def done(self, beads: NDArray[np.int64]) -> bool:
        """Return True where the step ends: where going on with the next one costs no more."""
        code = disc_code(beads, self.disc, 5)
        return bool(self.goals[code] == self.clicks[code])


@cache
def _exchanging() -> _DiscTable:
    """Return step 3: turns of the disc and exchanges of pairs, to home."""
    blocks: list[tuple[int, ...]] = [(10,), (11,)]
    for ring in range(5):
        blocks += [(turn, turn, *middle, turn ^ 1, turn ^ 1) for turn in (2 * ring, 2 * ring + 1) for middle in _DISC_TURNS]
    home = np.array([position // 7 for position in range(35)], dtype=np.int64)
    goals = np.full(5**10, FAR, dtype=np.uint8)
    goals[disc_code(home, _DISC, 5)] = 0
    return _table(blocks, goals)


@cache
def _pairing() -> _DiscTable:
    """Return step 2: turns of the disc, swaps and helper rings, to the paired arrangement that makes steps 2 and 3 shortest."""
    blocks: list[tuple[int, ...]] = [(10,), (11,)]
    for ring in range(5):
        for turn in (2 * ring, 2 * ring + 1):
            blocks += [(turn,), *((turn, *middle, turn ^ 1) for middle in _DISC_TURNS)]
    after = _exchanging().clicks
    goals = np.full_like(after, FAR)
    for colours in permutations(range(5)):
        code = 0
        for colour in colours:
            code = code * 25 + colour * 6  # two beads of one colour, as two digits base 5
        goals[code] = after[code]
    return _table(blocks, goals)


_DISC = np.array([7 * ring + place for ring in range(5) for place in (0, 6)], dtype=np.int64)

_DISC_TURNS = ((10,), (11,), (10, 10), (11, 11))


def _table(blocks: list[tuple[int, ...]], goals: NDArray[np.uint8]) -> _DiscTable:
    sources = np.array([_effect(Puzzle(), block) for block in blocks], dtype=np.int64)
    home = np.array([position // 7 for position in range(35)], dtype=np.int64)
    off_disc = np.setdiff1d(np.arange(35), _DISC)
    costs = np.array([len(block) for block in blocks], dtype=np.int64)
    clicks = goals.copy()
    settle(sources, costs, home, _DISC, off_disc, clicks, np.empty_like(home), np.empty_like(home), 5)
    return _DiscTable(blocks, sources, home, _DISC, off_disc, clicks, goals)


def _effect(puzzle: Puzzle, moves: tuple[int, ...]) -> list[int]:
    """Return for each position the position whose bead is there after all the moves."""
    where = list(range(puzzle.positions))
    for move in moves:
        where = [where[source] for source in puzzle.sources(move)]
    return where
