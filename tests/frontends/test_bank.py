"""The bank from the command line: what jobs stored is found, shown, exported and verified; a wrong result is named."""

import csv
import gzip
import io
import json
import shutil
import sqlite3

import pytest

from db.settings import Settings
from engine import registry
from frontends.cli.service import opened
from workers.supervisor import Supervisor

PUZZLE = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"  # a well-known hard one
EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"  # the usual example in the press
EASY_MIRRORED = "\n".join(reversed([EASY[9 * r : 9 * r + 9] for r in range(9)])).replace("\n", "")
STATE = "40000040111120122221133332323344444"


@pytest.fixture(scope="module")
def bank(tmp_path_factory):
    """Make a data folder with a small bank of all three families."""

    made = Settings(data_dir=tmp_path_factory.mktemp("bank"), database_url=None, broker_url=None, _env_file=None)
    wanted = [
        ("sudoku.generate", {"count": 6}, []),
        ("sudoku.solve", {}, [PUZZLE, EASY]),
        ("pegs.enumerate", {"board": "triangle-10"}, []),
        ("rings.solve", {}, [STATE]),
        ("rings.solve", {"method": "thesis"}, [STATE]),
        ("rings.scramble", {"count": 2, "clicks": 20}, []),
        ("rings.prove", {"alone_nodes": 0}, [STATE]),
    ]
    with opened(made) as store:
        numbers = []
        for name, params, items in wanted:
            kind = registry.kind(name)
            model = kind.params_model.model_validate(params)
            plan = kind.plan(model, [item for line in items if (item := kind.parse_line(line))])
            numbers.append(store.submit(name, model.model_dump(mode="json"), 7, plan).job_id)
        with Supervisor(made, 2) as supervisor:
            supervisor.run(until=lambda: all(store.job(number).closed for number in numbers))
        assert {str(store.job(number).state) for number in numbers} == {"done"}
    return made.data_dir


@pytest.fixture
def ask(invoke, bank):
    return lambda *args: invoke("bank", *args, "--data-dir", bank)


@pytest.mark.parametrize(
    ("args", "count"),
    [
        ([], 8),
        (["--job", 1], 6),
        (["--job", 2], 2),
        (["--status", "unique"], 8),
        (["--status", "multiple"], 0),
        (["--clues", "17..17"], 1),
        (["--clues", "17"], 1),
        (["--clues", "18.."], 7),
        (["--rated"], 6),
        (["--no-rated"], 2),
        (["--er", "1.0..12.0"], 6),
        (["--minimal", "--sampling", "top-down", "--symmetry", "none"], 6),
        (["--technique", "hidden-single", "--without", "nothing-of-that-name"], 6),
        (["--technique", "nothing-of-that-name"], 0),
        (["--limit", 3], 3),
        (["--limit", 3, "--offset", 6], 2),
    ],
)
def test_query_sudoku(ask, args, count):
    ran = ask("query", "sudoku", *args, "--json")
    assert ran.code == 0
    assert len(ran.lines) == count


def test_query_sudoku_keys_and_order(ask):
    rows = ask("query", "sudoku", "--rated", "--sort", "-clues", "--json").lines
    assert [row["clues"] for row in rows] == sorted((row["clues"] for row in rows), reverse=True)
    assert set(rows[0]) >= {
        "id", "puzzle", "canonical", "solution", "status", "clues", "minimal", "symmetry", "automorphisms", "er", "ep", "ed",
        "bound", "level", "score", "techniques", "rater", "sampling", "weight",
    }  # fmt: skip
    assert rows[0]["solution"].translate(str.maketrans("", "", "123456789")) == ""


@pytest.mark.parametrize(
    ("args", "count"),
    [
        ([], 10),
        (["--board", "triangle-10", "--start", "1"], 1),
        (["--board", "triangle-10", "--start", "a2"], 1),
        (["--moves", "..5"], 10 - 4),
        (["--solutions", "--start", "1", "--board", "triangle-10"], None),
        (["--finish", "0"], None),
        (["--board", "triangle-15"], 0),
    ],
)
def test_query_pegs(ask, args, count):
    ran = ask("query", "pegs", *args, "--limit", 1000, "--json")
    assert ran.code == 0, ran.err
    if count is not None:
        assert len(ran.lines) == count


def test_solutions_of_pegs_by_index(ask):
    rows = ask("query", "pegs", "--board", "triangle-10", "--start", "1", "--solutions", "--sort", "index", "--json").lines
    assert [row["index"] for row in rows] == list(range(len(rows)))
    assert {"board", "start", "finish", "index", "moves", "shortest", "jumps"} <= set(rows[0])
    (third,) = ask("query", "pegs", "--board", "triangle-10", "--start", "1", "--index", "2", "--json").lines
    assert third == rows[2]


@pytest.mark.parametrize(
    ("args", "count"),
    [
        ([], 3),
        (["--solved"], 1),
        (["--no-solved"], 2),
        (["--clicks", "9"], 1),
        (["--optimal", "--method", "thesis"], 1),
        (["--method", "beam"], None),
        (["--lower-bound", "9.."], 1),
        (["--job", 6], 2),
    ],
)
def test_query_rings(ask, args, count):
    ran = ask("query", "rings", *args, "--json")
    assert ran.code == 0
    if count is not None:
        assert len(ran.lines) == count


def test_tables_for_people(ask):
    assert EASY in ask("query", "sudoku").out
    cut = ask("query", "sudoku", "--limit", 2)
    assert len(cut.out.splitlines()) == 4
    assert "--offset 2" in cut.err
    assert "triangle-10" in ask("query", "pegs").out
    assert STATE in ask("query", "rings").out
    nothing = ask("query", "sudoku", "--clues", "80..")
    assert (nothing.code, nothing.out) == (0, "")
    assert "no sudokus like that" in nothing.err


@pytest.mark.parametrize(
    "args",
    [
        ["query", "sudoku", "--er", "5..3"],
        ["query", "sudoku", "--er", "hard"],
        ["query", "sudoku", "--er", ".."],
        ["query", "sudoku", "--sort", "nope"],
        ["query", "pegs", "--start", "d4"],
        ["query", "pegs", "--board", "triangle-10", "--start", "z9"],
        ["query", "chess"],
        ["show", "chess", "1"],
        ["show", "sudoku"],
        ["stats", "chess"],
        ["verify", "chess"],
    ],
)
def test_usage_errors(ask, args):
    ran = ask(*args)
    assert ran.code == 2
    assert ran.err


def test_show_by_number_text_and_equivalent_form(ask):
    by_text = ask("show", "sudoku", EASY, "--json").json
    assert by_text["puzzle"] == EASY
    assert ask("show", "sudoku", by_text["id"], "--json").json == by_text
    assert ask("show", "sudoku", EASY_MIRRORED, "--json").json == by_text
    assert "5 3 . | . 7 ." in ask("show", "sudoku", EASY).out
    assert ask("show", "rings", STATE, "--json").json["optimal_clicks"] == 9
    assert "thesis" in ask("show", "rings", STATE).out
    papers = {one["method"]: one["certificate"] for one in ask("show", "rings", STATE, "--json").json["solutions"]}
    assert papers["thesis"] is None
    assert set(papers["prove"]) == {"engine_version", "with_unions", "tables", "refuted"}
    assert "bound refuted" in ask("show", "rings", STATE).out
    assert "certificate" not in ask("query", "rings", "--method", "prove", "--json").lines[0]["solutions"][0]
    assert ask("show", "pegs", "triangle-10", "1", "--json").json == ask("show", "pegs", "triangle-10:1", "--json").json
    assert len(ask("show", "pegs", "triangle-10", "--json").json["starts"]) == 10
    assert "fewest moves" in ask("show", "pegs", "triangle-10").out
    assert "solutions by finish" in ask("show", "pegs", "triangle-10", "1").out


@pytest.mark.parametrize("args", [["sudoku", "999999"], ["sudoku", "nonsense"], ["pegs", "nowhere"], ["rings", "1234567"]])
def test_show_of_what_is_not_there(ask, args):
    ran = ask("show", *args)
    assert ran.code == 4
    assert "no" in ran.err


@pytest.mark.parametrize("family", ["sudoku", "pegs", "rings"])
def test_stats(ask, family):
    ran = ask("stats", family, "--json")
    assert ran.code == 0
    assert "#" in ask("stats", family).out or family == "pegs"
    first = {"sudoku": ("puzzles", 8), "pegs": ("enumerations", 10), "rings": ("positions", 3)}[family]
    assert ran.json[first[0]] == first[1]


def test_export(ask, tmp_path):
    lines = ask("export", "sudoku").out.splitlines()
    assert len(lines) == 8
    assert EASY in lines
    rows = list(csv.DictReader(io.StringIO(ask("export", "sudoku", "--format", "csv", "--rated").out)))
    assert len(rows) == 6
    assert json.loads(rows[0]["techniques"])
    assert len([json.loads(line) for line in ask("export", "rings", "--format", "jsonl").out.splitlines()]) == 3
    ran = ask("export", "pegs", "--solutions", "--start", "1", "-o", tmp_path / "out.txt.gz")
    assert ran.code == 0
    with gzip.open(tmp_path / "out.txt.gz", "rt") as file:
        written = file.read().splitlines()
    assert f"{len(written):,} rows written" in ran.err
    assert sorted(path.name for path in tmp_path.iterdir() if path.name.startswith((".", "out"))) == ["out.txt.gz"]
    assert ask("export", "sudoku", "-o", tmp_path / "no" / "where").code == 1


def test_what_is_exported_can_be_read_in_again(ask, invoke):
    lines = ask("export", "sudoku").out
    solved = invoke("sudoku", "solve", "-", "--json", stdin=lines)
    assert solved.code == 0
    assert {row["status"] for row in solved.lines} == {"unique"}


def test_verify_holds(ask):
    ran = ask("verify", "--json")
    assert ran.code == 0, ran.err
    assert ran.json["ok"] is True
    assert set(ran.json["families"]) == {"sudoku", "pegs", "rings"}
    assert "8 checked (8 sudoku): all hold" in ask("verify", "sudoku").out
    job = ask("verify", "--job", 1, "--json").json
    assert (job["ok"], job["wrong"]) == (True, 0)
    assert job["checked"] >= 6 + 1
    assert ask("verify", "--job", 99).code == 4


@pytest.mark.parametrize(
    ("family", "statement"),
    [
        ("sudoku", "UPDATE sudoku SET solution = replace(solution, '1', '2') WHERE clues = 17"),
        ("rings", "UPDATE ring_solution SET moves = 'R1 R1' WHERE method = 'thesis'"),
        (
            "rings",
            "UPDATE ring_solution SET certificate = json_set(certificate, '$.tables', json('{}')) WHERE method = 'prove'",
        ),
        ("pegs", "UPDATE peg_solution SET moves = moves + 1 WHERE id = 1"),
    ],
)
def test_verify_finds_a_wrong_result_and_names_it(invoke, bank, tmp_path, family, statement):
    copy = tmp_path / "copy"
    copy.mkdir()
    with sqlite3.connect(bank / "puzzlemill.db") as good, sqlite3.connect(copy / "puzzlemill.db") as bad:
        good.backup(bad)
        assert bad.execute(statement).rowcount == 1
        bad.commit()
    good.close()
    bad.close()
    ran = invoke("bank", "verify", family, "--data-dir", copy, "--json")
    assert ran.code == 1
    assert ran.json["wrong"] >= 1
    assert ran.json["problems"][0]["family"] == family
    assert family in ran.err


def test_a_search_begins_with_what_the_bank_has(invoke, bank, tmp_path):
    place = tmp_path / "copy"
    shutil.copytree(bank, place)
    stored = [json.loads(line) for line in invoke("bank", "query", "sudoku", "--json", "--data-dir", place).out.splitlines()]
    low = sorted(row["er"] for row in stored if row["er"])[-2]

    def submit(*options):
        return invoke("job", "submit", "sudoku.generate", "--near", "bank", *options, "--json", "--data-dir", place)

    near = submit("--er", f"{low}..").json["params"]["near"]
    assert {row["puzzle"] for row in stored if row["er"] and row["er"] >= low} <= set(near)
    # The others follow, the nearest first: it begins with them where none is as wished.
    by_er = {row["puzzle"]: row["er"] for row in stored}
    assert [by_er[puzzle] for puzzle in near[2:]] == sorted((by_er[puzzle] for puzzle in near[2:]), reverse=True)
    assert len(submit("--er", "10.0..").json["params"]["near"]) == sum(row["er"] is not None for row in stored)
    used = {technique for row in stored for technique in row["techniques"] or ()}
    unused = next(name for name in ("jellyfish", "hidden-quad", "naked-quad", "swordfish", "xyz-wing") if name not in used)
    refused = submit("--technique", unused)
    assert refused.code == 2
    assert "the bank holds no puzzle that is near" in refused.err
    refused = submit("--sampling", "top-down", "--er", "1.0..")
    assert refused.code == 2
    assert "near needs a directed search" in refused.err
