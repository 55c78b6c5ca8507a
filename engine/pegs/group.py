"""What kernels need of a board and a symmetry group: masks of the jumps and their images, and image tables over bytes."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from engine.pegs.boards import Board

Words = npt.NDArray[np.uint64]


@dataclass(frozen=True, slots=True, eq=False)
class GroupTables:
    """A board under a group of its symmetries, as arrays. All are uint64; `jumps` is their number, `order` the group's."""

    board: Board
    symmetries: tuple[tuple[int, ...], ...]
    holes: np.uint64
    triples: Words
    """(jumps,): the three holes of each jump."""
    forward: Words
    """(jumps,): of those, the ones that hold a peg before the jump."""
    backward: Words
    """(jumps,): of those, the ones that hold a peg after it."""
    changes: Words
    """(jumps, order, made up to a multiple of 4 by repeating the identity's): the images of the three holes."""
    tables: Words
    """(order, bytes, 256): the image of each byte of a position."""

    @property
    def order(self) -> int:
        """Return the number of symmetries."""
        return len(self.symmetries)

    def scratch(self) -> Words:
        """Return an array for the images of one position."""
        return np.zeros(self.changes.shape[1], np.uint64)

    def images(self, position: int) -> list[int]:
        """Return the position's image under each symmetry, the identity's first."""
        size = self.tables.shape[1]
        data = position.to_bytes(size, "little")
        return [sum(int(self.tables[g, i, byte]) for i, byte in enumerate(data)) for g in range(self.order)]

    def canonical(self, position: int) -> int:
        """Return the smallest image of `position`: one number for all positions that are symmetric to each other."""
        return min(self.images(position))


def group_tables(board: Board, symmetries: Sequence[Sequence[int]] | None = None) -> GroupTables:
    """Return the arrays for `board` under `symmetries` (default: all of the board's; they must be a group, identity first)."""
    group = tuple(tuple(s) for s in (board.symmetries if symmetries is None else symmetries))
    holes = len(board)
    size = (holes + 7) // 8
    tables = np.zeros((len(group), size, 256), np.uint64)
    values = np.arange(256)
    for g, symmetry in enumerate(group):
        for hole, image in enumerate(symmetry):
            byte, bit = divmod(hole, 8)
            tables[g, byte, (values >> bit & 1).astype(bool)] |= np.uint64(1 << image)
    jumps = board.jumps
    padded = group + group[:1] * (-len(group) % 4)
    triples = [1 << j.origin | 1 << j.over | 1 << j.to for j in jumps]
    changes = [[1 << s[j.origin] | 1 << s[j.over] | 1 << s[j.to] for s in padded] for j in jumps]
    return GroupTables(
        board=board,
        symmetries=group,
        holes=np.uint64(holes),
        triples=np.array(triples, np.uint64),
        forward=np.array([1 << j.origin | 1 << j.over for j in jumps], np.uint64),
        backward=np.array([1 << j.to for j in jumps], np.uint64),
        changes=np.array(changes, np.uint64).reshape(len(jumps), len(padded)),
        tables=tables,
    )
