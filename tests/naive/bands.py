"""Bands counted exactly: how many full grids have a band whose digits fall into columns in a given way.

Of a band only this matters for what can stand below it: which digits each of its nine columns holds, that is three partitions
of the digits into triples, one a box. Felgenhauer and Jarvis ("Mathematics of Sudoku I", 2006) counted all grids from that;
here the two other bands are counted without a search. A column of the second band holds three of the six digits that are left
for it: 56 choices a stack, which leave as many partitions for the third band. What remains is to order the digits of a band
whose columns are known, and `WAYS` has the number of ways.

Digits are 0..8 here, and partitions are numbers 0..279.
"""

from functools import cache
from itertools import combinations, permutations, product
from math import factorial

import numpy as np

ALL_GRIDS = 6670903752021072936960
"""Felgenhauer and Jarvis, 2006."""


def _partitions():
    found = []
    for first in combinations(range(1, 9), 2):
        rest = [digit for digit in range(1, 9) if digit not in first]
        found += [
            ((0, *first), (rest[0], *second), tuple(digit for digit in rest[1:] if digit not in second))
            for second in combinations(rest[1:], 2)
        ]
    return found


PARTITIONS = _partitions()
"""The 280 partitions of nine digits into three triples; the first is 012 345 678."""


def _code(triples):
    """Return a number that tells partitions apart, whatever the order of their triples."""
    low, middle, high = np.sort([sum(1 << np.asarray(digit) for digit in triple) for triple in triples], axis=0)
    return (low << 18) + (middle << 9) + high


CODES = np.array([_code(partition) for partition in PARTITIONS])
_BY_CODE = np.argsort(CODES)


def number_of(triples):
    """Return the number of a partition; of many if each digit is an array."""
    return _BY_CODE[np.searchsorted(CODES, _code(triples), sorter=_BY_CODE)]


def _moved(relabel):
    """Return for every partition which one a relabelling of the digits makes of it."""
    return number_of([[relabel[[p[i][j] for p in PARTITIONS]] for j in range(3)] for i in range(3)])


@cache
def actions():
    """Return (280, 280): row q says what becomes of each partition when partition q is relabelled to be the first."""
    rows = []
    for partition in PARTITIONS:
        relabel = np.zeros(9, int)
        relabel[np.ravel(partition)] = range(9)
        rows.append(_moved(relabel))
    return np.array(rows)


@cache
def ways():
    """Return (280, 280): in how many ways a band can be filled whose boxes' columns hold the partitions 0, p, q."""
    counts = np.zeros((280, 280), np.int64)
    orders = np.array(list(permutations(range(3))))
    rows = np.zeros((216, 9), int)  # of each digit in a box with columns 0, in all 216 ways
    for i, choice in enumerate(product(orders, repeat=3)):
        rows[i] = np.ravel(choice)
    triples = np.array(PARTITIONS)
    for p, partition in enumerate(PARTITIONS):
        other = np.zeros((216, 9), int)
        other[:, np.ravel(partition)] = rows
        # The first column's order is held, as exchanging rows of the whole band changes it: a sixth of the work.
        first, second = (part.reshape(-1, 9) for part in np.broadcast_arrays(rows[:36, None], other[None]))
        apart = (first != second).all(axis=1)
        third = 3 - first[apart] - second[apart]
        # Three rows 0..2 are all different just if they add up to 3 as numbers and to 5 as squares.
        taken = third[:, triples]
        counts[p] = 6 * ((taken.sum(axis=3) == 3) & ((taken**2).sum(axis=3) == 5)).all(axis=2).sum(axis=0)
    return counts


@cache
def _splits():
    """Return the 56 ways to share out what partition 0 leaves for its columns, as the partitions of the two other bands."""
    found = []
    columns = PARTITIONS[0]
    left = [sorted(set(range(9)) - set(column)) for column in columns]
    for triples in product(*(combinations(digits, 3) for digits in left)):
        if len(set(np.ravel(triples))) == 9:
            rest = [[d for d in digits if d not in triple] for digits, triple in zip(left, triples, strict=True)]
            found.append((int(number_of(triples)), int(number_of(rest))))
    return np.array(found).T


@cache
def _splits_of(partition):
    back = np.zeros(9, int)
    back[:] = np.ravel(PARTITIONS[partition])
    return _moved(back)[_splits()]


def completions(p, q):
    """Return how many pairs of bands complete a band whose boxes' columns hold the partitions 0, p, q."""
    act, count = actions(), ways()
    total = 0
    for second, third in zip(*_splits_of(0), strict=True):
        below, last = (act[one][:, None] for one in (second, third))
        (p2, p3), (q2, q3) = _splits_of(p), _splits_of(q)
        total += int((count[below[p2], below[q2].T] * count[last[p3], last[q3].T]).sum())
    return total


@cache
def classes():
    """Return (280, 280): the class of bands 0, p, q; equal ones turn into each other by relabelling and exchanging boxes."""
    act = actions()
    p, q = (part.ravel() for part in np.indices((280, 280)))
    best = np.full(280 * 280, 280 * 280)
    for outer in permutations(PARTITIONS[0]):
        for inner in product(permutations(range(3)), repeat=3):
            moved = _moved(np.array([outer[t][i] for t in range(3) for i in inner[t]]))
            best = np.minimum(best, 280 * moved[p] + moved[q])
    zero = np.zeros_like(p)
    orders = [(p, q), (q, p)]
    for first, one, two in ((p, zero, q), (q, zero, p)):
        orders += [(act[first, one], act[first, two]), (act[first, two], act[first, one])]
    return np.min([best[280 * one + two] for one, two in orders], axis=0).reshape(280, 280)


@cache
def shares():
    """Return the share of all full grids whose band (any one of them) is of each class; the sum of all grids is checked."""
    kinds = classes()
    exact = {}
    for kind in np.unique(kinds).tolist():
        exact[kind] = int(ways()[kinds == kind].sum()) * completions(*divmod(kind, 280))
    # Box 1 can be filled in 9! ways, where `ways` has 6^3 for it; the columns of the two others can be ordered in 6 ways each.
    total = sum(exact.values())
    assert total * factorial(9) * 6 * 6 // 6**3 == ALL_GRIDS
    return {kind: number / total for kind, number in exact.items()}


def classes_of(grids, band):
    """Return the class of one band (0..2) of each grid (n, 81)."""
    rows = grids.reshape(-1, 9, 9)[:, 3 * band : 3 * band + 3].astype(int) - 1
    box, *others = (rows[:, :, 3 * i : 3 * i + 3] for i in range(3))
    relabel = np.zeros((len(grids), 9), int)
    np.put_along_axis(relabel, box.swapaxes(1, 2).reshape(-1, 9), np.arange(9)[None], axis=1)
    partitions = []
    for part in others:
        columns = [[np.take_along_axis(relabel, part[:, row, i, None], 1)[:, 0] for row in range(3)] for i in range(3)]
        partitions.append(number_of(columns))
    return classes()[partitions[0], partitions[1]]
