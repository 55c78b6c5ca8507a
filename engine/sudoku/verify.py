"""Stored sudoku results checked again: everything that a record claims is computed anew."""

from collections.abc import Iterable, Iterator
from itertools import islice

from engine.errors import EngineError
from engine.jobs import Record
from engine.sudoku import canon, grid, solve
from engine.sudoku.bias import weight_of
from engine.sudoku.minimal import are_minimal
from engine.sudoku.records import SudokuRecord
from engine.sudoku.symmetry import Symmetry, has_symmetry

_AT_ONCE = 1024


def verify(records: Iterable[Record]) -> Iterator[str | None]:
    """Yield for each record, in order, None if it holds, else what is wrong with it.

    Checked: the solution, the number of solutions, the canonical form and its automorphisms, minimality and symmetry where
    claimed, the weight and the rating where there is one.
    """
    stream = iter(records)
    while batch := list(islice(stream, _AT_ONCE)):
        yield from _verify_batch(batch)


def _verify_batch(batch: list[Record]) -> list[str | None]:
    verdicts: list[str | None] = [None] * len(batch)
    sound: list[tuple[int, SudokuRecord]] = []
    for i, record in enumerate(batch):
        if not isinstance(record, SudokuRecord):
            verdicts[i] = f"not a sudoku record but {type(record).__name__}"
            continue
        try:
            well_formed = grid.parse_puzzle(record.puzzle) == record.puzzle
        except grid.ConflictError as error:
            verdicts[i] = None if record.status == solve.Status.INVALID else f"the puzzle is invalid: {error}"
            continue
        except grid.GridError as error:
            verdicts[i] = f"the puzzle cannot be read: {error}"
            continue
        if well_formed:
            sound.append((i, record))
        else:
            verdicts[i] = "the puzzle is not in normal form"
    for limit in sorted({_limit(record) for _, record in sound}):
        part = [(i, record) for i, record in sound if _limit(record) == limit]
        found = _check([record for _, record in part], limit)
        for (i, _), verdict in zip(part, found, strict=True):
            verdicts[i] = verdict
    return verdicts


def _limit(record: SudokuRecord) -> int:
    return max(2, record.solutions_found)


def _check(records: list[SudokuRecord], limit: int) -> list[str | None]:
    cells = grid.to_cells(record.puzzle for record in records)
    solved = solve.solve_many(cells, limit)
    solutions = grid.to_texts(solved.solutions)
    forms = canon.canonicalize(cells)
    canonicals = grid.to_texts(forms.cells)
    minimal = are_minimal(cells, solved.solutions)
    verdicts = []
    for i, record in enumerate(records):
        count = int(solved.counts[i])
        status = solve.Status.NONE if count == 0 else solve.Status.UNIQUE if count == 1 else solve.Status.MULTIPLE
        faults = [
            _fault("status", record.status, str(status)),
            _fault("solutions found", record.solutions_found, count),
            _fault("solution", record.solution, solutions[i] if count else None),
            _fault("clues", record.clues, int((cells[i] > 0).sum())),
            _fault("canonical form", record.canonical, canonicals[i]),
            None
            if record.automorphisms is None
            else _fault("automorphisms", record.automorphisms, int(forms.automorphisms[i])),
            None if record.minimal is None else _fault("minimal", record.minimal, bool(count == 1 and minimal[i])),
            None if record.symmetry is None else _symmetry_fault(record.symmetry, cells[i]),
            None if record.weight is None else _fault("weight", record.weight, weight_of(record.clues)),
            None if record.rating is None else _rating_fault(record),
        ]
        verdicts.append("; ".join(fault for fault in faults if fault) or None)
    return verdicts


def _fault(what: str, stored: object, computed: object) -> str | None:
    return None if stored == computed else f"{what}: stored {stored}, computed {computed}"


def _symmetry_fault(name: str, cells: grid.Cells) -> str | None:
    if name not in set(Symmetry):
        return f"symmetry: unknown name {name!r}"
    return None if has_symmetry(cells, Symmetry(name)) else f"symmetry: stored {name}, but the givens do not have it"


def _rating_fault(record: SudokuRecord) -> str | None:
    """Rate anew, and hold every step of the path against the solution."""
    from engine.sudoku.rating import check, explain  # noqa: PLC0415  # rating imports this package; only rated records need it

    assert record.rating is not None
    try:
        explanation = explain(record.puzzle)
    except EngineError as error:
        return f"rating: stored {record.rating}, but {error}"
    if record.rating.rater != explanation.rating.rater:
        return None  # made by another version of the rater: not comparable
    fault = None if record.solution is None else check(explanation, record.solution)
    if fault:
        return f"rating: {fault}"
    if record.rating.bound:  # perhaps rated with less effort: the exact rating must only not be below it
        return (
            None
            if explanation.er >= record.rating.er
            else f"rating: stored at least {record.rating.er}, computed {explanation.er}"
        )
    return _fault("rating", record.rating, explanation.rating)
