"""A small random generator with a state of its own, whose numbers never change with a Python release: SplitMix64.

Source: G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators" (OOPSLA 2014), section 5.
"""

from collections.abc import MutableSequence
from typing import Any

MASK = 2**64 - 1


class Rng:
    """SplitMix64 from a seed of any size (its low 64 bits count)."""

    def __init__(self, seed: int) -> None:
        self._state = seed & MASK

    def word(self) -> int:
        """Return the next 64 random bits."""
        self._state = (self._state + 0x9E3779B97F4A7C15) & MASK
        z = self._state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return z ^ (z >> 31)

    def below(self, limit: int) -> int:
        """Return a number 0..limit-1, each equally likely."""
        fair = MASK + 1 - (MASK + 1) % limit
        while (word := self.word()) >= fair:
            pass
        return word % limit

    def shuffle(self, items: MutableSequence[Any]) -> None:
        """Shuffle in place (Fisher and Yates), each order equally likely."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]
