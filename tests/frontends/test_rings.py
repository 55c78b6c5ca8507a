"""`puzzlemill rings`: the contract's keys, streams, bad input, and its examples."""

import gzip
import json
import os
import shlex
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path

import click
import pytest
from ringkit import FIVE

from engine.rings.model import Puzzle, State
from frontends.cli.rings import COMMANDS, group

STATE = "40000040111120122221133332323344444"
OPTIMUM = 9


def test_solve_a_state(invoke):
    ran = invoke("rings", "solve", STATE, "--json")
    assert ran.code == 0
    assert set(ran.json) >= {"state", "moves", "clicks", "lower_bound", "optimal", "method", "seconds"}
    assert ran.json["clicks"] == ran.json["lower_bound"] == OPTIMUM
    assert ran.json["optimal"] is True
    assert State(STATE).after(FIVE.parse_moves(ran.json["moves"])).is_solved


@pytest.mark.parametrize("method", ["beam", "ida", "thesis"])
def test_solve_by_method(invoke, method):
    ran = invoke("rings", "solve", STATE, "--method", method, "--width", 300, "--json")
    assert ran.json["method"] == method
    assert ran.json["clicks"] >= OPTIMUM
    assert State(STATE).after(FIVE.parse_moves(ran.json["moves"])).is_solved


def test_solve_with_the_tables_of_two_colours(invoke):
    puzzle = Puzzle(5, 3, (0, 2))
    words = ("rings", "solve", puzzle.solved.after((0, 10, 2, 10, 5, 10, 0, 11, 3)).text, "--beads", 3, "--json")
    found = {tables: invoke(*words, "--tables", tables).json for tables in ("auto", "unions", "colours")}
    assert len({one["clicks"] for one in found.values()}) == 1
    assert all(one["optimal"] for one in found.values())
    assert found["auto"]["nodes"] == found["unions"]["nodes"] != found["colours"]["nodes"]


def test_tables_that_are_not_there_are_asked_for(invoke, tmp_path, monkeypatch):
    monkeypatch.setenv("PUZZLEMILL_TABLES", str(tmp_path / "tables"))
    for command in ("solve", "prove"):
        ran = invoke("rings", command, STATE, "--tables", "unions")
        assert (ran.code, ran.out) == (1, "")
        assert "puzzlemill rings tables --unions builds them" in ran.err


def test_solve_for_people(invoke):
    ran = invoke("rings", "solve", STATE)
    assert ran.out.splitlines()[0] == STATE
    assert "9 clicks, proved shortest" in ran.out
    assert "(solved)" in invoke("rings", "solve", FIVE.solved.text).out
    assert "none below" in invoke("rings", "solve", STATE, "--method", "thesis").out
    limited = invoke("rings", "solve", STATE, "--method", "ida", "--max-nodes", 5)
    assert "no solution found; none below" in limited.out


@pytest.mark.parametrize("command", [("solve", "--width=100"), ("prove",), ("thesis",)], ids=lambda words: words[0])
def test_a_pipe_is_answered_line_by_line(program, command):
    # This variable would hide answers that are kept in a buffer.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    with subprocess.Popen(
        [program, "rings", *command, "--json"], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        for state in (STATE, FIVE.solved.text):
            process.stdin.write(f"{state}\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["state"] == state
        process.stdin.close()
        assert process.wait(60) == 0


def test_a_file_with_a_heading_and_columns(invoke, tmp_path):
    text = f"state,scramble_clicks,optimal_clicks\n{STATE},20,9\n\n# one more\n{FIVE.solved.text},0,0\n"
    (tmp_path / "states.csv").write_text(text)
    with gzip.open(tmp_path / "states.csv.gz", "wt") as file:
        file.write(text)
    for name in ("states.csv", "states.csv.gz"):
        ran = invoke("rings", "solve", tmp_path / name, "--json")
        assert ran.code == 0
        assert [line["clicks"] for line in ran.lines] == [9, 0]


def test_what_scramble_prints_solve_reads(invoke):
    scrambled = invoke("rings", "scramble", "--clicks", 8, "--count", 3, "--seed", 5, "--json")
    ran = invoke("rings", "solve", "-", "--json", stdin=scrambled.out)
    assert [line["state"] for line in ran.lines] == [line["state"] for line in scrambled.lines]
    assert all(line["clicks"] <= 8 for line in ran.lines)


def test_bad_lines_are_named_and_the_others_done(invoke):
    ran = invoke("rings", "solve", "-", "--json", stdin=f"12\n{STATE}\n{STATE[:-1]}3\n")
    assert ran.code == 2
    assert [line["clicks"] for line in ran.lines] == [9]
    assert "line 1: 2 digits; a state has 35" in ran.err
    assert "line 3: impossible state" in ran.err


def test_strict_stops_at_the_first_bad_line(invoke):
    ran = invoke("rings", "prove", "-", "--strict", stdin=f"12\n{STATE}\n")
    assert (ran.code, ran.out) == (2, "")


@pytest.mark.parametrize("source", ["nosuchfile", STATE[:-1], "0" * 35])
def test_neither_file_nor_state(invoke, source):
    ran = invoke("rings", "solve", source)
    assert ran.code == 2
    assert "neither a file nor a valid item" in ran.err


def test_prove(invoke):
    ran = invoke("rings", "prove", STATE, "--json")
    assert ran.json["optimal_clicks"] == OPTIMUM
    assert "none_below" not in ran.json
    assert ran.json["nodes"] > 0
    assert State(STATE).after(FIVE.parse_moves(ran.json["moves"])).is_solved
    assert "9 clicks, proved shortest" in invoke("rings", "prove", STATE).out


def test_prove_that_there_is_none(invoke):
    ran = invoke("rings", "prove", STATE, "--max-clicks", 8, "--json")
    assert ran.code == 0
    assert ran.json["none_below"] == OPTIMUM
    assert ran.json["moves"] is None
    assert "optimal_clicks" not in ran.json
    people = invoke("--verbose", "rings", "prove", STATE, "--max-clicks", 8)
    assert "no solution below 9 clicks" in people.out
    assert "--max-clicks 9 goes on" in people.err


@pytest.mark.parametrize(
    "how",
    [("--clicks", 30), ("--level", "high"), ("--distance", 7), ("--uniform",), ()],
    ids=lambda how: " ".join(map(str, how)),
)
def test_scramble(invoke, how):
    ran = invoke("rings", "scramble", *how, "--count", 3, "--seed", 4, "--json")
    assert len(ran.lines) == 3
    for line in ran.lines:
        moves = FIVE.parse_moves(line["moves"])
        assert FIVE.solved.after(moves).text == line["state"]
        assert how == ("--uniform",) or len(moves) == {"--clicks": 30, "--level": 60, "--distance": 7}.get((*how, "")[0], 40)
    assert invoke("rings", "scramble", *how, "--count", 3, "--seed", 4, "--json").out == ran.out
    assert invoke("rings", "scramble", *how, "--count", 3, "--seed", 5, "--json").out != ran.out


def test_scramble_by_true_level(invoke):
    ran = invoke("rings", "scramble", "--level", "true-low", "--count", 5, "--seed", 4, "--json")
    assert all(1 <= line["distance"] == len(line["moves"].split()) <= 10 for line in ran.lines)
    extreme = invoke("rings", "scramble", "--level", "extreme", "--seed", 4, "--json")
    assert extreme.out == invoke("rings", "scramble", "--uniform", "--seed", 4, "--json").out


def test_scramble_of_another_puzzle(invoke):
    for how in (("--clicks", 9), ("--distance", 11), ("--uniform",)):
        ran = invoke("rings", "scramble", *how, "--rings", 3, "--beads", 4, "--seed", 2, "--json")
        puzzle = Puzzle(3, 4, (0, 3))
        assert puzzle.solved.after(puzzle.parse_moves(ran.json["moves"])).text == ran.json["state"]
    refused = invoke("rings", "scramble", "--distance", 12, "--rings", 3, "--beads", 4, "--seed", 2)
    assert refused.code == 2
    assert "no state of" in refused.err


def test_scramble_for_people(invoke):
    ran = invoke("rings", "scramble", "--clicks", 5, "--seed", 1, "--count", 2)
    assert ran.out.count("ring 5") == 2
    assert invoke("rings", "scramble").out != invoke("rings", "scramble").out


@pytest.mark.parametrize("how", [("--clicks", 3, "--uniform"), ("--distance", 25), ("--clicks", -1), ("--count", 0)], ids=str)
def test_scrambles_that_are_refused(invoke, how):
    assert invoke("rings", "scramble", *how).code == 2


def test_apply(invoke):
    ran = invoke("rings", "apply", "solved", "R1 D", "R2'", "--json")
    assert ran.json["state"] == FIVE.solved.after(FIVE.parse_moves("R1 D R2'")).text
    assert ran.json["moves"] == "R1 D R2'"
    assert ran.json["solved"] is False
    assert invoke("rings", "apply", ran.json["state"], "R2", "D'").out.endswith("solved\n")
    assert invoke("rings", "apply", STATE, "--json").json["state"] == STATE


@pytest.mark.parametrize("words", [("solved", "R6"), ("nonsense", "R1"), (STATE[:-1], "R1")], ids=str)
def test_apply_refuses(invoke, words):
    assert invoke("rings", "apply", *words).code == 2


def test_definition(invoke):
    assert invoke("rings", "definition").out == FIVE.tws()
    assert invoke("rings", "definition", "--rings", 3, "--beads", 4, "--places", "0,1").out == Puzzle(3, 4, (0, 1)).tws()


def test_other_puzzles_can_be_turned(invoke):
    ran = invoke("rings", "apply", "solved", "R3 D", "--rings", 3, "--beads", 4, "--json")
    puzzle = Puzzle(3, 4, (0, 3))
    assert ran.json["state"] == puzzle.solved.after(puzzle.parse_moves("R3 D")).text


@pytest.mark.parametrize(
    "how", [("--rings", 1), ("--beads", 40), ("--places", "0,x"), ("--places", "0,7"), ("--rings", 3, "--beads", 4)], ids=str
)
def test_puzzles_and_states_that_do_not_fit(invoke, how):
    ran = invoke("rings", "apply", STATE, *how)
    assert ran.code == 2
    assert "Traceback" not in ran.err


def test_enumerate(invoke):
    ran = invoke("rings", "enumerate", "--rings", 3, "--beads", 4, "--json")
    assert ran.json["states"] == ran.json["reached"] == sum(ran.json["states_by_clicks"]) == 34650
    assert ran.json["gods_number"] == len(ran.json["states_by_clicks"]) - 1 == 11
    solved = invoke("rings", "solve", ran.json["farthest"][0], "--rings", 3, "--beads", 4, "--json")
    assert solved.json["clicks"] == 11
    assert solved.json["optimal"] is True
    people = invoke("rings", "enumerate", "--rings", 2, "--beads", 4, "--places", "0,2")
    assert "70, of which 6 can be reached" in people.out
    assert "God's number  4 clicks" in people.out
    refused = invoke("rings", "enumerate")
    assert refused.code == 2
    assert "at most 20,000,000 are listed whole" in refused.err


def test_tables(invoke, tmp_path, monkeypatch):
    monkeypatch.setenv("PUZZLEMILL_TABLES", str(tmp_path / "tables"))
    missing = invoke("rings", "tables", "--check", "--json")
    assert (missing.code, missing.json["condition"]) == (1, "missing")
    built = invoke("rings", "tables", "--json").json
    assert (built["condition"], built["entries"], built["farthest"]) == ("built", 6_724_520, 25)
    assert (built["soft"]["condition"], built["soft"]["bytes"]) == ("built", 4096 + 16 * 6_724_520)
    assert invoke("rings", "tables", "--check").code == 0
    assert invoke("rings", "tables", "--rebuild", "--check").code == 2
    small = invoke("rings", "tables", "--rings", 3, "--beads", 4)
    assert "not kept" in small.out
    assert "soft" not in small.out
    assert invoke("rings", "tables", "--rings", 3, "--beads", 4, "--json").json["soft"] is None


def test_damaged_tables_are_built_again(invoke, tmp_path, monkeypatch):
    monkeypatch.setenv("PUZZLEMILL_TABLES", str(tmp_path / "tables"))
    command = ("rings", "tables", "--beads", 6)
    built = invoke(*command, "--json").json
    path = Path(built["path"])
    whole = path.read_bytes()
    assert len(whole) == built["bytes"]
    path.unlink()  # this process has mapped it
    path.write_bytes(whole[:100_000])
    cut = invoke(*command, "--check")
    assert cut.code == 1
    assert "not the size of a whole table" in cut.out
    assert invoke(*command, "--json").json["condition"] == "built"
    assert path.read_bytes() == whole
    assert invoke(*command, "--json").json["condition"] == "whole"
    anew = invoke(*command, "--rebuild", "--json").json
    assert (anew["condition"], anew["soft"]["condition"]) == ("built", "built")


def test_the_table_of_soft_distances(invoke, tmp_path, monkeypatch):
    monkeypatch.setenv("PUZZLEMILL_TABLES", str(tmp_path / "tables"))
    command = ("rings", "tables", "--beads", 6)
    missing = invoke(*command, "--check", "--json")
    assert (missing.code, missing.json["condition"], missing.json["soft"]["condition"]) == (1, "missing", "missing")
    built = invoke(*command, "--json").json["soft"]
    assert (built["condition"], built["entries"], built["farthest"]) == ("built", 593_775, None)
    assert invoke(*command, "--check").code == 0
    path = Path(built["path"])
    whole = path.read_bytes()
    path.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    damaged = invoke(*command, "--check", "--json")
    assert (damaged.code, damaged.json["condition"], damaged.json["soft"]["condition"]) == (1, "whole", "damaged")
    assert "hash is wrong" in damaged.json["soft"]["detail"]
    mended = invoke(*command)
    assert mended.code == 0
    assert [line.split()[-1] for line in mended.out.splitlines() if line.startswith("condition")] == [
        "whole",
        "built",
        *["missing"] * 2,  # the unions, which are not needed
    ]
    assert path.read_bytes() == whole


def test_tables_that_cannot_be_kept(invoke, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("PUZZLEMILL_TABLES", str(tmp_path / "file"))
    ran = invoke("rings", "tables")
    assert ran.code == 1
    assert "cannot be kept" in ran.err


def test_draw(invoke, tmp_path):
    still = invoke("rings", "draw", STATE, "--labels", "letters")
    assert ET.fromstring(still.out).tag.endswith("svg")
    assert "animate" not in still.out
    ran = invoke("rings", "draw", STATE, "--solve", "--seconds", 0.5, "--once", "-o", tmp_path / "solution.svg")
    assert (ran.code, ran.out) == (0, "")
    text = (tmp_path / "solution.svg").read_text()
    assert "9 / 9" in text
    assert 'dur="7.5s" fill="freeze"' in text
    small = invoke("rings", "draw", "solved", "--moves", "R1 D", "--rings", 3, "--beads", 4)
    assert "2 / 2" in small.out
    assert "indefinite" in small.out


@pytest.mark.parametrize(
    "how",
    [("--moves", "R9"), ("--moves", "D", "--solve"), ("--seconds", 0), ("--labels", "x"), ("-o", "no/such/folder/a.svg")],
    ids=str,
)
def test_draw_refuses(invoke, how):
    assert invoke("rings", "draw", STATE, *how).code == 2


def test_the_table_of_commands_says_what_they_say():
    context = click.Context(group)
    for name, entry in COMMANDS.items():
        command = group.get_command(context, name)
        assert command is not None
        assert command.name == name
        assert " ".join((command.help or "").split("\n\n")[0].split()) == entry.summary


def test_help_and_examples(invoke):
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        ran = invoke("rings", name, "--help")
        assert ran.code == 0
        assert "Examples:" in ran.out
        for line in command.examples:
            words = shlex.split(line.split("|")[0].split("<")[0].split(">")[0])[3:]
            command.make_context(name, words, parent=context, resilient_parsing=False)


def test_the_installed_program(puzzlemill):
    ran = puzzlemill("rings", "solve", STATE, "--json")
    assert ran.code == 0
    assert json.loads(ran.out)["clicks"] == OPTIMUM
    assert ran.err == ""
