"""Position classes: which single pegs a position could be reduced to at all, by parity alone.

A jump changes three holes in a line. A set of holes that meets every such line in an even number of holes therefore keeps the
parity of its pegs: a linear functional over GF(2) that is constant through the game (de Bruijn 1972; Reiss 1857 in the form of
the rule of three). Positions with equal parities for all such sets form a class, and only its single pegs can be finishes.
"""

from engine.pegs.boards import Board


def reduced_jumps(board: Board) -> dict[int, int]:
    """Return a basis of the space that the jumps' triples span over GF(2): {highest bit: vector}."""
    basis: dict[int, int] = {}
    for jump in board.jumps:
        vector = _reduce(1 << jump.origin | 1 << jump.over | 1 << jump.to, basis)
        if vector:
            basis[vector.bit_length() - 1] = vector
    return basis


def _reduce(vector: int, basis: dict[int, int]) -> int:
    """Return what is left of `vector` once no highest bit of the basis is in it: equal for vectors that differ by jumps."""
    for top in sorted(basis, reverse=True):
        if vector >> top & 1:
            vector ^= basis[top]
    return vector


def position_class(board: Board, position: int) -> int:
    """Return a number that is equal for two positions if and only if they are in one position class."""
    return _reduce(position, reduced_jumps(board))


def possible_finishes(board: Board, position: int) -> tuple[int, ...]:
    """Return the holes whose single peg is in the position's class: no other hole can be a finish."""
    basis = reduced_jumps(board)
    wanted = _reduce(position, basis)
    return tuple(hole for hole in range(len(board)) if _reduce(1 << hole, basis) == wanted)
