"""The techniques of the SE 1.2.1 scale that are built, in the order in which they are tried: codes, names, scores.

Ratings and order are those of Sudoku Explainer 1.2.1; scores are HoDoKu's base scores (2.3.x) of the same or nearest technique.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

HIDDEN_SINGLE: Final = 0
DIRECT_POINTING: Final = 1
DIRECT_CLAIMING: Final = 2
DIRECT_HIDDEN_PAIR: Final = 3
NAKED_SINGLE: Final = 4
DIRECT_HIDDEN_TRIPLET: Final = 5
POINTING: Final = 6
CLAIMING: Final = 7
NAKED_PAIR: Final = 8
X_WING: Final = 9
HIDDEN_PAIR: Final = 10
NAKED_TRIPLET: Final = 11
SWORDFISH: Final = 12
HIDDEN_TRIPLET: Final = 13
XY_WING: Final = 14
XYZ_WING: Final = 15
NAKED_QUAD: Final = 16
JELLYFISH: Final = 17
HIDDEN_QUAD: Final = 18
BUG: Final = 19  # 19..22 are BUG types 1 to 4
ALIGNED_PAIR: Final = 23
UNIQUE_LOOP: Final = 24
"""24 + 4 * (half the number of cells - 2) + type - 1: rectangles first, then loops of 6, 8, ... cells."""

# Columns of SEARCHES.
KIND: Final = 0  # which search, see below
SIZE: Final = 1  # size of the set, fish or pivot
DIRECT: Final = 2  # 1 if the find counts only when it fills a cell at once
TECHNIQUE: Final = 3
RATING: Final = 4  # in tenths

SINGLE: Final = 0  # hidden single
BARE: Final = 1  # naked single
LOCK: Final = 2
HIDDEN: Final = 3
NAKED: Final = 4
FISH: Final = 5
WING: Final = 6
SKIP: Final = 7  # claiming: found by the search for pointing, in the row before

SEARCHES: Final = np.array(
    [
        # The order of the scale up to 4.0 ...
        (SINGLE, 1, 1, HIDDEN_SINGLE, 10),
        (LOCK, 1, 1, DIRECT_POINTING, 17),
        (SKIP, 1, 1, DIRECT_CLAIMING, 19),
        (HIDDEN, 2, 1, DIRECT_HIDDEN_PAIR, 20),
        (BARE, 1, 1, NAKED_SINGLE, 23),
        (HIDDEN, 3, 1, DIRECT_HIDDEN_TRIPLET, 25),
        (LOCK, 1, 0, POINTING, 26),
        (SKIP, 1, 0, CLAIMING, 28),
        (NAKED, 2, 0, NAKED_PAIR, 30),
        (FISH, 2, 0, X_WING, 32),
        (HIDDEN, 2, 0, HIDDEN_PAIR, 34),
        (NAKED, 3, 0, NAKED_TRIPLET, 36),
        (FISH, 3, 0, SWORDFISH, 38),
        (HIDDEN, 3, 0, HIDDEN_TRIPLET, 40),
        # ... two wings ...
        (WING, 2, 0, XY_WING, 42),
        (WING, 3, 0, XYZ_WING, 44),
        # ... and, after unique loops, the sets and fish of four.
        (NAKED, 4, 0, NAKED_QUAD, 50),
        (FISH, 4, 0, JELLYFISH, 52),
        (HIDDEN, 4, 0, HIDDEN_QUAD, 54),
    ],
    dtype=np.int64,
)
"""[19, 5] the searches that share a kernel with others, one row each."""

LONGEST_LOOP: Final = 18
"""A loop touches each row at most twice, so it has at most 18 cells."""
X_CYCLE: Final = UNIQUE_LOOP + 4 * (LONGEST_LOOP // 2 - 1)
Y_CYCLE: Final = X_CYCLE + 1
XY_CYCLE: Final = X_CYCLE + 2
X_CHAIN: Final = X_CYCLE + 3
XY_CHAIN: Final = X_CYCLE + 4
TURBOT_FISH: Final = X_CYCLE + 5  # the name of an X-chain of six nodes
ALIGNED_TRIPLET: Final = X_CYCLE + 6
NISHIO_CHAINS: Final = X_CYCLE + 7
CELL_CHAINS: Final = X_CYCLE + 8
REGION_CHAINS: Final = X_CYCLE + 9
DYNAMIC_CONTRADICTION: Final = X_CYCLE + 10
"""X_CYCLE + 10 + 4 * level, then double, cell and region."""
LEVELS: Final = ("", "-plus", "-plus-forcing-chains", "-plus-multiple-forcing-chains", "-plus-dynamic-forcing-chains")
"""What dynamic chains use beside plain links, by level; the names of the higher levels say what is nested in them."""
TECHNIQUES: Final = DYNAMIC_CONTRADICTION + 4 * len(LEVELS)
"""Number of technique codes."""


@dataclass(frozen=True, slots=True)
class Technique:
    """One technique: its name in kebab case, and its score on the HoDoKu-like scale."""

    name: str
    score: int


def _all() -> tuple[Technique, ...]:
    basic = (
        ("hidden-single", 14),
        ("direct-pointing", 50 + 14),
        ("direct-claiming", 50 + 14),
        ("direct-hidden-pair", 70 + 14),
        ("naked-single", 4),
        ("direct-hidden-triplet", 100 + 14),
        ("pointing", 50),
        ("claiming", 50),
        ("naked-pair", 60),
        ("x-wing", 140),
        ("hidden-pair", 70),
        ("naked-triplet", 80),
        ("swordfish", 150),
        ("hidden-triplet", 100),
        ("xy-wing", 160),
        ("xyz-wing", 180),
        ("naked-quad", 120),
        ("jellyfish", 160),
        ("hidden-quad", 150),
        *((f"bug-type-{t}", 100) for t in (1, 2, 3, 4)),
        ("aligned-pair-exclusion", 300),
    )
    loops = (
        (f"unique-rectangle-type-{t}" if n == 4 else f"unique-loop-{n}-type-{t}", 100)
        for n in range(4, LONGEST_LOOP + 1, 2)
        for t in (1, 2, 3, 4)
    )
    chains = (
        ("bidirectional-x-cycle", 280),
        ("bidirectional-y-cycle", 280),
        ("bidirectional-cycle", 280),
        ("forcing-x-chain", 260),
        ("forcing-chain", 280),
        ("turbot-fish", 120),
        ("aligned-triplet-exclusion", 320),
        ("nishio-forcing-chains", 500),
        ("cell-forcing-chains", 500),
        ("region-forcing-chains", 500),
        *(
            (f"dynamic-{kind}-forcing-chains{level}", 700)
            for level in LEVELS
            for kind in ("contradiction", "double", "cell", "region")
        ),
    )
    return tuple(Technique(name, score) for name, score in (*basic, *loops, *chains))


BY_CODE: Final = _all()
"""Techniques by code."""

NAMES: Final = tuple(t.name for t in BY_CODE)
"""Their names by code."""
