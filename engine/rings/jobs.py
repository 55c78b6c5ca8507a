"""The job kinds of the five rings, and how their results are checked again."""

from typing import Any

from engine.jobs import JobKind
from engine.registry import Family
from engine.rings.prove_job import ProveKind
from engine.rings.scramble_job import ScrambleKind
from engine.rings.solve_job import SolveKind
from engine.rings.verify import verify

KINDS: tuple[JobKind[Any], ...] = (ScrambleKind(), SolveKind(), ProveKind())

FAMILY = Family(name="rings", title="Five rings", verify=verify)
