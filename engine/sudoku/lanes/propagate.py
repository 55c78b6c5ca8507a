"""One pass of deduction over sixteen puzzles at once."""

from collections.abc import Generator
from typing import Final

from engine.sudoku.lanes.layout import ALL, CANDIDATES, MANY, MORE, ONE
from engine.sudoku.lanes.machine import Memory, Vector, alternate, vector_program
from engine.sudoku.lanes.words import (
    Bands,
    column_flags,
    fill_columns,
    fill_minirows,
    locked_columns,
    locked_minirows,
    lone_minirows,
    minirow_flags,
    other_rows,
    stacks_open,
)

DEAD_SHIFT: Final = 0
"""Where `one_pass` reports lanes with a contradiction."""
MANY_SHIFT: Final = 16
"""Where it reports lanes in which some cell has two candidates or more."""
NEWS_SHIFT: Final = 32
"""Where it reports lanes in which a cell with one candidate has come up."""


def both(one: Bands, other: Bands) -> Bands:
    """Return the bits set in both, band by band."""
    return one[0] & other[0], one[1] & other[1], one[2] & other[2]


def without(one: Bands, other: Bands) -> Bands:
    """Return the bits of one that are not set in the other, band by band."""
    return one[0] & ~other[0], one[1] & ~other[1], one[2] & ~other[2]


def either(one: Bands, other: Bands) -> Bands:
    """Return the bits set in either, band by band."""
    return one[0] | other[0], one[1] | other[1], one[2] | other[2]


class _Pass:
    """A pass being written: what has come of the digits so far.

    Two strands of work run side by side: the rows of one digit need nothing of the columns of the digit before, so that their
    instructions can alternate; a processor looks too short a way ahead to find that out by itself.
    """

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self.nothing: Vector = memory[ONE] ^ memory[ONE]
        self.single: Bands = (memory[ONE], memory[ONE + 1], memory[ONE + 2])
        self.placed: Bands = (self.nothing, self.nothing, self.nothing)
        """Cells that got a hidden single."""
        self.dead = self.nothing
        self.stacks = ~self.nothing
        self.words: dict[int, Bands] = {}
        """The words of digits between rows and columns."""

    def rows(self, digit: int) -> Generator[None]:
        """Apply naked singles within their boxes, and all that rows and boxes lock."""
        at = CANDIDATES + 3 * digit
        word = without((self.memory[at], self.memory[at + 1], self.memory[at + 2]), self.placed)
        alone = both(word, self.single)
        yield
        # A naked single empties the rest of its box; rows and columns follow from the permutations.
        singles = minirow_flags(alone)
        yield
        flags = minirow_flags(word)
        yield
        flags = flags & (singles | ~other_rows(singles))
        yield
        kept = locked_minirows(flags)
        yield
        self.dead = self.dead | (singles & ~kept)
        self.words[digit] = either(both(word, fill_minirows(kept & ~singles)), alone)

    def columns(self, digit: int) -> Generator[None]:
        """Apply all that columns and boxes lock, then look for hidden singles."""
        # Cells taken by smaller digits in this very pass are gone for this one.
        word = without(self.words.pop(digit), self.placed)
        flags = column_flags(word)
        yield
        columns = locked_columns(flags)
        yield
        self.stacks = self.stacks & stacks_open(columns)
        word = both(word, fill_columns(columns))
        yield
        for band in range(3):
            self.memory[CANDIDATES + 3 * digit + band] = word[band]
        yield
        # Hidden singles of rows and columns are alone in their box by now.
        flags = minirow_flags(word)
        yield
        flags = lone_minirows(flags, columns)
        yield
        self.placed = either(self.placed, both(word, fill_minirows(flags)))

    def cells(self, band: int) -> tuple[Vector, Vector, Vector]:
        """Leave the placed cells of a band with their digit and count every cell's candidates.

        Returns cells with none, with exactly one and with several candidates.
        """
        some = many = more = taken = self.nothing
        for digit in reversed(range(9)):
            # Of the digits left in a placed cell the largest is its own: larger ones were gone when their turn came.
            at = CANDIDATES + 3 * digit + band
            word = self.memory[at] & ~taken
            taken = taken | (word & self.placed[band])
            self.memory[at] = word
            more = more | (many & word)
            many = many | (some & word)
            some = some | word
        one = some & ~many
        self.memory[ONE + band] = one
        self.memory[MANY + band] = many
        self.memory[MORE + band] = more
        return some ^ ALL, one, many


def _deduce(memory: Memory) -> tuple[Vector, ...]:
    """Remove candidates in all lanes; see `one_pass`."""
    now = _Pass(memory)
    alternate(now.rows(0))
    for digit in range(8):
        alternate(now.rows(digit + 1), now.columns(digit))
    alternate(now.columns(8))
    dead = now.dead | (~now.stacks & 0o444)
    open_cells = news = now.nothing
    for band in range(3):
        empty, one, many = now.cells(band)
        dead = dead | empty
        open_cells = open_cells | many
        news = news | (one & ~now.single[band])
    return dead, open_cells, news


one_pass = vector_program(_deduce)
"""Run one pass over the flat word array, with CANDIDATES and ONE set, and refresh all that `layout` says a pass does.

Returns lane flags: at DEAD_SHIFT contradictions, at MANY_SHIFT lanes with an open cell, at NEWS_SHIFT those that made progress
(a new cell with one candidate). A lane with none of the three is solved: all cells had one candidate before the pass, every box
was found to take each digit by a permutation of rows and by one of columns, and 81 candidates leave no room for a second one.
"""
