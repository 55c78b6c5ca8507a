"""The sudoku family's job kinds."""

from typing import Any

from engine.jobs import JobKind
from engine.registry import Family
from engine.sudoku.solve_job import SolveJob
from engine.sudoku.verify import verify

SOLVE = SolveJob()
KINDS: tuple[JobKind[Any], ...] = (SOLVE,)
FAMILY = Family(name="sudoku", title="Sudoku banks", verify=verify)
