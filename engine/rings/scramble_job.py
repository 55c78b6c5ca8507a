"""The job kind `rings.scramble`: positions of a level, a true distance, or drawn from all alike."""

from collections.abc import Sequence
from typing import Literal

from pydantic import Field, model_validator

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
)
from engine.rings.model import Puzzle
from engine.rings.records import PositionRecord
from engine.rings.rng import Rng
from engine.rings.scramble import (
    LEVELS,
    MAX_CLICKS,
    MAX_DISTANCE,
    Level,
    Scramble,
    Way,
    at_distance_steps,
    scrambling,
    uniform,
)
from engine.rings.tables import lower_bound

MAX_COUNT = 10_000_000

SECONDS = {Way.CLICKS: 0.0005, Way.UNIFORM: 0.004}
"""What one position takes, measured on one core; a true distance takes longer, see `_distance_seconds`."""

CHUNK_SECONDS = 15.0

LONG_STEPS_FROM = 17
"""Clicks from solved at which a step of a walk may take a second and more."""


class ScrambleParams(Params):
    """Parameters of `rings.scramble`."""

    count: int = Field(default=100, ge=1, le=MAX_COUNT, description="How many positions to make.", examples=[100])
    mode: Literal["clicks", "distance", "uniform"] = Field(
        default="clicks",
        description="clicks: random clicks; distance: exactly so far from solved, proved; uniform: all states equally likely.",
        examples=["uniform"],
    )
    clicks: int | None = Field(
        default=None, ge=0, le=MAX_CLICKS, description="Random clicks (mode clicks; default 40).", examples=[60]
    )
    level: Literal["low", "middle", "high", "true-low", "true-middle", "true-high", "extreme"] | None = Field(
        default=None,
        description=(
            "A level instead of a mode: low, middle, high are 20, 40, 60 random clicks; true-low, true-middle, true-high are "
            "1 to 10, 11 to 17, 18 to 24 clicks from solved, proved (beyond 20, workers need the tables of two colours); "
            "extreme is mode uniform."
        ),
        examples=["high"],
    )
    distance: int | None = Field(
        default=None, ge=0, le=MAX_DISTANCE, description="True distance in clicks (mode distance; default 15).", examples=[15]
    )

    @model_validator(mode="after")
    def _agree(self) -> "ScrambleParams":
        if self.clicks is not None and self.level is not None:
            raise ValueError("give clicks or level, not both")
        if self.mode != "clicks" and (self.clicks is not None or self.level is not None):
            raise ValueError(f"clicks and level belong to mode clicks, not to mode {self.mode}")
        if self.mode != "distance" and self.distance is not None:
            raise ValueError(f"distance belongs to mode distance, not to mode {self.mode}")
        return self

    def scramble(self) -> Level:
        """Return what is asked for: the level of that name, or one made of mode, clicks and distance."""
        if self.level is not None:
            return LEVELS[self.level]
        way = Way(self.mode)
        if way is Way.CLICKS:
            return LEVELS["middle"] if self.clicks is None else Level(Way.CLICKS, self.clicks, self.clicks)
        if way is Way.DISTANCE:
            distance = 15 if self.distance is None else self.distance
            return Level(Way.DISTANCE, distance, distance)
        return Level(Way.UNIFORM)


class ScrambleKind:
    """Makes scrambled positions, each with clicks that lead to it from the solved state."""

    name = "rings.scramble"
    family = "rings"
    summary = "Make five rings positions: random clicks, a true distance, or all states equally likely."
    input = InputKind.NONE
    params_model = ScrambleParams

    def parse_line(self, text: str) -> str | None:
        """Return None: this kind reads no lines."""
        del text
        return None

    def plan(self, params: ScrambleParams, items: Sequence[str]) -> StagePlan:
        """Plan equal shares of the count: chunks of about 15 seconds, four at least where that is worth it."""
        del items
        share = max(1, min(int(CHUNK_SECONDS / _seconds(params)), -(-params.count // 4)))
        if params.count * _seconds(params) < 1.0:
            share = params.count
        starts = range(0, params.count, share)
        return StagePlan([ChunkPlan({"count": n}, n) for n in (min(share, params.count - start) for start in starts)])

    def next_stage(self, params: ScrambleParams, outcome: JobOutcome) -> StagePlan | None:
        """Return None: there is one stage."""
        del params, outcome
        return None

    def summarize(self, params: ScrambleParams, outcome: JobOutcome) -> JsonObject:
        """Return how many positions were made, how many differ up to symmetry, and the mean of their lower bounds."""
        done = [summary for stage in outcome.stages for summary in stage.summaries if summary is not None]
        made = sum(summary["positions"] for summary in done)
        bounds = sum(summary["lower_bound_sum"] for summary in done)
        return {
            "mode": str(params.scramble().way),
            "positions": made,
            "distinct": outcome.distinct,
            "mean_lower_bound": round(bounds / made, 3) if made else None,
        }

    def estimate(self, params: ScrambleParams, items: Sequence[str]) -> Estimate:
        """Return the expected cost."""
        del items
        return Estimate(core_seconds=params.count * _seconds(params), memory_mib=200)

    def warm(self) -> None:
        """Compile the searches and map the table."""
        puzzle = Puzzle()
        uniform(puzzle, Rng(0))
        for _ in at_distance_steps(puzzle, 2, Rng(0)):
            pass

    def run(self, spec: ChunkSpec) -> ChunkRun:
        """Make the chunk's positions."""
        params = ScrambleParams.model_validate(spec.params)
        rng = Rng(spec.rng_seed())
        puzzle, level = Puzzle(), params.scramble()
        count = spec.payload["count"]
        pause = max(1, int(2.0 / _seconds(params)))
        records = []
        for made in range(count):
            walk = scrambling(puzzle, level, rng)
            while True:
                try:
                    reached = next(walk)
                except StopIteration as stop:
                    scramble = stop.value
                    break
                if reached >= LONG_STEPS_FROM:
                    yield Slice(made, count, f"{reached} clicks away")
            records.append(_record(params, scramble))
            if (made + 1) % pause == 0:
                yield Slice(made + 1, count)
        return ChunkResult(
            records, {"positions": len(records), "lower_bound_sum": sum(record.lower_bound for record in records)}
        )


def _record(params: ScrambleParams, scramble: Scramble) -> PositionRecord:
    state, way = scramble.state, params.scramble().way
    moves = state.puzzle.format_moves(scramble.moves)
    origin: JsonObject = {"scramble": str(way), "moves": moves}
    if way is Way.CLICKS:
        origin |= {"clicks": len(scramble.moves), "level": params.level}
    elif way is Way.DISTANCE:
        origin |= {"distance": scramble.distance}
    if params.level is not None:
        origin |= {"level": params.level}
    bound = lower_bound(state) if scramble.distance is None else scramble.distance
    return PositionRecord(state.text, state.canonical().text, bound, origin)


def _seconds(params: ScrambleParams) -> float:
    """Return what one position takes on average."""
    level = params.scramble()
    if level.way is not Way.DISTANCE:
        return SECONDS[level.way]
    distances = range(level.least, level.most + 1)
    return sum(_distance_seconds(distance) for distance in distances) / len(distances)


def _distance_seconds(distance: int) -> float:
    """Return what one state at a true distance takes: 0.04 s at 16 clicks, 0.17 s at 20, 0.7 s at 22, 8 s at 24."""
    return 0.03 + 8.0 * 3.0 ** (distance - 24)
