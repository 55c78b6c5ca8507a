import math

import numpy as np
import pytest
from naive import bands
from naive import sudoku as naive

from engine.sudoku.fullgrid import CEILING, FullGrids, draw_grids

ALL_GRIDS = 6670903752021072936960
"""Felgenhauer and Jarvis, "Mathematics of Sudoku I", 2006."""


def test_every_grid_is_full_and_right():
    for cells in FullGrids(1).take(200):
        assert all(sorted(cells[house].tolist()) == list(range(1, 10)) for house in naive.HOUSES)


def test_the_sequence_depends_on_the_seed_alone():
    whole = FullGrids(2).take(100)
    portions = FullGrids(2)
    assert (np.concatenate([portions.take(n) for n in (1, 0, 60, 39)]) == whole).all()
    assert (FullGrids(3).take(100) != whole).any(axis=1).all()
    assert len({cells.tobytes() for cells in FullGrids(2).take(2000)}) == 2000


def test_weights_estimate_the_number_of_all_grids():
    _, complete, weights = draw_grids(4, 0, 60_000)
    estimates = complete * weights * (math.factorial(9) * 2612736**2)
    error = estimates.std() / math.sqrt(len(estimates))
    assert error < 0.01 * ALL_GRIDS
    assert abs(estimates.mean() - ALL_GRIDS) < 4 * error


def test_the_ceiling_is_seldom_passed():
    _, complete, weights = draw_grids(5, 0, 60_000)
    weights = weights[complete]
    assert np.maximum(weights - CEILING, 0).sum() / weights.sum() < 0.006


def too_far(df):
    """Return the chi-square that one sample in 100,000 passes, by Wilson and Hilferty's approximation."""
    return df * (1 - 2 / (9 * df) + 4.265 * math.sqrt(2 / (9 * df))) ** 3


def chi_square(observed, expected):
    """Return chi-square over its limit: up to 1 is as it should be. Classes that are too rare count as one."""
    rare = expected < 8
    observed, expected = (np.append(part[~rare], part[rare].sum()) if rare.any() else part for part in (observed, expected))
    return float(((observed - expected) ** 2 / expected).sum()) / too_far(len(expected) - 1)


def turned(grids):
    return grids.reshape(-1, 9, 9).swapaxes(1, 2).reshape(-1, 81)


def worst_band(grids):
    """Return the largest chi-square of the bands and stacks against the exact shares of the 44 classes of bands."""
    kinds, shares = zip(*sorted(bands.shares().items()), strict=True)
    expected = np.array(shares) * len(grids)
    found = [bands.classes_of(part, band) for part in (grids, turned(grids)) for band in range(3)]
    return max(chi_square((each[:, None] == np.array(kinds)).sum(axis=0), expected) for each in found)


def worst_place(grids):
    """Return the largest chi-square of where a digit of box 1 stands in the boxes 5, 6, 8, 9.

    The place does not depend on labels. All nine are equally likely whatever the place in box 1, since permuting rows 4-6, rows
    7-9, columns 4-6 and columns 7-9 leaves box 1 as it is and turns any place into any other.
    """
    boxes = grids.reshape(-1, 3, 3, 3, 3).swapaxes(2, 3).reshape(-1, 9, 9)
    places = boxes.argsort(axis=2)  # of the digits 1 to 9 in each box
    even = np.full(9, len(grids) / 9)
    return max(
        chi_square(np.bincount(places[np.arange(len(grids)), far, boxes[:, 0, near] - 1], minlength=9), even)
        for near in range(9)
        for far in (4, 5, 7, 8)
    )


def test_the_oracle_of_bands_counts_what_is_published():
    # Felgenhauer and Jarvis 2006: 44 classes; that all their grids add up is asserted in `shares`.
    shares = bands.shares()
    assert len(shares) == 44
    assert sum(shares.values()) == pytest.approx(1)
    assert bands.ways()[0, 0] == 6**3 * 2**3  # digits that stay together in all three boxes


def test_bands_and_digits_are_as_among_all_grids():
    # The top band and the left stack are drawn directly, the others come from completing them.
    grids = FullGrids(7).take(24_000)
    assert worst_band(grids) < 1
    assert worst_place(grids) < 1


def test_biased_sources_are_noticed():
    # Shuffling rows, columns and digits of one grid: every place is as likely, but its bands are always the same few.
    rng = np.random.default_rng(1)
    square = FullGrids(8).take(1).reshape(9, 9)
    shuffled = []
    for _ in range(2000):
        rows, columns = ([3 * band + line for band in rng.permutation(3) for line in rng.permutation(3)] for _ in range(2))
        shuffled.append((rng.permutation(9).astype(np.uint8) + 1)[square - 1][rows][:, columns].ravel())
    assert worst_place(np.array(shuffled)) < 1
    assert worst_band(np.array(shuffled)) > 10
    solved, complete, _ = draw_grids(9, 0, 24_000)
    # Completions taken as they come, not made equally likely: a few per cent in the shares of common classes.
    assert worst_band(solved[complete]) > 1.5
