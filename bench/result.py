"""What a benchmark reports."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from statistics import median

from engine.jobs import JsonObject


@dataclass(frozen=True, slots=True)
class BenchResult:
    """One benchmark: `seconds` is the median of `repeats` runs, compilation excluded and reported apart."""

    name: str
    items: int
    seconds: float
    repeats: int = 1
    compile_seconds: float = 0.0
    details: JsonObject = field(default_factory=dict)

    @property
    def per_second(self) -> float:
        """Items a second."""
        return self.items / self.seconds if self.seconds else 0.0

    def as_json(self) -> JsonObject:
        """Return the contract's keys, then the details."""
        return {
            "name": self.name,
            "items": self.items,
            "seconds": round(self.seconds, 6),
            "per_second": round(self.per_second, 3),
            "repeats": self.repeats,
            "compile_seconds": round(self.compile_seconds, 3),
            **self.details,
        }


def timed(work: Callable[[], object], repeats: int) -> float:
    """Return the median wall time in seconds of `repeats` calls."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return median(times)
