"""Lists every state of a small ring puzzle, layer by layer: its God's number and how many states lie at each distance.

A state is one 64-bit word, a few bits a bead, and a layer is a sorted array of them. Since every click can be undone, the
neighbours of a layer lie in it, in the one before, or in the next: only two layers are needed to find a third.
"""

from collections.abc import Generator
from dataclasses import dataclass
from math import factorial

import numpy as np
from numpy.typing import NDArray

from engine.errors import InvalidInputError
from engine.rings.model import Puzzle, State
from engine.steps import result_of

MAX_STATES = 20_000_000
"""Puzzles with more are refused: 17 million (three rings of six) take half a minute and a few hundred megabytes."""

SHOWN = 5
"""How many of the farthest states are kept."""

Words = NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class Whole:
    """A small puzzle, listed whole."""

    puzzle: Puzzle
    states: int
    """All placings of the beads, reached or not."""
    by_clicks: tuple[int, ...]
    """How many states have a shortest solution of 0, 1, 2, ... clicks."""
    farthest: tuple[State, ...]
    """Some states that need the most clicks."""

    @property
    def reached(self) -> int:
        """How many states can be reached from the solved one."""
        return sum(self.by_clicks)

    @property
    def gods_number(self) -> int:
        """The most clicks that any state needs."""
        return len(self.by_clicks) - 1

    @property
    def mean_clicks(self) -> float:
        """The mean of the shortest solutions over all states that can be reached, in clicks."""
        return sum(clicks * count for clicks, count in enumerate(self.by_clicks)) / self.reached


def placings(puzzle: Puzzle) -> int:
    """Return the number of placings of the beads: (rings x beads)! / (beads!)^rings."""
    states: int = factorial(puzzle.positions) // factorial(puzzle.beads) ** puzzle.rings
    return states


def whole(puzzle: Puzzle) -> Whole:
    """Return the puzzle listed whole. Raise `InvalidInputError` if it has more than 20 million states."""
    return result_of(listing(puzzle))


def listing(puzzle: Puzzle) -> Generator[tuple[int, ...], None, Whole]:
    """List like `whole`, yielding after each layer how many states lie at each distance so far."""
    states = placings(puzzle)
    if states > MAX_STATES:
        raise InvalidInputError(
            f"{puzzle.rings} rings of {puzzle.beads} beads have {states:,} states; at most {MAX_STATES:,} are listed whole"
        )
    code = _Code(puzzle)
    before, layer = np.empty(0, dtype=np.uint64), np.array([code.word(puzzle.solved)], dtype=np.uint64)
    by_clicks = []
    while True:
        by_clicks.append(len(layer))
        yield tuple(by_clicks)
        following = np.empty(0, dtype=np.uint64)
        for move in range(puzzle.move_count):
            fresh = np.sort(code.turned(layer, move))
            for known in (before, layer, following):
                fresh = fresh[~_among(fresh, known)]
            following = np.sort(np.concatenate((following, fresh)))
        if not len(following):
            return Whole(puzzle, states, tuple(by_clicks), tuple(code.state(int(word)) for word in layer[:SHOWN]))
        before, layer = layer, following


class _Code:
    """States as words: `width` bits a bead, place 0 of ring 1 in the lowest. Few enough states always fit 64 bits."""

    def __init__(self, puzzle: Puzzle) -> None:
        self._puzzle = puzzle
        self._width = (puzzle.rings - 1).bit_length()
        self._bead = np.uint64(self._width)
        self._ring = np.uint64(self._width * puzzle.beads)
        self._ring_mask = np.uint64(2 ** int(self._ring) - 1)
        all_bits = self._width * puzzle.positions
        self._wrap = np.uint64(all_bits - int(self._ring))
        self._full_mask = np.uint64(2**all_bits - 1)
        bead = 2**self._width - 1
        places = [puzzle.beads * ring + place for ring in range(puzzle.rings) for place in puzzle.places]
        self._disc_mask = np.uint64(sum(bead << self._width * position for position in places))

    def word(self, state: State) -> int:
        """Return a state's word."""
        return sum(int(digit) << self._width * position for position, digit in enumerate(state.text))

    def state(self, word: int) -> State:
        """Return the state of a word."""
        bead = 2**self._width - 1
        return State("".join(str(word >> self._width * p & bead) for p in range(self._puzzle.positions)), self._puzzle)

    def turned(self, words: Words, move: int) -> Words:
        """Return the words after a click."""
        if move >> 1 == self._puzzle.rings:
            here = words & self._disc_mask
            first, second = (self._ring, self._wrap) if not move & 1 else (self._wrap, self._ring)
            carried: Words = (words ^ here) | (((here << first) | (here >> second)) & self._full_mask)
            return carried
        shift = self._ring * np.uint64(move >> 1)
        here = (words >> shift) & self._ring_mask
        rest = self._ring - self._bead
        first, second = (self._bead, rest) if not move & 1 else (rest, self._bead)
        after = ((here << first) | (here >> second)) & self._ring_mask
        turned: Words = words ^ ((here ^ after) << shift)
        return turned


def _among(words: Words, known: Words) -> NDArray[np.bool_]:
    """Return which words are among the known ones, which are sorted."""
    if not len(known):
        return np.zeros(len(words), dtype=np.bool_)
    at = np.searchsorted(known, words)
    at[at == len(known)] = 0
    among: NDArray[np.bool_] = known[at] == words
    return among
