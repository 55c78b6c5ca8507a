"""Which click may follow which: each sequence is tried in one order only, so that a search does not walk the same way twice.

Turns of different rings commute: within a run of ring turns, rings go in ascending order. A click is never undone at once, nor
repeated beyond half a full turn. For five rings of seven the sequences number 1, 12, 92, 650, 4600, 32,672, ...
"""

from collections.abc import Iterator
from functools import cache

import numpy as np
from numpy.typing import NDArray

from engine.rings.model import Puzzle

START = 0
"""The row of `ordering` before the first click."""


@cache
def ordering(puzzle: Puzzle) -> NDArray[np.int16]:
    """Return the table `next_row[row, move]`, shape (rows, moves), int16: -1 where the click may not follow, else its row."""
    rows = {(-1, 0): START}  # (last click, how often in a row) -> row
    rows |= {
        pair: number
        for number, pair in enumerate(
            ((move, run) for move in range(puzzle.move_count) for run in range(1, puzzle.longest_run(move) + 1)), start=1
        )
    }
    table = np.full((len(rows), puzzle.move_count), -1, dtype=np.int16)
    for (last, run), row in rows.items():
        for move in range(puzzle.move_count):
            if move == last:
                follows = rows.get((move, run + 1), -1)
            elif last >= 0 and move >> 1 == last >> 1:
                follows = -1  # undone at once
            elif last >= 0 and move >> 1 < last >> 1 < puzzle.rings:
                follows = -1  # the other order of two ring turns
            else:
                follows = rows.get((move, 1), -1)
            table[row, move] = follows
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


def row_after(puzzle: Puzzle, moves: tuple[int, ...]) -> int:
    """Return the row of `ordering` after the clicks, which must be a sequence it allows."""
    table = ordering(puzzle)
    row = START
    for move in moves:
        row = int(table[row, move])
    return row
