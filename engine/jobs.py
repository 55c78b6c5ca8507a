"""The one contract every puzzle fulfils: how a job is planned into chunks, run chunk by chunk, and summed up.

A chunk is a pure function of (job parameters, stage, index, payload, seed, engine version): nothing else decides its content.
A kind is an object that satisfies `JobKind`; `engine.registry` finds it in `engine/<family>/jobs.py`.
"""

import hashlib
import json
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, ClassVar, Protocol, TypeAlias, TypeVar

from pydantic import BaseModel, ConfigDict

from engine.steps import result_of

JsonObject: TypeAlias = dict[str, Any]

_HASHED_AT_ONCE = 256
"""Records of a chunk's digest that are hashed in one call."""

MAX_SEED = 2**63 - 1
"""Seeds are 0..2^63-1, so that they fit a signed 64-bit database column."""


class Params(BaseModel):
    """Base of each kind's parameters: immutable, and an unknown name is an error rather than ignored."""

    model_config = ConfigDict(frozen=True, extra="forbid")


P = TypeVar("P", bound=Params)


class InputKind(Enum):
    """What a kind reads besides its parameters."""

    NONE = "none"  # nothing: the parameters say it all
    LINES = "lines"  # a file (or literal) of puzzles, one a line; each line goes through `parse_line`
    BOARD = "board"  # the name of a board, or a file with a drawn one; it becomes the parameter `board`


class Record(Protocol):
    """One result. Each family has its own dataclasses; `db.results.<family>` knows how to keep them."""

    family: ClassVar[str]

    def natural_key(self) -> str:
        """What makes two results the same row, e.g. the canonical form of a sudoku."""
        ...

    def content(self) -> bytes:
        """The deterministic content, for digests: no timings, no machine names."""
        ...


@dataclass(frozen=True, slots=True)
class ChunkPlan:
    """One chunk to be: its payload (what it works on, JSON) and how many items it is expected to give (for progress)."""

    payload: JsonObject
    items: int = 1


@dataclass(frozen=True, slots=True)
class StagePlan:
    """The chunks of one stage, in index order, and a label for people ("bound 23")."""

    chunks: Sequence[ChunkPlan]
    label: str = ""


@dataclass(frozen=True, slots=True)
class ChunkSpec:
    """All that a chunk's content may depend on."""

    kind: str
    params: JsonObject
    seed: int
    stage: int
    index: int
    payload: JsonObject

    def rng_seed(self) -> int:
        """The chunk's own 64-bit seed, independent of every other chunk's."""
        return chunk_seed(self.seed, self.kind, self.stage, self.index)


@dataclass(frozen=True, slots=True)
class Slice:
    """What a running chunk yields every 1 to 5 seconds, so that its lease can be extended and a pause or cancel be seen."""

    done: int
    total: int
    note: str = ""


def chunk_size(count: int, smallest: int, largest: int) -> int:
    """Return how many of `count` items a chunk takes: an eighth within these limits, so that every core has some."""
    return max(smallest, min(largest, -(-count // 8)))


@dataclass(frozen=True, slots=True)
class ChunkResult:
    """What a finished chunk gives: records in order, and a small summary that later stages and the job's summary may read."""

    records: Sequence[Record] = ()
    summary: JsonObject = field(default_factory=dict)

    def digest(self) -> str:
        """BLAKE2b over the summary and every record's content, in order: 32 hex digits."""
        h = hashlib.blake2b(digest_size=16)
        h.update(canonical_json(self.summary))
        for start in range(0, len(self.records), _HASHED_AT_ONCE):
            bodies = [record.content() for record in self.records[start : start + _HASHED_AT_ONCE]]
            h.update(b"".join([part for body in bodies for part in (len(body).to_bytes(8, "little"), body)]))
        return h.hexdigest()


@dataclass(frozen=True, slots=True)
class StageOutcome:
    """A finished stage: the summaries of its done chunks in index order (`None` for a quarantined chunk)."""

    stage: int
    label: str
    summaries: Sequence[JsonObject | None]


@dataclass(frozen=True, slots=True)
class JobOutcome:
    """What `next_stage` and `summarize` may look at: every finished stage, and how many distinct results the job has."""

    stages: Sequence[StageOutcome]
    distinct: int


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a job is expected to cost, said before it starts when that is large."""

    core_seconds: float
    memory_mib: int = 512
    note: str = ""


ChunkRun: TypeAlias = Generator[Slice, None, ChunkResult]


class JobKind(Protocol[P]):
    """One kind of job, e.g. `sudoku.solve`. Stateless; all methods are deterministic."""

    name: str
    family: str
    summary: str
    """One line for help and lists."""
    input: InputKind
    params_model: type[P]

    def parse_line(self, text: str) -> str | None:
        """Return the line's item in normal form, or None for a blank, comment or heading. Raise `InvalidInputError` if bad."""
        ...

    def plan(self, params: P, items: Sequence[str]) -> StagePlan:
        """Plan stage 0. `items` are the lines that `parse_line` accepted (empty for the other input kinds)."""
        ...

    def next_stage(self, params: P, outcome: JobOutcome) -> StagePlan | None:
        """Plan the next stage from the finished ones, or return None when the job is complete."""
        ...

    def summarize(self, params: P, outcome: JobOutcome) -> JsonObject:
        """Sum the job up in a few figures, for `job show` and the end of `job run`."""
        ...

    def estimate(self, params: P, items: Sequence[str]) -> Estimate:
        """Say what the whole job will cost."""
        ...

    def warm(self) -> None:
        """Compile kernels and build or map tables, so that forked children share them. Called before fork."""
        ...

    def run(self, spec: ChunkSpec) -> ChunkRun:
        """Compute one chunk, yielding a `Slice` every 1 to 5 seconds; the generator's return value is the result."""
        ...


def chunk_seed(seed: int, kind: str, stage: int, index: int) -> int:
    """Derive a chunk's 64-bit seed by BLAKE2b of (job seed, kind, stage, index)."""
    text = f"{seed}:{kind}:{stage}:{index}".encode()
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "little")


def canonical_json(value: Any) -> bytes:
    """Encode `value` as JSON with sorted keys and no spaces: equal values give equal bytes."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode()


def run_to_end(kind: JobKind[Any], spec: ChunkSpec) -> ChunkResult:
    """Run a chunk without a queue, dropping its slices: for direct use, benchmarks, verification and tests."""
    return result_of(kind.run(spec))
