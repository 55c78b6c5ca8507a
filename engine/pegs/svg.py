"""A position as an SVG picture, from the standard library alone."""

from collections.abc import Sequence
from html import escape

_STEP = 20  # pixels for half a hole's distance
_RADIUS = 14


def board_svg(title: str, places: Sequence[tuple[int, int]], filled: Sequence[bool], labels: Sequence[str]) -> str:
    """Return an SVG of holes at `places` (half steps across, rows down), pegs filled, each hole with its label as tooltip."""
    left = min(x for x, _ in places)
    width = (max(x for x, _ in places) - left + 2) * _STEP
    height = (max(y for _, y in places) * 2 + 2) * _STEP
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">',
        f"<title>{escape(title)}</title>",
    ]
    for (x, y), peg, label in zip(places, filled, labels, strict=True):
        colour = "#8a4b20" if peg else "#f4ead8"
        parts.append(
            f'<circle cx="{(x - left + 1) * _STEP}" cy="{(2 * y + 1) * _STEP}" r="{_RADIUS}" fill="{colour}" stroke="#5b3a1e" '
            f'stroke-width="2"><title>{escape(label)}</title></circle>'
        )
    return "".join(parts) + "</svg>"
