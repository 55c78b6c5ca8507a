"""Slow and obvious: the ring puzzle as a list of lists, turned bead by bead and searched breadth first."""


def solved(rings, beads):
    return [[ring] * beads for ring in range(rings)]


def from_text(text, beads):
    return [[int(digit) for digit in text[start : start + beads]] for start in range(0, len(text), beads)]


def to_text(state):
    return "".join(str(bead) for ring in state for bead in ring)


def turned(state, click, places):
    """`click` is text: R1, R1', ..., D, D'."""
    state = [list(ring) for ring in state]
    back = click.endswith("'")
    if click.startswith("R"):
        ring = state[int(click.strip("R'")) - 1]
        if back:
            ring.append(ring.pop(0))
        else:
            ring.insert(0, ring.pop())
        return state
    for place in places:
        beads = [ring[place] for ring in state]
        if back:
            beads.append(beads.pop(0))
        else:
            beads.insert(0, beads.pop())
        for ring, bead in zip(state, beads, strict=True):
            ring[place] = bead
    return state


def clicks(rings):
    return [f"R{ring + 1}{back}" for ring in range(rings) for back in ("", "'")] + ["D", "D'"]


def distances(rings, beads, places, depth=10**9, start=None):
    """Every state within `depth` clicks of `start` (text; else the solved one), as text, with its distance."""
    start = start or to_text(solved(rings, beads))
    found = {start: 0}
    layer = [start]
    for distance in range(1, depth + 1):
        following = []
        for text in layer:
            for click in clicks(rings):
                after = to_text(turned(from_text(text, beads), click, places))
                if after not in found:
                    found[after] = distance
                    following.append(after)
        if not following:
            break
        layer = following
    return found


def one_colour(rings, beads, places, colour):
    """Where the beads of one colour are (a text of `x` and `.`), with the clicks that bring them home."""
    blank = to_text(solved(rings, beads))
    start = "".join("1" if digit == str(colour) else "0" for digit in blank)
    return distances(rings, beads, places, start=start)


def mirrored(state):
    """The puzzle in a mirror: rings in the other order, the beads of each the other way round, the colours with their rings."""
    rings = len(state)
    return [[(rings - 1 - bead) for bead in reversed(state[rings - 1 - ring])] for ring in range(rings)]


def carried_round(state):
    """The whole puzzle turned by one ring, and the colours with their rings."""
    rings = len(state)
    return [[(bead + 1) % rings for bead in state[ring - 1]] for ring in range(rings)]


def canonical(state):
    """The least text among the whole puzzle's turns and mirror images (for places that a mirror keeps)."""
    texts = []
    for picture in (state, mirrored(state)):
        turned_picture = picture
        for _ in range(len(state)):
            turned_picture = carried_round(turned_picture)
            texts.append(to_text(turned_picture))
    return min(texts)


def definition(text):
    """A .tws file read line by line: the solved colours by position, and for each move's name where each bead comes from."""
    words = iter(text.split())
    solved, moves = [], {}
    for word in words:
        if word == "Solved":
            assert next(words) == "BEAD"
            solved = [int(word) for word in iter(lambda: next(words), "End")]
        elif word == "Move":
            name = next(words)
            assert next(words) == "BEAD"
            moves[name] = [int(word) - 1 for word in iter(lambda: next(words), "End")]
    return solved, moves


def counts_by_definition(text, depth):
    """How many states are 0, 1, ... `depth` clicks from solved by a .tws file alone; a click is a move or its inverse."""
    solved, moves = definition(text)
    clicks = [*moves.values(), *([row.index(p) for p in range(len(row))] for row in moves.values())]
    layer, found, counts = {tuple(solved)}, {tuple(solved)}, [1]
    for _ in range(depth):
        layer = {tuple(state[p] for p in row) for state in layer for row in clicks} - found
        found |= layer
        counts.append(len(layer))
    return counts
