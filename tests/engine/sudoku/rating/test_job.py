"""The job kind `sudoku.rate`, run without a queue."""

import pytest

from engine.errors import InvalidInputError
from engine.jobs import ChunkSpec, InputKind, JobOutcome, StageOutcome, run_to_end
from engine.sudoku.rating import MOST_EFFORT
from engine.sudoku.rating.job import LARGEST_CHUNK, RATE, SLICE, RateParams

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
SEVERAL = EASY[:70] + "...........".ljust(11, ".")
NONE = "12345678." + "........9" + "." * 63


def spec(puzzles: list[str], max_effort: float = 9.0) -> ChunkSpec:
    plan = RATE.plan(RateParams(max_effort=max_effort), puzzles)
    return ChunkSpec(RATE.name, {"max_effort": max_effort}, 0, 0, 0, dict(plan.chunks[0].payload))


def test_it_reads_lines_and_searches_everything_unless_told() -> None:
    assert RATE.input is InputKind.LINES
    assert RateParams().max_effort == MOST_EFFORT
    assert RATE.parse_line(EASY.replace(".", "0") + "  # from a newspaper") == EASY
    assert RATE.parse_line("# comment") is None
    with pytest.raises(InvalidInputError):
        RATE.parse_line("55" + "." * 79)


def test_records_hold_solution_and_rating() -> None:
    result = run_to_end(RATE, spec([EASY, HARD]))
    easy, hard = result.records
    assert (easy.status, easy.rating.er, easy.rating.bound) == ("unique", 1.2, False)
    assert (hard.status, hard.rating.bound) == ("unique", True)
    assert result.summary["puzzles"] == 2
    assert result.summary["bound"] == 1


def test_with_all_effort_no_rating_is_a_bound() -> None:
    (record,) = run_to_end(RATE, spec([HARD], MOST_EFFORT)).records
    assert record.rating is not None
    assert (record.rating.er, record.rating.bound) == (10.7, False)


def test_effort_is_limited_to_what_there_is() -> None:
    for effort in (8.0, 11.0):
        with pytest.raises(ValueError, match="max_effort"):
            RateParams(max_effort=effort)


def test_a_puzzle_without_one_solution_gets_a_record_without_rating() -> None:
    result = run_to_end(RATE, spec([SEVERAL, NONE]))
    assert [record.status for record in result.records] == ["multiple", "none"]
    assert all(record.rating is None for record in result.records)
    assert result.summary["not rated: multiple"] == result.summary["not rated: none"] == 1


def test_a_grid_that_is_filled_in_is_not_rated() -> None:
    full = "123456789456789123789123456231564897564897231897231564312645978645978312978312645"
    result = run_to_end(RATE, spec([full]))
    assert [(record.status, record.rating) for record in result.records] == [("unique", None)]
    assert result.summary["not rated: solved already"] == 1


def test_the_same_chunk_gives_the_same_digest() -> None:
    one, two = (run_to_end(RATE, spec([EASY, HARD, SEVERAL])).digest() for _ in range(2))
    assert one == two


@pytest.mark.parametrize("count", [1, 799, 100_000])
def test_chunks_hold_every_puzzle_once(count: int) -> None:
    chunks = RATE.plan(RateParams(), [EASY] * count).chunks
    sizes = [len(chunk.payload["puzzles"]) for chunk in chunks]
    assert sum(sizes) == count
    assert [chunk.items for chunk in chunks] == sizes
    assert max(sizes) <= LARGEST_CHUNK
    assert len(chunks) >= min(8, count // 100)


def test_progress_ends_at_the_whole() -> None:
    RATE.warm()
    slices = list(RATE.run(ChunkSpec(RATE.name, {}, 0, 0, 0, {"puzzles": [EASY] * (2 * SLICE + 1)})))
    assert [one.done for one in slices] == [0, SLICE, 2 * SLICE, 2 * SLICE + 1]
    assert {one.total for one in slices} == {2 * SLICE + 1}


def test_the_summary_counts_levels_in_order() -> None:
    summaries = [run_to_end(RATE, spec(puzzles)).summary for puzzles in ([EASY, HARD], [EASY, SEVERAL])]
    total = RATE.summarize(RateParams(), JobOutcome([StageOutcome(0, "rate", [*summaries, None])], distinct=3))
    assert (total["puzzles"], total["easy"], total["bound"], total["distinct"]) == (4, 2, 1, 3)
    assert RATE.next_stage(RateParams(), JobOutcome([], 0)) is None
    assert RATE.estimate(RateParams(), [EASY] * 100).core_seconds > 0
