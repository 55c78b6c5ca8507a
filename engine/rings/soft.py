"""Soft distances: how far one colour is from home, judged by all ways there and not by the shortest alone.

Every sequence of clicks that brings a placing home counts `DAMPING` to the power of its length; the soft distance is the
negative logarithm of the sum, raised to `POWER` and rounded. Of two placings equally many clicks from home, the one with more
ways there, or with ways that are hardly longer, is nearer. A beam that adds up the five colours' soft distances finds solutions
0.18 +- 0.09 clicks shorter than one that adds up the squares of the distances (200 random states, width 4,000): as a beam twice
as wide does.

Sums of this kind, over all walks with a weight for each step, are known as resolvents of the graph.
"""

import logging
from collections.abc import Generator
from functools import cache

import numpy as np
from numpy.typing import NDArray

from engine.errors import EngineError
from engine.rings._count import list_words
from engine.rings._soft import BIAS, RINGS, fill_steps, sweep
from engine.rings._tablefile import TableFileError, read_table, write_table
from engine.rings._words import Frame
from engine.rings.model import Puzzle
from engine.rings.tables import KEPT_FROM, UNREACHED, frame, table_entries
from engine.steps import result_of

log = logging.getLogger(__name__)

DAMPING = 0.02
"""0.01 to 0.05 were tried and differ little; above a twelfth, the sum would have no end."""

POWER = 1.6
"""1.3 to 2 were tried and differ little; 1 is worse."""

SWEEPS = 6
"""Each brings the sums nearer to their limit. Beams with 6, 8 and 40 found the same mean length (60 states, width 4,000)."""

MAX_ENTRIES = 10_000_000
"""Sixteen bytes an entry: 108 MB for five rings of seven. A much bigger table would not be worth its time."""

WORDS_A_STEP = 250_000


def has_steps(puzzle: Puzzle) -> bool:
    """Return True for the puzzles that have such a table: five rings, not too big, every placing of a colour reachable."""
    return has_room(puzzle) and int(frame(puzzle).table.max()) < UNREACHED


def has_room(puzzle: Puzzle) -> bool:
    """Return True for five rings that are not too big: such a puzzle has a table, unless a placing cannot be reached."""
    return puzzle.rings == RINGS and table_entries(puzzle) <= MAX_ENTRIES


@cache
def steps(puzzle: Puzzle) -> NDArray[np.uint64]:
    """Return what each click changes in a colour's soft distance, by rank: see `engine.rings._soft.fill_steps`.

    The table is mapped from its file, or built (some seconds) and kept there.
    """
    name, size = steps_name(puzzle), steps_size(puzzle)
    if table_entries(puzzle) < KEPT_FROM:
        return result_of(building(puzzle))
    try:
        return read_table(name, size, large=True).view(np.uint64)
    except FileNotFoundError:
        log.info("building the table of soft distances %s (some seconds, once)", name)
    except (TableFileError, OSError) as error:
        log.warning("%s; building it again", error)
    made = result_of(building(puzzle))
    try:
        return write_table(name, made.view(np.uint8), large=True).view(np.uint64)
    except OSError as error:
        log.warning("the table of soft distances cannot be kept (%s); this process uses its own copy", error)
        return made


def steps_name(puzzle: Puzzle) -> str:
    """Return the name of the puzzle's table, which its file bears."""
    return f"rings-{puzzle.rings}x{puzzle.beads}-{'.'.join(map(str, puzzle.places))}-soft"


def steps_size(puzzle: Puzzle) -> int:
    """Return the bytes of the puzzle's table."""
    return 16 * table_entries(puzzle)


def making(puzzle: Puzzle) -> Generator[float, None, None]:
    """Build the puzzle's table and keep it, yielding the share that is done.

    A table that is there is replaced; processes that have mapped it go on with the one they have. Raise `OSError` if it cannot
    be kept.
    """
    made = yield from building(puzzle)
    write_table(steps_name(puzzle), made.view(np.uint8), large=True)


def building(puzzle: Puzzle) -> Generator[float, None, NDArray[np.uint64]]:
    """Build the puzzle's table, yielding the share that is done. Raise `EngineError` if its numbers do not fit."""
    view = frame(puzzle)
    entries = len(view.table)
    word_of = np.empty(entries, dtype=np.uint64)
    with np.errstate(over="ignore"):  # a carry may leave the word; as plain Python, numpy would warn
        list_words(word_of, view)
    ways = np.zeros(entries, dtype=np.float64)
    order = np.argsort(view.table, kind="stable")
    work = (SWEEPS + 1) * entries
    for number in range(SWEEPS):
        for start in range(0, entries, WORDS_A_STEP):
            stop = min(start + WORDS_A_STEP, entries)
            with np.errstate(over="ignore"):
                sweep(ways, order, start, stop, word_of, int(order[0]), DAMPING, view)
            yield (number * entries + stop) / work
    soft = _rounded(ways)
    made = np.empty(2 * entries, dtype=np.uint64)
    for start in range(0, entries, WORDS_A_STEP):
        stop = min(start + WORDS_A_STEP, entries)
        with np.errstate(over="ignore"):
            lost = fill_steps(made, soft, start, stop, word_of, view)
        if lost:
            raise EngineError(
                f"{lost} changes of a click do not fit into the table of soft distances; this is a fault of the program"
            )
        yield (SWEEPS * entries + stop) / work
    made.flags.writeable = False
    return made


def _rounded(ways: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the soft distances, 0 for home alone, scaled so that no click changes one by more than `BIAS`."""
    logs = -np.log(ways)
    logs -= logs.min()
    top, click = float(logs.max()), -np.log(DAMPING)  # a click changes the logarithm by so much at most
    scale = (BIAS - 1) / (top**POWER - max(top - click, 0.0) ** POWER)
    soft = np.rint(scale * logs**POWER).astype(np.int64)
    return np.where(logs > 0, np.maximum(soft, 1), 0)


def views(puzzle: Puzzle) -> tuple[Frame, NDArray[np.uint64]]:
    """Return what a search by soft distances needs: the puzzle's frame and its table of steps."""
    return frame(puzzle), steps(puzzle)
