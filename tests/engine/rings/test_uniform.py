"""Uniform scrambles are uniform: chi-square over places and colours, over pairs of places, over all states of a small puzzle.

Each test is also run on sources that are biased a little, and must notice them: a test that nothing fails shows nothing.
"""

from collections import Counter
from math import erfc, sqrt

import numpy as np
import pytest
from ringkit import FIVE, TINY

from engine.rings.model import Puzzle, State
from engine.rings.rng import Rng
from engine.rings.scramble import random_clicks, uniform, uniform_state

DRAWS = 20_000

SOUND, BIASED = 1e-3, 1e-9
"""A good source's p-value is above the one (seeds are fixed), a biased one's below the other."""


def p_value(statistic, degrees):
    """Chance that a chi-square variable is so large: the cube-root approximation of Wilson and Hilferty (1931)."""
    z = ((statistic / degrees) ** (1 / 3) - (1 - 2 / (9 * degrees))) / sqrt(2 / (9 * degrees))
    return erfc(z / sqrt(2)) / 2


def drawn(source, draws=DRAWS, seed=11):
    """States as digits: shape (draws, 35)."""
    rng = Rng(seed)
    return np.frombuffer("".join(source(rng).text for _ in range(draws)).encode(), dtype=np.uint8).reshape(draws, 35) - 48


def by_place(digits):
    """P-value of how often each colour lies at each place.

    The places of a state depend on each other, because every colour has seven beads; that makes the statistic 35/34 times one
    of chi-square with 34 x 4 degrees of freedom.
    """
    expected = len(digits) / 5
    counts = np.array([(digits == colour).sum(axis=0) for colour in range(5)])
    return p_value(34 / 35 * ((counts - expected) ** 2 / expected).sum(), 34 * 4)


def by_pairs(digits):
    """Least p-value over all 595 pairs of places of how often each two colours lie there, times 595 (Bonferroni)."""
    one_hot = (digits[:, :, None] == np.arange(5)).reshape(len(digits), 175).astype(np.float64)
    together = (one_hot.T @ one_hot).reshape(35, 5, 35, 5)
    expected = len(digits) * np.where(np.eye(5, dtype=bool), 7 * 6, 7 * 7) / (35 * 34)
    return 595 * min(
        p_value(((together[one, :, other, :] - expected) ** 2 / expected).sum(), 24)
        for one in range(35)
        for other in range(one + 1, 35)
    )


def swapped_with_any(rng):
    """The best known faulty shuffle: each bead is exchanged with any other, instead of one not yet placed."""
    beads = list(FIVE.solved.text)
    for place in range(35):
        other = rng.below(35)
        beads[place], beads[other] = beads[other], beads[place]
    return State("".join(beads))


def cyclic(rng):
    """Fisher and Yates with a limit one too small, so that no bead stays where it is."""
    beads = list(FIVE.solved.text)
    for last in range(34, 0, -1):
        other = rng.below(last)
        beads[last], beads[other] = beads[other], beads[last]
    return State("".join(beads))


def paired(rng):
    """Every colour is as likely at every place, but the two beads of ring 1 on the disc are alike a little too often."""
    state = uniform_state(FIVE, rng)
    if rng.below(20) == 0:
        while state.bead(0, 0) != state.bead(0, 6):
            state = uniform_state(FIVE, rng)
    return state


def test_uniform_states_are_uniform():
    digits = drawn(lambda rng: uniform_state(FIVE, rng))
    assert by_place(digits) > SOUND
    assert by_pairs(digits) > SOUND


@pytest.mark.parametrize("source", [swapped_with_any, cyclic], ids=["swapped-with-any", "cyclic"])
def test_faulty_shuffles_are_noticed(source):
    assert by_place(drawn(source)) < BIASED


def test_the_highest_level_of_the_thesis_is_noticed():
    assert by_place(drawn(lambda rng: random_clicks(FIVE, 60, rng).state, draws=500)) < BIASED


def test_what_only_shows_in_pairs_is_noticed():
    digits = drawn(paired)
    assert by_place(digits) > SOUND
    assert by_pairs(digits) < BIASED


def test_scrambles_are_these_states():
    for seed in range(3):
        made = uniform(FIVE, Rng(seed))
        assert made.state == uniform_state(FIVE, Rng(seed))
        assert FIVE.solved.after(made.moves) == made.state


def test_every_state_of_a_small_puzzle_is_equally_likely():
    rng = Rng(12)
    counts = Counter(uniform_state(TINY[0], rng).text for _ in range(16_800))
    expected = 16_800 / 1680
    statistic = sum((count - expected) ** 2 for count in counts.values()) / expected + (1680 - len(counts)) * expected
    assert p_value(statistic, 1679) > SOUND


def test_a_puzzle_that_falls_apart_gives_what_can_be_reached():
    puzzle = Puzzle(2, 4, (0, 2))
    rng = Rng(13)
    counts = Counter()
    for _ in range(60):
        made = uniform(puzzle, rng)
        assert puzzle.solved.after(made.moves) == made.state
        counts[made.state.text] += 1
    assert len(counts) == 6
