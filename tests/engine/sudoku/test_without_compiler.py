"""The kernels as ordinary Python give what they give compiled."""

import json
import os
import subprocess
import sys

PROGRAM = """
import json, sys
import numpy as np
from engine.sudoku import canon, grid, solve
from engine.sudoku.dig import dig
from engine.sudoku.fullgrid import draw_grids
from engine.sudoku.symmetry import Symmetry, orbits
puzzles = json.loads(sys.argv[1])
cells = grid.to_cells(puzzles)
solved = solve.solve_many(cells)
grids, complete, weights = draw_grids(5, 0, 8)
# Ten turns of digging: more would take long without the compiler, and are the same again.
turns = np.arange(10, dtype=np.uint8).reshape(1, 10)
dug = dig(solved.solutions[:1], orbits(Symmetry.NONE), turns, np.zeros(1, np.int64))
print(json.dumps([
    grid.to_texts(solved.solutions), grid.to_texts(solved.second), solved.counts.tolist(), canon.canonical_texts(puzzles),
    grid.to_texts(grids), complete.tolist(), weights.tolist(), grid.to_texts(dug),
]))
"""
PUZZLES = [
    ".................1.....2.3......3.2...1.4......5....6..3......4.7..8...962...7...",
    ".6...8..7.5.61..9....2.....72...3..5..5..1...9.1..23.6....5..2.......16....3..7.8",
    "123456789" + "." * 72,
    "12345678.........9" + "." * 63,
    "953168742862734951417952836746893125281645397395271468138529674574386219629417583",
]


def run(**environment):
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", PROGRAM, json.dumps(PUZZLES)],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=250,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_same_results_without_the_compiler():
    assert run(NUMBA_DISABLE_JIT="1") == run(NUMBA_DISABLE_JIT="0")
