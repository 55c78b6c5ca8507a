"""What the kinds that work through a list of puzzles share: cutting it into chunks, and adding up the chunks' counts."""

from collections import Counter
from collections.abc import Sequence

from engine.jobs import ChunkPlan, JobOutcome, StagePlan, chunk_size


def plan_list(items: Sequence[str], label: str, smallest: int, largest: int) -> StagePlan:
    """Cut the list into chunks of equal size, at least eight if it is not tiny, so that every core has some."""
    size = chunk_size(len(items), smallest, largest)
    parts = [list(items[start : start + size]) for start in range(0, len(items), size)]
    return StagePlan([ChunkPlan({"puzzles": part}, len(part)) for part in parts], label)


def total_counts(outcome: JobOutcome) -> Counter[str]:
    """Return the sums of what the chunks' summaries count; a quarantined chunk counts nothing."""
    total: Counter[str] = Counter()
    for stage in outcome.stages:
        for summary in stage.summaries:
            total.update(summary or {})
    return total
