"""Mean, confidence interval and distribution of measured numbers."""

from collections.abc import Sequence
from statistics import fmean, stdev
from typing import Final

from engine.jobs import JsonObject

Z95: Final = 1.96
"""Half the width of a 95 % confidence interval of a mean, in standard errors."""


def spread(values: Sequence[int]) -> JsonObject:
    """Return mean with half its 95 % confidence interval, standard deviation, least, most, and how often each value came."""
    if not values:
        return {"mean": None}
    deviation = stdev(values) if len(values) > 1 else 0.0
    return {
        "mean": round(fmean(values), 3),
        "mean_within": round(Z95 * deviation / len(values) ** 0.5, 3),
        "sd": round(deviation, 3),
        "min": min(values),
        "max": max(values),
        "distribution": {str(value): values.count(value) for value in range(min(values), max(values) + 1)},
    }
