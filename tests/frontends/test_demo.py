"""The demo, made small: all steps, the check at the end, and what it says when a figure is not as known."""

import pytest

from frontends.cli import demo


@pytest.fixture(autouse=True)
def _small(monkeypatch):
    monkeypatch.setattr(demo, "SUDOKUS", 4)
    monkeypatch.setattr(demo, "POSITIONS", 1)
    monkeypatch.setattr(demo, "BOARD", "triangle-10")
    monkeypatch.setattr(demo, "CHECKED", 20)


def test_demo_for_people_and_for_programs(invoke, monkeypatch, tmp_path):
    monkeypatch.setattr(demo, "SOLUTIONS", 84)  # 14 for each of the six starts on the edge that can be won at all
    ran = invoke("demo", "--json", "--slots", 2, "--data-dir", tmp_path / "here")
    assert ran.code == 0, ran.err
    assert ran.json["ok"] is True
    assert [job["kind"] for job in ran.json["jobs"]] == [
        "sudoku.generate", "sudoku.solve", "pegs.enumerate", "rings.scramble", "rings.scramble", "rings.solve",
    ]  # fmt: skip
    assert ran.json["database"]["sudokus"] == 4
    assert ran.json["database"]["ring_positions_solved"] == 2
    assert (tmp_path / "here" / "puzzlemill.db").exists()
    assert [line["command"].split()[:4] for line in ran.json["examples"]] == [
        ["puzzlemill", "bank", "query", family] for family in ("sudoku", "pegs", "rings")
    ]
    assert "1/6  a bank of 4 rated sudokus (sudoku.generate, job 1)" in ran.err

    (tmp_path / "list.txt").write_text("4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......\n")
    monkeypatch.setattr(demo, "SOLUTIONS", 85)
    ran = invoke("demo", "--list", "list.txt", "--slots", 2, "--data-dir", tmp_path / "here")
    assert ran.code == 1
    assert "triangle-10 has 85 solutions, the job found [84]" in ran.err
    assert "In the database:" in ran.out
    assert "$ puzzlemill bank query sudoku" in ran.out
    assert f"export PUZZLEMILL_DATA_DIR='{tmp_path / 'here'}'" in ran.out


def test_the_demo_has_a_folder_of_its_own(monkeypatch, tmp_path):
    monkeypatch.delenv("PUZZLEMILL_DATA_DIR")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert demo._own_folder() == {"data_dir": tmp_path / "puzzlemill-demo"}
    monkeypatch.setenv("PUZZLEMILL_DATA_DIR", str(tmp_path / "mine"))
    assert demo._own_folder() == {}
