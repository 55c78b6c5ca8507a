"""Laws that hold for any puzzle: steps are true, paths are the oracle's, and nothing crashes."""

import os
import subprocess
import sys

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import rating as naive

from engine.errors import InvalidInputError
from engine.sudoku.dig import Digger
from engine.sudoku.fullgrid import FullGrids
from engine.sudoku.grid import to_text, to_texts
from engine.sudoku.rating import check, explain, rate

LOOP = "..6439.5.5....2.........9......4..1..1.8..39.7.....6..69..8...4.8........3...6..2"
CHAINS = "7..9..6.2.4.8.....89..1...3.2.....36..73...1...5...2..4...6.........3..1..3..25.."
"""The first needs a loop of ten cells, the second suppositions of every kind; made for the tests of techniques."""

seeds = st.integers(0, 2**63 - 1)


@settings(max_examples=25, deadline=None)
@given(seeds)
def test_every_step_is_true_for_random_minimal_puzzles(seed: int) -> None:
    puzzles, solutions = Digger(seed).take(8)
    for puzzle, solution in zip(to_texts(puzzles), to_texts(solutions), strict=True):
        assert check(explain(puzzle), solution) is None


@settings(max_examples=8, deadline=None)
@given(seeds)
def test_paths_are_those_of_the_oracle(seed: int) -> None:
    """Up to the first step above 7.0, where the oracle becomes too slow for a test."""
    puzzle = to_text(Digger(seed).take(1)[0][0])
    theirs = naive.path(puzzle, 7.0)
    ours = [naive.Hint(s.technique, round(s.rating * 10), s.place, frozenset(s.remove)) for s in explain(puzzle).steps]
    assert ours[: len(theirs)] == theirs
    assert len(ours) == len(theirs) or theirs[-1].rating > 70


@settings(max_examples=50, deadline=None)
@given(seeds, st.integers(0, 81))
def test_any_part_of_a_full_grid_can_be_asked_for(seed: int, kept: int) -> None:
    """Also with many solutions, where unique rectangles reason wrongly, a path ends in a rating or in a clear refusal."""
    cells = FullGrids(seed).take(1)[0]
    cells[np.random.default_rng(seed).permutation(81)[kept:]] = 0
    try:
        rating = rate(to_text(cells), 9.0)
    except InvalidInputError:
        return
    assert 0 <= rating.ed <= rating.ep <= rating.er


@settings(max_examples=50, deadline=None)
@given(st.text(alphabet=".123456789", min_size=81, max_size=81))
def test_any_81_characters_are_rated_or_refused(text: str) -> None:
    try:
        rate(text, 9.0)
    except InvalidInputError:
        return


def test_kernels_run_without_the_compiler() -> None:
    """The whole chain of searches in plain Python: puzzles with a loop, with chains, and without a path."""
    program = (
        "from engine.sudoku.rating import rate\n"
        f"for p in ('{LOOP}', '{CHAINS}', '.' * 81):\n"
        "    r = rate(p, 8.5); print(r.er, r.ep, r.ed, r.bound)\n"
    )
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    shown = subprocess.run(
        [sys.executable, "-W", "error", "-c", program], env=environment, capture_output=True, text=True, check=True
    )
    assert shown.stdout.splitlines()[0] == "5.0 1.2 1.2 False"
    assert shown.stdout.splitlines()[1] == "8.8 1.2 1.2 False"
    assert shown.stdout.splitlines()[2].endswith("True")
