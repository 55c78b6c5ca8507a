"""One-colour distance tables: how many clicks it takes to bring one colour home, whatever the others do.

For five rings of seven that is C(35, 7) = 6,724,520 entries, at most 25, built by breadth-first search in about a second and
kept in a file that all processes map and share. The largest of a state's five distances is a lower bound of its clicks.
"""

import logging
from collections.abc import Generator
from functools import cache
from math import comb

import numpy as np
from numpy.typing import NDArray

from engine.errors import EngineError
from engine.rings._ranking import MAX_RANKED, bare_frame, frozen
from engine.rings._tablefile import TableFileError, read_table, write_table
from engine.rings._words import Frame, spread
from engine.rings.errors import ImpossibleStateError
from engine.rings.model import Puzzle, State
from engine.steps import result_of

log = logging.getLogger(__name__)

UNREACHED = 255

MAX_ENTRIES = 200_000_000
"""A bigger table would take minutes and gigabytes; the searches are not made for such puzzles."""

KEPT_FROM = 100_000
"""Smaller tables are quicker made than read."""

WORDS_A_STEP = 500_000
"""How many entries are filled between two looks at the progress: less than a tenth of a second."""


@cache
def frame(puzzle: Puzzle) -> Frame:
    """Return the kernels' view of the puzzle with its distance table, which is mapped from its file, or built and kept there.

    Raises `EngineError` if the puzzle is too big for a table.
    """
    name, entries = table_name(puzzle), table_entries(puzzle)
    bare = bare_frame(puzzle, puzzle.beads)
    if entries < KEPT_FROM:
        return bare._replace(table=result_of(_building(bare, entries)))
    try:
        return bare._replace(table=read_table(name, entries))
    except FileNotFoundError:
        log.info("building the distance table %s (about a second, once)", name)
    except (TableFileError, OSError) as error:
        log.warning("%s; building it again", error)
    table = result_of(_building(bare, entries))
    try:
        return bare._replace(table=write_table(name, table))
    except OSError as error:
        log.warning("the distance table cannot be kept (%s); this process uses its own copy", error)
        return bare._replace(table=table)


def table_name(puzzle: Puzzle) -> str:
    """Return the name of the puzzle's table, which its file bears."""
    return f"rings-{puzzle.rings}x{puzzle.beads}-{'.'.join(map(str, puzzle.places))}-colour"


def table_entries(puzzle: Puzzle) -> int:
    """Return how many entries the puzzle's table has. Raise `EngineError` if that is too many."""
    entries = comb(puzzle.positions, puzzle.beads)
    if entries > MAX_ENTRIES or puzzle.positions > MAX_RANKED:
        raise EngineError(
            f"{puzzle}: too big for distance tables ({entries:,} entries over {puzzle.positions} positions; "
            f"at most {MAX_ENTRIES:,} over {MAX_RANKED} are supported)"
        )
    return entries


def making(puzzle: Puzzle) -> Generator[float, None, NDArray[np.uint8]]:
    """Build the puzzle's table and keep it, yielding the share that is done; return it mapped.

    A table that is there is replaced; processes that have mapped it go on with the one they have. Raise `OSError` if it cannot
    be kept.
    """
    entries = table_entries(puzzle)
    table = yield from _building(bare_frame(puzzle, puzzle.beads), entries)
    return write_table(table_name(puzzle), table)


def distances(state: State) -> tuple[int, ...]:
    """Return for each colour the clicks that bring its beads home, whatever the others do (255 if none do)."""
    view = frame(state.puzzle)
    words = colour_words(state)
    low = view.low_rank[words & view.low_mask]
    high = view.high_rank[words >> view.low_bits]
    return tuple(int(d) for d in view.table[low + high])


def lower_bound(state: State) -> int:
    """Return the clicks below which the state certainly cannot be solved: the largest of the colours' distances.

    Raise `ImpossibleStateError` if one cannot come home at all, which happens in a few small puzzles, not with five rings.
    """
    bound = max(distances(state))
    if bound == UNREACHED:
        raise ImpossibleStateError(f"impossible state: no clicks lead from {state} to the solved state")
    return bound


def distribution(puzzle: Puzzle) -> list[int]:
    """Return how many placings of one colour are 0, 1, 2, ... clicks from home."""
    return [int(n) for n in np.bincount(frame(puzzle).table)]


def colour_words(state: State) -> NDArray[np.uint64]:
    """Return the state as one word a colour (see `engine.rings._words`): shape (rings,), dtype uint64."""
    puzzle = state.puzzle
    words = []
    for colour in range(puzzle.rings):
        home = puzzle.beads * colour
        bits = (1 << (p - home) % puzzle.positions for p, digit in enumerate(state.text) if int(digit) == colour)
        words.append(sum(bits))
    return np.array(words, dtype=np.uint64)


def _building(bare: Frame, entries: int) -> Generator[float, None, NDArray[np.uint8]]:
    table = np.full(entries, UNREACHED, dtype=np.uint8)
    queue = np.empty(entries, dtype=np.uint64)
    queue[0] = bare.ring_mask
    home = bare.low_rank[bare.ring_mask & bare.low_mask] + bare.high_rank[bare.ring_mask >> bare.low_bits]
    table[home] = 0
    ends = np.array([0, 1], dtype=np.int64)
    while ends[0] < ends[1]:
        with np.errstate(over="ignore"):  # shifts in uint64 drop bits on purpose; as plain Python, numpy would warn
            spread(table, queue, ends, WORDS_A_STEP, bare)
        yield ends[0] / entries
    return frozen(table)
