"""No kernel of the rater computes a negative index: their machine code would read or write outside the array."""

import json
import os
import subprocess
import sys

PROGRAM = """
import importlib, json, pkgutil, sys
import numpy as np
from engine.sudoku import rating
from engine.sudoku.grid import parse
from engine.sudoku.rating import _path, _state, _suppositions, ratings

class Forward(np.ndarray):
    "An array that refuses negative indices."
    def check(self, index):
        for part in index if isinstance(index, tuple) else (index,):
            if isinstance(part, (int, np.integer)) and part < 0:
                raise IndexError(f"negative index {index}")
    def __getitem__(self, index):
        self.check(index)
        return super().__getitem__(index)
    def __setitem__(self, index, value):
        self.check(index)
        super().__setitem__(index, value)

def guard(holder):
    for name, value in list(vars(holder).items()):
        if isinstance(value, np.ndarray):
            setattr(holder, name, value.view(Forward))

for module in pkgutil.iter_modules(rating.__path__):
    if module.name.startswith("_"):
        guard(importlib.import_module("engine.sudoku.rating." + module.name))
walker = ratings._local.walker
suppositions = walker.suppositions
below = suppositions._depth(1)
for holder in (walker, suppositions, *suppositions.depths):
    guard(holder)
puzzles, hardest, modes = json.loads(sys.argv[1])
print(json.dumps([rating.rate(puzzle).er for puzzle in puzzles]))
grid = np.zeros(_state.GRID_SIZE, np.int64).view(Forward)
_state.load(grid, parse(hardest).astype(np.int64))
for mode, level in modes:
    suppositions.one_run(grid, 21, mode, level)
"""
# Exclusions, a cycle, a long loop and a grave on the way; then a run of the hardest with each kind of nesting.
PUZZLES = {
    ".....27....2..........94..3.8..3....3....9...5.6.1.8.......82.6.2..6...47..5...1.": 7.5,
    "86..9........63.12.1..7...3..1..........8.94.7.95.......4....8.......1.6.....1.2.": 6.6,
    "....6..75..8.......7.3.21.....7.32.....9.13...3.48....74...8.1.......7....1....93": 5.8,
}
HARDEST = "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3.."
MODES = [(0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (2, 3)]


def test_no_kernel_computes_a_negative_index() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", PROGRAM, json.dumps([list(PUZZLES), HARDEST, MODES])],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=280,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == list(PUZZLES.values())
