"""The kernel of the bounded search with unions: many nodes at once, so that waiting for memory costs little.

A look-up in a table of a gigabyte takes as long as a hundred instructions, unless it was asked for in time. So nodes are
expanded in batches: for all children of a batch the entry of one union each is asked for, then all are read. What passes goes
on to the next union, and what has passed all becomes part of the next depth. The deepest depth that fills a batch goes first,
so few nodes wait at any time. Which node is expanded when depends on nothing but the search itself.

What is known of a node's unions is one word. A union's *slack* is how many clicks are left beyond its distance. A click takes
one of them away and adds at most one to the distance: the slack falls by two at most. The distance is looked up only where the
slack, reckoned so, would be below 0; because it was at most thirteen when last looked up, that is within seven clicks, and the
four bits of the table tell it exactly.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine._jit import folded, kernel
from engine.rings._codes import MODULUS, at_most
from engine.rings._instructions import lowest, of_either, prefetch_of_either
from engine.rings._unions import Unions, union_code, union_word
from engine.rings.stoppable import FOUND, NODES, NONE, PAUSED

ORIGIN = 1
"""Index in `progress`: the start that the solution found goes on from."""

FIELD = 5
"""Bits a pair in a slack word: the slack plus two in four, and a flag that is set while the pair takes part."""
AGAIN = 2
"""A slack is kept plus two. Reckoned after a click, 0 and 1 mean that the table must be asked; it is never less."""
MOST_SLACK = 13

ZERO, ONE, TWO, THREE, FOUR = (np.uint64(number) for number in range(5))
FLAG = np.uint64(FIELD - 1)
"""Place of the flag in a field."""
LOW_BITS = np.uint64(15)
CARRY = np.uint64(14)
"""Added to a slack of 2 or more it carries into the flag's place; it is also -1, modulo fifteen."""
FIFTEEN = np.uint64(MODULUS)
NOBODY = np.uint64(1 << 62)


class Fields(NamedTuple):
    """Masks over the fields of a slack word."""

    ones: Any
    values: Any
    flags: Any


class Pairs(NamedTuple):
    """By pair, how its union's word is made and turned; uint8."""

    of_place: NDArray[np.uint8]
    """Which pair's flag is at this place of a slack word."""
    first: NDArray[np.uint8]
    second: NDArray[np.uint8]
    first_up: NDArray[np.uint8]
    """By how many places the first colour's word is carried round."""
    second_up: NDArray[np.uint8]
    turns: NDArray[np.uint8]
    """Where the clicks of the union's frame begin in `Turns`."""
    far: NDArray[np.uint8]
    """1 for rings two apart."""


class Turns(NamedTuple):
    """Each click in each frame as one formula without a branch: what stays, what moves up, what moves down."""

    kept: NDArray[np.uint64]
    up: NDArray[np.uint64]
    up_mask: NDArray[np.uint64]
    down: NDArray[np.uint64]
    down_mask: NDArray[np.uint64]


class Order(NamedTuple):
    """By row of the table which click may follow which: how many may, which, and the rows after them."""

    number: NDArray[np.uint8]
    moves: NDArray[np.uint8]
    rows: NDArray[np.uint32]


class Nodes(NamedTuple):
    """The nodes that wait, depth by depth in one array; depth 0 holds the starts."""

    words: NDArray[np.uint64]
    """Shape (room, rings): colours' words, each in its own frame."""
    slacks: NDArray[np.uint64]
    rows: NDArray[np.uint32]
    origins: NDArray[np.uint32]
    """Number of the start that a node comes from."""
    first: NDArray[np.int64]
    """By depth: where its nodes begin."""
    number: NDArray[np.int64]
    """By depth: how many wait."""


class Room(NamedTuple):
    """For the batch at hand."""

    needed: NDArray[np.uint64]
    """By parent: flags of the pairs that must still be looked up for its children."""
    shift: NDArray[np.uint64]
    """By parent: where in the slack word the pair is that is being looked up."""
    ceiling: NDArray[np.uint64]
    """By parent: the greatest distance that pair can have, modulo fifteen."""
    far: NDArray[np.uint64]
    """By parent: 1 if that pair is in the second table."""
    parent: NDArray[np.uint32]
    """By child, as are the next three."""
    move: NDArray[np.uint8]
    row: NDArray[np.uint32]
    slack: NDArray[np.uint64]
    waiting: NDArray[np.uint32]
    """Children that have a look-up before them."""
    passed: NDArray[np.uint32]
    """Children that no union refutes."""
    numbers: NDArray[np.uint64]
    """By place in `waiting`: the entry asked for."""


class Kit(NamedTuple):
    """What is the same for all searches of a puzzle."""

    unions: Unions
    fields: Fields
    pairs: Pairs
    turns: Turns
    order: Order


@folded
def turn(word: Any, at: Any, turns: Turns) -> Any:
    """Return the word after the click at `at` (frame times clicks plus click)."""
    moved = ((word << turns.up[at]) & turns.up_mask[at]) | ((word >> turns.down[at]) & turns.down_mask[at])
    return (word & turns.kept[at]) | moved


@kernel
def sift(  # noqa: PLR0917  # a kernel takes its arrays by position
    kit: Kit, nodes: Nodes, room: Room, progress: NDArray[Any], left: int, node_limit: int
) -> int:
    """Look for a solution of exactly `left` clicks from one of the starts; return FOUND, NONE or PAUSED (node limit).

    No start may be solved with fewer clicks. It goes on where it stopped.
    """
    batch = len(room.needed)
    depths = len(nodes.number) - 1
    while progress[NODES] < node_limit:
        depth = depths - 1
        while depth >= 0 and nodes.number[depth] < batch:
            depth -= 1
        if depth < 0:
            depth = 0
            while depth < depths and nodes.number[depth] == 0:
                depth += 1
            if depth == depths:
                return NONE
        parents = min(batch, nodes.number[depth])
        nodes.number[depth] -= parents
        begin = np.uint64(nodes.first[depth] + nodes.number[depth])
        children_left = left - depth - 1
        passed = _ask_all(kit, nodes, room, progress, children_left, begin, parents)
        if _keep(kit, nodes, room, progress, children_left, begin, depth, passed):
            return FOUND
    return PAUSED


@kernel
def _ask_all(  # noqa: PLR0917  # likewise
    kit: Kit, nodes: Nodes, room: Room, progress: NDArray[Any], left: int, begin: Any, parents: int
) -> int:
    """Make the children of a batch and ask the unions about them; return how many passed."""
    child = 0
    waiting = 0
    passed = 0
    for parent in range(parents):
        at = begin + np.uint64(parent)
        before = nodes.slacks[at]
        slack = before - ((before & kit.fields.flags) >> THREE)
        needed = ~((slack & kit.fields.values) + kit.fields.ones * CARRY) & kit.fields.flags
        room.needed[parent] = needed
        free = 1 if needed == ZERO else 0
        row = nodes.rows[at]
        for place in range(kit.order.number[row]):
            room.parent[child] = parent
            room.move[child] = kit.order.moves[row, place]
            room.row[child] = kit.order.rows[row, place]
            room.slack[child] = slack
            room.waiting[waiting] = child
            room.passed[passed] = child
            waiting += 1 - free
            passed += free
            child += 1
    progress[NODES] += child
    ceiling = np.uint64((left + AGAIN) % MODULUS)
    while waiting > 0:
        _ask(kit, nodes, room, ceiling, begin, waiting)
        still = 0
        for place in range(waiting):
            child = room.waiting[place]
            parent = room.parent[child]
            number = room.numbers[place]
            byte = of_either(kit.unions.near.table, kit.unions.far.table, room.far[parent], number >> ONE)
            code = (byte >> ((number & ONE) << TWO)) & LOW_BITS
            below = (room.ceiling[parent] + FIFTEEN - code) % FIFTEEN
            slack = room.slack[child] + (below << room.shift[parent])
            room.slack[child] = slack
            passes = 1 if (slack >> room.shift[parent]) & LOW_BITS >= TWO else 0
            more = 1 if room.needed[parent] != ZERO else 0
            room.waiting[still] = child
            room.passed[passed] = child
            still += passes & more
            passed += passes & (1 - more)
        waiting = still
    return passed


@kernel
def _ask(kit: Kit, nodes: Nodes, room: Room, ceiling: Any, begin: Any, waiting: int) -> None:  # noqa: PLR0917  # likewise
    """Choose a pair for the children of each parent, the one most likely to refute them, and ask for its entries."""
    pairs = kit.pairs
    near = kit.unions.near
    around = np.uint64(near.rings) * near.bits
    last = NOBODY
    word = base = far = ZERO
    for place in range(waiting):
        child = room.waiting[place]
        parent = np.uint64(room.parent[child])
        if parent != last:
            last = parent
            at = begin + parent
            needed = room.needed[parent]
            tight = needed & ~(nodes.slacks[at] << FOUR)  # the child fails unless this distance falls
            flag = lowest(tight if tight != ZERO else needed)
            room.needed[parent] = needed & ~(ONE << flag)
            room.shift[parent] = flag - FLAG
            room.ceiling[parent] = ceiling + (CARRY if tight == ZERO else ZERO)
            pair = np.uint64(pairs.of_place[flag])
            first, second = nodes.words[at, pairs.first[pair]], nodes.words[at, pairs.second[pair]]
            up, too = np.uint64(pairs.first_up[pair]), np.uint64(pairs.second_up[pair])
            word = (first << up) | (first >> (around - up)) | (second << too) | (second >> (around - too))
            word &= near.full_mask
            base = np.uint64(pairs.turns[pair])
            far = np.uint64(pairs.far[pair])
            room.far[parent] = far
        after = turn(word, base + np.uint64(room.move[child]), kit.turns)
        number = np.uint64(near.low_rank[after & near.low_mask]) + np.uint64(near.high_rank[after >> near.low_bits])
        room.numbers[place] = number
        prefetch_of_either(near.table, kit.unions.far.table, far, number >> ONE)


@kernel
def _keep(  # noqa: PLR0917  # likewise
    kit: Kit, nodes: Nodes, room: Room, progress: NDArray[Any], left: int, begin: Any, depth: int, passed: int
) -> bool:
    """Make nodes of what passed; True if one is solved."""
    rings = kit.unions.near.rings
    moves = np.uint64(2 * rings + 2)
    to = nodes.first[depth + 1] + nodes.number[depth + 1]
    for place in range(passed):
        child = room.passed[place]
        at = begin + np.uint64(room.parent[child])
        move = np.uint64(room.move[child])
        home = True
        for colour in range(rings):
            word = turn(nodes.words[at, colour], np.uint64(colour) * moves + move, kit.turns)
            nodes.words[to, colour] = word
            home = home and word == kit.unions.near.ring_mask
        nodes.slacks[to] = room.slack[child]
        nodes.rows[to] = room.row[child]
        nodes.origins[to] = nodes.origins[at]
        if left > 0:
            to += 1
        elif home:
            progress[ORIGIN] = nodes.origins[at]
            return True
    nodes.number[depth + 1] = to - nodes.first[depth + 1]
    return False


@kernel
def enter(  # noqa: PLR0917  # likewise
    kit: Kit,
    nodes: Nodes,
    words: NDArray[Any],
    distances: NDArray[Any],
    prefixes: NDArray[Any],
    rows: NDArray[Any],
    left: int,
    scratch: NDArray[Any],
    known: NDArray[Any],
) -> None:
    """Make starts of the prefixes, shape (starts, clicks), that no union refutes with `left` clicks left; `rows` are theirs.

    `words` and `distances` are those of the state before them.
    """
    moves = 2 * kit.unions.near.rings + 2
    place = 0
    for origin in range(len(prefixes)):
        for colour in range(len(words)):
            scratch[colour] = words[colour]
        for pair in range(len(distances)):
            known[pair] = distances[pair]
        for move in prefixes[origin]:
            for colour in range(len(words)):
                scratch[colour] = turn(scratch[colour], np.uint64(colour * moves) + np.uint64(move), kit.turns)
            for pair in range(len(distances)):
                code = union_code(union_word(scratch, pair, kit.unions), pair, kit.unions)
                known[pair] = at_most(known[pair] + 1, code)
        slack = ZERO
        fits = True
        for pair in range(len(distances)):
            spare = left - known[pair]
            fits = fits and spare >= 0
            flag = ZERO if spare > MOST_SLACK else ONE << FLAG  # beyond it, the code could not be told apart later
            slack |= (flag | np.uint64(min(spare, MOST_SLACK) + AGAIN)) << np.uint64(FIELD * pair)
        if fits:
            for colour in range(len(words)):
                nodes.words[place, colour] = scratch[colour]
            nodes.slacks[place] = slack
            nodes.rows[place] = rows[origin]
            nodes.origins[place] = origin
            place += 1
    nodes.number[0] = place
