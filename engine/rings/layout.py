"""Where everything of a ring puzzle lies in a picture: rings around their disc, so that every click is a turn of the picture.

Ring 1 is at the top, the others follow clockwise. A ring's beads lie on its circle, evenly, with the disc's places towards the
centre; because all rings look alike from the centre, turning the disc carries each of its beads exactly to the next ring's.
"""

from dataclasses import dataclass
from math import atan2, cos, hypot, pi, sin

from engine.rings.model import Puzzle

SIZE = 420.0
"""Width and height of a picture in its own units."""

MARGIN = 12.0

BEAD_SHARE = 0.43
"""A bead's radius as a share of the way along the ring from one bead to the next: under one half, so that they never touch."""


@dataclass(frozen=True, slots=True)
class Point:
    """A place in the picture; y grows downwards."""

    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Layout:
    """The sizes of a puzzle's picture, in the picture's units."""

    puzzle: Puzzle
    centre: Point
    reach: float
    """From the picture's centre to a ring's centre."""
    ring_radius: float
    bead_radius: float
    disc_radius: float

    def hub(self, ring: int) -> Point:
        """Return a ring's centre."""
        heading = self._heading(ring)
        return Point(self.centre.x + self.reach * cos(heading), self.centre.y + self.reach * sin(heading))

    def place(self, ring: int, place: int) -> Point:
        """Return where the bead at a place of a ring lies."""
        hub = self.hub(ring)
        angle = self._heading(ring) + pi + 2 * pi * (place - _inward(self.puzzle)) / self.puzzle.beads
        return Point(hub.x + self.ring_radius * cos(angle), hub.y + self.ring_radius * sin(angle))

    def at(self, position: int) -> Point:
        """Return where the bead at a position (`beads * ring + place`) lies."""
        return self.place(*divmod(position, self.puzzle.beads))

    def turning(self, move: int, position: int) -> tuple[float, float]:
        """Return the radius of the circle on which a click carries the bead at `position`, and the angle in radians."""
        centre, at = self._axis(move), self.at(position)
        steps = self.puzzle.rings if move >> 1 == self.puzzle.rings else self.puzzle.beads
        return hypot(at.x - centre.x, at.y - centre.y), 2 * pi / steps

    def on_the_way(self, move: int, position: int, share: float) -> Point:
        """Return where the bead at `position` is when a share, 0 to 1, of a click that carries it is done."""
        centre, at = self._axis(move), self.at(position)
        radius, angle = self.turning(move, position)
        heading = atan2(at.y - centre.y, at.x - centre.x) + angle * share * (-1 if move & 1 else 1)
        return Point(centre.x + radius * cos(heading), centre.y + radius * sin(heading))

    def _axis(self, move: int) -> Point:
        return self.centre if move >> 1 == self.puzzle.rings else self.hub(move >> 1)

    def _heading(self, ring: int) -> float:
        return 2 * pi * ring / self.puzzle.rings - pi / 2


def layout(puzzle: Puzzle) -> Layout:
    """Return the layout: rings as big as leaves their neighbours and the centre free, the whole filling the picture."""
    step = 2 * pi / puzzle.beads
    bead = min(BEAD_SHARE * 2 * sin(step / 2), 0.45)  # of a ring's radius, as the ring is for now
    ring = min(sin(pi / puzzle.rings) / (1 + bead * 1.1), 0.5)  # of the way from the centre to a ring's
    unit = (SIZE / 2 - MARGIN) / (1 + ring * (1 + bead))
    reach, ring_radius = unit, unit * ring
    bare = Layout(puzzle, Point(SIZE / 2, SIZE / 2), reach, ring_radius, bead * ring_radius, 0.0)
    farthest = max(hypot(p.x - SIZE / 2, p.y - SIZE / 2) for p in (bare.place(0, place) for place in puzzle.places))
    return Layout(puzzle, bare.centre, reach, ring_radius, bare.bead_radius, farthest + bare.bead_radius * 1.15)


def _inward(puzzle: Puzzle) -> float:
    """Return the middle, going clockwise, of the shortest arc that holds all the disc's places: it points to the centre."""
    places, beads = puzzle.places, puzzle.beads
    if len(places) == 1:
        return float(places[0])
    gaps = [((places[(k + 1) % len(places)] - place) % beads, k) for k, place in enumerate(places)]
    gap, before = max(gaps)
    return places[(before + 1) % len(places)] + (beads - gap) / 2
