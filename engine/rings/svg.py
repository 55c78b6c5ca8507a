"""Draws a state as SVG: the rings around their disc, for notebooks and pages."""

from math import cos, pi, sin
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.rings.model import State

COLOURS = ("#c0392b", "#f1c40f", "#27ae60", "#2980b9", "#8e44ad", "#e67e22", "#16a085", "#7f8c8d", "#2c3e50", "#d98880")
"""One colour a digit; told apart in print by the digit in the bead."""

SIZE = 420


def drawing(state: "State") -> str:
    """Return an SVG document (text) of the state; ring 1 is at the top and the rings follow clockwise."""
    puzzle = state.puzzle
    centre, far = SIZE / 2, SIZE * 0.3
    ring_radius = min(far * sin(pi / puzzle.rings) * 0.95, SIZE * 0.19)
    bead_radius = min(2 * pi * ring_radius / puzzle.beads * 0.42, ring_radius * 0.4)
    inward = sum(puzzle.places) / len(puzzle.places) if len(puzzle.places) == 1 else _middle(puzzle.places, puzzle.beads)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIZE} {SIZE}" width="{SIZE}" height="{SIZE}" role="img">',
        f"<title>Ring puzzle, state {state.text}</title>",
        f'<circle cx="{centre:.1f}" cy="{centre:.1f}" r="{far - ring_radius * 0.5:.1f}" fill="#eee" stroke="#999"/>',
    ]
    for ring in range(puzzle.rings):
        heading = 2 * pi * ring / puzzle.rings - pi / 2
        x, y = centre + far * cos(heading), centre + far * sin(heading)
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{ring_radius:.1f}" fill="none" stroke="{COLOURS[ring]}"/>')
        for place in range(puzzle.beads):
            angle = heading + pi + 2 * pi * (place - inward) / puzzle.beads
            colour = state.bead(ring, place)
            bx, by = x + ring_radius * cos(angle), y + ring_radius * sin(angle)
            parts.append(f'<circle cx="{bx:.1f}" cy="{by:.1f}" r="{bead_radius:.1f}" fill="{COLOURS[colour]}" stroke="#333"/>')
            parts.append(
                f'<text x="{bx:.1f}" y="{by:.1f}" font-size="{bead_radius:.1f}" fill="#fff" '
                f'text-anchor="middle" dominant-baseline="central">{colour}</text>'
            )
    parts.append("</svg>")
    return "\n".join(parts)


def _middle(places: tuple[int, ...], beads: int) -> float:
    """Return the middle, going clockwise, of the shortest arc that holds all the places."""
    gaps = [((places[(k + 1) % len(places)] - place) % beads, k) for k, place in enumerate(places)]
    gap, before = max(gaps)
    return places[(before + 1) % len(places)] + (beads - gap) / 2
