"""The direct sudoku commands: what they print, and how they end."""

import fcntl
import gzip
import json
import os
import select
import signal
import subprocess
import termios
import time
from array import array
from xml.etree import ElementTree as ET

import pytest

from engine.sudoku import rating
from frontends.cli import sudoku

PUZZLE = "4...3.......6..8..........1....5..9..8....6...7.2........1.27..5.3....4.9........"
SOLUTION = "468931527751624839392578461134756298289413675675289314846192753513867942927345186"
FULL = "123456789456789123789123456231564897564897231897231564312645978645978312978312645"
INVALID = "11" + "." * 79
NONE = "12345678." + "........9" + "." * 63
SEVERAL = "5" + "." * 80


@pytest.fixture
def puzzles(tmp_path):
    path = tmp_path / "puzzles.txt"
    path.write_text(f"puzzle,er\n{PUZZLE},7.2\n\n# a comment\n{NONE}\n{SEVERAL}\n{FULL}\n")
    return path


def test_solve_prints_the_contract_s_keys(invoke, puzzles):
    ran = invoke("sudoku", "solve", puzzles, "--json")
    assert ran.code == 0
    assert ran.err == ""
    assert [line["status"] for line in ran.lines] == ["unique", "none", "multiple", "unique"]
    assert ran.lines[0] == {"puzzle": PUZZLE, "status": "unique", "solution": SOLUTION, "solutions_found": 1}
    assert ran.lines[1] == {"puzzle": NONE, "status": "none", "solution": None, "solutions_found": 0}
    assert ran.lines[2]["second_solution"] != ran.lines[2]["solution"]


def test_solve_prints_one_line_a_puzzle(invoke, puzzles):
    ran = invoke("sudoku", "solve", puzzles)
    lines = ran.out.splitlines()
    assert lines[0] == SOLUTION
    assert lines[1] == f"{NONE}  # no solution"
    assert "# at least 2 solutions; another: " in lines[2]
    # Its output can be read again.
    again = invoke("sudoku", "solve", "-", "--json", stdin=ran.out)
    assert [line["status"] for line in again.lines] == ["unique", "none", "unique", "unique"]


def test_solve_counts_to_a_limit(invoke):
    blank_corner = "." * 27 + FULL[27:]
    count = invoke("sudoku", "solve", blank_corner, "--limit", 100_000, "--json").json["solutions_found"]
    assert count > 2
    assert f"# {count:,} solutions" in invoke("sudoku", "solve", blank_corner, "--limit", 100_000).out
    assert invoke("sudoku", "solve", blank_corner, "--limit", 3, "--json").json["solutions_found"] == 3


BLANK_BAND = "." * 27 + FULL[27:]
"""It has 12^3 solutions, see tests/engine/sudoku/test_enumerate.py."""


def test_solve_all_prints_every_solution_on_a_line(invoke):
    ran = invoke("sudoku", "solve", "--all", BLANK_BAND)
    lines = ran.out.splitlines()
    assert ran.code == 0
    assert len(lines) == len(set(lines)) == 1728
    assert all(line[27:] == FULL[27:] and len(line) == 81 for line in lines)
    assert ran.err == "1,728 solutions of 1 puzzle\n"


def test_solve_all_prints_the_contract_s_keys(invoke, puzzles):
    ran = invoke("sudoku", "solve", "--all", "--limit", 5, "--json", puzzles)
    assert ran.code == 0
    unique, none, *several, full = ran.lines
    assert unique == {"puzzle": PUZZLE, "status": "unique", "solution": SOLUTION, "solutions_found": 1, "complete": True}
    assert none == {"puzzle": NONE, "status": "none", "solution": None, "solutions_found": 0, "complete": True}
    assert full["solution"] == FULL
    assert [line["solutions_found"] for line in several] == [1, 2, 3, 4, 5]
    assert [line.get("complete") for line in several] == [None] * 4 + [False]
    assert {line["status"] for line in several} == {"multiple"}
    assert len({line["solution"] for line in several}) == 5
    assert "line 6: stopped at 5 solutions, and there are more" in ran.err


def test_solve_all_says_what_has_no_solution(invoke):
    ran = invoke("sudoku", "solve", "--all", stdin=f"{NONE}\n{INVALID}\n{PUZZLE}\n")
    assert ran.code == 2
    assert ran.out.splitlines() == [f"{NONE}  # no solution", f"{INVALID}  # conflicting givens", SOLUTION]
    assert "line 2: conflicting givens: r1c1 and r1c2 are both 1" in ran.err
    assert "1 solution of 3 puzzles" in ran.err
    assert invoke("sudoku", "solve", "--all", "--strict", stdin=f"{INVALID}\n{PUZZLE}\n").out.count("\n") == 1


def test_a_limit_that_cannot_be_watched_is_refused(invoke):
    ran = invoke("sudoku", "solve", PUZZLE, "--limit", 10_000_001)
    assert ran.code == 2
    assert "only with --all" in ran.err
    assert invoke("sudoku", "solve", "--all", PUZZLE, "--limit", 10_000_001).code == 0
    assert invoke("sudoku", "solve", PUZZLE, "--limit", 1).code == 2


def wait_until_full(pipe):
    waiting, before, deadline = array("i", [0]), -1, time.monotonic() + 60
    while waiting[0] != before or waiting[0] < 40_000:
        before = waiting[0]
        select.select([], [], [], 0.05)  # the time in which a writer that is not held up writes more
        fcntl.ioctl(pipe, termios.FIONREAD, waiting)
        assert time.monotonic() < deadline


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_solve_all_streams_and_is_interrupted_cleanly(program, options):
    command = [program, "sudoku", "solve", "--all", "--limit", "1000000000000", *options, "." * 81]
    # Without a buffer on this side, so that nothing is lost between readline and communicate.
    with subprocess.Popen(command, bufsize=0, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        first = process.stdout.readline()
        wait_until_full(process.stdout)  # now it waits in the middle of its writing
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err == b"interrupted\n"
    lines = [first, *out.splitlines(keepends=True)]
    assert all(line.endswith(b"\n") for line in lines)
    if options:
        assert [json.loads(line)["solutions_found"] for line in lines] == list(range(1, len(lines) + 1))
        assert b"complete" not in lines[-1]
    else:
        assert {len(line) for line in lines} == {82}


def test_solve_all_shows_progress_only_on_the_terminal(program, tmp_path):
    ours, theirs = os.openpty()
    with (tmp_path / "solutions.txt").open("w") as solutions:
        done = subprocess.run(
            [program, "sudoku", "solve", "--all", BLANK_BAND], stdout=solutions, stderr=theirs, timeout=120, check=False
        )
    os.close(theirs)
    assert done.returncode == 0
    assert len(set((tmp_path / "solutions.txt").read_text().splitlines())) == 1728
    said = os.read(ours, 1 << 16)
    os.close(ours)
    assert b"1,728 solutions of 1 puzzle" in said
    assert FULL[27:].encode() not in said


def test_solve_all_ends_quietly_when_nobody_reads_on(program):
    command = [program, "sudoku", "solve", "--all", "--limit", "1000000000000", "." * 81]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert len(process.stdout.readline()) == 82
        process.stdout.close()
        assert process.stderr.read() == ""
        assert process.wait(60) == 0


def test_bad_lines_are_named_and_the_good_ones_done(invoke):
    ran = invoke("sudoku", "solve", "--json", stdin=f"{PUZZLE}\n123\n{PUZZLE[:-1]}x\n{INVALID}\n{PUZZLE}\n")
    assert ran.code == 2
    assert [line["status"] for line in ran.lines] == ["unique", "invalid", "unique"]
    assert "line 2: a grid has 81 cells, got 3" in ran.err
    assert "line 3: bad character 'x' in column 81" in ran.err
    assert "line 4: conflicting givens: r1c1 and r1c2 are both 1" in ran.err


def test_strict_stops_at_the_first_bad_line(invoke):
    ran = invoke("sudoku", "solve", "--strict", "--json", stdin=f"{PUZZLE}\n{INVALID}\n{PUZZLE}\n")
    assert ran.code == 2
    assert [line["status"] for line in ran.lines] == ["unique", "invalid"]
    assert invoke("sudoku", "solve", "--strict", stdin=f"{PUZZLE}\n123\n{PUZZLE}\n").code == 2


@pytest.mark.parametrize("command", ["solve", "rate", "explain", "canon"])
@pytest.mark.parametrize("source", [INVALID, "123", "no-such-file.txt"])
def test_a_bad_literal_ends_with_a_message(invoke, command, source):
    ran = invoke("sudoku", command, source)
    assert ran.code == 2
    assert "Traceback" not in ran.err
    assert ran.err


@pytest.mark.parametrize("command", ["solve", "rate", "explain", "canon"])
def test_an_empty_input_ends_with_a_message(invoke, command):
    ran = invoke("sudoku", command, stdin="")
    assert ran.code == 2
    assert "nothing in it" in ran.err


def test_a_gzip_file_cut_short(invoke, tmp_path):
    path = tmp_path / "puzzles.txt.gz"
    path.write_bytes(gzip.compress(f"{PUZZLE}\n".encode() * 5000)[:200])
    ran = invoke("sudoku", "solve", path)
    assert ran.code == 2
    assert "cut short" in ran.err


def test_a_pipe_is_answered_line_by_line(program):
    # This variable would hide answers that are kept in a buffer.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    with subprocess.Popen(
        [program, "sudoku", "solve"], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    ) as process:
        process.stdin.write(f"{PUZZLE}\n")
        process.stdin.flush()
        assert process.stdout.readline() == f"{SOLUTION}\n"
        process.stdin.write(f"{FULL}\n")
        process.stdin.flush()
        assert process.stdout.readline() == f"{FULL}\n"
        process.stdin.close()
        assert process.wait(60) == 0


def test_rate(invoke, puzzles):
    ran = invoke("sudoku", "rate", puzzles, "--json")
    assert ran.code == 2
    rated = ran.lines[0]
    assert set(rated) == {"puzzle", "er", "ep", "ed", "bound", "level", "score", "techniques", "rater"}
    assert rated["puzzle"] == PUZZLE
    assert rated["er"] >= 1.0
    assert [line.get("error") for line in ran.lines[1:]] == [
        "no solution, so it has no rating",
        "more than one solution, so it has no rating: givens 1, and with fewer than 17 there are always several",
        "solved already, so it has no rating",
    ]
    assert ran.lines[-1]["er"] is None
    assert "line 5: no solution" in ran.err
    assert "line 6: more than one solution" in ran.err
    assert "# ER" in invoke("sudoku", "rate", puzzles).out.splitlines()[0]


def test_explain(invoke):
    easy = invoke("sudoku", "generate", "--level", "easy", "--seed", 1, "--json").json
    ran = invoke("sudoku", "explain", easy["puzzle"], "--json")
    assert ran.code == 0
    assert ran.json["puzzle"] == easy["puzzle"]
    assert ran.json["er"] == easy["er"] == max(step["rating"] for step in ran.json["steps"])
    placed = {step["place"][:4]: step["place"][-1] for step in ran.json["steps"] if step["place"]}
    solution = easy["solution"]
    assert len(placed) == easy["puzzle"].count(".")
    assert all(solution[9 * int(name[1]) + int(name[3]) - 10] == digit for name, digit in placed.items())
    text = invoke("sudoku", "explain", easy["puzzle"]).out.splitlines()
    assert text[0] == easy["puzzle"]
    assert text[1].startswith(f"ER {easy['er']}")
    assert len(text) == 2 + len(ran.json["steps"])


def test_generate(invoke):
    ran = invoke("sudoku", "generate", "--count", 5, "--seed", 7, "--symmetry", "rot180", "--json")
    assert ran.code == 0
    assert len(ran.lines) == 5
    keys = {"puzzle", "solution", "clues", "minimal", "symmetry", "er", "level", "canonical", "weight", "seed"}
    for line in ran.lines:
        assert keys <= set(line)
        assert (line["symmetry"], line["seed"]) == ("rot180", 7)
        assert line["clues"] == 81 - line["puzzle"].count(".")
    assert invoke("sudoku", "generate", "--count", 5, "--seed", 7, "--symmetry", "rot180", "--json").out == ran.out
    solved = invoke("sudoku", "solve", "--json", stdin="".join(f"{line['puzzle']}\n" for line in ran.lines))
    assert [line["solution"] for line in solved.lines] == [line["solution"] for line in ran.lines]
    assert [line["status"] for line in solved.lines] == ["unique"] * 5


def test_generate_without_rating_for_people(invoke):
    lines = invoke("sudoku", "generate", "--count", 2, "--seed", 1, "--no-rate").out.splitlines()
    assert len(lines) == 2
    assert all(line[81:].startswith("  # ") and line.endswith(" givens, minimal") for line in lines)
    (line,) = invoke("sudoku", "generate", "--clues", "32..36", "--seed", 1, "--no-rate").out.splitlines()
    assert line[83:] in {f"# {clues} givens, not minimal" for clues in range(32, 37)}
    (line,) = invoke("sudoku", "generate", "--symmetry", "full", "--seed", 1, "--no-rate").out.splitlines()
    assert line.endswith(" givens, minimal within full")


def test_generate_for_a_pattern(invoke):
    mask = "x..x.x.x........x...x....xxx.xx.......xx.xx.......xx.xxx....x...x........x.x.x..x"
    ran = invoke("sudoku", "generate", "--pattern", mask, "--count", 3, "--seed", 1, "--no-rate", "--json")
    assert ran.code == 0
    assert ["".join("." if digit == "." else "x" for digit in line["puzzle"]) for line in ran.lines] == [mask] * 3
    ran = invoke("sudoku", "generate", "--pattern", "x" * 63 + "." * 18)
    assert ran.code == 2
    assert "--pattern: no puzzle with this pattern has one solution: rows 8 and 9" in ran.err


def test_generate_near_known_puzzles(invoke, tmp_path):
    path = tmp_path / "hard.txt"
    path.write_text("# hard ones\n98.7..6..75..4......3..8.7.5....7.3...94.........2.1..3.......1.9...5.8...52....6\n")
    ran = invoke("sudoku", "generate", "--near", path, "--er", "8.0..", "--seed", 1, "--attempts", 300, "--json")
    assert ran.code == 0
    assert ran.json["sampling"] == "neighbours"
    assert ran.json["er"] >= 8
    for source, message in (
        ("bank", "--near bank: only jobs reach the bank"),
        (tmp_path / "none.txt", "neither a file nor a valid item"),
    ):
        ran = invoke("sudoku", "generate", "--near", source, "--er", "8.0..")
        assert ran.code == 2
        assert message in ran.err


def test_what_generate_cannot_find_is_said(invoke):
    ran = invoke("sudoku", "generate", "--count", 3, "--clues", "17..18", "--attempts", 2, "--no-rate")
    assert ran.code == 1
    assert "made 0 of 3: 6 puzzles were tried" in ran.err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--er", "5..3"], "--er: er '5..3' is empty"),
        (["--level", "fiendish"], "levels: easy"),
        (["--no-minimal"], "need clues"),
        (["--symmetry", "spiral"], "rot180"),
    ],
)
def test_bad_wishes(invoke, options, message):
    ran = invoke("sudoku", "generate", *options)
    assert ran.code == 2
    assert message in ran.err


def test_canon(invoke):
    turned = "".join(PUZZLE[9 * column + row] for row in range(9) for column in range(9)).translate(
        str.maketrans("123456789", "987654321")
    )
    ran = invoke("sudoku", "canon", "--json", stdin=f"{PUZZLE}\n{turned}\n{FULL}\n")
    assert ran.code == 0
    assert [list(line) for line in ran.lines] == [["puzzle", "canonical", "automorphisms"]] * 3
    assert ran.lines[0]["canonical"] == ran.lines[1]["canonical"]
    assert ran.lines[2] == {"puzzle": FULL, "canonical": FULL, "automorphisms": 648}
    assert invoke("sudoku", "canon", PUZZLE).out == f"{ran.lines[0]['canonical']}\n"
    assert json.loads(invoke("sudoku", "canon", "." * 81, "--json").out)["automorphisms"] == 2 * 6**8


def test_canon_refuses_conflicting_givens(invoke):
    ran = invoke("sudoku", "canon", stdin=f"{INVALID}\n{PUZZLE}\n")
    assert ran.code == 2
    assert "line 1: conflicting givens" in ran.err
    assert len(ran.out.splitlines()) == 1


def test_efforts_offered_are_those_of_the_rater() -> None:
    assert [float(effort) for effort in sudoku.EFFORTS] == list(rating.EFFORTS)


def test_explain_in_chinese_with_pictures(invoke, tmp_path):
    ran = invoke("sudoku", "explain", PUZZLE, "--language", "zh", "--svg", tmp_path / "steps", "--json")
    steps = ran.json["steps"]
    assert "第" in steps[0]["text"]
    drawn = sorted((tmp_path / "steps").iterdir())
    assert [file.name for file in drawn] == [f"step-{number:03}.svg" for number in range(1, len(steps) + 1)]
    for file, step in zip(drawn, steps, strict=True):
        root = ET.fromstring(file.read_text(encoding="utf-8"))
        assert step["text"] in (root[0].text or "")
