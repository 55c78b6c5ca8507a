"""Numbers of states by distance: against breadth-first search in plain Python, and against the known figures."""

from collections import Counter
from functools import cache
from math import factorial

import numpy as np
import pytest
from hypothesis import given, settings
from naive import rings as naive
from ringkit import FIVE, TINY, sequences, states

from engine.errors import EngineError, InvalidInputError, LimitExceededError
from engine.rings import count as counts
from engine.rings._count import canonical, pack, unpack
from engine.rings.count import MEMORY, Depth, Plan, count, counting, forecast
from engine.rings.diskcount import counting_on_disk
from engine.rings.model import Puzzle, State
from engine.rings.tables import colour_words, frame

STATES = counts.KNOWN[FIVE]
# The ten symmetries' classes: found by one other program to depth 11, at 12 by this one in two partitions.
CLASSES = [1, 1, 3, 16, 100, 624, 3_960, 24_773, 152_991, 934_287, 5_628_113, 33_395_820, 194_693_530]

DEEPEST = 10


@cache
def packing_of(puzzle):
    return counts.packing_for(puzzle, frame(puzzle))


def key_of(state):
    scratch = counts.scratch_for(state.puzzle)
    key = np.zeros(2, dtype=np.uint64)
    view = frame(state.puzzle)
    with np.errstate(over="ignore"):
        canonical(colour_words(state), scratch.images, key, packing_of(state.puzzle), view)
    return tuple(int(number) for number in key)


def all_images(puzzle, text):
    """The state carried round and mirrored in every way: by its order of rings, by each ring's direction, by both."""
    flip = counts._flip(puzzle)
    image = naive.from_text(text, puzzle.beads)
    for _ in range(puzzle.rings):
        image = naive.carried_round(image)
        for ordered in (image, reversed_order(image)):
            yield naive.to_text(ordered)
            yield naive.to_text([[ring[place] for place in flip] for ring in ordered])


def reversed_order(rings):
    return [[-bead % len(rings) for bead in rings[-ring]] for ring in range(len(rings))]


def by_hand(puzzle, depth):
    known = naive.distances(puzzle.rings, puzzle.beads, puzzle.places, depth=depth)
    number = Counter(known.values())
    classes, all_classes = {}, {}
    for text, distance in known.items():
        classes.setdefault(distance, set()).add(State(text, puzzle).canonical().text)
        all_classes.setdefault(distance, set()).add(min(all_images(puzzle, text)))
    return [Depth(d, number[d], len(classes[d]), len(all_classes[d])) for d in sorted(number)]


def test_five_rings_to_depth_four_as_by_hand():
    assert count(FIVE, 4) == by_hand(FIVE, 4)


@pytest.mark.parametrize("puzzle", [puzzle for puzzle in TINY if puzzle != Puzzle(3, 4, (0, 3))], ids=str)
def test_whole_small_puzzles_as_by_hand(puzzle):
    assert count(puzzle, 10**6) == by_hand(puzzle, 10**6)


def test_the_known_figures():
    found = count(FIVE, DEEPEST)
    assert [depth.states for depth in found] == list(STATES[: DEEPEST + 1])
    assert [depth.classes for depth in found] == CLASSES[: DEEPEST + 1]
    assert all(depth.classes / 2 <= depth.all_classes <= depth.classes for depth in found)


def test_what_is_known_fits_together():
    # At depth d there are at most so many states as canonical sequences of clicks, and ten times as many as classes.
    for depth, (number, classes) in enumerate(zip(STATES, CLASSES, strict=True)):
        assert classes <= number <= 10 * classes
        assert depth < 2 or number < 12 * 7.2 ** (depth - 1)


@pytest.mark.parametrize("way", ["memory", "disk"])
def test_a_count_that_others_contradict_is_not_given(monkeypatch, tmp_path, way):
    monkeypatch.setattr(counts, "KNOWN", {FIVE: (1, 2, 22, 161)})
    steps = counting(FIVE, 4) if way == "memory" else counting_on_disk(FIVE, 4, tmp_path)
    with pytest.raises(EngineError, match="depth 3 came out as 160 states; there are 161"):
        list(steps)


def test_the_numbers_of_a_small_puzzle_add_up():
    puzzle = Puzzle(3, 4, (0, 3))
    found = count(puzzle, 99)
    assert [depth.states for depth in found] == [1, 2, 12, 54, 196, 800, 2_796, 7_213, 10_806, 9_470, 3_144, 156]
    assert sum(depth.states for depth in found) == factorial(12) // factorial(4) ** 3


@pytest.mark.small
def test_a_small_puzzle_by_depth_as_by_hand():
    puzzle = Puzzle(3, 3, (0, 2))
    assert count(puzzle, 4) == by_hand(puzzle, 4)


def test_little_memory_takes_passes_and_gives_the_same():
    usual = count(FIVE, 8)
    enough = next(step for step in counting(FIVE, 8) if isinstance(step, Plan) and step.depth == 8)
    steps = list(counting(FIVE, 8, enough.bytes - enough.slots * 12))
    assert [step for step in steps if isinstance(step, Depth)] == usual
    last = [step for step in steps if isinstance(step, Plan)][-1]
    assert last.passes >= 3
    assert last.bytes <= enough.bytes - enough.slots * 12


def test_a_hash_set_that_proves_too_small_is_made_larger(monkeypatch):
    usual = count(FIVE, 7)
    monkeypatch.setattr(counts, "GROWTH", 0.5)
    monkeypatch.setattr(counts, "LEAST_SLOTS", 64)
    steps = list(counting(FIVE, 7))
    assert [step for step in steps if isinstance(step, Depth)] == usual
    plans = [step for step in steps if isinstance(step, Plan) and step.depth == 7]
    assert len(plans) > 1
    assert [plan.slots for plan in plans] == sorted(plan.slots for plan in plans)
    assert plans[-1].slots > plans[0].slots


@given(states())
@settings(deadline=None)
def test_a_key_is_the_whole_state(state):
    view = frame(FIVE)
    packing = packing_of(FIVE)
    words = colour_words(state)
    key, back = np.zeros(2, dtype=np.uint64), np.zeros(5, dtype=np.uint64)
    with np.errstate(over="ignore"):
        pack(words, 0, key, packing, view)
        unpack(key, back, packing, view)
    assert back.tolist() == words.tolist()


@given(states(), sequences(longest=3))
@settings(deadline=None, max_examples=30)
def test_all_images_have_one_key_and_others_have_others(state, moves):
    key = key_of(state)
    images = set(all_images(FIVE, state.text))
    assert {key_of(State(image)) for image in images} == {key}
    after = state.after(moves)
    assert (key_of(after) == key) == (after.text in images)


def test_what_is_to_come_is_foretold():
    known = count(FIVE, 8)
    plans = forecast(FIVE, known, 11)
    assert [plan.depth for plan in plans] == [9, 10, 11]
    assert all(plan.bytes <= MEMORY for plan in plans)
    assert 2_814_129 <= plans[-1].turned <= 1.2 * 2_814_129
    with pytest.raises(LimitExceededError, match=r"depth 1\d takes about .* MiB are allowed"):
        forecast(FIVE, known, 20)


def test_too_little_memory_is_refused_before_the_work():
    with pytest.raises(LimitExceededError, match="depth 1 takes about"):
        count(FIVE, 5, memory=1 << 20)


def test_what_cannot_be_counted():
    with pytest.raises(InvalidInputError, match="expected 0 or more"):
        count(FIVE, -1)
    with pytest.raises(InvalidInputError, match="128-bit keys"):
        count(Puzzle(8, 5, (0, 4)), 2)
