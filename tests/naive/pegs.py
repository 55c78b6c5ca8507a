"""Slow and obvious: peg solitaire on frozensets of cells, with jumps found by geometry and games played one by one."""


def triangle(side):
    return [(row, column) for row in range(side) for column in range(row + 1)]


def place(cell, triangular):
    """Where a cell is in the plane, in units that make all neighbours of a hole equally far (squared distance 4)."""
    row, column = cell
    return (2 * column - row, 3**0.5 * row) if triangular else (2 * column, 2 * row)


def jumps_of(cells, triangular):
    """All (from, over, to): `over` is the midpoint of the other two and next to both."""
    at = {cell: place(cell, triangular) for cell in cells}
    found = []
    for a in cells:
        for b in cells:
            for c in cells:
                (ax, ay), (bx, by), (cx, cy) = at[a], at[b], at[c]
                near = abs((ax - bx) ** 2 + (ay - by) ** 2 - 4) < 1e-9
                if near and abs(ax + cx - 2 * bx) < 1e-9 and abs(ay + cy - 2 * by) < 1e-9:
                    found.append((a, b, c))
    return found


def legal(pegs, jumps):
    return [(a, b, c) for a, b, c in jumps if a in pegs and b in pegs and c not in pegs]


def after(pegs, jump):
    a, b, c = jump
    return pegs - {a, b} | {c}


def levels(start, jumps):
    """The sets of positions by number of jumps."""
    found = [{frozenset(start)}]
    while True:
        following = {after(pegs, jump) for pegs in found[-1] for jump in legal(pegs, jumps)}
        if not following:
            return found
        found.append(following)


def games(start, jumps):
    """Yield every game: the list of its jumps until none is left, and the pegs that remain."""
    stack = [(frozenset(start), [])]
    while stack:
        pegs, played = stack.pop()
        choices = legal(pegs, jumps)
        if not choices:
            yield played, pegs
        stack.extend((after(pegs, jump), [*played, jump]) for jump in choices)


def moves_in(played):
    """How many moves a game has: a jump that goes on with the peg of the jump before belongs to the same move."""
    return sum(1 for i, jump in enumerate(played) if i == 0 or played[i - 1][2] != jump[0])


def sweeps(pegs, jumps):
    """All positions that one move (one peg, one or more jumps) leads to."""
    found = set()
    stack = [(after(pegs, jump), jump[2]) for jump in legal(pegs, jumps)]
    while stack:
        position, peg = stack.pop()
        found.add(position)
        stack.extend((after(position, jump), jump[2]) for jump in legal(position, jumps) if jump[0] == peg)
    return found


def fewest_moves(start, jumps):
    """For every single peg that can be left, by its cell, the fewest moves: breadth-first by sweeps."""
    distance = {frozenset(start): 0}
    frontier = list(distance)
    while frontier:
        following = []
        for pegs in frontier:
            for position in sweeps(pegs, jumps):
                if position not in distance:
                    distance[position] = distance[pegs] + 1
                    following.append(position)
        frontier = following
    return {next(iter(pegs)): moves for pegs, moves in distance.items() if len(pegs) == 1}


def classes(positions, maps):
    """How many of the positions differ, where `maps` are the board's symmetries as dictionaries from cell to cell."""
    return len({min(tuple(sorted(m[cell] for cell in pegs)) for m in maps) for pegs in positions})
