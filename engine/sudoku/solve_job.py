"""The job kind `sudoku.solve`: solve a list, and prove for each puzzle that it has one solution (or has not)."""

from collections import Counter
from collections.abc import Sequence
from typing import Annotated

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
from engine.sudoku.minimal import are_minimal
from engine.sudoku.records import SudokuRecord

LARGEST_CHUNK = 3000
"""Puzzles a chunk: what a database takes well in one transaction; the engine itself needs a tenth of a second."""
SMALLEST_CHUNK = 100
PUZZLES_PER_CORE_SECOND = 25_000
"""With canonical forms and records; half of what is measured, to be careful."""


class SolveParams(Params):
    """Parameters of `sudoku.solve`."""

    limit: Annotated[
        int,
        Field(
            ge=2,
            le=10_000,
            description="Stop counting a puzzle's solutions here; 2 is enough to prove uniqueness.",
            examples=[2],
        ),
    ] = 2
    minimal: Annotated[
        bool, Field(description="Find out whether each puzzle is minimal (no given can be removed).", examples=[True])
    ] = False


class SolveJob:
    """See the module."""

    name = "sudoku.solve"
    family = "sudoku"
    summary = "Solve a list of sudokus and prove that each has exactly one solution"
    input = InputKind.LINES
    params_model = SolveParams

    def parse_line(self, text: str) -> str | None:
        """Return the puzzle in normal form; see `engine.sudoku.grid.parse_line`."""
        return grid.parse_line(text)

    def plan(self, params: SolveParams, items: Sequence[str]) -> StagePlan:  # noqa: ARG002  # the contract's signature
        """Cut the list into chunks of equal size, at least eight if it is not tiny, so that every core has some."""
        return plan_list(items, "solve", SMALLEST_CHUNK, LARGEST_CHUNK)

    def next_stage(self, params: SolveParams, outcome: JobOutcome) -> None:  # noqa: ARG002  # the contract's signature
        """Return None: one stage does it."""
        return

    def summarize(self, params: SolveParams, outcome: JobOutcome) -> JsonObject:  # noqa: ARG002  # the contract's signature
        """Return how many puzzles there were of each status, and how many different ones."""
        total = total_counts(outcome)
        return {**dict(sorted(total.items())), "distinct": outcome.distinct}

    def estimate(self, params: SolveParams, items: Sequence[str]) -> Estimate:  # noqa: ARG002  # the contract's signature
        """Return the time for the list's length; hard puzzles may take more."""
        return Estimate(len(items) / PUZZLES_PER_CORE_SECOND)

    def warm(self) -> None:
        """Compile or load the solver and the canonical form."""
        solve.warm()
        canon.warm()

    def run(self, spec: ChunkSpec) -> ChunkRun:
        """Solve the chunk's puzzles."""
        params = SolveParams.model_validate(spec.params)
        puzzles: list[str] = spec.payload["puzzles"]
        yield Slice(0, len(puzzles))
        records = solve_records(puzzles, params)
        counts = Counter(record.status for record in records)
        yield Slice(len(puzzles), len(puzzles))
        return ChunkResult(records, {"puzzles": len(puzzles), **dict(sorted(counts.items()))})


def solve_records(puzzles: list[str], params: SolveParams) -> list[SudokuRecord]:
    """Return the records of puzzles in normal form without conflicting givens, in order."""
    cells = grid.to_cells(puzzles)
    solved = solve.solve_many(cells, params.limit)
    solutions = grid.to_texts(solved.solutions)
    forms = canon.canonicalize(cells)
    canonicals = grid.to_texts(forms.cells)
    unique = solved.counts == 1
    minimal: dict[int, bool] = {}
    if params.minimal:
        proved = are_minimal(cells[unique], solved.solutions[unique])
        minimal = dict(zip(unique.nonzero()[0].tolist(), proved.tolist(), strict=True))
    clues = (cells > 0).sum(axis=1).tolist()
    status = {0: solve.Status.NONE, 1: solve.Status.UNIQUE}
    return [
        SudokuRecord(
            puzzle=puzzle,
            canonical=canonicals[i],
            status=str(status.get(count, solve.Status.MULTIPLE)),
            solution=solutions[i] if count else None,
            solutions_found=count,
            clues=clues[i],
            automorphisms=automorphisms,
            minimal=minimal.get(i),
        )
        for i, (puzzle, count, automorphisms) in enumerate(
            zip(puzzles, solved.counts.tolist(), forms.automorphisms.tolist(), strict=True)
        )
    ]
