"""Slow, obvious sudoku: the oracles that the kernels are held to."""

from collections.abc import Iterator
from itertools import permutations, product

HOUSES = (
    [[9 * r + c for c in range(9)] for r in range(9)]
    + [[9 * r + c for r in range(9)] for c in range(9)]
    + [[9 * r + c for r in range(a, a + 3) for c in range(b, b + 3)] for a in (0, 3, 6) for b in (0, 3, 6)]
)
BOX = [cell // 27 * 3 + cell % 9 // 3 for cell in range(81)]
PEERS = [{cell for house in HOUSES if own in house for cell in house} - {own} for own in range(81)]


def candidates(grid: list[int], cell: int) -> set[int]:
    return set(range(1, 10)) - {grid[peer] for peer in PEERS[cell]}


def solutions(grid: list[int]) -> Iterator[list[int]]:
    """Every solution, by trying each digit in the cell with the fewest candidates."""
    if any(grid[cell] and grid[cell] in {grid[peer] for peer in PEERS[cell]} for cell in range(81)):
        return
    empty = [cell for cell in range(81) if not grid[cell]]
    if not empty:
        yield list(grid)
        return
    cell = min(empty, key=lambda c: len(candidates(grid, c)))
    for digit in sorted(candidates(grid, cell)):
        yield from solutions([*grid[:cell], digit, *grid[cell + 1 :]])


def count(grid: list[int], limit: int) -> int:
    found = 0
    for _ in solutions(grid):
        found += 1
        if found == limit:
            break
    return found


def complete(cells: list[int], limit: int) -> list[list[int]]:
    """The first `limit` solutions (there may be fewer), digits as bits so that 10^5 puzzles take a minute and not an hour.

    A cell holds 0, a digit, or 9 plus the digit that must not go there.
    """
    rows, columns, boxes = [0] * 9, [0] * 9, [0] * 9
    forbidden = [1 << cell - 9 if cell > 9 else 0 for cell in cells]
    grid = [cell if cell <= 9 else 0 for cell in cells]
    found: list[list[int]] = []

    def free(cell: int) -> int:
        return 0b11_1111_1110 & ~(rows[cell // 9] | columns[cell % 9] | boxes[BOX[cell]] | forbidden[cell])

    def flip(cell: int, bit: int) -> None:
        rows[cell // 9] ^= bit
        columns[cell % 9] ^= bit
        boxes[BOX[cell]] ^= bit

    def search(empty: list[int]) -> None:
        if not empty:
            found.append(list(grid))
            return
        choices, fewest, best = 0, 10, -1
        for cell in empty:
            digits = free(cell)
            if digits.bit_count() < fewest:
                choices, fewest, best = digits, digits.bit_count(), cell
                if fewest < 2:
                    break
        rest = [cell for cell in empty if cell != best]
        for digit in range(1, 10):
            if choices >> digit & 1 and len(found) < limit:
                grid[best] = digit
                flip(best, 1 << digit)
                search(rest)
                flip(best, 1 << digit)

    for cell, digit in enumerate(grid):
        if digit:
            if not free(cell) >> digit & 1:
                return []
            flip(cell, 1 << digit)
    search([cell for cell in range(81) if not grid[cell]])
    return found


def is_minimal(grid: list[int]) -> bool:
    """Whether every given is needed for uniqueness."""
    return count(grid, 2) == 1 and all(count([*grid[:c], 0, *grid[c + 1 :]], 2) > 1 for c in range(81) if grid[c])


def line_orders() -> list[tuple[int, ...]]:
    """All 1296 orders of nine lines that keep bands together."""
    inner = list(product(permutations(range(3)), repeat=3))
    return [
        tuple(3 * band + line for band, lines in zip(bands, orders, strict=True) for line in lines)
        for bands in permutations(range(3))
        for orders in inner
    ]


def minlex(grid: list[int]) -> tuple[list[int], int]:
    """The smallest equivalent grid, and how many rearrangements of cells lead to it.

    Row by row over every order of columns, keeping all that tie. Only for puzzles in which few do.
    """
    transposed = [grid[9 * (cell % 9) + cell // 9] for cell in range(81)]
    alive = [(source, (), order, {0: 0}) for source in (grid, transposed) for order in line_orders()]
    form: list[int] = []
    for depth in range(9):
        best: list[int] = [10]
        following: list[tuple[list[int], tuple[int, ...], tuple[int, ...], dict[int, int]]] = []
        for source, rows, order, labels in alive:
            for row in range(9):
                if (
                    row in rows
                    or (depth % 3 and row // 3 != rows[-1] // 3)
                    or (depth % 3 == 0 and row // 3 in {r // 3 for r in rows})
                ):
                    continue
                mine = dict(labels)
                written = [mine.setdefault(source[9 * row + column], len(mine)) for column in order]
                if written < best:
                    best = written
                    following = []
                if written == best:
                    following.append((source, (*rows, row), order, mine))
        alive = following
        form += best
    return form, len(alive)
