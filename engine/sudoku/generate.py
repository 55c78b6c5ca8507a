"""Make sudoku banks: unique puzzles drawn at random, filtered, with canonical form and rating."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Protocol

import numpy as np

from engine.sudoku import canon, grid
from engine.sudoku.bias import BiasedPuzzles, weight_of
from engine.sudoku.dig import Digger
from engine.sudoku.minimal import are_minimal
from engine.sudoku.ranges import Range
from engine.sudoku.records import Rating, SudokuRecord
from engine.sudoku.solve import Status
from engine.sudoku.symmetry import Symmetry

HIGHEST_ER: Final = 11.9
"""The upper end of the SE scale in practice; a range that reaches it is open."""

_RATED_AT_ONCE = 512
_MADE_AT_ONCE = 1024
_BIASED_AT_ONCE = 64  # a second or two


class Sampling(StrEnum):
    """How puzzles are drawn."""

    TOP_DOWN = "top-down"  # a uniform full grid, givens removed in random order; known to favour few givens (mean 24.4)
    CONTROLLED_BIAS = "controlled-bias"  # a puzzle's chance depends on its number of givens alone (mean 25.7); has a weight


@dataclass(frozen=True, slots=True)
class Wish:
    """What is wanted of each puzzle."""

    symmetry: Symmetry = Symmetry.NONE
    sampling: Sampling = Sampling.TOP_DOWN
    minimal: bool = True
    """With a symmetry: minimal within it, that is no orbit of givens can be removed. If false, digging stops within `clues`."""
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
        return bool(self.er or self.level or self.clues or self.techniques or self.no_techniques)


@dataclass(frozen=True, slots=True)
class Batch:
    """Accepted puzzles, in the order in which they were made, and how many were made since the previous batch."""

    records: list[SudokuRecord]
    tried: int


class _Source(Protocol):
    """An endless sequence of puzzles that does not depend on how it is portioned."""

    def take(self, count: int) -> tuple[grid.Cells, grid.Cells]:
        """Return the next `count` puzzles and their solutions, (count, 81) each."""
        ...


def _source(seed: int, wish: Wish) -> _Source:
    if wish.sampling is Sampling.CONTROLLED_BIAS:
        return BiasedPuzzles(seed)
    targets = None
    if not wish.minimal and wish.clues is not None:
        targets = (int(np.ceil(wish.clues.low)), int(wish.clues.high))
    return Digger(seed, wish.symmetry, targets)


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
        for ordinal, record in _judge(*source.take(count), wish):
            if record.canonical not in seen:
                seen.add(record.canonical)
                records.append(record)
                if accepted + len(records) == wanted:
                    tried = ordinal + 1
                    break
        accepted += len(records)
        budget -= count
        yield Batch(records, tried)


def _judge(puzzles: grid.Cells, solutions: grid.Cells, wish: Wish) -> Iterator[tuple[int, SudokuRecord]]:
    """Yield (ordinal, record) of the puzzles that satisfy the wish, in order."""
    clues = (puzzles > 0).sum(axis=1)
    keep = np.arange(len(puzzles))
    if wish.clues is not None:
        keep = keep[(clues >= wish.clues.low) & (clues <= wish.clues.high)]
    texts = grid.to_texts(puzzles[keep])
    ratings: list[Rating | None] = [None] * len(texts)
    if wish.rate and texts:
        from engine.sudoku.rating import rate_many  # noqa: PLC0415  # rating imports this package; only rated banks need it

        ratings = list(rate_many(texts))
        good = [i for i, rating in enumerate(ratings) if rating is not None and _suits(rating, wish)]
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
