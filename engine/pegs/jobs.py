"""The peg solitaire family: its job kinds, and how its stored results are checked again."""

from typing import Any

from engine.jobs import JobKind
from engine.pegs.enumerate_job import Enumerate
from engine.pegs.solve_job import Solve
from engine.pegs.verify import verify
from engine.registry import Family

KINDS: tuple[JobKind[Any], ...] = (Enumerate(), Solve())

FAMILY = Family("pegs", "Peg solitaire", verify)
