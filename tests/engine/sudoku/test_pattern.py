import numpy as np
import pytest

from engine.errors import InvalidInputError
from engine.sudoku.dig import Digger
from engine.sudoku.fill import Fills
from engine.sudoku.minimal import redundant_givens
from engine.sudoku.pattern import read_pattern
from engine.sudoku.solve import solve_many
from engine.sudoku.symmetry import Symmetry, has_symmetry, orbits

MASKS = {
    "22 rot180": "x.x..x..........xx....x...x...x.....xx.x.x.xx.....x...x...x....xx..........x..x.x",
    "24 rot90": ".x...x.....x.x...x...x...x.x...x.x...x.x.x.x...x.x...x.x...x...x...x.x.....x...x.",
    "24 full": "...........x.x.x...x.x.x.x...xx.xx...x.....x...xx.xx...x.x.x.x...x.x.x...........",
    "26 diagonal": ".xxx....xxx.....x.x......x.x......xx....xx.......x.x.......x.xx.xxx..x..x..x..x..",
    "28 vertical": "....x......x.x.x....xx.xx...xxx.xxx..........x...x...x..xxxxx..x..x.x..x...x.x...",
}


@pytest.mark.parametrize(("name", "mask"), MASKS.items(), ids=MASKS)
def test_sparse_patterns_are_filled(name, mask):
    pattern = read_pattern(mask)
    givens, symmetry = name.split()
    assert int(pattern.fixed.sum()) == int(givens)
    pattern.check_symmetry(Symmetry(symmetry))
    puzzles, solutions = Digger(3, pattern=pattern).take(16)
    found = puzzles.any(axis=1)
    assert found.sum() >= 5
    solved = solve_many(puzzles[found])
    assert (solved.counts == 1).all()
    assert (solved.solutions == solutions[found]).all()
    assert ((puzzles[found] > 0) == pattern.fixed).all()
    # Chance hardly ever does it.
    assert (solve_many(np.where(pattern.fixed, Digger(3).take(300)[1], np.uint8(0))).counts == 1).mean() < 0.05


def test_a_walk_does_not_depend_on_the_others():
    mask = read_pattern(MASKS["22 rot180"]).fixed
    whole = Fills(4, mask).take(9)
    portions = Fills(4, mask)
    assert (np.concatenate([portions.take(n) for n in (2, 1, 0, 6)]) == whole).all()
    assert (Fills(5, mask).take(9) != whole).any()


def test_what_may_be_given_is_removed_and_what_must_stays():
    mask = "".join("x" if cell % 4 == 0 else "?" if cell % 4 == 2 else "." for cell in range(81))
    pattern = read_pattern(mask)
    puzzles, solutions = Digger(5, Symmetry.ROT180, pattern=pattern).take(12)
    found = puzzles.any(axis=1)
    assert found.sum() > 6
    puzzles, solutions = puzzles[found], solutions[found]
    assert (solve_many(puzzles).counts == 1).all()
    assert puzzles[:, pattern.fixed].all()
    assert not puzzles[:, ~pattern.allowed].any()
    assert all(has_symmetry(puzzle, Symmetry.ROT180) for puzzle in puzzles)
    for puzzle in puzzles:
        removable = [orbit for orbit in orbits(Symmetry.ROT180) if (orbit & ~pattern.fixed & (puzzle > 0)).any()]
        if removable:
            assert (solve_many(np.where(removable, np.uint8(0), puzzle)).counts == 2).all()
    assert redundant_givens(puzzles, solutions).any()  # among those that must stay


@pytest.mark.small
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x" * 80, "has 81 characters, one a cell, got 80"),
        ("x" * 80 + "y", "made of x or 1, \\?, and . or 0, got 'y'"),
        ("x" * 16 + "." * 65, "needs 17 places for givens or more, got 16"),
        ("." * 18 + "x" * 63, "rows 1 and 2 have no place for a given, so their digits can change places"),
        (("x" * 3 + ".x." + "x" * 3) * 9, "columns 4 and 6 have no place"),
    ],
)
def test_bad_patterns_are_refused(text, message):
    with pytest.raises(InvalidInputError, match=message):
        read_pattern(text)


@pytest.mark.small
def test_patterns_are_read_tolerantly():
    text = "\n".join(["1.0-?Xx.x", ".xx-X0..."] * 4 + ["?" * 9])
    pattern = read_pattern(text)
    assert pattern.marks == "x...?xx.x.xx.x...." * 4 + "?" * 9
    assert read_pattern(pattern.marks) == pattern
    assert pattern.exact
    assert (pattern.allowed.sum(), pattern.fixed.sum()) == (41, 28)
    with pytest.raises(InvalidInputError, match="has not the symmetry vertical: r1c1 is given, r1c9 is not"):
        read_pattern("x........" + "?" * 72).check_symmetry(Symmetry.VERTICAL)


@pytest.mark.small
def test_the_symmetries_are_all_there_are():
    """Every group of symmetries of the square, found by closing each pair of them, is one of ours, and each of ours is one."""
    cells = np.arange(81).reshape(9, 9)
    turns = [np.rot90(cells, k) for k in range(4)]
    square = [part.ravel() for turn in turns for part in (turn, turn.T)]
    partitions = set()
    for first in square:
        for second in square:
            group = {tuple(range(81)), tuple(first), tuple(second)}
            while True:
                more = {tuple(np.array(a)[list(b)]) for a in group for b in group} | group
                if more == group:
                    break
                group = more
            partitions.add(frozenset(frozenset(move[cell] for move in group) for cell in range(81)))
    ours = {frozenset(frozenset(np.flatnonzero(orbit).tolist()) for orbit in orbits(symmetry)) for symmetry in Symmetry}
    assert len(ours) == len(Symmetry) == 10
    assert ours == {frozenset(frozenset(int(cell) for cell in orbit) for orbit in one) for one in partitions}
