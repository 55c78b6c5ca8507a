import math

import numpy as np
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


def chi_square(observed, expected):
    return float(((observed - expected) ** 2 / expected).sum())


def test_digits_are_evenly_placed():
    grids = FullGrids(6).take(6000)
    for cell in (0, 10, 40, 44, 61, 80):
        observed = np.bincount(grids[:, cell], minlength=10)[1:]
        assert chi_square(observed, 6000 / 9) < 33  # 8 degrees of freedom: p = 0.0001


def pure_bands(grids, band):
    """Return how many grids have a band in which the digits of a minirow stay together in all three boxes."""
    rows = grids.reshape(-1, 9, 9)[:, 3 * band : 3 * band + 3]
    first = [{*map(int, row[0, :3])} for row in rows]
    return sum(any(minirow == {*map(int, row[i, 3:6])} for i in (1, 2)) for minirow, row in zip(first, rows, strict=True))


def test_all_bands_and_stacks_look_alike():
    # The top band and the left stack are drawn directly, the others come from completing them: they must have the same classes.
    grids = FullGrids(7).take(12_000)
    turned = grids.reshape(-1, 9, 9).swapaxes(1, 2).reshape(-1, 81)
    counts = np.array([pure_bands(part, band) for part in (grids, turned) for band in range(3)])
    assert counts.min() > 100
    assert chi_square(counts, counts.mean()) < 26  # 5 degrees of freedom: p = 0.0001
