"""The search for the minlex form of a puzzle: depth first over the rows, every branch that cannot win any more cut off.

It is made in two passes, so that little is placed below a first band that is beaten later: the first finds the best first band
and lists the ways to it, the second goes on from these.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from engine._jit import folded, kernel
from engine.sudoku._canon_rows import NONE, START_COLUMNS, START_LABELS, WORST, Ints, note, place

ROW: Final = 0
COLUMNS: Final = 1
LABELS: Final = 2
WAYS: Final = 3
"""What `candidates` (9, 9, 4) holds of each candidate at each depth: source row, state behind it, equally good orders."""

TRANSPOSED: Final = 0
PATH: Final = 3
"""What a node holds beside the state (COLUMNS and LABELS): orientation, and the source rows placed, 4 bits each."""

FOUND: Final = 0
POSITION: Final = 1
BRANCH: Final = 2
ABOVE: Final = 3
"""What `progress` (9, 5) holds of each depth: how many candidates, which is next, its next branch, and the state above (columns
and labels)."""

BAND: Final = 3
"""Rows that are searched through first."""
ROOM: Final = 64
"""Ways to place the first band that are kept. More are rare: much symmetry, or nearly full grids."""


@folded
def _first_rank(line: int) -> int:
    """Return a number that sorts lines as their codes do when they are placed first: only the counts in the minirows matter."""
    given = (line | line >> 1 | line >> 2 | line >> 3) & 0x111111111
    # Multiplying by 0x111 adds up the three cells of a minirow.
    one = (given & 0xFFF) * 0x111 >> 8 & 15
    two = (given >> 12 & 0xFFF) * 0x111 >> 8 & 15
    three = (given >> 24) * 0x111 >> 8 & 15
    least = min(one, two, three)
    most = max(one, two, three)
    return least << 8 | (one + two + three - least - most) << 4 | most


@kernel
def _best_rows(  # noqa: PLR0917  # a kernel takes its arrays by position
    lines: Ints, transposed: int, depth: int, columns: int, labels: int, rows: Ints, candidates: Ints, best: Ints, least: int
) -> tuple[int, bool]:
    """List the source rows that give the smallest next row: (how many, whether that is smaller than the best known).

    None if the smallest is larger than the best known row. Of blank rows in a band, and of blank bands, only the first is
    listed: exchanging them changes nothing. A first row of a higher rank than `least` is not looked at.
    """
    used = NONE
    for i in range(depth):
        used |= 1 << rows[i]
    first_band = NONE
    last_band = NONE + 3
    if depth % 3:
        first_band = rows[depth - 1] // 3
        last_band = first_band + 1
    smallest = best[depth]
    found = NONE
    better = False
    blank_band_seen = False
    for band in range(first_band, last_band):
        at = 9 * transposed + 3 * band
        if depth % 3 == 0:
            if used >> (3 * band) & 7:
                continue
            if lines[at] | lines[at + 1] | lines[at + 2] == 0:
                if blank_band_seen:
                    continue
                blank_band_seen = True
        blank_row_seen = False
        for i in range(3):
            row = 3 * band + i
            line = lines[at + i]
            if used >> row & 1:
                continue
            if line == 0:
                if blank_row_seen:
                    continue
                blank_row_seen = True
            if depth == 0 and _first_rank(line) > least:
                continue
            code, new_columns, new_labels, ways = place(line, columns, labels, NONE)
            if code > smallest:
                continue
            if code < smallest:
                smallest = code
                better = True
                found = NONE
            candidates[depth, found, ROW] = row
            candidates[depth, found, COLUMNS] = new_columns
            candidates[depth, found, LABELS] = new_labels
            candidates[depth, found, WAYS] = ways
            found += 1
    if better:
        best[depth] = smallest
        for i in range(depth + 1, 9):
            best[i] = WORST
    return found, better


@kernel
def _descend(  # noqa: PLR0917  # a kernel takes its arrays by position
    lines: Ints,
    nodes: Ints,
    start: int,
    top: int,
    height: int,
    least: int,
    candidates: Ints,
    progress: Ints,
    best: Ints,
    leaves: int,
    transforms: npt.NDArray[np.uint8],
    n: int,
    rows: Ints,
) -> int:
    """Search through all that follows from node `start` at depth `top`, improving `best`, until `height` rows are placed.

    Returns how many ways lead to the best rows so far. If these are all nine, the first way is written down as the transform;
    if not, the ways are listed in `nodes`, as far as they find room.
    """
    transposed = nodes[start, TRANSPOSED]
    columns = nodes[start, COLUMNS]
    labels = nodes[start, LABELS]
    for i in range(top):
        rows[i] = nodes[start, PATH] >> 4 * i & 15
    depth = top
    entering = True
    while depth >= top:
        if entering:
            progress[depth, FOUND], better = _best_rows(
                lines, transposed, depth, columns, labels, rows, candidates, best, least
            )
            progress[depth, ABOVE] = columns
            progress[depth, ABOVE + 1] = labels
            progress[depth, POSITION] = 0
            progress[depth, BRANCH] = 0
            if better:
                leaves = NONE
            entering = False
        position = progress[depth, POSITION]
        if position == progress[depth, FOUND]:
            depth -= 1
            continue
        rows[depth] = candidates[depth, position, ROW]
        branch = progress[depth, BRANCH]
        if branch == 0:
            columns = candidates[depth, position, COLUMNS]
            labels = candidates[depth, position, LABELS]
        else:
            line = lines[9 * transposed + rows[depth]]
            _, columns, labels, _ = place(line, progress[depth, ABOVE], progress[depth, ABOVE + 1], branch)
        if branch + 1 == candidates[depth, position, WAYS]:
            progress[depth, BRANCH] = 0
            progress[depth, POSITION] += 1
        else:
            progress[depth, BRANCH] += 1
        depth += 1
        if depth < height:
            entering = True
            continue
        if height < 9:
            if leaves < ROOM:
                nodes[leaves, TRANSPOSED] = transposed
                nodes[leaves, COLUMNS] = columns
                nodes[leaves, LABELS] = labels
                path = NONE
                for i in range(depth):
                    path |= rows[i] << 4 * i
                nodes[leaves, PATH] = path
        elif leaves == 0:
            note(transposed, columns, labels, rows, transforms, n)
        leaves += 1
        depth -= 1
    return leaves


@kernel
def search_sparse(  # noqa: PLR0917  # a kernel takes its arrays by position
    lines: Ints,
    candidates: Ints,
    progress: Ints,
    best: Ints,
    nodes: Ints,
    transforms: npt.NDArray[np.uint8],
    n: int,
    rows: Ints,
) -> int:
    """Find the best form of the puzzle with these lines (18,), its row codes in `best`; return how many ways lead to it.

    `candidates` (9, 9, 4), `progress` (9, 5), `nodes` (ROOM + 1, 4) and `rows` (9,) are scratch.
    """
    least = _first_rank(lines[0])
    for i in range(1, 18):
        least = min(least, _first_rank(lines[i]))
    height = NONE + BAND
    while True:
        leaves = NONE
        for transposed in range(2):
            nodes[ROOM, TRANSPOSED] = transposed
            nodes[ROOM, COLUMNS] = START_COLUMNS
            nodes[ROOM, LABELS] = START_LABELS
            leaves = _descend(
                lines, nodes, NONE + ROOM, NONE, height, least, candidates, progress, best, leaves, transforms, n, rows
            )
        if height == 9:
            return int(leaves)
        if leaves <= ROOM:
            break
        height = NONE + 9  # not all are listed: search through them once more, to the end
    found = leaves
    leaves = NONE
    for i in range(found):
        leaves = _descend(lines, nodes, i, height, NONE + 9, least, candidates, progress, best, leaves, transforms, n, rows)
    return int(leaves)
