"""The curve of the five rings benchmark."""

import pytest
from ringkit import random_states

from bench.rings_solve import BASE_WIDTH, curve


def test_a_wider_beam_finds_shorter_solutions():
    states = random_states(12)
    narrow, base, few = curve(states, [(30, 100), (BASE_WIDTH, 100), (3 * BASE_WIDTH, 4)])
    assert [point["width"] for point in (narrow, base, few)] == [30, BASE_WIDTH, 3 * BASE_WIDTH]
    assert [point["states"] for point in (narrow, base, few)] == [12, 12, 4]
    assert narrow["mean"] > base["mean"]
    assert narrow["against_base"] == pytest.approx(narrow["mean"] - base["mean"], abs=0.002)
    assert (base["against_base"], base["against_base_within"]) == (0, 0)
    assert base["min"] <= base["mean"] <= base["max"]
    assert base["mean_within"] > 0


def test_no_states_give_no_curve():
    assert curve([]) == []
