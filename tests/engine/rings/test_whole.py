"""Small ring puzzles listed whole, against states turned bead by bead and searched breadth first."""

from collections import Counter

import pytest
from naive import rings as naive
from ringkit import FIVE, TINY

from engine.errors import InvalidInputError
from engine.rings.ida import shortest
from engine.rings.model import Puzzle
from engine.rings.whole import MAX_STATES, listing, placings, whole

SOME = [
    *TINY,
    Puzzle(4, 3, (0,)),
    Puzzle(2, 7, (0, 6)),
    Puzzle(5, 2, (0, 1)),
    Puzzle(2, 6, (1, 2, 5)),
    Puzzle(3, 3, (0, 1, 2)),
]


@pytest.mark.parametrize("puzzle", SOME[:2] + SOME[3:6] + SOME[7:], ids=str)
def test_distances_agree_with_the_oracle(puzzle):
    known = naive.distances(puzzle.rings, puzzle.beads, puzzle.places)
    found = whole(puzzle)
    assert found.by_clicks == tuple(count for _, count in sorted(Counter(known.values()).items()))
    assert found.gods_number == max(known.values())
    assert found.reached == len(known) <= found.states
    assert found.mean_clicks == pytest.approx(sum(known.values()) / len(known))
    assert all(known[state.text] == found.gods_number for state in found.farthest)


def test_three_rings_of_four():
    found = whole(Puzzle(3, 4, (0, 3)))
    assert found.states == found.reached == 34_650
    assert found.gods_number == 11
    assert found.by_clicks == (1, 2, 12, 54, 196, 800, 2796, 7213, 10806, 9470, 3144, 156)


@pytest.mark.parametrize(
    ("puzzle", "states", "gods_number"),
    [(Puzzle(3, 5, (0, 4)), 756_756, 14), (Puzzle(4, 3, (0, 2)), 369_600, 12), (Puzzle(5, 2, (0,)), 113_400, 12)],
    ids=str,
)
def test_figures_that_must_stay(puzzle, states, gods_number):
    found = whole(puzzle)
    assert (found.states, found.reached, found.gods_number) == (states, states, gods_number)


@pytest.mark.parametrize("puzzle", [Puzzle(3, 4, (0, 3)), Puzzle(2, 7, (0, 6)), Puzzle(4, 3, (0, 2))], ids=str)
def test_the_farthest_states_are_proved_so_far_away_by_search_too(puzzle):
    found = whole(puzzle)
    for state in found.farthest:
        proved = shortest(state, max_clicks=20)
        assert proved.moves is not None
        assert len(proved.moves) == found.gods_number


def test_a_puzzle_that_falls_apart():
    found = whole(Puzzle(2, 4, (0, 2)))
    assert (found.states, found.reached) == (70, 6)


def test_layers_come_one_by_one():
    seen = list(listing(TINY[0]))
    assert seen[:3] == [(1,), (1, 2), (1, 2, 12)]
    assert seen[-1] == whole(TINY[0]).by_clicks


def test_the_usual_puzzle_is_too_big():
    assert placings(FIVE) == 3_177_459_078_523_411_968_000
    with pytest.raises(InvalidInputError, match=f"at most {MAX_STATES:,} are listed whole"):
        whole(FIVE)


@pytest.mark.parametrize("puzzle", SOME, ids=str)
def test_the_definition_file_describes_the_same_puzzle(puzzle):
    by_clicks = whole(puzzle).by_clicks
    depth = min(5, len(by_clicks) - 1)
    assert naive.counts_by_definition(puzzle.tws(), depth) == list(by_clicks[: depth + 1])


def test_the_definition_file_of_the_usual_puzzle():
    # Known figures, on which independent programs agree.
    assert naive.counts_by_definition(FIVE.tws(), 4) == [1, 2, 22, 160, 980]
