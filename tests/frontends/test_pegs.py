"""`puzzlemill pegs`: the contract's keys, the figures, and what is said about bad input."""

import pytest

ENUMERATE_KEYS = {
    "board", "start", "positions", "classes", "positions_by_jumps", "classes_by_jumps", "solutions", "solutions_text",
    "solutions_by_finish", "games", "games_by_jumps", "shortest_game", "stuck_positions", "min_moves", "min_moves_by_finish",
}  # fmt: skip


def test_enumerate_one_start(invoke):
    found = invoke("pegs", "enumerate", "triangle-15", "--start", "0", "--json").json
    assert found.keys() >= ENUMERATE_KEYS
    assert (found["board"], found["start"], found["solutions"], found["solutions_text"]) == ("triangle-15", 0, 29760, "29760")
    assert (found["positions"], found["classes"], found["games"]) == (3016, 1544, 568630)
    assert found["solutions_by_finish"] == {"0": 6816, "6": 3408, "9": 3408, "12": 16128}
    assert (found["shortest_game"], found["stuck_positions"], found["min_moves"]) == (6, 122, 10)
    assert found["min_moves_by_finish"] == {"0": 10, "6": 11, "9": 11, "12": 10}
    assert invoke("pegs", "enumerate", "triangle-15", "--start", "a1", "--json").json == found


def test_enumerate_every_start(invoke):
    lines = invoke("pegs", "enumerate", "triangle-15", "--json").lines
    assert [line["start"] for line in lines] == list(range(15))
    assert sum(line["solutions"] for line in lines) == 438_984
    assert lines[7]["solutions_by_finish"] == {"5": 1550}
    assert lines[7]["min_moves_by_finish"] == {"5": 11}
    for hole in (2, 7, 14):
        assert invoke("pegs", "enumerate", "triangle-15", "--start", str(hole), "--json").json == lines[hole]
    table = invoke("pegs", "enumerate", "triangle-15").out
    assert "438,984 solutions and 7,335,390 games" in table
    assert "impossible" in table


def test_enumerate_for_people(invoke):
    text = invoke("pegs", "enumerate", "triangle-15", "--start", "b3").out
    assert "Problem A (one peg left anywhere): 11 moves" in text
    assert "Problem B (one peg left in hole 4): impossible" in text
    assert "1,550" in text
    assert "by parity" in invoke("pegs", "enumerate", "hexagon-19", "--start", "9", "--moves", "no").out


def test_big_integers_have_their_digits_as_text(invoke):
    from frontends.cli.pegs import with_texts

    big = 577116156815309849672
    shown = with_texts({"games": big, "games_by_jumps": [0, big], "solutions_by_finish": {"16": big}, "classes": 5})
    assert shown["games_text"] == str(big)
    assert shown["games_by_jumps_text"] == ["0", str(big)]
    assert shown["solutions_by_finish_text"] == {"16": str(big)}
    assert "classes_text" not in shown


def test_solve(invoke):
    found = invoke("pegs", "solve", "triangle-15", "--start", "a3", "--finish", "start", "--json").json
    assert (found["board"], found["start"], found["finish"], found["jumps"], found["moves"]) == ("triangle-15", 3, 3, 13, 9)
    assert len(found["solution"]) == 13
    everything = invoke("pegs", "solve", "triangle-15", "--start", "4", "--all", "--json").lines
    assert len(everything) == 1550
    assert invoke("pegs", "solve", "triangle-15", "--start", "4", "--index", "77", "--json").json == everything[77]
    drawn = invoke("pegs", "solve", "triangle-21", "--start", "7", "--random", "--seed", "5", "--count", "3", "--json").lines
    assert len({line["index"] for line in drawn}) == 3
    again = invoke("pegs", "solve", "triangle-21", "--start", "7", "--random", "--seed", "5", "--count", "3", "--json").lines
    assert again == drawn


def test_solve_for_people(invoke):
    text = invoke("pegs", "solve", "triangle-15", "--start", "3").out
    assert "13 jumps in 9 moves" in text
    pictures = invoke("pegs", "solve", "triangle-15", "--start", "3", "--pictures").out
    assert pictures.count("\n\n") == 10


def test_no_solution_is_exit_code_1_with_the_reason(invoke):
    ran = invoke("pegs", "solve", "hexagon-19", "--start", "9", "--json")
    assert ran.code == 1
    assert ran.json["solution"] is None
    assert "parity" in ran.err
    assert invoke("pegs", "solve", "triangle-15", "--start", "4", "--finish", "start").code == 1


def test_a_drawn_board(invoke, tmp_path):
    path = tmp_path / "board.txt"
    path.write_text("    o\n   o o\n  . o o\n o o o o\no o o o o\n")
    found = invoke("pegs", "solve", str(path), "--json").json
    assert (found["board"], found["start"], found["moves"]) == ("triangle-15", 3, 9)
    path.write_text("  .\n o o\n. o o\n")
    found = invoke("pegs", "enumerate", str(path), "--json").json
    assert found["start"] is None
    assert found["position"] == "  .\n o o\n. o o"
    assert invoke("pegs", "solve", str(path), "--finish", "start").code == 2
    path.write_text("o o\n o x\n o ?\n")
    ran = invoke("pegs", "enumerate", str(path))
    assert ran.code == 2
    assert "line 3, column 4" in ran.err
    path.write_bytes(b"\x00\x01\xff")
    assert invoke("pegs", "boards", str(path)).code == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["enumerate", "triangle-14"], "triangle-15"),
        (["enumerate", "triangle-15", "--start", "15"], "0 to 14"),
        (["enumerate", "square-64", "--start", "0"], "at most 60"),
        (["solve", "triangle-15"], "--start"),
        (["solve", "triangle-15", "--start", "0", "--index", "1", "--random"], "exclude each other"),
        (["solve", "triangle-15", "--start", "0", "--all", "--count", "2"], "--count goes with"),
        (["solve", "triangle-15", "--start", "0", "--index", "29760"], "0 to 29759"),
        (["solve", "triangle-15", "--start", "0", "--finish", "zz"], "0 to 14"),
        (["solve", "triangle-21", "--start", "0", "--all"], "by index"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_line(invoke, words, said):
    ran = invoke("pegs", *words)
    assert ran.code in (1, 2)
    assert ran.out == ""
    assert said in ran.err
    assert "Traceback" not in ran.err


def test_boards(invoke):
    names = [line["board"] for line in invoke("pegs", "boards", "--json").lines]
    assert {"triangle-15", "english-33", "european-37", "wiegleb-45"} <= set(names)
    shown = invoke("pegs", "boards", "english").out
    assert "16" in shown
    assert "d4" in shown
    assert "euro" in invoke("pegs", "boards").out
