"""How many states there are at each distance from the solved one: exact, by breadth-first search over symmetric classes.

A state one click from depth d is at depth d - 1, d or d + 1, so that two layers are all that must be remembered. Five rings
have 20 symmetries, and a class takes 16 bytes: depth 11, 333,951,869 states, is 16.7 million classes. Those of a new layer are
told apart in a hash set of keys (exact keys, no fingerprints); where memory is short, in several passes, each for its share of
all keys, that turn the layer before anew.
"""

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from math import ceil, comb, factorial

import numpy as np
from numpy.typing import NDArray

from engine.errors import EngineError, InvalidInputError, LimitExceededError
from engine.rings._count import EMPTY, Packing, Scratch, canonical, enter, expand, list_words
from engine.rings._words import Frame
from engine.rings.model import Puzzle
from engine.rings.tables import colour_words, frame

MEMORY = 2 << 30
"""Bytes a count may take in all, unless told otherwise."""

BASE_BYTES = 300 << 20
"""What the interpreter, the compiler and the kernels take besides the tables and layers."""

KEY_BYTES = 16

GROWTH = 6.3
"""Classes of five rings grow by 5.9 to 6.3 a click from depth 5 on; the first passes are planned for that many."""

LOAD = 0.7
"""How full the hash set may get; beyond it, looking up takes long."""

LEAST_SLOTS = 1 << 12

MAX_PASSES = 64

KNOWN = {
    Puzzle(): (1, 2, 22, 160, 980, 6_240, 39_489, 247_552, 1_529_476, 9_341_768, 56_279_200, 333_951_869, 1_946_922_314),
}
"""States by distance as other programs have counted them too: three to depth 9, two at 10, and one, which tells states apart by
63-bit fingerprints and knows nothing of symmetry, at 11 and 12. A count that says else has been disturbed."""

SLICE = 50_000
"""Classes between two steps of `counting`: about a tenth of a second."""


@dataclass(frozen=True, slots=True)
class Depth:
    """One finished depth."""

    depth: int
    states: int
    """States at this distance from the solved state."""
    classes: int
    """Up to the symmetries of `Puzzle.symmetries`: ten for five rings."""
    all_classes: int
    """Up to these and the reversal of each ring alone: twenty for five rings."""


@dataclass(frozen=True, slots=True)
class Going:
    """How far a depth is: `done` of `total` turns of a class, over all passes."""

    depth: int
    passes: int
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Plan:
    """What a depth takes, before it starts."""

    depth: int
    turned: int
    """Classes to turn, over all passes."""
    passes: int
    slots: int
    """Of the hash set, a power of two."""
    bytes: int
    """At most, in all."""


def count(puzzle: Puzzle, depth: int, memory: int = MEMORY) -> list[Depth]:
    """Return the numbers of states at distances 0 to `depth`, fewer if there are no more states. Raise like `counting`."""
    return [step for step in counting(puzzle, depth, memory) if isinstance(step, Depth)]


def counting(puzzle: Puzzle, depth: int, memory: int = MEMORY) -> Generator[Depth | Plan | Going, None, None]:
    """Count depth by depth up to `depth`, or until there are no more states.

    Yields each depth's plan before its work, where it stands about ten times a second, and the depth when it is done. Raises
    `InvalidInputError` for a depth below 0 or a puzzle whose states have no 128-bit key, `LimitExceededError` before a depth
    that would need more than `memory` bytes, and `EngineError` for a puzzle too big for tables.
    """
    if depth < 0:
        raise InvalidInputError(f"depth {depth}: expected 0 or more")
    view = frame(puzzle)
    packing = packing_for(puzzle, view)
    scratch = scratch_for(puzzle)
    before = np.empty((0, 2), dtype=np.uint64)
    layer = np.empty((1, 2), dtype=np.uint64)
    with np.errstate(over="ignore"):
        canonical(colour_words(puzzle.solved), scratch.images, layer[0], packing, view)
    yield Depth(0, 1, 1, 1)
    for number in range(1, depth + 1):
        keep = number < depth
        growth = GROWTH
        while True:
            plan = planned(puzzle, number, len(before), len(layer), memory, keep=keep, growth=growth)
            yield plan
            room = len(layer) * puzzle.move_count if keep else 0
            found = np.empty((room, 2), dtype=np.uint64)  # the system hands out only the pages that are written
            totals = yield from _one_depth(view, packing, scratch, before, layer, plan, found)
            if totals is not None:
                break
            growth *= 1.5
        states, classes, all_classes = (int(n) for n in totals)
        if not states:
            return
        before, layer = layer, found[:all_classes]
        yield checked(puzzle, Depth(number, states, classes, all_classes))


def checked(puzzle: Puzzle, found: Depth) -> Depth:
    """Return a finished depth. Raise `EngineError` if other programs have counted another number of states there."""
    known = KNOWN.get(puzzle, ())
    if found.depth < len(known) and found.states != known[found.depth]:
        raise EngineError(
            f"depth {found.depth} came out as {found.states:,} states; there are {known[found.depth]:,}. "
            "This machine's memory or disk may be faulty"
        )
    return found


def forecast(puzzle: Puzzle, known: Sequence[Depth], depth: int, memory: int = MEMORY) -> list[Plan]:
    """Return the plans of the depths from `known` (all finished ones) to `depth`, as far as they can be foreseen.

    Raise `LimitExceededError` if one of them is likely to need more than `memory` bytes.
    """
    most = factorial(puzzle.positions) // factorial(puzzle.beads) ** puzzle.rings
    before, layer = (known[-2].all_classes if len(known) > 1 else 0), known[-1].all_classes
    plans = []
    for number in range(known[-1].depth + 1, depth + 1):
        plans.append(planned(puzzle, number, before, layer, memory, keep=number < depth))
        before, layer = layer, min(ceil(layer * GROWTH), most)
    return plans


def planned(puzzle: Puzzle, depth: int, before: int, layer: int, memory: int, *, keep: bool, growth: float = GROWTH) -> Plan:
    """Return what it takes to count a depth, after layers of `before` and `layer` classes, if classes grow by `growth`.

    With `keep`, the depth's own classes are kept for the next. Raise `LimitExceededError` if `memory` bytes will not do.
    """
    new = layer * growth
    kept = BASE_BYTES + 8 * comb(puzzle.positions, puzzle.beads) + KEY_BYTES * (before + layer + ceil(new if keep else 0))
    keys = before + layer + new
    passes = 1
    while True:
        slots = max(LEAST_SLOTS, 1 << (ceil(keys / passes / LOAD) + puzzle.move_count).bit_length())
        needed = kept + KEY_BYTES * slots
        if needed <= memory:
            return Plan(depth, layer * passes, passes, slots, needed)
        if passes >= MAX_PASSES:
            raise LimitExceededError(
                f"depth {depth} takes about {needed / 2**20:,.0f} MiB at least; {memory / 2**20:,.0f} MiB are allowed: "
                "stop at a lower depth, or allow more"
            )
        passes += 1


def _one_depth(  # noqa: PLR0917  # what the kernels need, passed on
    view: Frame,
    packing: Packing,
    scratch: Scratch,
    before: NDArray[np.uint64],
    layer: NDArray[np.uint64],
    plan: Plan,
    found: NDArray[np.uint64],
) -> Generator[Going, None, NDArray[np.int64] | None]:
    """Return the new layer's states, classes and classes under all symmetries, or None if a pass found no room."""
    table = np.empty((plan.slots, 2), dtype=np.uint64)
    totals = np.zeros(3, dtype=np.int64)
    for this_pass in range(plan.passes):
        table[:, 0] = EMPTY
        with np.errstate(over="ignore"):  # hashes and shifts drop bits on purpose; as plain Python, numpy would warn
            entered = enter(before, table, plan.passes, this_pass) + enter(layer, table, plan.passes, this_pass)
        most = int(plan.slots * LOAD) - entered
        known = int(totals[2])
        for start in range(0, len(layer), SLICE):
            stop = min(start + SLICE, len(layer))
            room = most - (int(totals[2]) - known)
            with np.errstate(over="ignore"):
                ended = expand(view, packing, scratch, layer, start, stop, table, room, plan.passes, this_pass, found, totals)
            if ended < stop:
                return None
            yield Going(plan.depth, plan.passes, this_pass * len(layer) + stop, plan.turned)
    return totals


def packing_for(puzzle: Puzzle, view: Frame) -> Packing:
    """Return how the puzzle's states become keys. Raise `InvalidInputError` if they do not fit."""
    entries = comb(puzzle.positions, puzzle.beads)
    rank_bits = max(1, (entries - 1).bit_length())
    a_number = 63 // rank_bits
    if puzzle.rings - 1 > 2 * a_number:
        raise InvalidInputError(f"{puzzle}: its states do not fit into 128-bit keys; count a smaller puzzle")
    word_of = np.empty(entries, dtype=np.uint64)
    with np.errstate(over="ignore"):
        list_words(word_of, view)
    flip = _flip(puzzle)
    flipped = [sum(1 << flip[p] for p in range(puzzle.beads) if here >> p & 1) for here in range(1 << puzzle.beads)]
    return Packing(word_of, np.array(flipped, dtype=np.uint64), np.uint64(rank_bits), a_number)


def _flip(puzzle: Puzzle) -> list[int]:
    """Return where each place of a ring goes in the mirror that keeps the disc's places; each to itself if there is none."""
    for total in reversed(range(puzzle.beads)):
        flip = [(total - place) % puzzle.beads for place in range(puzzle.beads)]
        if {flip[place] for place in puzzle.places} == set(puzzle.places):
            return flip
    return list(range(puzzle.beads))


def scratch_for(puzzle: Puzzle) -> Scratch:
    """Return room for a state of the puzzle and its images."""
    rings = puzzle.rings
    return Scratch(*(np.zeros(shape, dtype=np.uint64) for shape in ((rings,), (rings,), (4, rings), (2,))))
