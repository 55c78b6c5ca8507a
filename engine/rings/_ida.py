"""The kernel of the bounded depth-first search (one iteration of IDA*); it can stop after any number of nodes and go on."""

from typing import Any

from numpy.typing import NDArray

from engine._jit import kernel
from engine.rings._words import Frame, rank, turned
from engine.rings.stoppable import FOUND, NODES, NONE, PAUSED

DEPTH = 1
"""Index in `progress`: the depth that the search stands at."""


@kernel
def deepen(  # noqa: PLR0917  # a kernel takes its arrays by position
    frame: Frame,
    next_row: NDArray[Any],
    words: NDArray[Any],
    floors: NDArray[Any],
    rows: NDArray[Any],
    clicks: NDArray[Any],
    progress: NDArray[Any],
    bound: int,
    node_limit: int,
) -> int:
    """Look for a solution of at most `bound` clicks (1 or more, start not solved); return FOUND, NONE or PAUSED (node limit).

    Row `d` of `words` and `floors` (shape (bound + 1, rings)) and entry `d` of `rows` hold the state after `d` clicks, an upper
    bound of each colour's distance, and the row of `next_row`; `clicks[d]` is the click tried last at depth `d` (-1: none yet).
    A click changes a distance by at most one, so a distance is looked up only where the carried bound would not let it pass.
    """
    moves = 2 * frame.rings + 2
    rings = frame.rings
    depth = progress[DEPTH]
    nodes = progress[NODES]
    while depth >= 0 and nodes < node_limit:
        left = bound - depth - 1
        row = rows[depth]
        move = clicks[depth] + 1
        deeper = False
        while move < moves:
            follows = next_row[row, move]
            if follows >= 0:
                nodes += 1
                colour = 0
                while colour < rings:
                    before = words[depth, colour]
                    after = turned(before, move, colour, frame)
                    floor = floors[depth, colour]
                    if after != before:
                        floor += 1
                    if floor > left:
                        floor = frame.table[rank(after, frame)]
                        if floor > left:
                            break
                    words[depth + 1, colour] = after
                    floors[depth + 1, colour] = floor
                    colour += 1
                if colour == rings:
                    deeper = True
                    break
            move += 1
        if not deeper:
            depth -= 1
            continue
        clicks[depth] = move
        depth += 1
        if left == 0:  # every colour is within 0 clicks of home
            progress[NODES] = nodes
            progress[DEPTH] = depth
            return FOUND
        rows[depth] = follows
        clicks[depth] = -1
    progress[DEPTH] = depth
    progress[NODES] = nodes
    return NONE if depth < 0 else PAUSED
