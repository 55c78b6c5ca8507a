"""Slow, obvious triplet exclusion, nishio, multiple and dynamic chains: sets of nodes with their parents, all hints sorted."""

from collections.abc import Iterable, Iterator
from itertools import product

from naive.chains import shown, value
from naive.rating import BLOCKS, COLUMNS, HOUSES, PEERS, ROWS, Grid, Hint, common_peers, houses_of, subsets

Key = tuple[int, int, bool]
"""Cell, digit, on or off."""


def aligned_triplet(g: Grid) -> Hint | None:
    small = {c for c in range(81) if 2 <= len(g.marks[c]) <= 3}
    bases = [c for c in range(81) if len(g.marks[c]) >= 2 and small & set(PEERS[c])]
    for one, two in subsets(bases, 2):
        thirds = dict.fromkeys(c for own in (one, two) for c in PEERS[own] if c in small and c in bases)
        for three in thirds:
            cells = (one, two, three)
            judges = [c for c in common_peers(cells) if c in small]
            if three in (one, two) or len(judges) < 2:
                continue
            possible = [
                triple
                for triple in product(*(g.marks[c] for c in cells))
                if not any(triple[i] == triple[j] and cells[j] in PEERS[cells[i]] for i, j in ((0, 1), (0, 2), (1, 2)))
                and not any(g.marks[c] <= set(triple) for c in judges)
            ]
            gone = frozenset((c, d) for i, c in enumerate(cells) for d in g.marks[c] - {triple[i] for triple in possible})
            if gone:
                return Hint("aligned-triplet-exclusion", 75, None, gone)
    return None


Found = tuple[list[tuple[int, int]], list[Key]]
"""Candidates that a pattern removes, and the off-nodes that it depends on."""


def by_bucket(cells: list[int]) -> list[int]:
    """In the order of Java's hash map, which doubles its 16 buckets beyond three quarters."""
    size = 16
    while len(cells) > size * 3 // 4:
        size *= 2
    return sorted(cells, key=lambda c: c % size)


def bit(node: Key) -> int:
    return 1 << (18 * node[0] + 2 * node[1] - 2 + node[2])


class Supposition:
    """What follows from one node. `clash` is the complexity of a contradiction."""

    def __init__(self, g: Grid, source: Key, *, dynamic: bool, one_digit: bool, plus: bool = False) -> None:
        self.g, self.one_digit = g, one_digit
        self.marks = [set(m) for m in g.marks]
        self.above = {source: bit(source)}  # the nodes that each node depends on, itself included, as bits
        self.clash: int | None = None
        waiting = {True: [], False: []}
        waiting[source[2]].append(source)
        while self.clash is None and (waiting[True] or waiting[False]):
            node = waiting[bool(waiting[True])].pop(0)
            following = list(self.offs(node) if node[2] else self.ons(node))
            if dynamic and not node[2]:
                self.marks[node[0]].discard(node[1])
            for new, parents in following:
                opposite = (new[0], new[1], not new[2])
                above = bit(new)
                for parent in parents:
                    above |= self.above[parent]
                if opposite in self.above:
                    self.clash = self.size(opposite) + above.bit_count()
                    break
                if new not in self.above:
                    self.above[new] = above
                    waiting[new[2]].append(new)
            if plus and self.clash is None and not waiting[True] and not waiting[False]:
                for cell, d, parents in self.extra():
                    new = (cell, d, False)
                    if new not in self.above:
                        self.above[new] = bit(new)
                        for parent in parents:
                            self.above[new] |= self.above[parent]
                        waiting[False].append(new)

    def extra(self) -> list[tuple[int, int, list[Key]]]:
        """What the first of locking, hidden pairs, naked pairs, X-wings removes that finds anything because of off-nodes."""
        for rule in (self.locking, self.hidden_pairs, self.naked_pairs, self.x_wings):
            found = [
                (cell, d, parents)
                for gone, parents in rule()
                if gone and parents
                for cell in by_bucket(list(dict.fromkeys(c for c, _ in gone)))
                for d in sorted(d for c, d in gone if c == cell)
            ]
            if found:
                return found
        return []

    def now(self, house: list[int], d: int) -> list[int]:
        return [c for c in house if d in self.marks[c]]

    def lost(self, cells: list[int], digits: Iterable[int]) -> list[Key]:
        return [(c, d, False) for c in cells for d in sorted(digits) if d in self.g.marks[c] - self.marks[c]]

    def left(self, cells: list[int], digits: set[int]) -> list[tuple[int, int]]:
        return [(c, d) for c in cells for d in sorted(self.marks[c] & digits)]

    def locking(self) -> Iterator[Found]:
        for first, second in ((BLOCKS, COLUMNS), (BLOCKS, ROWS), (COLUMNS, BLOCKS), (ROWS, BLOCKS)):
            for d in range(1, 10):
                for own in first:
                    places = self.now(own, d)
                    for other in second:
                        if len(places) > 1 and set(places) <= set(other):
                            outside = [c for c in other if c not in own]
                            yield self.left(outside, {d}), self.lost([c for c in own if c not in other], [d])

    def hidden_pairs(self) -> Iterator[Found]:
        for house in HOUSES:
            if len(self.g.empties(house)) > 4:
                for pair in subsets(range(1, 10), 2):
                    places = [self.now(house, d) for d in pair]
                    if len(places[0]) == 2 and places[0] == places[1]:
                        others = set(range(1, 10)) - set(pair)
                        yield self.left(places[0], others), self.lost([c for c in house if c not in places[0]], pair)

    def naked_pairs(self) -> Iterator[Found]:
        for house in HOUSES:
            if len(self.g.empties(house)) >= 4:
                for one, two in subsets(house, 2):
                    pair = self.marks[one]
                    if len(pair) == 2 and pair == self.marks[two]:
                        others = [c for c in house if c not in (one, two)]
                        yield self.left(others, pair), self.lost([one, two], set(range(1, 10)) - pair)

    def x_wings(self) -> Iterator[Found]:
        for bases, covers in ((COLUMNS, ROWS), (ROWS, COLUMNS)):
            for pair in subsets(range(9), 2):
                for d in range(1, 10):
                    across = [{i for i, c in enumerate(bases[k]) if d in self.marks[c]} for k in pair]
                    if self.g.digits.count(d) <= 5 and len(across[0]) == 2 and across[0] == across[1]:
                        inside = {c for k in pair for c in bases[k]}
                        outside = [c for i in sorted(across[0]) for c in covers[i] if c not in inside]
                        yield self.left(outside, {d}), [key for k in pair for key in self.lost(bases[k], [d])]

    def size(self, node: Key) -> int:
        return self.above[node].bit_count()

    def offs(self, node: Key) -> Iterator[tuple[Key, list[Key]]]:
        cell, d, _ = node
        found = [] if self.one_digit else [(cell, e) for e in sorted(self.marks[cell]) if e != d]
        found += [(c, d) for house in houses_of(cell) for c in house if c != cell and d in self.marks[c]]
        for c, e in dict.fromkeys(found):
            yield (c, e, False), [node]

    def ons(self, node: Key) -> Iterator[tuple[Key, list[Key]]]:
        cell, d, _ = node
        seen = set()
        if not self.one_digit and len(self.marks[cell]) == 2:
            other = (cell, min(self.marks[cell] - {d}))
            seen.add(other)
            gone = sorted(self.g.marks[cell] - self.marks[cell])
            yield (*other, True), [node, *((cell, e, False) for e in gone)]
        for house in houses_of(cell):
            now = [c for c in house if d in self.marks[c]]
            if len(now) == 2:
                other = (next(c for c in now if c != cell), d)
                if other not in seen:
                    seen.add(other)
                    gone = [c for c in house if d in self.g.marks[c] and c not in now]
                    yield (*other, True), [node, *((c, d, False) for c in gone)]


def hints(g: Grid, mode: str) -> Iterator[tuple[int, int, str, Key]]:
    """Yield (complexity, order of the kind, name, true node)."""
    dynamic, nishio, plus = mode != "", mode == "nishio", mode == "plus"
    prefix = "dynamic-" if dynamic else ""
    suffix = "-plus" if plus else ""
    cache: dict[Key, Supposition] = {}

    def from_on(cell: int, d: int) -> Supposition:
        key = (cell, d, True)
        if key not in cache:
            cache[key] = Supposition(g, key, dynamic=dynamic, one_digit=nishio, plus=plus)
        return cache[key]

    def shared(kind: int, name: str, parts: list[Supposition]) -> Iterator[tuple[int, int, str, Key]]:
        for on in (True, False):
            for node in parts[0].above:
                if node[2] == on and all(node in part.above for part in parts):
                    yield sum(part.size(node) for part in parts), kind, name, node

    for cell in range(81):
        if len(g.marks[cell]) < (2 if dynamic else 3):
            continue
        for d in sorted(g.marks[cell]):
            if dynamic:
                on, off = from_on(cell, d), Supposition(g, (cell, d, False), dynamic=True, one_digit=nishio, plus=plus)
                name = "nishio-forcing-chains" if nishio else f"dynamic-contradiction-forcing-chains{suffix}"
                for part, truth in ((on, False), (off, True)):
                    if part.clash is not None:
                        yield part.clash, 7, name, (cell, d, truth)
                if not nishio and len(g.marks[cell]) > 2:
                    yield from shared(1, f"dynamic-double-forcing-chains{suffix}", [on, off])
            for kind in (BLOCKS, ROWS, COLUMNS) if not nishio else ():
                places = g.places(next(house for house in kind if cell in house), d)
                if places[0] == cell and len(places) > 1:
                    yield from shared(6, f"{prefix}region-forcing-chains{suffix}", [from_on(c, d) for c in places])
        if not nishio:
            yield from shared(5, f"{prefix}cell-forcing-chains{suffix}", [from_on(cell, d) for d in sorted(g.marks[cell])])


def suppositions(g: Grid, mode: str) -> Hint | None:
    """The best hint of a mode: "nishio", "" (static), "dynamic" or "plus"."""
    found = min(hints(g, mode), key=lambda hint: hint[:2], default=None)
    if found is None:
        return None
    complexity, _, name, (cell, d, on) = found
    rating = shown(value({"nishio": 7.5, "": 8.0, "dynamic": 8.5, "plus": 9.0}[mode], complexity))
    others = frozenset((cell, e) for e in g.marks[cell] - {d})
    return Hint(name, rating, (cell, d) if on else None, others if on else frozenset([(cell, d)]))
