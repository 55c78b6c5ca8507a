"""Slow, obvious cycles and forcing chains: nodes linked to their parents, every hint collected, then sorted."""

from collections.abc import Iterator
from typing import NamedTuple

from naive.rating import DIGITS, PEERS, Grid, Hint, houses_of

THRESHOLDS = (4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024)


class Node(NamedTuple):
    cell: int
    digit: int
    on: bool
    parent: "Node | None"

    @property
    def key(self) -> tuple[int, int, bool]:
        return self.cell, self.digit, self.on

    def line(self) -> list["Node"]:
        """This node and all before it."""
        return [self, *(self.parent.line() if self.parent else [])]


def value(base: float, complexity: int) -> float:
    bonus = 0.0
    for threshold in THRESHOLDS:
        if complexity - 2 > threshold:
            bonus += 0.1
    return base + bonus


def offs(g: Grid, node: Node, y: bool) -> list[Node]:
    found = [(node.cell, d) for d in sorted(g.marks[node.cell]) if d != node.digit] if y else []
    for house in houses_of(node.cell):
        found += [(c, node.digit) for c in house if c != node.cell and node.digit in g.marks[c]]
    return [Node(c, d, False, node) for c, d in dict.fromkeys(found)]


def ons(g: Grid, node: Node, x: bool, y: bool) -> list[Node]:
    found = []
    if y and len(g.marks[node.cell]) == 2:
        found.append((node.cell, min(g.marks[node.cell] - {node.digit})))
    for house in houses_of(node.cell) if x else ():
        places = g.places(house, node.digit)
        if len(places) == 2:
            found.append((next(c for c in places if c != node.cell), node.digit))
    return [Node(c, d, True, node) for c, d in dict.fromkeys(found)]


def cycles(g: Grid, source: Node, x: bool, y: bool) -> Iterator[Node]:
    """The last nodes (equal to the source) of all cycles."""
    layer, seen, length = [source], {source.key}, 0
    while layer:
        length += 2
        below = [off for on in layer for off in offs(g, on, y) if off.key not in {node.key for node in on.line()}]
        layer = []
        for off in below:
            for on in ons(g, off, x, y):
                if on.key == source.key and length >= 4:
                    yield on
                if on.key not in seen:
                    seen.add(on.key)
                    layer.append(on)


def chain(g: Grid, source: Node, y: bool) -> Node | None:
    """The first node that is the source's opposite."""
    layer, seen = [source], {source.key}
    while layer:
        following = []
        for node in layer:
            for new in offs(g, node, y) if node.on else ons(g, node, True, y):
                if new.key == (source.cell, source.digit, not source.on):
                    return new
                if new.key not in seen:
                    seen.add(new.key)
                    following.append(new)
        layer = following
    return None


def removed_by_cycle(g: Grid, nodes: list[Node]) -> frozenset[tuple[int, int]]:
    cells = {node.cell for node in nodes}
    hit = {on: {(c, n.digit) for n in nodes if n.on == on for c in PEERS[n.cell]} for on in (True, False)}
    return frozenset((c, d) for c, d in hit[True] & hit[False] if c not in cells and d in g.marks[c])


def hints(g: Grid) -> Iterator[tuple[float, int, Hint]]:
    for x, y, name in ((True, False, "-x-"), (False, True, "-y-"), (True, True, "-")):
        for cell in range(81):
            for d in sorted(g.marks[cell]):
                if not x and len(g.marks[cell]) != 2:
                    continue
                for end in cycles(g, Node(cell, d, True, None), x, y):
                    nodes = end.line()[1:]
                    gone = removed_by_cycle(g, nodes)
                    rating = value(7.0 if x and y else 6.5, len(nodes))
                    if gone:
                        yield rating, len(nodes), Hint(f"bidirectional{name}cycle", shown(rating), None, gone)
                for on in (True, False) if x else ():
                    found = chain(g, Node(cell, d, on, None), y)
                    if found:
                        size = len(found.line())
                        rating = value(7.0 if y else 6.6, size)
                        title = "turbot-fish" if size == 6 and not y else f"forcing{name}chain"
                        others = [] if on else [(cell, e) for e in DIGITS if e != d and e in g.marks[cell]]
                        gone = frozenset([(cell, d)] if on else others)
                        yield rating, size, Hint(title, shown(rating), None if on else (cell, d), gone)


def shown(rating: float) -> int:
    return int((rating + 0.05) * 10)


def forcing(g: Grid) -> Hint | None:
    found = list(hints(g))
    return min(found, key=lambda hint: hint[:2])[2] if found else None
