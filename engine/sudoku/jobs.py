"""The sudoku family's job kinds."""

from typing import Any

from engine.jobs import JobKind
from engine.registry import Family
from engine.sudoku.generate_job import GenerateJob
from engine.sudoku.rating.job import RATE
from engine.sudoku.solve_job import SolveJob
from engine.sudoku.verify import verify

KINDS: tuple[JobKind[Any], ...] = (GenerateJob(), SolveJob(), RATE)
FAMILY = Family(name="sudoku", title="Sudoku banks", verify=verify)
