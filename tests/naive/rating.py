"""Slow, obvious rating: sets of digits, loops as the rules are spoken, no tables. Each technique returns its first hint.

A hint is (name, rating in tenths, placement or None, removals). Cells are 0..80, digits 1..9.
"""

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

ROWS = [[9 * r + c for c in range(9)] for r in range(9)]
COLUMNS = [[9 * r + c for r in range(9)] for c in range(9)]
BLOCKS = [[9 * r + c for r in range(a, a + 3) for c in range(b, b + 3)] for a in (0, 3, 6) for b in (0, 3, 6)]
HOUSES = BLOCKS + COLUMNS + ROWS
DIGITS = range(1, 10)
PEERS = [sorted({c for house in HOUSES if own in house for c in house} - {own}) for own in range(81)]


class Hint(NamedTuple):
    name: str
    rating: int
    place: tuple[int, int] | None
    remove: frozenset[tuple[int, int]]


class Grid:
    def __init__(self, puzzle: str) -> None:
        self.digits = [0] * 81
        self.marks = [set(DIGITS) for _ in range(81)]
        for cell, character in enumerate(puzzle):
            if character != ".":
                self.fill(cell, int(character))

    def fill(self, cell: int, digit: int) -> None:
        self.digits[cell] = digit
        self.marks[cell] = set()
        for peer in PEERS[cell]:
            self.marks[peer].discard(digit)

    def places(self, house: list[int], digit: int) -> list[int]:
        return [c for c in house if digit in self.marks[c]]

    def empties(self, house: list[int]) -> list[int]:
        return [c for c in house if self.digits[c] == 0]

    def gone(self, cells: Iterator[int] | list[int], digits: set[int]) -> frozenset[tuple[int, int]]:
        return frozenset((c, d) for c in cells for d in self.marks[c] & digits)

    def apply(self, hint: Hint) -> None:
        for cell, digit in hint.remove:
            self.marks[cell].discard(digit)
        if hint.place:
            self.fill(*hint.place)


def subsets(things: list[int] | range, size: int) -> list[tuple[int, ...]]:
    """In colexicographic order: compared from the last element down."""
    order = {thing: i for i, thing in enumerate(things)}
    return sorted(combinations(things, size), key=lambda chosen: [order[x] for x in reversed(chosen)])


def common_peers(cells: list[int] | tuple[int, ...]) -> list[int]:
    return [c for c in range(81) if all(c in PEERS[other] for other in cells)]


def hidden_single(g: Grid) -> Hint | None:
    for last in (True, False):
        for number, house in enumerate(HOUSES):
            if (len(g.empties(house)) == 1) != last:
                continue
            for d in DIGITS:
                if len(g.places(house, d)) == 1:
                    rating = 10 if last else 12 if number < 9 else 15
                    return Hint("hidden-single", rating, (g.places(house, d)[0], d), frozenset())
    return None


def naked_single(g: Grid) -> Hint | None:
    for c in range(81):
        if len(g.marks[c]) == 1:
            return Hint("naked-single", 23, (c, min(g.marks[c])), frozenset())
    return None


def lockings(g: Grid) -> Iterator[tuple[str, int, list[list[int]], list[int], list[int]]]:
    for name, firsts, seconds in (
        ("pointing", BLOCKS, COLUMNS),
        ("pointing", BLOCKS, ROWS),
        ("claiming", COLUMNS, BLOCKS),
        ("claiming", ROWS, BLOCKS),
    ):
        for d in DIGITS:
            for first in firsts:
                for second in seconds:
                    places = g.places(first, d)
                    if len(places) >= 2 and set(places) <= set(second):
                        yield name, d, firsts, first, second


def direct_locking(g: Grid) -> Hint | None:
    for name, d, firsts, first, second in lockings(g):
        for third in firsts:
            if third != first and set(third) & set(second):
                places = g.places(third, d)
                outside = [c for c in places if c not in second]
                if len(places) > 1 and len(outside) == 1:
                    return Hint("direct-" + name, 17 if name == "pointing" else 19, (outside[0], d), frozenset())
    return None


def locking(g: Grid) -> Hint | None:
    for name, d, _, first, second in lockings(g):
        gone = g.gone([c for c in second if c not in first], {d})
        if gone:
            return Hint(name, 26 if name == "pointing" else 28, None, gone)
    return None


def hidden_sets(g: Grid, size: int, more_than: int) -> Iterator[tuple[list[int], set[int], set[int]]]:
    for house in HOUSES:
        if len(g.empties(house)) > more_than:
            for digits in subsets(DIGITS, size):
                places = [g.places(house, d) for d in digits]
                cells = {c for some in places for c in some}
                if all(len(some) >= 2 for some in places) and len(cells) == size:
                    yield house, set(digits), cells


def direct_hidden(g: Grid, size: int, name: str, rating: int) -> Hint | None:
    for house, digits, cells in hidden_sets(g, size, size):
        for d in DIGITS:
            if d not in digits:
                places = g.places(house, d)
                outside = [c for c in places if c not in cells]
                if len(places) > 1 and len(outside) == 1:
                    return Hint(name, rating, (outside[0], d), frozenset())
    return None


def hidden(g: Grid, size: int, name: str, rating: int) -> Hint | None:
    for _, digits, cells in hidden_sets(g, size, 2 * size):
        gone = g.gone(sorted(cells), set(DIGITS) - digits)
        if gone:
            return Hint(name, rating, None, gone)
    return None


def naked(g: Grid, size: int, name: str, rating: int) -> Hint | None:
    for house in HOUSES:
        if len(g.empties(house)) >= 2 * size:
            for cells in subsets(house, size):
                digits = set().union(*(g.marks[c] for c in cells))
                if all(len(g.marks[c]) >= 2 for c in cells) and len(digits) == size:
                    gone = g.gone([c for c in house if c not in cells], digits)
                    if gone:
                        return Hint(name, rating, None, gone)
    return None


def fish(g: Grid, size: int, name: str, rating: int) -> Hint | None:
    for bases, covers in ((COLUMNS, ROWS), (ROWS, COLUMNS)):
        for numbers in subsets(range(9), size):
            for d in DIGITS:
                if g.digits.count(d) > 9 - 2 * size:
                    continue
                places = [g.places(bases[n], d) for n in numbers]
                cover = [house for house in covers if any(c in house for some in places for c in some)]
                if all(len(some) >= 2 for some in places) and len(cover) == size:
                    base = {c for n in numbers for c in bases[n]}
                    gone = g.gone([c for house in cover for c in house if c not in base], {d})
                    if gone:
                        return Hint(name, rating, None, gone)
    return None


def wing(g: Grid, size: int, name: str, rating: int) -> Hint | None:
    for pivot in range(81):
        if len(g.marks[pivot]) != size:
            continue
        for one in PEERS[pivot]:
            for two in PEERS[pivot]:
                a, b, c = g.marks[pivot], g.marks[one], g.marks[two]
                if one == two or len(b) != 2 or len(c) != 2 or len(a | b | c) != 3 or len(b & c) != 1:
                    continue
                if len(a & b & c) == size - 2:
                    gone = g.gone(common_peers([one, two] if size == 2 else [pivot, one, two]), b & c)
                    if gone:
                        return Hint(name, rating, None, gone)
    return None


def houses_of(cell: int) -> list[list[int]]:
    """Block, row, column: the order in which loops and graves look at them."""
    return [house for kind in (BLOCKS, ROWS, COLUMNS) for house in kind if cell in house]


def loops(g: Grid, start: int) -> Iterator[list[int]]:
    pair = g.marks[start]

    def walk(cell: int, loop: list[int], budget: int, seen: set[int], came: int) -> Iterator[list[int]]:
        loop = [*loop, cell]
        seen = set(seen)
        for kind, house in enumerate(houses_of(cell)):
            if kind == came:
                continue
            for near in house:
                if near == loop[0] and len(loop) >= 4:
                    yield loop
                elif near not in loop and pair <= g.marks[near]:
                    extra = g.marks[near] - pair
                    seen |= extra
                    # A walk that meets a house three times never becomes a loop that counts; without this it would never end.
                    crowded = any(sum(c in other for c in loop) >= 2 for other in houses_of(near))
                    if not crowded and (not extra or len(seen) == 1 or budget > 0):
                        yield from walk(near, loop, budget - bool(extra), seen, kind)

    yield from walk(start, [], 2, set(), -1)


def is_loop(loop: list[int]) -> bool:
    for house in HOUSES:
        met = [i % 2 for i, c in enumerate(loop) if c in house]
        if met and sorted(met) != [0, 1]:
            return False
    return len(loop) % 2 == 0


def loop_hints(g: Grid, loop: list[int], pair: set[int]) -> Iterator[tuple[float, int, frozenset[tuple[int, int]]]]:
    """Yield (rating, type, removals)."""
    base = {4: 4.5, 6: 4.6, 8: 4.7}.get(len(loop), 5.0)
    rich = [c for c in loop if g.marks[c] != pair]
    extras = set().union(*(g.marks[c] - pair for c in rich)) if rich else set()
    if len(rich) == 1:
        yield base, 1, g.gone(rich, pair)
    elif rich and len(extras) == 1:
        yield base, 2, g.gone(common_peers(rich), extras)
    elif len(rich) == 2:
        yield from loop_threes(g, rich, pair, extras, base)
    if len(rich) == 2:
        yield from loop_fours(g, rich, pair, base)


def loop_threes(
    g: Grid, rich: list[int], pair: set[int], extras: set[int], base: float
) -> Iterator[tuple[float, int, frozenset]]:
    one, two = rich
    shared = (g.marks[one] & g.marks[two]) - pair
    for size in range(len(extras), 8):
        for house in houses_of(one):
            if two not in house:
                continue
            room = len(g.empties(house))
            if 2 * size <= room:
                for cells in subsets(house, size):
                    others = [c for c in cells if c != one]
                    if one not in cells or two in cells or any(len(g.marks[c]) < 2 for c in others):
                        continue
                    held = set().union(*(g.marks[c] for c in others)) if others else set()
                    if len(held | extras) == size and len(held | shared) == size:
                        rest = [c for c in house if c not in cells and c != two]
                        yield base + (size - 1) * 0.1, 3, g.gone(rest, held | extras)
            if 2 * size < room:
                for digits in subsets(DIGITS, size):
                    if not pair <= set(digits) or set(digits) & extras:
                        continue
                    places = [[c for c in g.places(house, d) if c != two] for d in digits]
                    cells = {c for some in places for c in some}
                    if all(places) and len(cells) == size:
                        yield base + (size - 2) * 0.1, 3, g.gone(sorted(cells - {one}), set(DIGITS) - set(digits))


def loop_fours(g: Grid, rich: list[int], pair: set[int], base: float) -> Iterator[tuple[float, int, frozenset]]:
    for d in sorted(pair):
        for house in houses_of(rich[0]):
            if rich[1] in house and len(g.places(house, d)) == 2:
                yield base, 4, g.gone(rich, pair - {d})
                return


def unique_loop(g: Grid) -> Hint | None:
    found = []
    for start in range(81):
        if len(g.marks[start]) != 2:
            continue
        for loop in loops(g, start):
            if is_loop(loop):
                for rating, kind, gone in loop_hints(g, loop, g.marks[start]):
                    if gone:
                        shape = "unique-rectangle" if len(loop) == 4 else f"unique-loop-{len(loop)}"
                        found.append((rating, kind, Hint(f"{shape}-type-{kind}", int(rating * 10 + 0.5), None, gone)))
    return min(found, key=lambda hint: hint[:2])[2] if found else None


def bug(g: Grid) -> Hint | None:
    spoils: dict[int, set[int]] = {}
    for house in (*BLOCKS, *ROWS, *COLUMNS):
        for d in DIGITS:
            places = g.places(house, d)
            if len(places) in (0, 2):
                continue
            rich = [c for c in places if len(g.marks[c]) >= 3]
            if not rich:
                return None
            if len(rich) == 1:
                spoils.setdefault(rich[0], set()).add(d)
                if len(spoils) > 1 and len(set().union(*spoils.values())) > 1 and not common_peers(list(spoils)):
                    return None
    left = [g.marks[c] - spoils.get(c, set()) for c in range(81)]
    if not spoils or any(len(left[c]) != 2 for c in range(81) if g.digits[c] == 0):
        return None
    if any(sum(d in left[c] for c in house) not in (0, 2) for house in HOUSES for d in DIGITS):
        return None
    return bug_hint(g, spoils, left)


def bug_hint(g: Grid, spoils: dict[int, set[int]], left: list[set[int]]) -> Hint | None:
    cells = list(spoils)
    digits = set().union(*spoils.values())
    near = common_peers(cells)
    if len(cells) == 1:
        return Hint("bug-type-1", 56, None, g.gone(cells, set(DIGITS) - digits))
    if len(digits) == 1 and g.gone(near, digits):
        return Hint("bug-type-2", 57, None, g.gone(near, digits))
    if len(cells) == 2:
        keep = left[cells[0]] & left[cells[1]]
        if len(keep) == 1 and cells[1] in PEERS[cells[0]]:
            gone = frozenset((c, d) for c in cells for d in g.marks[c] - keep - spoils[c])
            if gone:
                return Hint("bug-type-4", 57, None, gone)
    if len(digits) > 1:
        for house in houses_of(cells[0]):
            inside = [c for c in near if c in house and g.digits[c] == 0]
            if not all(c in house for c in cells):
                continue
            for size in range(2, 7):
                if len(inside) < size:
                    break
                for some in subsets(inside, size - 1):
                    held = set().union(*(g.marks[c] for c in some))
                    gone = g.gone([c for c in house if c not in some and c not in cells], held)
                    if len(held) == size and digits <= held and gone:
                        return Hint("bug-type-3", 57 + size - 1, None, gone)
    return None


def aligned_pair(g: Grid) -> Hint | None:
    twos = {c for c in range(81) if len(g.marks[c]) == 2}
    bases = [c for c in range(81) if len(g.marks[c]) >= 2 and twos & set(PEERS[c])]
    for one, two in subsets(bases, 2):
        judges = [c for c in common_peers([one, two]) if c in twos]
        if len(judges) < 2:
            continue
        possible = [
            (x, y)
            for x in g.marks[one]
            for y in g.marks[two]
            if not (x == y and two in PEERS[one]) and not any(g.marks[c] <= {x, y} for c in judges)
        ]
        gone = g.gone([one], set(DIGITS) - {x for x, _ in possible}) | g.gone([two], set(DIGITS) - {y for _, y in possible})
        if gone:
            return Hint("aligned-pair-exclusion", 62, None, gone)
    return None


def find(g: Grid) -> Hint | None:
    """The first hint in the order of the scale."""
    return (
        hidden_single(g)
        or direct_locking(g)
        or direct_hidden(g, 2, "direct-hidden-pair", 20)
        or naked_single(g)
        or direct_hidden(g, 3, "direct-hidden-triplet", 25)
        or locking(g)
        or naked(g, 2, "naked-pair", 30)
        or fish(g, 2, "x-wing", 32)
        or hidden(g, 2, "hidden-pair", 34)
        or naked(g, 3, "naked-triplet", 36)
        or fish(g, 3, "swordfish", 38)
        or hidden(g, 3, "hidden-triplet", 40)
        or wing(g, 2, "xy-wing", 42)
        or wing(g, 3, "xyz-wing", 44)
        or unique_loop(g)
        or naked(g, 4, "naked-quad", 50)
        or fish(g, 4, "jellyfish", 52)
        or hidden(g, 4, "hidden-quad", 54)
        or bug(g)
        or aligned_pair(g)
    )


def find_any(g: Grid) -> Hint | None:
    """The same with chains."""
    from naive.chains import forcing  # these build on this module
    from naive.suppositions import aligned_triplet, suppositions

    hint = find(g) or forcing(g) or aligned_triplet(g)
    for mode in ("nishio", "", "dynamic", "plus"):
        hint = hint or suppositions(g, mode)
    return hint


def path(puzzle: str, most: float = 11.9) -> list[Hint]:
    """The steps up to the solution, or to where nothing more is found, or up to the first that is rated more than `most`."""
    g = Grid(puzzle)
    steps = []
    while 0 in g.digits:
        hint = find_any(g)
        if hint is None:
            break
        steps.append(hint)
        if hint.rating > 10 * most:
            break
        g.apply(hint)
    return steps
