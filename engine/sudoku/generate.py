"""Make sudoku banks: unique puzzles drawn at random, filtered, with canonical form and rating."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import numpy as np

from engine.sudoku import canon, grid
from engine.sudoku.bias import BiasedPuzzles, weight_of
from engine.sudoku.dig import Digger
from engine.sudoku.minimal import are_minimal
from engine.sudoku.neighbours import Neighbours
from engine.sudoku.ranges import Range
from engine.sudoku.records import Rating, SudokuRecord
from engine.sudoku.solve import Status
from engine.sudoku.symmetry import Symmetry, orbits, orbits_within

HIGHEST_ER: Final = 11.9
"""The upper end of the SE scale in practice; a range that reaches it is open."""

_RATED_AT_ONCE = 512
_MADE_AT_ONCE = 1024
_BIASED_AT_ONCE = 64  # a second or two


class Sampling(StrEnum):
    """How puzzles are drawn."""

    TOP_DOWN = "top-down"  # a uniform full grid, givens removed in random order; known to favour few givens (mean 24.4)
    CONTROLLED_BIAS = "controlled-bias"  # a puzzle's chance depends on its number of givens alone (mean 25.7); has a weight
    NEIGHBOURS = "neighbours"  # most are near others that were as wished: for rare wishes, not for statistics


@dataclass(frozen=True, slots=True)
class Wish:
    """What is wanted of each puzzle."""

    symmetry: Symmetry = Symmetry.NONE
    sampling: Sampling = Sampling.TOP_DOWN
    minimal: bool = True
    """With a symmetry: minimal within it, that is no orbit of givens can be removed. If false, digging stops within `clues`."""
    pattern: str | None = None
    """Where givens may be: 81 characters, row by row, `x` for may, `.` for must not."""
    clues: Range | None = None
    er: Range | None = None
    level: str | None = None
    techniques: frozenset[str] = frozenset()
    """The path of the rating must use each of these."""
    no_techniques: frozenset[str] = frozenset()
    """It must use none of these."""
    rate: bool = True

    @property
    def selective(self) -> bool:
        """Whether some of the puzzles made will be refused."""
        return self.steering or self.pattern is not None

    @property
    def steering(self) -> bool:
        """Whether it can be said how near a puzzle is."""
        return bool(self.er or self.level or self.clues or self.techniques or self.no_techniques)


@dataclass(frozen=True, slots=True)
class Batch:
    """Accepted puzzles, in the order in which they were made, and how many were made since the previous batch."""

    records: list[SudokuRecord]
    tried: int


def _source(seed: int, wish: Wish) -> Digger | BiasedPuzzles | Neighbours:
    if wish.sampling is Sampling.CONTROLLED_BIAS:
        return BiasedPuzzles(seed)
    targets = None
    if not wish.minimal and wish.clues is not None:
        targets = (int(np.ceil(wish.clues.low)), int(wish.clues.high))
    pattern = None if wish.pattern is None else np.array([mark == "x" for mark in wish.pattern])
    digger = Digger(seed, wish.symmetry, targets, pattern)
    if wish.sampling is Sampling.NEIGHBOURS:
        masks = orbits(wish.symmetry) if pattern is None else orbits_within(wish.symmetry, pattern)
        return Neighbours(seed, masks, digger)
    return digger


def generate(seed: int, wanted: int, wish: Wish, attempts: int) -> Iterator[Batch]:
    """Yield batches until `wanted` different puzzles were accepted, or `attempts` were made for each wanted one.

    Different means: no two are equivalent. What is accepted, and the sum of `tried`, depend on the arguments alone.
    """
    source = _source(seed, wish)
    budget = wanted * attempts
    biased = wish.sampling is Sampling.CONTROLLED_BIAS
    size = min(_BIASED_AT_ONCE if biased else _RATED_AT_ONCE if wish.rate else _MADE_AT_ONCE, max(16, wanted))
    seen: set[str] = set()
    accepted = 0
    while accepted < wanted and budget > 0:
        count = min(size, budget)
        records: list[SudokuRecord] = []
        tried = count
        puzzles, solutions = source.take(count)
        for ordinal, record in _judge(puzzles, solutions, wish, source if isinstance(source, Neighbours) else None):
            if record.canonical not in seen:
                seen.add(record.canonical)
                records.append(record)
                if accepted + len(records) == wanted:
                    tried = ordinal + 1
                    break
        accepted += len(records)
        budget -= count
        yield Batch(records, tried)


def _judge(
    puzzles: grid.Cells, solutions: grid.Cells, wish: Wish, learner: Neighbours | None
) -> Iterator[tuple[int, SudokuRecord]]:
    """Yield (ordinal, record) of the puzzles that satisfy the wish, in order. The learner is told of all but blank ones."""
    clues = (puzzles > 0).sum(axis=1)
    keep = np.flatnonzero(clues)
    if wish.clues is not None and learner is None:
        keep = keep[(clues >= wish.clues.low) & (clues <= wish.clues.high)]
    texts = grid.to_texts(puzzles[keep])
    ratings: list[Rating | None] = [None] * len(texts)
    if wish.rate and texts:
        from engine.sudoku.rating import rate_many  # noqa: PLC0415  # rating imports this package; only rated banks need it

        ratings = list(rate_many(texts))
    suits = np.array([rating is None or _suits(rating, wish) for rating in ratings], bool)
    if learner is not None:
        faults = np.array([_distance(n, rating, wish) for n, rating in zip(clues[keep].tolist(), ratings, strict=True)], float)
        faults[~suits] += 1e-3  # a bound may have no distance and still not do
        learner.learn(puzzles[keep], solutions[keep], faults)
        suits &= faults == 0
    good = np.flatnonzero(suits).tolist()
    keep = keep[good]
    texts = [texts[i] for i in good]
    ratings = [ratings[i] for i in good]
    forms = canon.canonicalize(puzzles[keep])
    canonicals = grid.to_texts(forms.cells)
    solved = grid.to_texts(solutions[keep])
    minimal = [True] * len(texts)
    if not wish.minimal or wish.symmetry is not Symmetry.NONE:
        minimal = are_minimal(puzzles[keep], solutions[keep]).tolist()
    for i, ordinal in enumerate(keep.tolist()):
        yield (
            ordinal,
            SudokuRecord(
                puzzle=texts[i],
                canonical=canonicals[i],
                status=str(Status.UNIQUE),
                solution=solved[i],
                solutions_found=1,
                clues=int(clues[ordinal]),
                automorphisms=int(forms.automorphisms[i]),
                minimal=minimal[i],
                symmetry=str(wish.symmetry),
                sampling=str(wish.sampling),
                weight=weight_of(int(clues[ordinal])) if wish.sampling is Sampling.CONTROLLED_BIAS else None,
                rating=ratings[i],
            ),
        )


def _suits(rating: Rating, wish: Wish) -> bool:
    """Return whether a rating surely is what is wanted. One that is a bound is, only if the wish is open above.

    The path of a bound is not known to its end, so that no technique can be ruled out.
    """
    from engine.sudoku.rating.levels import NAMES  # noqa: PLC0415  # rating imports this package; only rated banks need it

    if wish.level is not None and (rating.level != wish.level or (rating.bound and wish.level != NAMES[-1])):
        return False
    if not wish.techniques <= rating.techniques.keys():
        return False
    if wish.no_techniques and (rating.bound or not wish.no_techniques.isdisjoint(rating.techniques)):
        return False
    if wish.er is None:
        return True
    if rating.bound:
        return rating.er >= wish.er.low and wish.er.high >= HIGHEST_ER
    return rating.er in wish.er


def _distance(clues: int, rating: Rating | None, wish: Wish) -> float:
    """Return how far a puzzle is from what is wanted, about in units of ER; 0 if it is that."""
    from engine.sudoku.rating.levels import er_range  # noqa: PLC0415  # rating imports this package

    wanted = [] if wish.er is None else [wish.er]
    distance = 0.0 if wish.clues is None else _outside(clues, wish.clues)
    if rating is None:
        return distance
    if wish.level is not None:
        low, high = er_range(wish.level)
        wanted.append(Range(low, high - 0.1))
    return (
        distance
        + sum(_outside(rating.er, interval) for interval in wanted)
        + len(wish.techniques - rating.techniques.keys())
        + len(wish.no_techniques & rating.techniques.keys())
    )


def _outside(value: float, interval: Range) -> float:
    return 0.0 if value in interval else min(abs(value - interval.low), abs(value - interval.high))
