"""Asking the bank: filters, order, pages, single rows and statistics; and checking again what is stored."""

from dataclasses import replace

import pytest
from sqlalchemy import text
from storekit import RATING, chunk_ids, claimed, finish, puzzle, submit

from db.errors import InvalidQueryError, JobNotFoundError
from db.queries import pegs, rings, sudoku
from db.session import read, write
from db.verify import verify
from engine.jobs import ChunkResult
from engine.pegs.records import BoardRecord, EnumerationRecord
from engine.pegs.records import SolutionRecord as PegRecord
from engine.registry import Family
from engine.rings.records import PositionRecord
from engine.rings.records import SolutionRecord as RingRecord


def keep(store, *records):
    job = submit(store, 1)
    claim = claimed(store, chunk_ids(store, job)[0])
    assert store.finish(claim, ChunkResult(records))
    return job


def ask(store, module, sort="id", limit=None, offset=0, **filters):
    with read(store.engine) as conn:
        return list(module.query(conn, module.Filters(**filters), sort=sort, limit=limit, offset=offset))


def show(store, module, key):
    with read(store.engine) as conn:
        return module.show(conn, key)


def stats(store, module):
    with read(store.engine) as conn:
        return module.stats(conn)


# Sudoku


@pytest.fixture
def bank(store):
    """Six sudokus, five of them rated 1.2, 2.3, ..., and the job of the last two."""
    made = [
        puzzle(str(i), clues=22 + i, minimal=i % 2 == 0, symmetry="rot180" if i < 3 else "none", rating=rating(i))
        for i in range(5)
    ]
    first = keep(store, *made[:3], puzzle("unrated", status="multiple"))
    last = keep(store, *made[3:])
    return made, first, last


def rating(i):
    techniques = {"hidden-single": 40, **({"x-wing": i} if i > 2 else {}), **({"naked-pair": 1} if i % 2 else {})}
    return replace(RATING, er=1.2 + 1.1 * i, level=["easy", "hard"][i > 2], techniques=techniques)


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({}, [0, 1, 2, 3, 4, "unrated"]),
        ({"er": (2.3, 4.5)}, [1, 2, 3]),
        ({"er": (None, 2.3)}, [0, 1]),
        ({"clues": (25, None), "rated": True}, [3, 4]),
        ({"rated": False}, ["unrated"]),
        ({"status": "multiple"}, ["unrated"]),
        ({"level": "hard"}, [3, 4]),
        ({"symmetry": "rot180", "minimal": True}, [0, 2]),
        ({"techniques": ["x-wing"]}, [3, 4]),
        ({"techniques": ["x-wing", "naked-pair"]}, [3]),
        ({"without": ["naked-pair"]}, [0, 2, 4]),
        ({"bound": True}, []),
        ({"rater": "t1", "er": (5, 9)}, [4]),
        ({"job_id": "last"}, [3, 4]),
        ({"job_id": "last", "er": (5, None)}, [4]),
    ],
)
def test_filters(store, bank, filters, expected):
    if filters.get("job_id") == "last":
        filters = filters | {"job_id": bank[2]}
    found = ask(store, sudoku, **filters)
    assert {row["canonical"] for row in found} == {puzzle(str(key)).canonical for key in expected}
    with read(store.engine) as conn:
        assert sudoku.count(conn, sudoku.Filters(**filters)) == len(expected)


def test_order_and_pages(store, bank):
    ratings = [1.2 + 1.1 * i for i in range(5)]
    assert [row["er"] for row in ask(store, sudoku, "er")] == [*ratings, None]
    assert [row["er"] for row in ask(store, sudoku, "-er", limit=2, offset=1)] == ratings[3:1:-1]
    assert [row["er"] for row in ask(store, sudoku, "-er", offset=4)] == [ratings[0], None]
    with pytest.raises(InvalidQueryError, match="cannot sort by 'beauty'; sort keys: id, er"):
        ask(store, sudoku, "beauty")


def test_a_puzzle_with_all_that_is_known_of_it(store, bank):
    made = bank[0][3]
    (found,) = [row for row in ask(store, sudoku) if row["puzzle"] == made.puzzle]
    assert found["techniques"] == made.rating.techniques
    assert (found["solution"], found["er"], found["minimal"], found["bound"]) == (made.solution, made.rating.er, False, False)
    for key in (str(found["id"]), made.puzzle, made.puzzle.replace(".", "0"), made.canonical):
        assert show(store, sudoku, key) == found
    assert show(store, sudoku, "999999999") is None
    assert show(store, sudoku, "nonsense") is None


def test_an_equivalent_puzzle_is_shown(store):
    given = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    relabelled = given.translate(str.maketrans("123456789", "912345678"))
    with read(store.engine) as conn:
        canonical = sudoku._canonical(given)
        assert sudoku._canonical(relabelled) == canonical
        assert sudoku.show(conn, relabelled) is None
    keep(store, replace(puzzle("x"), puzzle=given, canonical=canonical))
    assert show(store, sudoku, relabelled)["puzzle"] == given


def test_sudoku_statistics(store, bank):
    found = stats(store, sudoku)
    assert (found["puzzles"], found["rated"], found["minimal"]) == (6, 5, 3)
    assert found["by_status"] == {"multiple": 1, "unique": 5}
    assert found["by_level"] == {"easy": 3, "hard": 2}
    assert found["by_technique"] == {"hidden-single": 5, "naked-pair": 2, "x-wing": 2}
    assert found["er"]["least"] == pytest.approx(1.2)
    assert found["er"]["mean"] == pytest.approx(3.4)
    assert sum(found["by_clues"].values()) == 6


def test_statistics_of_an_empty_bank(store):
    assert stats(store, sudoku)["er"] == {"least": None, "greatest": None, "mean": None}
    assert stats(store, pegs)["by_board"] == {}
    assert stats(store, rings)["by_method"] == {}


def test_a_large_answer_is_streamed(store):
    keep(store, *(puzzle(str(i), rating=RATING) for i in range(2500)))
    found = ask(store, sudoku)
    assert len(found) == 2500
    assert all(row["techniques"] == RATING.techniques for row in found)


# Pegs

BOARD = BoardRecord("tiny", "ab" * 16, 6, "o o\no")


def test_peg_queries(store):
    solutions = [PegRecord(BOARD, 1, i, i % 2, ((0, 3), (3, i)), 2 + i, shortest=i < 2) for i in range(4)]
    job = keep(store, EnumerationRecord(BOARD, 1, {"positions": 9, "solutions": 2**60, "min_moves": 2}, solutions))
    keep(store, EnumerationRecord(BOARD, 2, {"positions": 5, "solutions": 0}))
    other = keep(store, solutions[3])
    assert [row["start"] for row in ask(store, pegs)] == [1, 2]
    assert [row["start"] for row in ask(store, pegs, "-positions", board="tiny")] == [1, 2]
    assert [row["start"] for row in ask(store, pegs, moves=(None, 3))] == [1]
    assert [row["start"] for row in ask(store, pegs, job_id=job)] == [1]
    assert ask(store, pegs, board="other") == []
    listed = ask(store, pegs, "-index", solutions=True)
    assert [row["index"] for row in listed] == [3, 2, 1, 0]
    assert (listed[0]["board"], listed[0]["jumps"], listed[0]["finish"]) == ("tiny", "0-3 3-3", 1)
    assert [row["index"] for row in ask(store, pegs, solutions=True, finish=0, shortest=False)] == [2]
    assert [row["index"] for row in ask(store, pegs, solutions=True, index=(1, 2), start=1)] == [1, 2]
    assert [row["index"] for row in ask(store, pegs, solutions=True, job_id=other)] == [3]
    shown = show(store, pegs, "tiny:1")
    assert (shown["solutions"], shown["solutions_text"], shown["positions"]) == (2**60, str(2**60), 9)
    assert show(store, pegs, str(shown["id"])) == shown
    assert [start["solutions_text"] for start in show(store, pegs, "tiny")["starts"]] == [str(2**60), "0"]
    assert [show(store, pegs, key) for key in ("tiny:9", "big", "999999999")] == [None] * 3
    found = stats(store, pegs)
    assert (found["boards"], found["enumerations"], found["solutions_stored"]) == (1, 2, 4)
    assert found["by_board"] == {"tiny": {"enumerations": 2, "solutions_stored": 4}}


# Rings

SOLVED = "00000001111111222222233333334444444"


def ring(name, clicks, bound, method="beam"):
    return RingRecord("s" + name, "c" + name, method, f"R1 {clicks}", clicks, bound, clicks == bound)


def test_ring_queries(store):
    job = keep(store, ring("a", 30, 20), ring("b", 25, 25, "ida"), ring("a", 28, 20, "ida"))
    made = keep(store, PositionRecord("sc", "cc", 5, {"scramble": "uniform"}))
    assert [row["canonical"] for row in ask(store, rings, "-clicks")] == ["ca", "cb", "cc"]
    first = ask(store, rings, clicks=(26, 28))[0]
    assert (first["best_clicks"], [s["method"] for s in first["solutions"]]) == (28, ["ida", "beam"])
    assert [row["canonical"] for row in ask(store, rings, optimal=True)] == ["cb"]
    assert [row["canonical"] for row in ask(store, rings, solved=False)] == ["cc"]
    assert [row["canonical"] for row in ask(store, rings, "clicks", method="ida")] == ["cb", "ca"]
    assert [row["canonical"] for row in ask(store, rings, lower_bound=(20, None), optimal=False)] == ["ca"]
    assert {row["canonical"] for row in ask(store, rings, job_id=job)} == {"ca", "cb"}
    assert [row["canonical"] for row in ask(store, rings, job_id=made)] == ["cc"]
    shown = show(store, rings, "ca")
    assert show(store, rings, str(first["id"])) == shown == show(store, rings, "sa")
    assert [solution.pop("certificate") for solution in shown["solutions"]] == [None, None]
    assert shown == first
    assert show(store, rings, SOLVED) is None
    found = stats(store, rings)
    assert (found["positions"], found["solved"], found["optimal"]) == (3, 2, 1)
    assert found["by_best_clicks"] == {"25": 1, "28": 1}
    assert found["by_method"]["ida"] == {"solutions": 2, "mean_clicks": 26.5, "least": 25, "greatest": 28}


def test_a_symmetric_ring_state_is_shown(store):
    from engine.rings.model import State

    state = State(SOLVED)
    state = state.after(state.puzzle.parse_moves("R1 D R2"))
    keep(store, RingRecord(state.text, state.canonical().text, "ida", "R2' D' R1'", 3, 3, optimal=True))
    twin = State(SOLVED).after(state.puzzle.parse_moves("R2 D R3"))
    assert show(store, rings, twin.text)["state"] == state.text


# Checking again


def families(problem=None):
    """Families that find `problem` with puzzles of 30 clues and with nothing else."""

    def check(records):
        for record in records:
            yield problem if getattr(record, "clues", 0) == 30 else None

    return {name: Family(name, name, check) for name in ("pegs", "rings", "sudoku")}


def test_every_record_is_checked_and_what_is_wrong_is_named(store):
    keep(store, *(puzzle(str(i), clues=30 if i == 7 else 24) for i in range(1200)), ring("a", 30, 20))
    outcomes = list(verify(store.engine, families=lambda: families("bad")))
    assert [outcome.family for outcome in outcomes].count("sudoku") == 1200
    (wrong,) = [outcome for outcome in outcomes if not outcome.ok]
    assert (wrong.family, wrong.problem) == ("sudoku", "bad")
    assert wrong.label.startswith("sudoku ")
    assert wrong.as_json()["ok"] is False
    assert len(list(verify(store.engine, "sudoku", limit=1100, families=families))) == 1100
    assert {outcome.label.split()[0] for outcome in verify(store.engine, "rings", families=families)} == {
        "ring_position",
        "ring_solution",
    }


def test_a_jobs_chunks_are_run_again(store, kind):
    job = submit(store, 3)
    for chunk in chunk_ids(store, job):
        finish(store, chunk)

    def check():
        return list(verify(store.engine, job_id=job, families=families, kinds=lambda: {kind.name: kind}))

    assert [outcome.label for outcome in check()[:3]] == [f"job {job} stage 0 chunk {i}" for i in range(3)]
    assert len(check()) == 3 + 6
    assert all(outcome.ok for outcome in check())
    ids = chunk_ids(store, job)
    with write(store.engine) as conn:
        conn.execute(text(f"UPDATE chunk SET result_digest = 'x' WHERE id = {ids[0]}"))
        conn.execute(text(f"UPDATE chunk SET engine_version = 'old' WHERE id = {ids[2]}"))
    wrong = {outcome.label[-1]: outcome.problem for outcome in check() if not outcome.ok}
    assert set(wrong) == {"0", "2"}
    assert "stored is x" in wrong["0"]
    assert "made by engine version old" in wrong["2"]
    (unknown,) = list(verify(store.engine, "none", job, 1, families=families, kinds=dict))
    assert "no job kind" in unknown.problem


def test_verifying_a_job_that_does_not_exist(store):
    with pytest.raises(JobNotFoundError):
        list(verify(store.engine, job_id=10**9, families=families))


def test_a_damaged_file_is_found(store):
    keep(store, EnumerationRecord(BOARD, 1, {"positions": 9, "solutions": 2}, (), b"graph"))
    keep(store, EnumerationRecord(BOARD, 2, {"positions": 9, "solutions": 2}))
    good = list(verify(store.engine, "pegs", artifact_dir=store.artifact_dir, families=families))
    assert [outcome.ok for outcome in good] == [True, True]
    (file,) = [path for path in store.artifact_dir.rglob("*") if path.is_file()]
    file.write_bytes(b"grape")
    bad, other = verify(store.engine, "pegs", artifact_dir=store.artifact_dir, families=families)
    assert "damaged" in bad.problem
    assert other.ok
