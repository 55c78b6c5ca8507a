"""Pictures: every bead where it belongs, animations that end where the clicks lead, colours that all can tell apart."""

import re
import xml.etree.ElementTree as ET
from itertools import combinations, pairwise
from math import atan2, cos, hypot, pi, sin, tau

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ringkit import FIVE, TINY, sequences, states

from engine.errors import InvalidInputError
from engine.rings.animation import HELD, MAX_CLICKS_SHOWN, TURNING, animation
from engine.rings.layout import SIZE, layout
from engine.rings.model import Puzzle
from engine.rings.palette import COLOURS, Labels, ink
from engine.rings.svg import drawing, number

pytestmark = pytest.mark.small

SVG = "{http://www.w3.org/2000/svg}"

MANY = [FIVE, *TINY, Puzzle(10, 6, (0, 5)), Puzzle(2, 31, (0, 1, 2)), Puzzle(8, 7, (0, 6)), Puzzle(5, 2, (1,))]


def bead_groups(text):
    """The groups of the beads, by position, with where they lie."""
    for group in ET.fromstring(text).iter(f"{SVG}g"):
        found = re.fullmatch(r"translate\((\S+) (\S+)\)", group.get("transform", ""))
        if found:
            yield group, float(found[1]), float(found[2])


def colours_by_place(text, puzzle):
    """What the picture shows: the digit of the bead's colour for each position, read off by where the bead lies."""
    sizes = layout(puzzle)
    there = [(x, y, COLOURS.index(group.find(f"{SVG}circle").get("fill"))) for group, x, y in bead_groups(text)]
    return nearest(there, sizes)


def nearest(beads, sizes):
    shown = ""
    for position in range(sizes.puzzle.positions):
        at = sizes.at(position)
        away, colour = min((hypot(x - at.x, y - at.y), colour) for x, y, colour in beads)
        assert away < 0.1
        shown += str(colour)
    return shown


@given(st.data())
@settings(deadline=None, max_examples=40)
def test_the_picture_shows_the_state(data):
    puzzle = data.draw(st.sampled_from(MANY))
    state = data.draw(states(puzzle))
    text = drawing(state, Labels.LETTERS)
    assert colours_by_place(text, puzzle) == state.text
    labels = [element.text for element in ET.fromstring(text).iter(f"{SVG}text") if element.get("class") == "bead"]
    assert labels == [chr(ord("A") + int(digit)) for digit in state.text]


def test_labels():
    state = FIVE.solved.after((10, 0))
    assert re.findall(r'class="bead"[^>]*>(.)<', state._repr_svg_()) == list(state.text)
    assert 'class="bead"' not in drawing(state, Labels.NONE)


@pytest.mark.parametrize("puzzle", MANY, ids=str)
def test_beads_do_not_touch_and_stay_in_the_picture(puzzle):
    sizes = layout(puzzle)
    points = [sizes.at(position) for position in range(puzzle.positions)]
    for one, other in combinations(points, 2):
        assert hypot(one.x - other.x, one.y - other.y) > 2 * sizes.bead_radius
    for point in points:
        assert all(sizes.bead_radius < along < SIZE - sizes.bead_radius for along in (point.x, point.y))


@pytest.mark.parametrize("puzzle", MANY, ids=str)
def test_every_click_is_a_turn_of_the_picture(puzzle):
    sizes = layout(puzzle)
    for move in range(puzzle.move_count):
        for target, source in enumerate(puzzle.sources(move)):
            if target != source:
                there, end = sizes.at(target), sizes.on_the_way(move, source, 1.0)
                assert hypot(end.x - there.x, end.y - there.y) < 1e-6


def test_five_rings_lie_as_in_the_thesis():
    sizes = layout(FIVE)
    headings = [atan2(sizes.hub(ring).y - SIZE / 2, sizes.hub(ring).x - SIZE / 2) for ring in range(5)]
    assert headings[0] == pytest.approx(-pi / 2)
    assert all((after - before) % tau == pytest.approx(tau / 5) for before, after in pairwise(headings))
    on_disc = {position for position in range(35) if distance(sizes, position) < sizes.disc_radius}
    assert on_disc == {7 * ring + place for ring in range(5) for place in (0, 6)}
    assert len({round(distance(sizes, position), 6) for position in on_disc}) == 1


def distance(sizes, position):
    at = sizes.at(position)
    return hypot(at.x - SIZE / 2, at.y - SIZE / 2)


class Film:
    """An animated picture, read as a browser reads it: where each bead is at a time in seconds."""

    def __init__(self, text):
        self.beads = []
        for group, x, y in bead_groups(text):
            colour = COLOURS.index(group.find(f"{SVG}circle").get("fill"))
            self.beads.append((x, y, colour, group.find(f"{SVG}animateMotion")))

    def at(self, seconds):
        return [(x + dx, y + dy, colour) for x, y, colour, motion in self.beads for dx, dy in [travelled(motion, seconds)]]


def travelled(motion, seconds):
    if motion is None:
        return 0.0, 0.0
    share = seconds / float(motion.get("dur").removesuffix("s"))
    times = [float(word) for word in motion.get("keyTimes").split(";")]
    points = [float(word) for word in motion.get("keyPoints").split(";")]
    assert len(times) == len(points) == len(motion.get("keySplines").split(";")) + 1
    assert times == sorted(times)
    assert (times[0], times[-1], points[0], points[-1]) == (0, 1, 0, 1)
    point = float(np.interp(share, times, points))  # the pace within a click is left out
    return along(motion.get("path"), point)


def along(path, share):
    start = (0.0, 0.0)
    arcs = []
    for words in re.findall(r"A([^A]+)", path):
        radius, _, _, large, sweep, x, y = (float(word) for word in words.split())
        assert large == 0
        arcs.append((start, radius, 1 if sweep else -1, (x, y)))
        start = (x, y)
    lengths = [radius * 2 * np.arcsin(min(1, hypot(b[0] - a[0], b[1] - a[1]) / (2 * radius))) for a, radius, _, b in arcs]
    rest = share * sum(lengths)
    for (a, radius, way, b), length in zip(arcs, lengths, strict=True):
        if rest <= length + 1e-3:
            half = hypot(b[0] - a[0], b[1] - a[1]) / 2
            height = max(radius**2 - half**2, 0) ** 0.5 * way
            across = ((b[0] - a[0]) / (2 * half), (b[1] - a[1]) / (2 * half))
            centre = ((a[0] + b[0]) / 2 - height * across[1], (a[1] + b[1]) / 2 + height * across[0])
            angle = atan2(a[1] - centre[1], a[0] - centre[0]) + way * rest / radius
            return centre[0] + radius * cos(angle), centre[1] + radius * sin(angle)
        rest -= length
    raise AssertionError("beyond the path")


@given(st.data())
@settings(deadline=None, max_examples=40)
def test_an_animation_shows_every_state_on_the_way(data):
    puzzle = data.draw(st.sampled_from([FIVE, TINY[1], TINY[5]]))
    state, moves = data.draw(states(puzzle)), data.draw(sequences(puzzle, longest=12))
    film, sizes = Film(animation(state, moves, seconds=1.0)), layout(puzzle)
    for click in range(len(moves) + 1):
        between = HELD + click - (1 - TURNING) / 2
        assert nearest(film.at(between), sizes) == state.after(moves[:click]).text


@pytest.mark.parametrize("move", [0, 1, 10, 11])
def test_in_the_middle_of_a_click_beads_are_on_the_circle_that_turns(move):
    sizes = layout(FIVE)
    film = Film(animation(FIVE.solved, (move,), seconds=1.0))
    centre = sizes.centre if move >= 10 else sizes.hub(0)
    for position, (x, y, _) in enumerate(film.at(HELD + TURNING / 2)):
        at = sizes.at(position)
        carried = hypot(x - at.x, y - at.y)
        if position in FIVE.sources(move) and FIVE.sources(move)[position] != position:
            assert carried > sizes.bead_radius
            assert hypot(x - centre.x, y - centre.y) == pytest.approx(hypot(at.x - centre.x, at.y - centre.y), abs=0.05)
        else:
            assert carried < 0.01


def test_an_animation_names_its_clicks_and_plays_without_script():
    text = animation(FIVE.solved, FIVE.parse_moves("R3 D' R3'"), loop=False)
    assert re.findall(r'">([^<]+)<animate attributeName="visibility"', text) == [
        "0 / 3",
        "R3   1 / 3",
        "D'   2 / 3",
        "R3'   3 / 3",
    ]
    assert "<script" not in text
    assert 'repeatCount="indefinite"' not in text
    assert 'fill="freeze"' in text
    assert "Clicks: R3 D' R3'" in text


def test_an_animation_without_clicks_is_the_state():
    text = animation(FIVE.solved, ())
    assert "<animate" not in text
    assert colours_by_place(text, FIVE) == FIVE.solved.text


def test_animations_that_are_refused():
    with pytest.raises(InvalidInputError, match="at most 1,000"):
        animation(FIVE.solved, (0,) * (MAX_CLICKS_SHOWN + 1))
    for seconds in (0.01, 11.0):
        with pytest.raises(InvalidInputError, match="seconds a click"):
            animation(FIVE.solved, (0,), seconds=seconds)


# How people see who lack one kind of cone, on linear RGB: G. Machado, M. Oliveira, L. Fernandes, "A physiologically-based model
# for simulation of color vision deficiency" (IEEE TVCG 2009), severity 1.
SIGHT = {
    "all cones": np.eye(3),
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
}
XYZ = np.array([[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.072175], [0.0193339, 0.119192, 0.9503041]])


def linear(colour):
    channels = np.array([int(colour[start : start + 2], 16) for start in (1, 3, 5)]) / 255
    return np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)


def lab(rgb):
    relative = XYZ @ np.clip(rgb, 0, 1) / np.array([0.95047, 1, 1.08883])
    x, y, z = np.where(relative > 0.008856, np.cbrt(relative), 7.787 * relative + 16 / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("sight", SIGHT)
def test_colours_can_be_told_apart_by_all(sight):
    # A difference of 2.3 is just noticeable; the five of the usual puzzle are much farther apart.
    seen = [lab(np.array(SIGHT[sight]) @ linear(colour)) for colour in COLOURS]
    assert min(np.linalg.norm(a - b) for a, b in combinations(seen[:5], 2)) > 30
    assert min(np.linalg.norm(a - b) for a, b in combinations(seen, 2)) > 15


def test_labels_can_be_read():
    for colour in COLOURS:
        light, dark = sorted((float(linear(c) @ [0.2126, 0.7152, 0.0722]) + 0.05 for c in (colour, ink(colour))), reverse=True)
        assert light / dark > 4.5  # WCAG 2.2, success criterion 1.4.3


@pytest.mark.parametrize(
    ("value", "text"), [(0.0, "0"), (-0.001, "0"), (1.0, "1"), (210.126, "210.13"), (-3.5, "-3.5"), (100.0, "100")]
)
def test_lengths_are_short(value, text):
    assert number(value) == text
