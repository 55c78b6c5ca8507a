"""The job kind `sudoku.rate`: rate a list of puzzles, each with its solution and the proof that it is the only one."""

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from pydantic import Field

from engine.jobs import (
    ChunkResult,
    ChunkRun,
    ChunkSpec,
    Estimate,
    InputKind,
    JobOutcome,
    JsonObject,
    Params,
    Slice,
    StagePlan,
)
from engine.sudoku import canon, grid, solve
from engine.sudoku.lists import plan_list, total_counts
from engine.sudoku.rating import levels, ratings
from engine.sudoku.records import SudokuRecord
from engine.sudoku.solve_job import SolveParams, solve_records

LARGEST_CHUNK: Final = 400
"""Puzzles a chunk: a fifth of a second for random minimal puzzles, up to twenty minutes for lists of the hardest known."""
SMALLEST_CHUNK: Final = 50
SLICE: Final = 50
"""Puzzles between two heartbeats at most."""
PATIENCE: Final = 2.0
"""Seconds after which a heartbeat comes in between: the hardest puzzles take a second or two each, a few more."""
PUZZLES_PER_CORE_SECOND: Final = 600
"""A third of what is measured on random minimal puzzles, to be careful."""


class RateParams(Params):
    """Parameters of `sudoku.rate`."""

    max_effort: float = Field(
        default=ratings.MOST_EFFORT,
        ge=ratings.EFFORTS[0],
        le=ratings.MOST_EFFORT,
        description="Highest base rating of chains that are searched; puzzles that need more get a lower bound (8.5 to 10.5)",
    )


class RateJob:
    """See the module."""

    name = "sudoku.rate"
    family = "sudoku"
    summary = "Rate a list of sudokus on the SE 1.2.1 scale (ER/EP/ED), with level and score"
    input = InputKind.LINES
    params_model = RateParams

    def parse_line(self, text: str) -> str | None:
        """Return the puzzle in normal form; see `engine.sudoku.grid.parse_line`."""
        return grid.parse_line(text)

    def plan(self, params: RateParams, items: Sequence[str]) -> StagePlan:  # noqa: ARG002  # the contract's signature
        """Cut the list into chunks of equal size, at least eight if it is not tiny, so that every core has some."""
        return plan_list(items, "rate", SMALLEST_CHUNK, LARGEST_CHUNK)

    def next_stage(self, params: RateParams, outcome: JobOutcome) -> None:  # noqa: ARG002  # the contract's signature
        """Return None: one stage does it."""
        return

    def summarize(self, params: RateParams, outcome: JobOutcome) -> JsonObject:  # noqa: ARG002  # the contract's signature
        """Return how many puzzles there were of each level, how many ratings are bounds, and how many could not be rated."""
        total = total_counts(outcome)
        by_level = {name: total.pop(name) for name in levels.NAMES if name in total}
        return {"puzzles": total.pop("puzzles", 0), **by_level, **dict(sorted(total.items())), "distinct": outcome.distinct}

    def estimate(self, params: RateParams, items: Sequence[str]) -> Estimate:  # noqa: ARG002  # the contract's signature
        """Return the time for the list's length."""
        return Estimate(len(items) / PUZZLES_PER_CORE_SECOND)

    def warm(self) -> None:
        """Compile or load the solver, the canonical form and the rater."""
        solve.warm()
        canon.warm()
        ratings.warm()

    def run(self, spec: ChunkSpec) -> ChunkRun:
        """Rate the chunk's puzzles; one that has no or several solutions gets a record without a rating."""
        puzzles: list[str] = spec.payload["puzzles"]
        counts: Counter[str] = Counter(puzzles=len(puzzles))
        records: list[SudokuRecord] = []
        effort = RateParams.model_validate(spec.params).max_effort
        for start in range(0, len(puzzles), SLICE):
            seen = time.monotonic()
            yield Slice(start, len(puzzles))
            for record in rate_records(puzzles[start : start + SLICE], effort):
                if time.monotonic() - seen > PATIENCE:
                    seen = time.monotonic()
                    yield Slice(len(records), len(puzzles))
                records.append(record)
                if record.rating is None:
                    counts[f"not rated: {record.status if '.' in record.puzzle else 'solved already'}"] += 1
                else:
                    counts[record.rating.level] += 1
                    counts["bound"] += record.rating.bound
        yield Slice(len(puzzles), len(puzzles))
        return ChunkResult(records, dict(sorted(counts.items())))


def rate_records(puzzles: list[str], max_effort: float = ratings.MOST_EFFORT) -> Iterator[SudokuRecord]:
    """Yield the records of puzzles in normal form without conflicting givens, in order, rated if there is something to rate.

    That is: if there is exactly one solution, and it is not filled in already.

    A puzzle is rated as it is given: the SE rating breaks ties by scan order, so that its canonical form may differ by 0.1.
    """
    for record in solve_records(puzzles, SolveParams()):
        wanted = record.status == solve.Status.UNIQUE and "." in record.puzzle
        yield replace(record, rating=ratings.rate(record.puzzle, max_effort)) if wanted else record


RATE: Final = RateJob()
"""The job kind."""
