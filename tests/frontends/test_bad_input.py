"""Bad input to the real job kinds: a message with file and line, exit code 2, and nothing of a refused line in the database."""

import gzip
import json
import sqlite3

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine import registry
from engine.errors import InvalidInputError

GOOD = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
STATE = "40000040111120122221133332323344444"


def payloads(tmp_path):
    with sqlite3.connect(tmp_path / "data" / "puzzlemill.db") as db:
        found = [json.loads(row) for (row,) in db.execute("SELECT payload FROM chunk")]
    db.close()
    return json.dumps(found)


@pytest.mark.parametrize(
    ("kind", "bad", "words"),
    [
        ("sudoku.solve", GOOD[:80], "80"),
        ("sudoku.solve", GOOD + "9", "82"),
        ("sudoku.solve", "x" + GOOD[1:], "x"),
        ("sudoku.rate", "?" * 81, "?"),
        ("rings.solve", STATE[:34], "34"),
        ("rings.solve", STATE[:34] + "7", "7"),
        ("rings.solve", "0" * 35, "0"),
        ("rings.prove", "not a state at all", ""),
    ],
)
def test_a_bad_line_is_named_and_the_good_one_submitted(invoke, tmp_path, kind, bad, words):
    good = STATE if kind.startswith("rings") else GOOD
    (tmp_path / "list.txt").write_text(f"{good}\n{bad}\n")
    ran = invoke("job", "submit", kind, "list.txt", "--json")
    assert ran.code == 2
    assert "list.txt, line 2: " in ran.err
    assert words in ran.err
    assert (ran.json["items_expected"], ran.json["refused"]) == (1, 1)
    assert json.dumps(bad) not in payloads(tmp_path)
    assert invoke("job", "submit", kind, "list.txt", "--strict").code == 2
    assert len(invoke("job", "list", "--json").lines) == 1


def test_givens_that_contradict_each_other_are_reported(invoke, tmp_path):
    """Two equal givens in a house: the solver says `invalid`, or the line is refused; never is it a solved puzzle."""
    twice = "55" + GOOD[2:]
    ran = invoke("sudoku", "solve", twice, "--json")
    assert ran.code in (0, 2)
    assert ran.err or ran.json["status"] == "invalid"


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x00\x01\x02",
        b"\x89PNG\r\n\x1a\n\x00",
        gzip.compress(GOOD.encode() * 500, mtime=0)[:40],
        b"\xff\xfe5\x003\x00",
        b"\n\n",
    ],
    ids=["empty", "binary", "picture", "cut gzip", "utf-16", "blank"],
)
@pytest.mark.parametrize("kind", ["sudoku.solve", "rings.solve"])
def test_files_with_nothing_good_in_them(invoke, tmp_path, content, kind):
    (tmp_path / "file").write_bytes(content)
    ran = invoke("job", "submit", kind, "file")
    assert ran.code == 2
    assert "file" in ran.err
    assert invoke("job", "list", "--json").out == ""


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["pegs.enumerate", "triangle-999"], "triangle-999"),
        (["pegs.enumerate", "no-such-board"], "no-such-board"),
        (["pegs.enumerate", "picture.png"], "picture.png: not UTF-8 text"),
        (["pegs.enumerate", "empty.txt"], ""),
        (["pegs.enumerate", "triangle-15", "--start", "99"], "99"),
        (["pegs.enumerate", "triangle-15", "--start", "z9"], "z9"),
        (["pegs.solve", "triangle-15", "--finish", "nowhere"], "nowhere"),
        (["pegs.solve", "triangle-15", "--mode", "sideways"], "sideways"),
        (["sudoku.generate", "--count", "0"], "--count"),
        (["sudoku.generate", "--er", "9..1"], "9..1"),
        (["sudoku.generate", "--level", "nope"], "nope"),
        (["sudoku.generate", "--clues", "many"], "many"),
        (["rings.scramble", "--count", "-1"], "--count"),
        (["rings.solve", STATE, "--method", "magic"], "magic"),
        (["rings.solve", STATE, "--width", "0"], "--width"),
    ],
)
def test_bad_boards_and_parameters(invoke, tmp_path, args, words):
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n\x00")
    (tmp_path / "empty.txt").write_bytes(b"")
    ran = invoke("job", "submit", *args)
    assert ran.code == 2, ran.err
    assert words in ran.err
    assert "unexpected error" not in ran.err
    assert invoke("job", "list", "--json").out == ""


def test_a_drawn_board_from_a_file(invoke, tmp_path):
    (tmp_path / "board.txt").write_text("  o o\no o o o\n  o o\n")
    ran = invoke("job", "submit", "pegs.enumerate", "board.txt", "--json")
    assert ran.code == 0, ran.err


good_or_bad = st.one_of(
    st.sampled_from([GOOD, STATE, GOOD.replace(".", "0"), "# a comment", "", "  "]),
    st.text(alphabet="0123456789.", min_size=30, max_size=90),
    st.text(max_size=100).filter(lambda text: "\n" not in text and "\r" not in text),
)

files = st.builds(
    lambda lines, noise: "\n".join(lines).encode() + b"\n" + noise, st.lists(good_or_bad, max_size=6), st.binary(max_size=12)
)


@pytest.mark.parametrize("kind", ["sudoku.solve", "sudoku.rate", "rings.solve", "rings.prove"])
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(body=files, packed=st.booleans())
def test_any_file_gives_a_job_of_its_good_lines_or_none(invoke, tmp_path, kind, body, packed):
    (tmp_path / "fuzz").write_bytes(gzip.compress(body) if packed else body)
    before = len(invoke("job", "list", "--limit=10000", "--json").lines)
    ran = invoke("job", "submit", kind, "fuzz", "--json")
    assert ran.code in (0, 2)
    assert "Traceback" not in ran.err
    assert "unexpected error" not in ran.err
    jobs = invoke("job", "list", "--limit=10000", "--json").lines
    if not ran.out:
        assert ran.code == 2
        assert len(jobs) == before
        return
    assert len(jobs) == before + 1
    assert ran.json["items_expected"] == accepted(kind, body)
    assert (ran.code == 2) == (ran.json["refused"] > 0)


def accepted(kind, body):
    """Count the lines that the kind takes, up to where the file stops being text."""
    count = 0
    for number, line in enumerate(body.split(b"\n")):
        if b"\0" in line:
            break
        try:
            count += registry.kind(kind).parse_line(line.decode("utf-8-sig" if number == 0 else "utf-8")) is not None
        except (InvalidInputError, UnicodeDecodeError):
            continue
    return count
