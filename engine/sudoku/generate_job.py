"""The job kind `sudoku.generate`: a bank of unique puzzles, no two equivalent, filtered by what is wanted."""

from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Any, Final, Self

import numpy as np
from pydantic import Field, field_validator, model_validator

from engine.errors import InvalidInputError
from engine.jobs import (
    ChunkPlan,
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
    chunk_size,
)
from engine.sudoku import canon
from engine.sudoku.bias import BiasedPuzzles
from engine.sudoku.dig import Digger
from engine.sudoku.fill import Fills
from engine.sudoku.generate import generate
from engine.sudoku.grid import parse_puzzle
from engine.sudoku.pattern import EXAMPLE, read_pattern
from engine.sudoku.ranges import Range, parse_range
from engine.sudoku.symmetry import Symmetry
from engine.sudoku.wish import HIGHEST_ER, Sampling, Wish

MOST_STAGES: Final = 5
"""A bank that is not full after this many stages stays as it is; its summary says what is missing."""

LARGEST_CHUNK: Final = {"rated": 30_000, "plain": 50_000, "biased": 1000, "selective": 500}
SMALLEST_CHUNK: Final = 10
TAPER: Final = 8
"""A long job's last chunks take this part of what is left, so that all cores end at about the same time."""
PUZZLES_PER_CORE_SECOND: Final = {"rated": 1500, "plain": 5000, "biased": 50, "pattern": 100}

SHORT: Final = "not all that were wanted were found: allow more attempts, or wish for less"

MANY_GIVENS: Final = 28
"""Asked for this many givens or more, puzzles need not be minimal: of minimal ones drawn at random 1 in 400 has as many."""
MOST_NEAR: Final = 1000
"""Puzzles that a search can begin with: they are part of the job's parameters."""


def clue_range(text: str) -> Range:
    """Return the range of numbers of givens written in `text`; raise `InvalidInputError` outside 17..81."""
    return parse_range(text, 17, 81, "clues")


def er_range(text: str) -> Range:
    """Return the range of ER written in `text`; raise `InvalidInputError` outside 1.0..11.9."""
    return parse_range(text, 1.0, HIGHEST_ER, "er")


class GenerateParams(Params):
    """Parameters of `sudoku.generate`."""

    count: Annotated[int, Field(ge=1, le=100_000_000, description="How many different puzzles to make.", examples=[1000])] = (
        1000
    )
    symmetry: Annotated[
        Symmetry, Field(description="Symmetry of the pattern of givens; puzzles are minimal within it.", examples=["rot180"])
    ] = Symmetry.NONE
    sampling: Annotated[Sampling, Field(description="How puzzles are drawn.", examples=["top-down"])] = Sampling.AUTO
    minimal: Annotated[
        bool | None,
        Field(
            description="Remove givens until none can go; if not, stop at a number of givens drawn from `clues`. Left open: "
            f"minimal, but for a pattern with given cells, and for `clues` of {MANY_GIVENS} and more.",
            examples=[True],
        ),
    ] = None
    pattern: Annotated[
        str | None,
        Field(
            description="Where givens stand: 81 characters row by row, x or 1 for a given, ? where one may be, . or 0 for an "
            "empty cell.",
            examples=[EXAMPLE],
        ),
    ] = None
    clues: Annotated[str | None, Field(description="Number of givens wanted, A..B, 17 to 81.", examples=["22..25"])] = None
    er: Annotated[str | None, Field(description="Explainer rating (ER) wanted, A..B.", examples=["3.0..4.5"])] = None
    level: Annotated[str | None, Field(description="Level wanted, as the rating names it.", examples=["hard"])] = None
    technique: Annotated[
        list[str] | None,
        Field(description="A technique that the path must use, as the rating names it.", examples=["swordfish"]),
    ] = None
    no_technique: Annotated[
        list[str] | None,
        Field(description="A technique that the path must not use.", examples=["naked-pair"]),
    ] = None
    near: Annotated[
        list[str] | None,
        Field(
            description="What a directed search begins with: a puzzle, a file of them, or `bank` for what is there already; "
            "these are not made again.",
            max_length=MOST_NEAR,
        ),
    ] = None
    per_family: Annotated[
        int,
        Field(ge=1, le=1_000_000, description="Puzzles of a chunk that may stem from the same one by moves.", examples=[8]),
    ] = 8
    rate: Annotated[bool, Field(description="Rate each puzzle.", examples=[True])] = True
    attempts: Annotated[
        int, Field(ge=1, le=1_000_000, description="Puzzles made for each one wanted before giving up.", examples=[200])
    ] = 200

    @field_validator("pattern")
    @classmethod
    def _check_pattern(cls, value: str | None) -> str | None:
        return None if value is None else read_pattern(value).marks

    @field_validator("near")
    @classmethod
    def _check_near(cls, value: list[str] | None) -> list[str] | None:
        return None if value is None else [parse_puzzle(text) for text in value]

    @field_validator("clues")
    @classmethod
    def _check_clues(cls, value: str | None) -> str | None:
        if value is not None:
            clue_range(value)
        return value

    @field_validator("er")
    @classmethod
    def _check_er(cls, value: str | None) -> str | None:
        if value is not None:
            er_range(value)
        return value

    @field_validator("level")
    @classmethod
    def _check_level(cls, value: str | None) -> str | None:
        if value is not None:
            check_level(value)
        return value

    @field_validator("technique", "no_technique")
    @classmethod
    def _check_techniques(cls, value: list[str] | None) -> list[str] | None:
        if value is not None:
            check_techniques(value)
        return value

    @model_validator(mode="after")
    def _check_whole(self) -> Self:
        if not self.rate and (self.er is not None or self.level is not None or self.technique or self.no_technique):
            raise InvalidInputError("a wish for er, level or technique needs the rating: leave rate on")
        if both := sorted(set(self.technique or ()) & set(self.no_technique or ())):
            raise InvalidInputError(f"{', '.join(both)} cannot be both in technique and in no_technique")
        restricted = self.symmetry is not Symmetry.NONE or self.pattern is not None
        if self.sampling is Sampling.CONTROLLED_BIAS and (restricted or self.minimal is False):
            raise InvalidInputError(
                "controlled-bias draws minimal puzzles without symmetry or pattern: leave symmetry none, minimal on"
            )
        wish = self.wish()
        exact = wish.pattern is not None and wish.pattern.exact
        if wish.pattern is not None:
            wish.pattern.check_symmetry(self.symmetry)
        if self.sampling is Sampling.NEIGHBOURS and (not (wish.steering and wish.minimal) or exact):
            raise InvalidInputError(
                "neighbours needs minimal puzzles, without cells that must be given, and a wish for er, level, technique or "
                "clues to search for"
            )
        if self.near and not wish.directed:
            raise InvalidInputError(
                "near needs a directed search: sampling auto or neighbours, a wish for er, level, technique or clues, minimal "
                "puzzles, and no cells that must be given"
            )
        if self.minimal is False and self.clues is None and not exact:
            raise InvalidInputError("puzzles that are not minimal need clues, e.g. 28..32: where to stop removing givens")
        return self

    def wish(self) -> Wish:
        """Return the same as the engine wants it, with `minimal` decided."""
        pattern = None if self.pattern is None else read_pattern(self.pattern)
        clues = None if self.clues is None else clue_range(self.clues)
        minimal = self.minimal
        if minimal is None:
            many = clues is not None and clues.low >= MANY_GIVENS and self.sampling in (Sampling.AUTO, Sampling.TOP_DOWN)
            minimal = not (many or (pattern is not None and pattern.exact))
        return Wish(
            symmetry=self.symmetry,
            sampling=self.sampling,
            minimal=minimal,
            pattern=pattern,
            clues=clues,
            er=None if self.er is None else er_range(self.er),
            level=self.level,
            techniques=frozenset(self.technique or ()),
            no_techniques=frozenset(self.no_technique or ()),
            per_family=self.per_family,
            rate=self.rate,
        )


def check_level(name: str) -> None:
    """Raise `InvalidInputError`, listing the levels, if there is no level called `name`."""
    from engine.sudoku.rating.levels import NAMES  # noqa: PLC0415  # rating imports this package

    if name not in NAMES:
        raise InvalidInputError(f"no level {name!r}; levels: {', '.join(NAMES)}")


def check_techniques(names: Sequence[str]) -> None:
    """Raise `InvalidInputError`, listing all techniques, if one of `names` is not among them."""
    from engine.sudoku.rating.techniques import NAMES  # noqa: PLC0415  # rating imports this package

    if unknown := [name for name in names if name not in NAMES]:
        raise InvalidInputError(f"no technique {', '.join(map(repr, unknown))}; techniques: {', '.join(NAMES)}")


class GenerateJob:
    """See the module."""

    name = "sudoku.generate"
    family = "sudoku"
    summary = "Make a bank of unique, minimal, rated sudokus, no two equivalent"
    input = InputKind.NONE
    params_model = GenerateParams

    def parse_line(self, text: str) -> str | None:  # noqa: ARG002  # the contract's signature
        """Return None: this kind reads no lines."""
        return None

    def plan(self, params: GenerateParams, items: Sequence[str]) -> StagePlan:  # noqa: ARG002  # the contract's signature
        """Cut the count into chunks of equal size, at least eight if it is not tiny."""
        return _stage(params, params.count, "generate")

    def next_stage(self, params: GenerateParams, outcome: JobOutcome) -> StagePlan | None:
        """Plan what is still missing, be it refused within the budget of attempts or equivalent to another chunk's puzzle.

        There is none if the bank is full, if the last stage added nothing, after `MOST_STAGES` stages, and while a chunk is
        quarantined (a retry of that chunk brings its share).
        """
        summaries = [summary for stage in outcome.stages for summary in stage.summaries]
        missing = params.count - outcome.distinct
        fruitless = not any(summary and summary["made"] for summary in outcome.stages[-1].summaries)
        if missing <= 0 or fruitless or len(outcome.stages) >= MOST_STAGES or None in summaries:
            return None
        return _stage(params, missing, f"missing {missing}")

    def summarize(self, params: GenerateParams, outcome: JobOutcome) -> JsonObject:
        """Return how many were wanted, made and tried, what is missing, and how many have each number of givens and level."""
        totals: Counter[str] = Counter()
        histograms: dict[str, Counter[str]] = {"clues": Counter(), "levels": Counter()}
        for stage in outcome.stages:
            for summary in stage.summaries:
                if summary is not None:
                    totals["tried"] += summary["tried"]
                    for name, histogram in histograms.items():
                        histogram.update(summary[name])
        missing = max(0, params.count - outcome.distinct)
        return {
            "wanted": params.count,
            "distinct": outcome.distinct,
            "missing": missing,
            **({"note": SHORT} if missing else {}),
            "tried": totals["tried"],
            **{name: dict(sorted(histogram.items())) for name, histogram in histograms.items() if histogram},
        }

    def estimate(self, params: GenerateParams, items: Sequence[str]) -> Estimate:  # noqa: ARG002  # the contract's signature
        """Return the time if every puzzle is accepted; a choosy wish multiplies it, up to `attempts` times."""
        seconds = params.count / PUZZLES_PER_CORE_SECOND[_pace(params)]
        note = f"up to {params.attempts} times that, as the wish is choosy" if params.wish().selective else ""
        return Estimate(seconds, note=note)

    def warm(self) -> None:
        """Compile or load the kernels of solving, digging, canonical form and rating."""
        from engine.sudoku import rating  # noqa: PLC0415  # rating imports this package

        puzzles, _ = Digger(0).take(1)
        Fills(0, np.ones(81, bool)).take(1)
        BiasedPuzzles(0).descents()
        canon.canonicalize(puzzles)
        rating.warm()  # rating the one puzzle would leave out the techniques that it does not need

    def run(self, spec: ChunkSpec) -> ChunkRun:
        """Make the chunk's puzzles, a slice for every batch."""
        params = GenerateParams.model_validate(spec.params)
        wanted: int = spec.payload["wanted"]
        records = []
        tried = 0
        yield Slice(0, wanted)
        near: list[str] = spec.payload.get("near", [])
        for batch in generate(spec.rng_seed(), wanted, params.wish(), params.attempts, near):
            records += batch.records
            tried += batch.tried
            yield Slice(len(records), wanted, f"{tried} tried")
        summary: dict[str, Any] = {
            "wanted": wanted,
            "made": len(records),
            "tried": tried,
            "clues": dict(Counter(str(record.clues) for record in records)),
            "levels": dict(Counter(record.rating.level for record in records if record.rating is not None)),
        }
        return ChunkResult(records, summary)


def _pace(params: GenerateParams) -> str:
    if params.pattern is not None:
        return "pattern"
    if params.sampling is Sampling.CONTROLLED_BIAS:
        return "biased"
    return "rated" if params.rate else "plain"


def _stage(params: GenerateParams, count: int, label: str) -> StagePlan:
    sizes = _sizes(count, LARGEST_CHUNK["selective" if params.wish().selective else _pace(params)])
    return StagePlan(
        [ChunkPlan({"wanted": wanted, **_share(params, index, len(sizes))}, wanted) for index, wanted in enumerate(sizes)],
        label,
    )


def _sizes(count: int, largest: int) -> list[int]:
    """Return the sizes of chunks for `count` puzzles: equal if they are few, else the largest and then ever smaller ones."""
    if count <= TAPER * largest:
        size = chunk_size(count, SMALLEST_CHUNK, largest)
        return [min(size, count - start) for start in range(0, count, size)]
    sizes = []
    while count:
        sizes.append(min(count, largest, max(largest // (2 * TAPER), count // TAPER)))
        count -= sizes[-1]
    return sizes


def _share(params: GenerateParams, index: int, chunks: int) -> JsonObject:
    """Return a chunk's own part of the puzzles to begin with; chunks share them only if there are not enough."""
    near = params.near or []
    return {"near": near[index::chunks] or [near[index % len(near)]]} if near else {}
