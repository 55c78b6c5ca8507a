from dataclasses import asdict, replace

import pytest
from pydantic import ValidationError

from engine.errors import InvalidInputError
from engine.jobs import ChunkPlan, ChunkSpec, JobOutcome, StageOutcome, StagePlan, canonical_json, run_to_end
from engine.registry import families, kind
from engine.sudoku.bias import weight_of
from engine.sudoku.canon import canonical_texts
from engine.sudoku.generate_job import LARGEST_CHUNK, MANY_GIVENS
from engine.sudoku.grid import parse
from engine.sudoku.pattern import EXAMPLE
from engine.sudoku.rating.techniques import NAMES
from engine.sudoku.records import Rating, SudokuRecord
from engine.sudoku.symmetry import Symmetry, has_symmetry

from .samples import HARD, MOST_CANONICAL, SEVENTEEN

FULL = "953168742862734951417952836746893125281645397395271468138529674574386219629417583"
GOLDEN_PUZZLE = "....75.489...826..73...15......2..7.27......9.8...7...6.....9......1...4.59.....6"
GOLDEN_DIGEST = "c20aaca8f1e16f80fe5607344e2a0a3c"


def run(name, params, items=(), seed=7, stage=None):
    """Run a whole stage; return its results in chunk order."""
    job = kind(name)
    made = job.params_model(**params)
    plan = stage or job.plan(made, list(items))
    return [
        run_to_end(job, ChunkSpec(name, made.model_dump(mode="json"), seed, 0, index, chunk.payload))
        for index, chunk in enumerate(plan.chunks)
    ]


def outcome(*stages):
    keys = {record.natural_key() for results in stages for result in results for record in result.records}
    return JobOutcome(
        [StageOutcome(i, "", [result.summary for result in results]) for i, results in enumerate(stages)], len(keys)
    )


def verify(records):
    return list(families()["sudoku"].verify(records))


# sudoku.solve


def test_solving_a_list():
    puzzles = [*SEVENTEEN, *HARD, "." * 81, "12345678." + "........9" + "." * 63]
    (result,) = run("sudoku.solve", {"minimal": True}, puzzles)
    assert [record.puzzle for record in result.records] == puzzles
    assert [record.status for record in result.records] == ["unique"] * 6 + ["multiple", "none"]
    assert result.records[0].solution == FULL
    assert [record.minimal for record in result.records[-2:]] == [None, None]
    assert result.records[0].minimal
    assert result.summary == {"puzzles": 8, "unique": 6, "multiple": 1, "none": 1}
    assert verify(result.records) == [None] * 8
    assert kind("sudoku.solve").summarize(None, outcome([result])) == {**result.summary, "distinct": 8}


@pytest.mark.parametrize(("limit", "found"), [(2, 2), (100, 100), (1727, 1727), (1728, 1728), (10_000, 1728)])
def test_solutions_are_counted_up_to_the_limit(limit, found):
    # It has 12^3 solutions, see test_enumerate.py.
    several = "." * 27 + MOST_CANONICAL[27:]
    (result,) = run("sudoku.solve", {"limit": limit}, [several, SEVENTEEN[0]])
    assert [record.solutions_found for record in result.records] == [found, 1]
    assert [record.status for record in result.records] == ["multiple", "unique"]
    assert verify(result.records) == [None] * 2
    assert verify([replace(result.records[0], solutions_found=1729)]) == ["solutions found: stored 1729, computed 1728"]


@pytest.mark.parametrize(("items", "chunks", "largest"), [(1, 1, 1), (100, 1, 100), (1000, 8, 125), (49_158, 17, 3000)])
def test_lists_are_cut_for_all_cores(items, chunks, largest):
    job = kind("sudoku.solve")
    plan = job.plan(job.params_model(), [SEVENTEEN[0]] * items)
    assert len(plan.chunks) == chunks
    assert max(chunk.items for chunk in plan.chunks) == largest
    assert sum(len(chunk.payload["puzzles"]) for chunk in plan.chunks) == items


def test_lines_are_read_tolerantly_and_refused_clearly():
    read = kind("sudoku.solve").parse_line
    assert read("puzzle,er") is None
    assert read(SEVENTEEN[0].replace(".", "0") + ",1.2") == SEVENTEEN[0]
    with pytest.raises(InvalidInputError, match="r1c1 and r1c2 are both 1"):
        read("11" + "." * 79)


# sudoku.generate


def test_a_bank_is_full_distinct_rated_and_holds():
    results = run("sudoku.generate", {"count": 90})
    records = [record for result in results for record in result.records]
    assert len(results) >= 8
    assert len({record.canonical for record in records}) == len(records) == 90
    assert all(record.minimal and record.status == "unique" and record.rating is not None for record in records)
    assert verify(records) == [None] * 90
    job = kind("sudoku.generate")
    params = job.params_model(count=90)
    assert job.next_stage(params, outcome(results)) is None
    summary = job.summarize(params, outcome(results))
    assert (summary["distinct"], summary["missing"], sum(summary["clues"].values())) == (90, 0, 90)


@pytest.mark.parametrize("rate", [True, False])
def test_the_last_chunks_of_a_long_job_are_small(rate):
    job = kind("sudoku.generate")
    largest = LARGEST_CHUNK["rated" if rate else "plain"]
    for count in (1_000_000, 9 * largest + 1):
        sizes = [chunk.items for chunk in job.plan(job.params_model(count=count, rate=rate), ()).chunks]
        assert sum(sizes) == count
        assert sizes == sorted(sizes, reverse=True)
        assert (sizes[0], sizes[-1] <= largest // 10) == (largest, True)
    few = [chunk.items for chunk in job.plan(job.params_model(count=8 * largest, rate=rate), ()).chunks]
    assert few == [largest] * 8


def test_content_is_canonical_json():
    records = run("sudoku.generate", {"count": 10})[0].records
    bare = SudokuRecord(records[0].puzzle, 'a "strange" canonical\x00', "none", None, 0, 17)
    rating = Rating(8.4, 1.0, 1.2, True, "hard", 9, {name: place for place, name in enumerate(NAMES, 1)}, "se121-2")
    weighted = (replace(bare, weight=number / 7) for number in range(5000))
    for record in (*records, bare, replace(bare, weight=0.1, minimal=False, rating=rating), *weighted):
        assert record.content() == canonical_json(asdict(record))


def test_the_same_seed_gives_the_same_bytes_and_another_seed_others():
    digests = [[result.digest() for result in run("sudoku.generate", {"count": 40}, seed=seed)] for seed in (1, 1, 2)]
    assert digests[0] == digests[1]
    assert not set(digests[0]) & set(digests[2])


def test_known_content():
    # Changes only together with ENGINE_VERSION.
    (result, *_) = run("sudoku.generate", {"count": 20, "rate": False}, seed=1)
    assert result.records[0].puzzle == GOLDEN_PUZZLE
    assert result.digest() == GOLDEN_DIGEST


def test_wishes_are_fulfilled():
    results = run("sudoku.generate", {"count": 12, "symmetry": "rot180", "er": "1.0..3.0", "clues": "..27"})
    records = [record for result in results for record in result.records]
    assert len(records) == 12
    for record in records:
        assert record.clues <= 27
        assert record.rating.er <= 3.0
        assert not record.rating.bound
        assert record.symmetry == "rot180"
        assert has_symmetry(parse(record.puzzle), Symmetry.ROT180)
    assert verify(records) == [None] * 12
    hard = [r for result in run("sudoku.generate", {"count": 4, "level": "hard"}) for r in result.records]
    assert [record.rating.level for record in hard] == ["hard"] * 4


def test_wishes_for_techniques_are_fulfilled():
    wish = {"count": 6, "technique": ["naked-pair"], "no_technique": ["pointing", "claiming"]}
    records = [record for result in run("sudoku.generate", wish) for record in result.records]
    assert len(records) == 6
    for record in records:
        assert "naked-pair" in record.rating.techniques
        assert not {"pointing", "claiming"} & set(record.rating.techniques)
        assert not record.rating.bound


def patterned(params):
    records = [record for result in run("sudoku.generate", {"rate": False, **params}) for record in result.records]
    assert len(records) == params["count"]
    assert verify(records) == [None] * len(records)
    assert {record.sampling for record in records} == {"pattern"}
    return records


def test_patterns_are_kept():
    may = ("???.?.???" + "?.?????.?") * 4 + "?.?.?.?.?"
    for record in patterned({"count": 8, "pattern": may}):
        assert record.minimal
        assert all(mark != "." or digit == "." for mark, digit in zip(may, record.puzzle, strict=True))
    for record in patterned({"count": 8, "pattern": EXAMPLE, "symmetry": "rot180"}):
        assert "".join("." if digit == "." else "x" for digit in record.puzzle) == EXAMPLE
        assert record.symmetry == "rot180"
    assert all(record.minimal for record in patterned({"count": 3, "pattern": EXAMPLE, "minimal": True}))


def test_a_pattern_without_puzzles_is_given_up():
    # Boxes 1, 2 and 4 and most of 5 blank: a rectangle of equal pairs is left open.
    pattern = ("......xxx" * 2 + ".....xxxx") * 2 + "xxxxxxxxx" * 3
    params = {"count": 1, "pattern": pattern, "attempts": 20, "rate": False}
    (result,) = run("sudoku.generate", params)
    assert result.summary == {"wanted": 1, "made": 0, "tried": 20, "clues": {}, "levels": {}}
    job = kind("sudoku.generate")
    made = job.params_model(**params)
    assert job.next_stage(made, outcome([result])) is None
    summary = job.summarize(made, outcome([result]))
    assert summary["missing"] == 1
    assert "allow more attempts" in summary["note"]


def test_rare_wishes_are_found_near_each_other():
    wish = {"technique": ["swordfish"], "er": "..7.0", "attempts": 150, "per_family": 16}
    one = StagePlan([ChunkPlan({"wanted": 16})])
    (result,) = run("sudoku.generate", {**wish, "sampling": "neighbours"}, stage=one)
    (again,) = run("sudoku.generate", {**wish, "sampling": "neighbours"}, stage=one)
    (drawn,) = run("sudoku.generate", {**wish, "sampling": "top-down"}, stage=one)
    assert result.digest() == again.digest()
    assert len(result.records) == 16
    for record in result.records:
        assert "swordfish" in record.rating.techniques
        assert record.rating.er <= 7
        assert record.sampling == "neighbours"
        assert record.weight is None
    assert verify(result.records) == [None] * 16
    assert 2 * result.summary["tried"] / 16 < drawn.summary["tried"] / len(drawn.records)


def test_no_family_fills_a_chunk():
    one = StagePlan([ChunkPlan({"wanted": 12})])
    wish = {"technique": ["swordfish"], "er": "..7.0", "attempts": 300, "per_family": 2}
    (result,) = run("sudoku.generate", wish, stage=one)
    assert len(result.records) == 12
    assert "neighbours" in {record.sampling for record in result.records}  # auto has seen that they are rare
    # Kin mostly have their solution in common, and so do few here.
    assert len({record.solution for record in result.records}) >= 6


def test_auto_draws_afresh_what_is_not_rare():
    results = run("sudoku.generate", {"count": 30, "level": "medium"})
    drawn = run("sudoku.generate", {"count": 30, "level": "medium", "sampling": "top-down"})
    records = [record for result in results for record in result.records]
    assert {record.sampling for record in records} == {"top-down"}
    assert {record.puzzle for record in records} == {record.puzzle for result in drawn for record in result.records}


def test_a_search_begins_with_known_puzzles_and_does_not_make_them_again():
    job = kind("sudoku.generate")
    wish = {"count": 50, "er": "9.0..", "near": [*HARD, FULL], "attempts": 100}
    shares = [chunk.payload["near"] for chunk in job.plan(job.params_model(**wish), []).chunks]
    assert [puzzle for share in shares for puzzle in share][:4] == [*HARD, FULL]
    assert shares[4] == [HARD[0]]  # more chunks than puzzles
    one = StagePlan([ChunkPlan({"wanted": 3, "near": list(HARD)})])
    (near,) = run("sudoku.generate", wish, stage=one)
    (far,) = run("sudoku.generate", {**wish, "near": None}, stage=StagePlan([ChunkPlan({"wanted": 3})]))
    assert len(near.records) == 3
    assert len(far.records) < 3
    assert not {record.canonical for record in near.records} & set(canonical_texts(list(HARD))[0])


@pytest.mark.parametrize("clues", [*range(21, 41), 45, 60, 81])
def test_every_number_of_givens_can_be_had(clues):
    (result, *_) = run("sudoku.generate", {"count": 3, "clues": str(clues), "rate": False, "attempts": 2000})
    assert [record.clues for record in result.records] == [clues] * 3
    assert [record.minimal for record in result.records] == [clues < MANY_GIVENS] * 3 or MANY_GIVENS <= clues < 30
    assert verify(result.records) == [None] * 3


def test_many_givens_are_minimal_if_that_is_said():
    params = {"count": 2, "clues": "28..", "minimal": True, "rate": False, "attempts": 2000}
    (result,) = run("sudoku.generate", params)
    assert [record.minimal for record in result.records] == [True, True]
    assert min(record.clues for record in result.records) >= 28


@pytest.mark.parametrize("clues", ["17", "33"])
def test_a_number_of_givens_that_is_not_found_ends_in_a_report(clues):
    params = {"count": 2, "clues": clues, "minimal": True, "rate": False, "attempts": 300}
    (result,) = run("sudoku.generate", params)
    assert (result.summary["made"], result.summary["tried"]) == (0, 600)


def test_neighbours_without_rating_are_steered_by_clues():
    (result,) = run(
        "sudoku.generate", {"count": 10, "clues": "..21", "sampling": "neighbours", "rate": False, "attempts": 400}
    )[:1]
    assert len(result.records) == 10
    assert all(record.clues <= 21 for record in result.records)


def test_puzzles_of_controlled_bias_carry_their_weight():
    records = [r for result in run("sudoku.generate", {"count": 10, "sampling": "controlled-bias"}) for r in result.records]
    assert len(records) == 10
    assert {record.sampling for record in records} == {"controlled-bias"}
    assert [record.weight for record in records] == [weight_of(record.clues) for record in records]
    assert verify(records) == [None] * 10
    assert "weight: stored 2.0" in verify([replace(records[0], weight=2.0)])[0]
    plain = [r for result in run("sudoku.generate", {"count": 10, "rate": False}) for r in result.records]
    assert {record.weight for record in plain} == {None}


def test_puzzles_that_are_not_minimal_say_so():
    results = run("sudoku.generate", {"count": 10, "minimal": False, "clues": "30..32", "rate": False})
    records = [record for result in results for record in result.records]
    assert {record.clues for record in records} <= {30, 31, 32}
    assert not any(record.minimal for record in records)
    assert verify(records) == [None] * 10


def test_what_cannot_be_had_is_planned_again_and_then_reported():
    job = kind("sudoku.generate")
    wish = {"count": 20, "clues": "..22", "attempts": 10, "rate": False}
    params = job.params_model(**wish)
    first = run("sudoku.generate", wish)
    made = sum(result.summary["made"] for result in first)
    assert 0 < made < 20
    assert all(result.summary["tried"] == 100 for result in first if result.summary["made"] < result.summary["wanted"])
    again = job.next_stage(params, outcome(first))
    assert sum(chunk.payload["wanted"] for chunk in again.chunks) == 20 - made
    assert job.next_stage(params, outcome(*[first] * 5)) is None
    assert job.summarize(params, outcome(first))["missing"] == 20 - made


def test_a_fruitless_stage_ends_the_job():
    job = kind("sudoku.generate")
    params = job.params_model(count=5)
    nothing = {"wanted": 5, "made": 0, "tried": 1000, "clues": {}, "levels": {}}
    assert job.next_stage(params, JobOutcome([StageOutcome(0, "", [nothing])], 0)) is None
    some = nothing | {"made": 1}
    assert job.next_stage(params, JobOutcome([StageOutcome(0, "", [some])], 1)) is not None
    assert job.next_stage(params, JobOutcome([StageOutcome(0, "", [some, None])], 1)) is None


def test_the_examples_that_help_shows_are_good():
    job = kind("sudoku.generate")
    for name, field in job.params_model.model_fields.items():
        for example in field.examples or []:
            many = name in {"technique", "no_technique"}
            assert getattr(job.params_model(**{name: [example] if many else example}), name) is not None


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"clues": "30..20"}, "smaller number first"),
        ({"clues": "many"}, "must be a range"),
        ({"er": "12.0.."}, "within 1..11.9"),
        ({"level": "fiendish"}, "levels: easy"),
        ({"rate": False, "level": "easy"}, "leave rate on"),
        ({"rate": False, "technique": ["x-wing"]}, "leave rate on"),
        ({"no_technique": ["x-wing", "y-wing"]}, "no technique 'y-wing'; techniques: hidden-single, .*x-wing, .*forcing"),
        ({"technique": ["x-wing"], "no_technique": ["pointing", "x-wing"]}, "x-wing cannot be both"),
        ({"pattern": "x" * 80}, "has 81 characters, one a cell, got 80"),
        ({"pattern": "x" * 80 + "y"}, "x or 1, ., and . or 0, got 'y'"),
        ({"pattern": "." + "x" * 80, "symmetry": "rot180"}, "has not the symmetry rot180"),
        ({"pattern": "x" * 81, "sampling": "neighbours", "clues": "..20"}, "without cells that must be given"),
        ({"near": ["." * 80]}, "has 81 cells, got 80"),
        ({"near": [FULL]}, "near needs a directed search"),
        ({"near": [FULL], "er": "8.5..", "sampling": "top-down"}, "near needs a directed search"),
        ({"per_family": 0, "er": "8.5.."}, "greater than or equal to 1"),
        ({"pattern": "x" * 16 + "." * 65}, "needs 17 places for givens or more, got 16"),
        ({"sampling": "controlled-bias", "pattern": "x" * 81}, "leave symmetry none"),
        ({"sampling": "neighbours"}, "wish for er, level, technique or clues"),
        ({"sampling": "neighbours", "er": "8.5..", "minimal": False, "clues": "30"}, "minimal puzzles"),
        ({"sampling": "controlled-bias", "symmetry": "full"}, "leave symmetry none"),
        ({"sampling": "controlled-bias", "minimal": False, "clues": "30"}, "minimal on"),
        ({"minimal": False}, "need clues"),
        ({"symmetry": "spiral"}, "rot180"),
        ({"count": 0}, "greater than or equal to 1"),
    ],
)
def test_bad_wishes_are_refused(params, message):
    with pytest.raises(ValidationError, match=message):
        kind("sudoku.generate").params_model(**params)


# verification


@pytest.fixture(scope="module")
def good():
    (record,) = run("sudoku.generate", {"count": 1})[0].records
    return record


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"solution": FULL}, "solution: stored"),
        ({"solutions_found": 2, "status": "multiple"}, "status: stored multiple, computed unique"),
        ({"canonical": SEVENTEEN[0]}, "canonical form"),
        ({"clues": 17}, "clues: stored 17"),
        ({"automorphisms": 2}, "automorphisms: stored 2"),
        ({"minimal": False}, "minimal: stored False, computed True"),
        ({"symmetry": "full"}, "symmetry: stored full"),
        ({"symmetry": "spiral"}, "unknown name 'spiral'"),
        ({"puzzle": "x"}, "cannot be read"),
        ({"puzzle": "11" + "." * 79}, "r1c1 and r1c2 are both 1"),
        ({"puzzle": "0" * 81}, "not in normal form"),
    ],
)
def test_a_false_record_is_found_out(good, change, fault):
    false = replace(good, **change)
    verdicts = verify([good, false, good])
    assert verdicts[0] is verdicts[2] is None
    assert fault in verdicts[1]


def test_a_false_rating_is_found_out(good):
    false = replace(good, rating=replace(good.rating, er=9.9))
    assert "rating: stored" in verify([false])[0]
    older = replace(good, rating=replace(good.rating, er=9.9, rater="other-0"))
    assert verify([older]) == [None]


def test_an_invalid_puzzle_is_a_good_record_of_status_invalid():
    puzzle = "11" + "." * 79
    record = SudokuRecord(puzzle, puzzle, "invalid", None, 0, 2)
    assert verify([record]) == [None]
