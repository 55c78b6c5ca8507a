"""Runs against the oracle: which nodes a supposition reaches, in which order, how complex, and where it contradicts itself."""

import numpy as np
import pytest
from naive import rating as naive
from naive.suppositions import Supposition

from engine.sudoku.grid import parse
from engine.sudoku.rating._extra import make_run
from engine.sudoku.rating._run import (
    D_LEVEL,
    D_MODE,
    D_SIZE,
    DYNAMIC,
    FIELDS,
    NISHIO,
    R_CLASH,
    R_COUNT,
    R_END,
    R_NODE,
    R_SIZE,
    STATIC,
)
from engine.sudoku.rating._state import GRID_SIZE, load

pytestmark = pytest.mark.small

# "AI Escargot" by A. Inkala.
PUZZLE = "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3.."
NODES = [
    2 * (9 * cell + digit) + on for cell, digit, on in ((1, 1, 1), (10, 5, 0), (20, 7, 1), (41, 5, 1), (53, 2, 0), (60, 8, 1))
]


@pytest.mark.parametrize("node", NODES)
@pytest.mark.parametrize(
    ("mode", "level", "options"),
    [
        (NISHIO, 0, {"dynamic": True, "one_digit": True}),
        (STATIC, 0, {"dynamic": False, "one_digit": False}),
        (DYNAMIC, 0, {"dynamic": True, "one_digit": False}),
        (DYNAMIC, 1, {"dynamic": True, "one_digit": False, "plus": True}),
    ],
)
def test_a_run_is_that_of_the_oracle(node: int, mode: int, level: int, options: dict[str, bool]) -> None:
    grid, scratch = np.zeros(GRID_SIZE, np.int64), np.zeros(D_SIZE, np.int64)
    run = np.zeros(R_SIZE, np.int16)
    load(grid, parse(PUZZLE).astype(np.int64))
    scratch[D_MODE], scratch[D_LEVEL] = mode, level
    make_run(grid, scratch, run, node)
    ours = {as_key(int(run[R_NODE + FIELDS * n])): int(run[R_COUNT + FIELDS * n]) for n in range(run[R_END])}

    theirs = Supposition(naive.Grid(PUZZLE), as_key(node), **options)
    assert list(ours.items()) == [(key, theirs.size(key)) for key in theirs.above]
    assert bool(run[R_CLASH]) == (theirs.clash is not None)
    if theirs.clash is not None:
        assert run[R_COUNT + FIELDS * (run[R_CLASH] - 1)] + run[R_COUNT + FIELDS * run[R_END]] == theirs.clash


def as_key(node: int) -> tuple[int, int, bool]:
    return node // 18, node // 2 % 9 + 1, node % 2 == 1
