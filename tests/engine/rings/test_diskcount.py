"""The count on disk: the same numbers as in memory, whatever the parts and pieces, and after any interruption."""

import pytest
from ringkit import FIVE, TINY

from engine.errors import InvalidInputError
from engine.rings._keyfile import KeyFileError, read_heading, read_section
from engine.rings.count import Depth, count
from engine.rings.diskcount import Stage, counting_on_disk
from engine.rings.model import Puzzle


def on_disk(puzzle, depth, folder, **sizes):
    return [step for step in counting_on_disk(puzzle, depth, folder, **sizes) if isinstance(step, Depth)]


@pytest.mark.parametrize(("pieces", "part"), [(1, 10_000), (16, 500), (7, 333)])
def test_as_in_memory(tmp_path, pieces, part):
    assert on_disk(FIVE, 8, tmp_path / "new", pieces=pieces, part=part) == count(FIVE, 8)


@pytest.mark.parametrize("puzzle", [puzzle for puzzle in TINY if puzzle.rings < 4], ids=str)
def test_whole_small_puzzles(tmp_path, puzzle):
    assert on_disk(puzzle, 99, tmp_path, pieces=3, part=100) == count(puzzle, 99)


def test_interrupted_anywhere_it_goes_on(tmp_path):
    usual = count(FIVE, 6)
    stages = []
    for stop in (5, 30, 40, 50):
        steps = counting_on_disk(FIVE, 6, tmp_path, pieces=4, part=200)
        for number, step in enumerate(steps):
            stages.append(step)
            if number == stop:
                steps.close()
                break
    assert {stage.name for stage in stages if isinstance(stage, Stage)} == {"turn", "sift"}
    done = {path: path.stat().st_mtime_ns for path in tmp_path.glob("layer-*")}
    assert on_disk(FIVE, 6, tmp_path, pieces=4, part=200) == usual
    assert all(path.stat().st_mtime_ns == time for path, time in done.items())
    again = list(counting_on_disk(FIVE, 6, tmp_path, pieces=4, part=200))
    assert again == usual  # all was there: nothing was turned or sifted
    assert not list(tmp_path.glob("turned-*"))


def test_a_damaged_file_is_noticed(tmp_path):
    on_disk(FIVE, 6, tmp_path, pieces=2)
    path = tmp_path / "layer-06-000.keys"
    whole = path.read_bytes()
    path.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    with pytest.raises(KeyFileError, match=r"layer-06-000.keys: damaged or cut short"):
        on_disk(FIVE, 7, tmp_path, pieces=2)
    path.write_bytes(whole[:-16])
    with pytest.raises(KeyFileError, match="damaged or cut short"):
        read_heading(path)
    path.write_bytes(b"nonsense")
    with pytest.raises(KeyFileError, match="damaged or cut short"):
        read_section(path, 0)
    path.unlink()
    assert on_disk(FIVE, 7, tmp_path, pieces=2) == count(FIVE, 7)


def test_a_folder_holds_one_count(tmp_path):
    on_disk(FIVE, 2, tmp_path / "one", pieces=2)
    with pytest.raises(InvalidInputError, match="holds another count"):
        on_disk(FIVE, 2, tmp_path / "one", pieces=3)
    (tmp_path / "letters").write_text("mine")
    with pytest.raises(InvalidInputError, match="holds something else"):
        on_disk(FIVE, 2, tmp_path)


def test_what_cannot_be_counted(tmp_path):
    for wrong in ({"depth": -1}, {"depth": 1, "pieces": 0}, {"depth": 1, "part": 0}):
        with pytest.raises(InvalidInputError, match="expected 0 or more"):
            on_disk(FIVE, folder=tmp_path, **wrong)
    with pytest.raises(InvalidInputError, match="128-bit keys"):
        on_disk(Puzzle(8, 5, (0, 4)), 2, tmp_path)
