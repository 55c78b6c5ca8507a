"""Make sudoku banks: unique puzzles drawn at random, filtered, with canonical form and rating."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
import numpy.typing as npt

from engine.sudoku import canon, grid
from engine.sudoku.bias import BiasedPuzzles, weight_of
from engine.sudoku.dig import Digger
from engine.sudoku.minimal import are_minimal
from engine.sudoku.neighbours import Neighbours
from engine.sudoku.records import Rating, SudokuRecord
from engine.sudoku.solve import Status
from engine.sudoku.symmetry import Symmetry, has_symmetry, orbits
from engine.sudoku.wish import FILLED, Sampling, Wish

_RATED_AT_ONCE: Final = 512
_MADE_AT_ONCE: Final = 1024
_STEERED_AT_ONCE: Final = 256  # the search turns to what it has found that often
_SLOW_AT_ONCE: Final = {Sampling.CONTROLLED_BIAS: 64, FILLED: 16}  # a second or two


@dataclass(frozen=True, slots=True)
class Batch:
    """Accepted puzzles, in the order in which they were made, and how many were made since the previous batch."""

    records: list[SudokuRecord]
    tried: int


class _Source(Protocol):
    def take(self, count: int) -> tuple[grid.Cells, grid.Cells]: ...


@dataclass(frozen=True, slots=True)
class _Made:
    """Puzzles (n, 81), their solutions, and what their records have as sampling; a blank is a puzzle that was not found."""

    puzzles: grid.Cells
    solutions: grid.Cells
    sampling: str

    def part(self, rows: npt.NDArray[np.intp]) -> "_Made":
        return _Made(self.puzzles[rows], self.solutions[rows], self.sampling)


def _digger(seed: int, wish: Wish) -> Digger:
    targets = None
    if not wish.minimal and wish.clues is not None:
        targets = (int(np.ceil(wish.clues.low)), int(wish.clues.high))
    return Digger(seed, wish.symmetry, targets, wish.pattern)


def _searcher(seed: int, wish: Wish) -> Neighbours:
    masks = orbits(wish.symmetry) if wish.pattern is None else wish.pattern.removable(wish.symmetry)
    return Neighbours(seed, masks, _digger(seed, wish), patient=wish.sampling is Sampling.AUTO)


def generate(seed: int, wanted: int, wish: Wish, attempts: int, near: Sequence[str] = ()) -> Iterator[Batch]:
    """Yield batches until `wanted` different puzzles were accepted, or `attempts` were made for each wanted one.

    Different means: no two are equivalent. What is accepted, and the sum of `tried`, depend on the arguments alone. A directed
    search begins with the puzzles in `near` (81 characters each), those left out that lack the symmetry, keep not to the
    pattern, or have not one solution; they and what is equivalent to them are not made again.
    """
    found = (
        _directed(seed, wanted, wish, attempts * wanted, near)
        if wish.directed
        else _drawn(seed, wanted, wish, attempts * wanted)
    )
    yield from found


def _drawn(seed: int, wanted: int, wish: Wish, budget: int) -> Iterator[Batch]:
    """Take puzzles from a source that no verdict changes."""
    biased = wish.sampling is Sampling.CONTROLLED_BIAS
    source: _Source = BiasedPuzzles(seed) if biased else _digger(seed, wish)
    sampling = FILLED if wish.pattern else Sampling.CONTROLLED_BIAS if biased else Sampling.TOP_DOWN
    size = min(_SLOW_AT_ONCE.get(sampling, _RATED_AT_ONCE if wish.rate else _MADE_AT_ONCE), max(16, wanted))
    seen: set[str] = set()
    while len(seen) < wanted and budget > 0:
        count = min(size, budget)
        made = _Made(*source.take(count), sampling)
        rows, ratings = _judge(made, wish)
        records = []
        tried = count
        for row, record in zip(rows.tolist(), _records(made.part(rows), ratings, wish), strict=True):
            if record.canonical not in seen:
                seen.add(record.canonical)
                records.append(record)
                if len(seen) == wanted:
                    tried = row + 1
                    break
        budget -= count
        yield Batch(records, tried)


def _directed(seed: int, wanted: int, wish: Wish, budget: int, near: Sequence[str]) -> Iterator[Batch]:
    """Tell the source of each puzzle how near it is to the wish, and take so many of a family and no more."""
    source = _searcher(seed, wish)
    seen = _begin(source, wish, near) if near else set()
    size = min(_STEERED_AT_ONCE, max(16, wanted)) if wish.rate else min(_MADE_AT_ONCE, max(128, wanted))
    of_family: Counter[int] = Counter()
    accepted = 0
    while accepted < wanted and budget > 0:
        count = min(size, budget)
        sampling = Sampling.NEIGHBOURS if source.moving or wish.sampling is Sampling.NEIGHBOURS else Sampling.TOP_DOWN
        puzzles, solutions, families = source.take(count)
        made = _Made(puzzles, solutions, sampling)
        rows, ratings = _judge(made, wish, learner=source, families=families)
        records = []
        tried = count
        for row, record in zip(rows.tolist(), _records(made.part(rows), ratings, wish), strict=True):
            family = int(families[row])
            if record.canonical in seen or of_family[family] == wish.per_family:
                continue
            seen.add(record.canonical)
            of_family[family] += 1
            if of_family[family] == wish.per_family:
                source.retire(family)
            records.append(record)
            if accepted + len(records) == wanted:
                tried = row + 1
                break
        accepted += len(records)
        budget -= count
        yield Batch(records, tried)


def _begin(source: Neighbours, wish: Wish, near: Sequence[str]) -> set[str]:
    """Tell the source of known puzzles; return the canonical forms of all, that they be not made again."""
    cells = grid.to_cells(near)
    allowed = np.ones(81, bool) if wish.pattern is None else wish.pattern.allowed
    fit = np.array([has_symmetry(puzzle, wish.symmetry) and not puzzle[~allowed].any() for puzzle in cells])
    puzzles, solutions, families = source.begin_with(cells[fit])
    _judge(_Made(puzzles, solutions, Sampling.NEIGHBOURS), wish, learner=source, families=families)
    return set(grid.to_texts(canon.canonicalize(cells).cells))


def _judge(
    made: _Made, wish: Wish, *, learner: Neighbours | None = None, families: npt.NDArray[np.int64] | None = None
) -> tuple[npt.NDArray[np.intp], list[Rating | None]]:
    """Return which puzzles satisfy the wish, and their ratings. The learner is told of all but blank ones."""
    clues = (made.puzzles > 0).sum(axis=1)
    rows = np.flatnonzero(clues)
    if wish.clues is not None and learner is None:
        rows = rows[(clues[rows] >= wish.clues.low) & (clues[rows] <= wish.clues.high)]
    if wish.minimal and wish.pattern is not None and wish.pattern.exact:
        rows = rows[are_minimal(made.puzzles[rows], made.solutions[rows])]
    ratings: list[Rating | None] = [None] * len(rows)
    if wish.rate and len(rows):
        from engine.sudoku.rating import rate_many  # noqa: PLC0415  # rating imports this package; only rated banks need it

        ratings = list(rate_many(grid.to_texts(made.puzzles[rows])))
    faults = np.array([wish.distance(n, rating) for n, rating in zip(clues[rows].tolist(), ratings, strict=True)], float)
    if learner is not None and families is not None:
        learner.learn(made.puzzles[rows], made.solutions[rows], families[rows], faults)
    good = np.flatnonzero(faults == 0)
    return rows[good], [ratings[i] for i in good.tolist()]


def _records(made: _Made, ratings: Sequence[Rating | None], wish: Wish) -> Iterator[SudokuRecord]:
    clues = (made.puzzles > 0).sum(axis=1)
    forms = canon.canonicalize(made.puzzles)
    minimal = np.ones(len(clues), bool)
    if not wish.minimal or wish.symmetry is not Symmetry.NONE:
        minimal = are_minimal(made.puzzles, made.solutions)
    texts = zip(grid.to_texts(made.puzzles), grid.to_texts(made.solutions), grid.to_texts(forms.cells), strict=True)
    for i, (puzzle, solution, canonical) in enumerate(texts):
        yield SudokuRecord(
            puzzle=puzzle,
            canonical=canonical,
            status=str(Status.UNIQUE),
            solution=solution,
            solutions_found=1,
            clues=int(clues[i]),
            automorphisms=int(forms.automorphisms[i]),
            minimal=bool(minimal[i]),
            symmetry=str(wish.symmetry),
            sampling=str(made.sampling),
            weight=weight_of(int(clues[i])) if made.sampling == Sampling.CONTROLLED_BIAS else None,
            rating=ratings[i],
        )
