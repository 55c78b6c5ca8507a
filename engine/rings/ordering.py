"""Which click may follow which: a search need not walk two ways to the same place.

Two sequences of clicks that do the same to every bead lead to the same states, and only one of them must be tried: a shortest
one, and of those the first in the order of the clicks. A sequence that holds another which is not such a one is none itself, so
that it is enough to forbid the short ones that are not: a click undone at once, one repeated beyond half a full turn, two rings
turned in the other order, and longer ones that are less obvious; for five rings 3,316 of up to six clicks. A finite automaton
tells after each click which ones may follow. For five rings of seven the sequences number 1, 12, 92, 650, 4,480, 29,912,
195,268, and then grow by 6.52 a click; if only the obvious ones were forbidden, by 7.11.

Source of the idea: L. A. Taylor and R. E. Korf, "Pruning duplicate nodes in depth-first search" (1993).
"""

from collections import deque
from collections.abc import Iterator, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from engine.rings.model import Puzzle

START = 0
"""The row of `ordering` before the first click."""

LONGEST = 6
"""Clicks of the longest sequences that are forbidden: then 6.52 clicks may follow one on average, and the table takes 0.3 s.

With one more it is 6.44, in 2.4 s, and the table has five times as many rows.
"""

MOST_SEQUENCES = 500_000
"""Puzzles with more clicks have shorter ones forbidden, so that the automaton is ready in a moment."""


@cache
def ordering(puzzle: Puzzle) -> NDArray[np.int32]:
    """Return the table `next_row[row, move]`, shape (rows, moves), int32: -1 where the click may not follow, else its row."""
    table = _automaton(_forbidden(puzzle), puzzle.move_count)
    table.flags.writeable = False
    return table


def sequences(puzzle: Puzzle, length: int) -> Iterator[tuple[int, ...]]:
    """Yield the sequences of `length` clicks in lexicographic order, which is also the order of the searches."""
    table = ordering(puzzle)

    def longer(prefix: tuple[int, ...], row: int) -> Iterator[tuple[int, ...]]:
        if len(prefix) == length:
            yield prefix
            return
        for move in range(puzzle.move_count):
            follows = int(table[row, move])
            if follows >= 0:
                yield from longer((*prefix, move), follows)

    return longer((), START)


def row_after(puzzle: Puzzle, moves: Sequence[int]) -> int:
    """Return the row of `ordering` after the clicks, which must be a sequence it allows."""
    table = ordering(puzzle)
    row = START
    for move in moves:
        row = int(table[row, move])
    return row


def _forbidden(puzzle: Puzzle) -> list[tuple[int, ...]]:
    """Return the sequences to forbid: not the first of the shortest that do the same, though all their parts are."""
    moves = puzzle.move_count
    sources = np.array([puzzle.sources(move) for move in range(moves)])
    beads = np.arange(puzzle.positions, dtype=np.uint8)[None]  # all told apart: row by row, what a sequence does to them
    numbers = np.zeros(1, dtype=np.int64)  # the sequences themselves, as numbers to the base `moves`
    known = {beads[0].tobytes()}
    forbidden = []
    for length in range(1, LONGEST + 1):
        if len(numbers) * moves > MOST_SEQUENCES:
            break
        longer = (numbers[:, None] * moves + np.arange(moves)).ravel()
        allowed = np.isin(longer % moves ** (length - 1), numbers) if length > 1 else np.ones(len(longer), dtype=bool)
        before, last = np.divmod(np.flatnonzero(allowed), moves)
        longer = longer[allowed]
        after = np.take_along_axis(beads[before], sources[last], axis=1)
        keys = [row.tobytes() for row in after]
        first = np.zeros(len(keys), dtype=bool)
        for place, key in enumerate(keys):
            if key not in known:
                known.add(key)
                first[place] = True
        forbidden += [_digits(int(number), length, moves) for number in longer[~first]]
        numbers, beads = longer[first], after[first]
    return forbidden


def _digits(number: int, length: int, base: int) -> tuple[int, ...]:
    return tuple(number // base ** (length - 1 - place) % base for place in range(length))


def _automaton(forbidden: Sequence[Sequence[int]], moves: int) -> NDArray[np.int32]:
    """Return the transitions of the automaton of Aho and Corasick (1975) that knows a forbidden sequence by its last click."""
    tree: list[dict[int, int]] = [{}]
    ends = {0: False}
    for sequence in forbidden:
        node = 0
        for move in sequence:
            if move not in tree[node]:
                tree[node][move] = len(tree)
                ends[len(tree)] = False
                tree.append({})
            node = tree[node][move]
        ends[node] = True
    following = np.zeros((len(tree), moves), dtype=np.int64)
    shorter = [0] * len(tree)  # the longest end of a node's sequence that is a node too
    waiting = deque(tree[0].values())
    for move, node in tree[0].items():
        following[0, move] = node
    while waiting:
        node = waiting.popleft()
        for move in range(moves):
            longer = tree[node].get(move)
            if longer is None:
                following[node, move] = following[shorter[node], move]
            else:
                shorter[longer] = int(following[shorter[node], move])
                following[node, move] = longer
                waiting.append(longer)
    kept = [node for node in range(len(tree)) if not ends[node]]
    renamed = np.full(len(tree), -1, dtype=np.int32)
    renamed[kept] = np.arange(len(kept))
    return renamed[following[kept]]
