"""Draws clicks as an animated SVG: beads travel along the circle of the ring or disc that turns.

The animation is SMIL (SVG 1.1, chapter 19), which browsers play without any script; a program that does not know it shows the
first state. Each bead has one motion along a path of arcs, in step with all the others.
"""

from collections.abc import Sequence
from itertools import pairwise

from engine.errors import InvalidInputError
from engine.rings.layout import SIZE, Layout, layout
from engine.rings.model import State
from engine.rings.palette import Labels
from engine.rings.svg import FONT, beads, board, circle, head, number

MAX_CLICKS_SHOWN = 1000

SECONDS_A_CLICK = 0.9

FASTEST, SLOWEST = 0.1, 10.0

TURNING = 0.75
"""The share of a click's time in which something turns; the rest is a pause."""

HELD = 1.5
"""Seconds for which the first state is shown before anything turns, and the last one after."""

CAPTION = 34.0
"""Height of the line under the picture that names the click."""

WIDE = 2.0
"""An arc of more radians is drawn as two: near half a circle, rounded ends would leave open where its middle is."""

REST, EASE = "0 0 1 1", ".4 0 .3 1"
"""Pace within an interval as a Bezier curve: even, and with a soft start and end."""


def animation(
    state: State,
    moves: Sequence[int],
    labels: Labels = Labels.NUMBERS,
    *,
    seconds: float = SECONDS_A_CLICK,
    loop: bool = True,
) -> str:
    """Return an animated SVG document (text) that starts with `state` and makes the clicks `moves`, each in `seconds`.

    With `loop` it starts again after a pause, else it keeps the last state. Raise `InvalidInputError` for more than 1,000
    clicks or seconds outside 0.1 to 10.
    """
    if len(moves) > MAX_CLICKS_SHOWN:
        raise InvalidInputError(f"{len(moves)} clicks: an animation shows at most {MAX_CLICKS_SHOWN:,}")
    if not FASTEST <= seconds <= SLOWEST:
        raise InvalidInputError(f"{seconds:g} seconds a click: expected {FASTEST:g} to {SLOWEST:g}")
    clock = _Clock(len(moves), seconds, loop=loop)
    sizes = layout(state.puzzle)
    paths = _paths(state, moves)
    names = state.puzzle.format_moves(moves)
    parts = [
        head(SIZE + CAPTION, f"Ring puzzle, state {state.text}, {len(moves)} clicks", f"Clicks: {names or 'none'}"),
        *board(sizes, disc=_disc_turns(sizes, moves, clock)),
        *_halos(sizes, moves, clock),
        *beads(state, labels, lambda position: _motion(sizes, paths[position], moves, clock)),
        *_captions(state, moves, clock),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


class _Clock:
    """When each click begins and ends, as shares of the whole animation."""

    def __init__(self, clicks: int, seconds: float, *, loop: bool) -> None:
        self._seconds = seconds
        self.total = 2 * HELD + clicks * seconds
        self.attributes = f'dur="{number(self.total)}s" ' + ('repeatCount="indefinite"' if loop else 'fill="freeze"')

    def begin(self, click: int) -> float:
        return (HELD + click * self._seconds) / self.total

    def end(self, click: int) -> float:
        return (HELD + (click + TURNING) * self._seconds) / self.total


def _paths(state: State, moves: Sequence[int]) -> list[list[tuple[int, int, int]]]:
    """For each bead, by its first position: the clicks that carry it, as (click, from position, to position)."""
    puzzle = state.puzzle
    bead_at = list(range(puzzle.positions))
    paths: list[list[tuple[int, int, int]]] = [[] for _ in bead_at]
    for click, move in enumerate(moves):
        sources = puzzle.sources(move)
        for position, source in enumerate(sources):
            if position != source:
                paths[bead_at[source]].append((click, source, position))
        bead_at = [bead_at[source] for source in sources]
    return paths


def _motion(sizes: Layout, path: Sequence[tuple[int, int, int]], moves: Sequence[int], clock: _Clock) -> str:
    """Return a bead's motion, relative to where it is at first; nothing for a bead that stays."""
    if not path:
        return ""
    origin = sizes.at(path[0][1])
    arcs, lengths = ["M0 0"], [0.0]
    for click, source, _ in path:
        radius, angle = sizes.turning(moves[click], source)
        clockwise = 1 - (moves[click] & 1)
        for share in (0.5, 1.0) if angle > WIDE else (1.0,):
            there = sizes.on_the_way(moves[click], source, share)
            arcs.append(
                f"A{number(radius)} {number(radius)} 0 0 {clockwise} {number(there.x - origin.x)} {number(there.y - origin.y)}"
            )
        lengths.append(lengths[-1] + radius * angle)
    times, points = [0.0], [0.0]
    for (click, _, _), (before, after) in zip(path, pairwise(lengths), strict=True):
        times += [clock.begin(click), clock.end(click)]
        points += [before / lengths[-1], after / lengths[-1]]
    times, points = [*times, 1.0], [*points, 1.0]
    return (
        f'<animateMotion path="{"".join(arcs)}" {_times(times)} keyPoints="{_list(points)}" {_paces(len(path))} '
        f"{clock.attributes}/>"
    )


def _disc_turns(sizes: Layout, moves: Sequence[int], clock: _Clock) -> str:
    """Return the turning of the disc's marks."""
    turns = [(click, -1 if move & 1 else 1) for click, move in enumerate(moves) if move >> 1 == sizes.puzzle.rings]
    if not turns:
        return ""
    times, angles = [0.0], [0.0]
    for click, way in turns:
        times += [clock.begin(click), clock.end(click)]
        angles += [angles[-1], angles[-1] + way * 360 / sizes.puzzle.rings]
    times, angles = [*times, 1.0], [*angles, angles[-1]]
    about = f"{number(sizes.centre.x)} {number(sizes.centre.y)}"
    values = ";".join(f"{number(angle)} {about}" for angle in angles)
    return (
        f'<animateTransform attributeName="transform" type="rotate" values="{values}" {_times(times)} '
        f"{_paces(len(turns))} {clock.attributes}/>"
    )


def _halos(sizes: Layout, moves: Sequence[int], clock: _Clock) -> list[str]:
    """Return a halo for each ring and the disc, seen while it turns."""
    parts = []
    for part in range(sizes.puzzle.rings + 1):
        shown = [(clock.begin(click), clock.end(click)) for click, move in enumerate(moves) if move >> 1 == part]
        if not shown:
            continue
        is_disc = part == sizes.puzzle.rings
        centre = sizes.centre if is_disc else sizes.hub(part)
        radius = sizes.disc_radius if is_disc else sizes.ring_radius + sizes.bead_radius * 1.15
        look = 'fill="none" stroke="#111111" stroke-width="3" visibility="hidden"'
        parts.append(circle(centre, radius, look, _shown(shown, clock)))
    return parts


def _captions(state: State, moves: Sequence[int], clock: _Clock) -> list[str]:
    """Return the lines under the picture: before the first click, then each click's name with its number."""
    begins = [0.0, *(clock.begin(click) for click in range(len(moves))), 1.0]
    texts = [f"0 / {len(moves)}"]
    texts += [f"{state.puzzle.move_name(move)}   {click + 1} / {len(moves)}" for click, move in enumerate(moves)]
    parts = [f'<g font-size="18" {FONT} fill="#111111" xml:space="preserve">']
    for text, span in zip(texts, pairwise(begins), strict=True):
        first = "visible" if span[0] == 0.0 else "hidden"
        parts.append(
            f'<text x="{number(SIZE / 2)}" y="{number(SIZE + CAPTION / 2)}" visibility="{first}">{text}'
            f"{_shown([span], clock) if moves else ''}</text>"
        )
    return [*parts, "</g>"]


def _shown(spans: Sequence[tuple[float, float]], clock: _Clock) -> str:
    """Return the animation that shows an element during some spans of the time, and hides it otherwise."""
    times, values = [0.0], ["hidden"]
    for begin, end in spans:
        times += [begin, end]
        values += ["visible", "hidden"]
    if spans[0][0] == 0.0:
        del times[0], values[0]
    if times[-1] == 1.0:
        del times[-1], values[-1]
    return (
        f'<animate attributeName="visibility" calcMode="discrete" values="{";".join(values)}" {_times(times)} '
        f"{clock.attributes}/>"
    )


def _paces(turns: int) -> str:
    return f'calcMode="spline" keySplines="{";".join([REST, EASE] * turns + [REST])}"'


def _times(times: Sequence[float]) -> str:
    return f'keyTimes="{_list(times)}"'


def _list(values: Sequence[float]) -> str:
    return ";".join(f"{value:.5f}".rstrip("0").rstrip(".") or "0" for value in values)
