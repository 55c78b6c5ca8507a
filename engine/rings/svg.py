"""Draws a state as SVG: the rings around their disc, for notebooks, pages and print."""

from collections.abc import Callable
from xml.sax.saxutils import escape

from engine.rings.layout import SIZE, Layout, Point, layout
from engine.rings.model import State
from engine.rings.palette import COLOURS, Labels, ink

FONT = 'font-family="DejaVu Sans, Verdana, sans-serif" text-anchor="middle"'

BASELINE = 0.35
"""How far below a text's middle its baseline is, in font sizes: not all renderers know `dominant-baseline`."""


def drawing(state: State, labels: Labels = Labels.NUMBERS) -> str:
    """Return an SVG document (text) of the state; ring 1 is at the top and the rings follow clockwise."""
    parts = [head(SIZE, f"Ring puzzle, state {state.text}"), *board(layout(state.puzzle)), *beads(state, labels), "</svg>"]
    return "\n".join(parts) + "\n"


def head(height: float, title: str, description: str = "") -> str:
    """Return the beginning of a document: its size, its title and description for readers who do not see it, white paper."""
    described = f"<desc>{escape(description)}</desc>\n" if description else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {number(SIZE)} {number(height)}" '
        f'width="{number(SIZE)}" height="{number(height)}" role="img">\n<title>{escape(title)}</title>\n{described}'
        f'<rect width="100%" height="100%" fill="#ffffff"/>'
    )


def board(sizes: Layout, *, disc: str = "") -> list[str]:
    """Return the parts under the beads: the disc, the rings' grooves, and a hub in each ring's own colour with its name.

    `disc` is put into the group of the disc's marks, which an animation turns.
    """
    puzzle, middle = sizes.puzzle, sizes.centre
    plate = sizes.ring_radius + sizes.bead_radius * 1.15
    edge = 'stroke="#8a94a3" stroke-width="1.5"'
    parts = [circle(middle, sizes.disc_radius, f'fill="#eef1f5" {edge}')]
    parts += [circle(sizes.hub(ring), plate, 'fill="#d3d9e1"') for ring in range(puzzle.rings)]
    parts.append(circle(middle, sizes.disc_radius, f'fill="#eef1f5" fill-opacity="0.5" {edge}'))
    parts.append('<g stroke="#8a94a3" stroke-width="1.5">')
    for ring in range(puzzle.rings):
        for place in puzzle.places:
            there = sizes.place(ring, place)
            parts.append(
                f'<line x1="{number(middle.x)}" y1="{number(middle.y)}" x2="{number(there.x)}" y2="{number(there.y)}"/>'
            )
    parts += [disc, "</g>"] if disc else ["</g>"]
    parts.append(_hub(middle, sizes.bead_radius * 0.9, "#ffffff", "D"))
    hub = min(sizes.ring_radius - sizes.bead_radius * 1.3, sizes.bead_radius * 1.1)
    parts += [_hub(sizes.hub(ring), hub, COLOURS[ring], f"R{ring + 1}") for ring in range(puzzle.rings)]
    return parts


def beads(state: State, labels: Labels, inside: Callable[[int], str] = lambda _: "") -> list[str]:
    """Return a group a bead, by position, with what `inside` gives for the position put into it (an animation)."""
    sizes = layout(state.puzzle)
    size = sizes.bead_radius * 1.15
    parts = []
    for position, digit in enumerate(state.text):
        there, colour = sizes.at(position), COLOURS[int(digit)]
        label = labels.of(int(digit))
        text = f'<text class="bead" y="{number(size * BASELINE)}" fill="{ink(colour)}">{label}</text>' if label else ""
        parts.append(
            f'<g transform="translate({number(there.x)} {number(there.y)})" font-size="{number(size)}" {FONT}>'
            f'<circle r="{number(sizes.bead_radius)}" fill="{colour}" stroke="#222222"/>{text}{inside(position)}</g>'
        )
    return parts


def circle(centre: Point, radius: float, look: str, inside: str = "") -> str:
    """Return a circle element with the attributes `look`."""
    end = f">{inside}</circle>" if inside else "/>"
    return f'<circle cx="{number(centre.x)}" cy="{number(centre.y)}" r="{number(radius)}" {look}{end}'


def number(value: float) -> str:
    """Return a length with at most two decimals, as short as it can be written."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _hub(centre: Point, radius: float, colour: str, name: str) -> str:
    size = radius * 0.8
    return (
        circle(centre, radius, f'fill="{colour}" stroke="#8a94a3"')
        + f'<text x="{number(centre.x)}" y="{number(centre.y + size * BASELINE)}" font-size="{number(size)}" '
        f'{FONT} fill="{ink(colour)}">{name}</text>'
    )
