"""The job kinds: plans, chunks, summaries, digests, and the check of stored records."""

from dataclasses import replace

import pytest
from pydantic import ValidationError

from engine import registry
from engine.errors import InvalidInputError, LimitExceededError
from engine.jobs import ChunkSpec, JobOutcome, StageOutcome, run_to_end
from engine.pegs.catalogue import named_board, parse_board
from engine.pegs.errors import UnknownHoleError
from engine.pegs.graph_file import read_graph
from engine.pegs.solution import replay

ENUMERATE = registry.kind("pegs.enumerate")
SOLVE = registry.kind("pegs.solve")
VERIFY = registry.families()["pegs"].verify


def run_job(kind, seed=1, **params):
    """Run a whole job; return (records, summary, digests)."""
    made = kind.params_model(**params)
    plan = kind.plan(made, [])
    stored = made.model_dump(mode="json")
    results = [run_to_end(kind, ChunkSpec(kind.name, stored, seed, 0, i, c.payload)) for i, c in enumerate(plan.chunks)]
    stage = StageOutcome(0, plan.label, [result.summary for result in results])
    outcome = JobOutcome([stage], 0)
    assert kind.next_stage(made, outcome) is None
    records = [record for result in results for record in result.records]
    assert sum(chunk.items for chunk in plan.chunks) >= 1
    return records, kind.summarize(made, outcome), [result.digest() for result in results]


@pytest.fixture(scope="module")
def triangle():
    return run_job(ENUMERATE, board="triangle-15")


def test_triangle_15_from_every_start(triangle):
    """438,984 solutions (Durango Bill) and 7,335,390 games (A. Baldoza) from the 15 starts together."""
    records, summary, _ = triangle
    assert (summary["board"], summary["starts_done"]) == ("triangle-15", 15)
    assert (summary["solutions"], summary["games"], summary["fewest_moves"]) == (438_984, 7_335_390, 9)
    assert [record.start for record in records] == list(range(15))
    assert sum(len(record.solutions) for record in records) == 438_984
    problems = {start: (row["problem_a"], row["problem_b"]) for start, row in summary["starts"].items()}
    corner, beside, middle, inside = (10, 10), (10, 11), (9, 9), (11, "impossible")
    expected = [
        corner,
        beside,
        beside,
        middle,
        inside,
        middle,
        beside,
        inside,
        inside,
        beside,
        corner,
        beside,
        middle,
        beside,
        corner,
    ]
    assert problems == {str(start): answer for start, answer in enumerate(expected)}


def test_rows_are_numbered_replayed_and_marked(triangle):
    record = triangle[0][7]
    board = named_board("triangle-15")
    assert [s.index for s in record.solutions] == list(range(1550))
    for solution in record.solutions:
        played = replay(board, board.vacancy(7), solution.jumps)
        assert (played.finish, played.moves) == (solution.finish, solution.moves)
        assert solution.shortest == (solution.moves == record.figures["min_moves_by_finish"][str(solution.finish)])
    assert any(solution.shortest for solution in record.solutions)
    graph = read_graph(record.graph)
    assert graph.solution(1234).jumps == record.solutions[1234].jumps


def test_digests_do_not_depend_on_anything_else(triangle):
    again = run_job(ENUMERATE, seed=99, board="triangle-15", start="b3")
    assert again[2] == [triangle[2][4]]


def test_figures_without_moves_and_rows():
    records, summary, _ = run_job(ENUMERATE, board="triangle-15", start="0", moves="no", store="no")
    assert "min_moves" not in records[0].figures
    assert (records[0].graph, records[0].solutions) == (None, ())
    assert records[0].figures["solutions"] == 29760
    assert "problem_a" not in summary["starts"]["0"]


def test_a_board_too_rich_for_rows_keeps_the_shortest_and_the_graph():
    records, summary, _ = run_job(ENUMERATE, board="triangle-21", start="3")
    (record,) = records
    assert summary["solutions"] == record.figures["solutions"] == read_graph(record.graph).total > 10**11
    assert {s.finish: s.moves for s in record.solutions} == {
        int(finish): moves for finish, moves in record.figures["min_moves_by_finish"].items()
    }
    assert all(s.shortest and s.index is not None for s in record.solutions)
    assert list(VERIFY(records)) == [None]
    with pytest.raises(LimitExceededError, match="at most 2,000,000"):
        run_job(ENUMERATE, board="triangle-21", start="3", store="yes")


def test_symmetric_starts_of_a_larger_board_share_a_chunk():
    board = named_board("diamond-25")
    params = ENUMERATE.params_model(board="diamond-25")
    plan = ENUMERATE.plan(params, [])
    assert [chunk.payload["starts"] for chunk in plan.chunks] == [list(holes) for holes in board.start_classes]
    records, summary, _ = run_job(ENUMERATE, board="diamond-25")
    assert sorted(record.start for record in records) == list(range(25))
    assert summary["starts_done"] == 25
    by_start = {record.start: record for record in records}
    for holes in board.start_classes:
        last = run_job(ENUMERATE, board="diamond-25", start=str(holes[-1]))[0][0]
        assert by_start[holes[-1]].content() == last.content()


def test_a_drawn_board_is_a_board():
    text = "o\no o\n"
    board = parse_board("  o\n o o\no o o\n")
    records, summary, _ = run_job(ENUMERATE, board=board.text(), start="0")
    assert summary["board"] == board.name
    assert records[0].board.holes == 6
    with pytest.raises(ValidationError, match="line 1, column 2"):
        ENUMERATE.params_model(board="o?\n" + text)
    with pytest.raises(ValidationError, match="triangle-15"):
        ENUMERATE.params_model(board="solitaire")
    with pytest.raises(UnknownHoleError, match="0 to 14"):
        ENUMERATE.plan(ENUMERATE.params_model(board="triangle-15", start="99"), [])


def test_solve_shortest_index_random_and_all():
    (shortest,), summary, _ = run_job(SOLVE, board="triangle-15", start="a3", finish="start")
    assert (shortest.moves, shortest.finish, shortest.shortest) == (9, 3, True)
    assert (summary["solutions"], summary["fewest_moves"]) == (51452, 9)
    (beside,), summary, _ = run_job(SOLVE, board="triangle-15", start="a1", finish="d4")
    assert (beside.moves, beside.finish, beside.shortest, summary["solutions"]) == (11, 9, True, 3408)
    numbered, _, _ = run_job(SOLVE, board="triangle-15", start="3", mode="index", index=85250, count=20)
    assert [record.index for record in numbered] == list(range(85250, 85258))
    drawn, _, digests = run_job(SOLVE, seed=3, board="triangle-21", start="0", mode="random", count=5)
    assert len({record.index for record in drawn}) == 5
    assert run_job(SOLVE, seed=3, board="triangle-21", start="0", mode="random", count=5)[2] == digests
    assert run_job(SOLVE, seed=4, board="triangle-21", start="0", mode="random", count=5)[2] != digests
    everything, _, _ = run_job(SOLVE, board="triangle-15", start="4", mode="all")
    assert [record.index for record in everything] == list(range(1550))
    assert list(VERIFY([shortest, beside, *numbered, *drawn])) == [None] * 15


def test_solve_says_why_there_is_no_solution():
    records, summary, _ = run_job(SOLVE, board="hexagon-19", start="9")
    assert records == []
    assert summary["solutions"] == 0
    assert "parity" in summary["why"]
    with pytest.raises(LimitExceededError, match="by index"):
        run_job(SOLVE, board="triangle-21", start="0", mode="all")
    with pytest.raises(InvalidInputError, match="0 to 1549"):
        run_job(SOLVE, board="triangle-15", start="4", mode="index", index=1550)


def test_verification_finds_what_is_wrong(triangle):
    record = triangle[0][4]
    good = record.solutions[10]
    other = record.solutions[11]
    figures = record.figures
    faults = [
        (replace(record, figures={**figures, "games": figures["games"] + 1}), "games"),
        (replace(record, figures={**figures, "positions_by_jumps": figures["positions_by_jumps"][:-1]}), "positions_by_jumps"),
        (replace(record, figures={k: v for k, v in figures.items() if k != "classes"}), "classes is missing"),
        (replace(record, figures={**figures, "min_moves": 10}), "min_moves"),
        (replace(record, graph=triangle[0][7].graph), "another problem"),
        (replace(record, graph=record.graph[:-8]), "damaged"),
        (replace(record, solutions=[good, replace(other, index=12)]), "number 11"),
        (replace(good, jumps=other.jumps, moves=other.moves), "is number 11"),
        (replace(good, jumps=good.jumps[:-1]), "left"),
        (replace(good, jumps=good.jumps[::-1]), "jump 1"),
        (replace(good, finish=0), "ends in hole 12"),
        (replace(good, moves=good.moves + 1), "moves"),
        (replace(good, shortest=not good.shortest), "fewest moves"),
        (replace(good, board=replace(good.board, shape_hash="0" * 32)), "shape hash"),
    ]
    for bad, words in faults:
        (fault,) = VERIFY([bad])
        assert fault is not None
        assert words in fault
    assert list(VERIFY([record, good, replace(good, index=None)])) == [None, None, None]


def test_stored_as_text_is_as_good(triangle):
    """A database may keep integers beyond 2^63 as text."""
    record = triangle[0][4]
    assert list(VERIFY([replace(record, figures={**record.figures, "solutions": "1550"}, solutions=())])) == [None]


def test_estimates_grow_with_the_board():
    costs = [
        ENUMERATE.estimate(ENUMERATE.params_model(board=name), []).core_seconds
        for name in ("triangle-15", "triangle-21", "triangle-28", "english-33", "european-37")
    ]
    assert costs == sorted(costs)
    assert SOLVE.estimate(SOLVE.params_model(board="english-33", start="d4"), []).core_seconds > 1
