"""Results in bulk: natural keys, what is new, what completes a row, and reading a job's results back exactly."""

from dataclasses import replace

import pytest
from sqlalchemy import func, select
from storekit import RATING, chunk_ids, claimed, puzzle, submit

from db import artifacts
from db.errors import ArtifactError, DatabaseReadOnlyError
from db.models import (
    Artifact,
    JobItem,
    PegEnumeration,
    PegSolution,
    RingPosition,
    RingSolution,
    Sudoku,
    SudokuTechnique,
    Technique,
)
from db.results import Scope, family_results
from db.session import read
from engine.errors import UnknownNameError
from engine.jobs import ChunkResult
from engine.pegs.records import BoardRecord, EnumerationRecord
from engine.pegs.records import SolutionRecord as PegRecord
from engine.rings.records import PositionRecord
from engine.rings.records import SolutionRecord as RingRecord


def keep(store, *records):
    """Store the records as a one-chunk job; return the job's number and its items."""
    job = submit(store, 1)
    claim = claimed(store, chunk_ids(store, job)[0])
    assert store.finish(claim, ChunkResult(records))
    with read(store.engine) as conn:
        return job, conn.execute(select(JobItem).where(JobItem.job_id == job).order_by(JobItem.ordinal)).all()


def rows(store, model):
    with read(store.engine) as conn:
        return conn.execute(select(model).order_by(*model.__table__.primary_key)).all()


def uses(store):
    """Return (technique, row number) as a query by technique sees them; they are the same as in the rows themselves."""
    with read(store.engine) as conn:
        by_technique = select(Technique.name, SudokuTechnique.sudoku_id).join_from(
            SudokuTechnique, Technique, SudokuTechnique.technique_id == Technique.id
        )
        found = {tuple(row) for row in conn.execute(by_technique)}
    assert found == {(name, row.id) for row in rows(store, Sudoku) for name in row.techniques or ()}
    return found


def load(store, family, job_id=None, size=2, **scope):
    """Read everything back through pages of `size`."""
    cursor, found = None, []
    while True:
        with read(store.engine) as conn:
            page = family_results(family).load_records(conn, Scope(job_id, **scope), cursor, size)
        found += [record for _, record in page.records]
        cursor = page.cursor
        if cursor is None:
            return found


# Sudoku


def test_a_sudoku_is_stored_and_read_back_as_it_is(store):
    full = puzzle("a", minimal=True, symmetry="rot180", sampling="top-down", weight=0.1, automorphisms=2, rating=RATING)
    bare = puzzle("b", status="multiple", solutions_found=2)
    job, items = keep(store, full, bare)
    assert [(i.ordinal, i.family, i.table_name, i.is_new, i.detail) for i in items] == [
        (0, "sudoku", "sudoku", True, None),
        (1, "sudoku", "sudoku", True, None),
    ]
    by_key = {record.canonical: record for record in load(store, "sudoku")}
    assert by_key == {full.canonical: full, bare.canonical: bare}
    assert load(store, "sudoku", job, size=1) == [full, bare]


def test_an_equivalent_sudoku_is_no_second_row_but_keeps_its_form(store):
    first, other = puzzle("a"), puzzle("a", "turned", rating=RATING, symmetry="none")
    keep(store, first)
    job, (item,) = keep(store, other)
    assert len(rows(store, Sudoku)) == 1
    assert (item.is_new, item.detail["puzzle"], item.detail["rating"]["er"]) == (False, other.puzzle, 2.6)
    (row,) = rows(store, Sudoku)
    assert (row.puzzle, row.er, row.symmetry) == (first.puzzle, None, None)
    assert rows(store, SudokuTechnique) == []
    assert load(store, "sudoku", job) == [other]


def test_a_later_job_completes_the_row_of_the_same_puzzle(store):
    keep(store, puzzle("a"))
    keep(store, puzzle("a", minimal=True, automorphisms=4, symmetry="rot90", rating=RATING, solutions_found=1))
    (row,) = rows(store, Sudoku)
    assert (row.minimal, row.automorphisms, row.symmetry, row.er, row.rater) == (True, 4, "rot90", 2.6, "t1")
    assert row.techniques == {"hidden-single": 50, "x-wing": 1}
    assert uses(store) == {("hidden-single", row.id), ("x-wing", row.id)}
    keep(store, puzzle("a"))
    assert rows(store, Sudoku) == [row]


def test_facts_of_all_equivalent_puzzles_are_taken_from_any_form(store):
    keep(store, puzzle("a"))
    keep(store, puzzle("a", "turned", minimal=False, automorphisms=2, symmetry="rot90", sampling="top-down"))
    (row,) = rows(store, Sudoku)
    assert (row.minimal, row.automorphisms, row.symmetry, row.sampling) == (False, 2, None, None)


def test_a_newer_rating_replaces_the_older_one_whole(store):
    newer = replace(RATING, er=7.1, rater="t2", techniques={"swordfish": 2})
    keep(store, puzzle("a", rating=RATING))
    keep(store, puzzle("a", rating=newer))
    (row,) = rows(store, Sudoku)
    assert (row.er, row.rater) == (7.1, "t2")
    assert row.techniques == {"swordfish": 2}
    assert uses(store) == {("swordfish", row.id)}


def test_equivalent_sudokus_in_one_chunk(store):
    first, twin, rated = puzzle("a"), puzzle("a", "turned"), puzzle("a", rating=RATING)
    job, items = keep(store, first, twin, rated)
    assert [item.is_new for item in items] == [True, False, False]
    assert len({item.row_id for item in items}) == 1
    (row,) = rows(store, Sudoku)
    assert (row.puzzle, row.er) == (first.puzzle, 2.6)
    assert load(store, "sudoku", job)[1] == twin
    store.reconcile()
    assert store.job(job).summary["distinct"] == 1


def test_new_and_known_sudokus_in_one_chunk(store):
    known = [puzzle(str(i), rating=RATING if i % 2 else None) for i in range(6)]
    keep(store, *known[::-1])
    given = [record for i in range(6) for record in (puzzle(f"new{i}", rating=RATING), replace(known[i], rating=RATING))]
    job, items = keep(store, *given)
    assert [item.is_new for item in items] == [True, False] * 6
    numbers = {row.canonical: row.id for row in rows(store, Sudoku)}
    assert [item.row_id for item in items] == [numbers[record.canonical] for record in given]
    assert load(store, "sudoku", job) == given
    assert len(uses(store)) == 24
    another = puzzle("another")
    (item,) = keep(store, another)[1]
    assert (item.is_new, load(store, "sudoku")[-1]) == (True, another)


@pytest.mark.parametrize("place", [0, 1, 2, 150, 199])
def test_one_known_sudoku_among_many_new_ones(store, place):
    many = sorted((puzzle(str(i), rating=RATING) for i in range(200)), key=lambda record: record.canonical)
    keep(store, many[place])
    job, items = keep(store, *many)
    assert [item.ordinal for item in items if not item.is_new] == [place]
    assert load(store, "sudoku", job, size=100) == many
    assert len(rows(store, Sudoku)) == 200
    assert len(uses(store)) == 400


def test_names_of_techniques_may_be_long(store):
    name = "dynamic-contradiction-forcing-chains-plus-multiple-forcing-chains"
    keep(store, puzzle("a", rating=replace(RATING, techniques={name: 1})))
    assert {technique for technique, _ in uses(store)} == {name}


def test_four_thousand_rated_sudokus(store):
    many = [puzzle(str(i), rating=RATING) for i in range(4000)]
    _, items = keep(store, *many)
    assert all(item.is_new for item in items)
    _, items = keep(store, *many)
    assert not any(item.is_new for item in items)
    with read(store.engine) as conn:
        assert conn.execute(select(func.count()).select_from(SudokuTechnique)).scalar_one() == 8000


# Pegs

BOARD = BoardRecord("tiny", "ab" * 16, 6, "o o\no")
OTHER = BoardRecord("tiny", "cd" * 16, 7, "oo o\no")


def peg(index, first=0, **more):
    facts = {"board": BOARD, "start": 1, "index": index, "finish": 2, "jumps": ((first, 3), (3, 10 + (index or 0)))}
    return PegRecord(**(facts | {"moves": 2} | more))


def test_peg_solutions_are_rows_with_their_exact_jumps(store):
    given = [peg(i) for i in range(5)]
    job, items = keep(store, *given)
    assert [(i.table_name, i.is_new) for i in items] == [("peg_solution", True)] * 5
    assert [replace(r, jumps=tuple(r.jumps)) for r in load(store, "pegs", job)] == given
    assert sorted(r.jumps_text() for r in load(store, "pegs")) == sorted(r.jumps_text() for r in given)


def test_a_solution_found_again_gets_its_rank_but_never_loses_it(store):
    unranked = replace(peg(7), index=None)
    keep(store, unranked)
    _, (item,) = keep(store, replace(peg(7), shortest=True))
    assert not item.is_new
    keep(store, unranked)
    (row,) = rows(store, PegSolution)
    assert (row.rank, row.shortest, row.jumps) == (7, True, "0-3 3-17")


def test_an_enumeration_is_one_item_with_exact_figures_of_any_size(store, tmp_path):
    figures = {"positions": 2**40, "solutions": 40_861_647_040_079_968, "games": 10**40, "min_moves": 3, "by": {"0": 2**70}}
    record = EnumerationRecord(BOARD, 1, figures, [peg(0), peg(1)], b"graph")
    job, (item,) = keep(store, record)
    assert (item.table_name, item.is_new) == ("peg_enumeration", True)
    assert len(rows(store, PegSolution)) == 2
    (row,) = rows(store, PegEnumeration)
    assert (row.positions, row.solutions_text, row.min_moves) == (2**40, "40861647040079968", 3)
    (file,) = rows(store, Artifact)
    assert (file.digest, file.size, file.job_id) == (artifacts.digest_of(b"graph"), 5, job)
    assert load(store, "pegs", job, artifact_dir=store.artifact_dir) == [replace(record, solutions=())]
    store.reconcile()
    assert store.job(job).summary["distinct"] == 1


def test_a_second_enumeration_adds_what_the_first_left_out(store):
    keep(store, EnumerationRecord(BOARD, 1, {"positions": 5, "solutions": 2}))
    _, (item,) = keep(store, EnumerationRecord(BOARD, 1, {"positions": 5, "solutions": 2, "min_moves": 4}, [], b"graph"))
    assert not item.is_new
    keep(store, EnumerationRecord(BOARD, 1, {"positions": 5, "solutions": 2}))
    (row,) = rows(store, PegEnumeration)
    assert (row.min_moves, row.graph_digest) == (4, artifacts.digest_of(b"graph"))
    assert row.figures == {"positions": 5, "solutions": 2, "min_moves": 4}


def test_boards_of_one_name_but_another_shape_are_kept_apart(store):
    keep(store, peg(0), peg(0, board=OTHER))
    assert len({row.board_id for row in rows(store, PegSolution)}) == 2


def test_eighty_five_thousand_solutions_of_one_start(store, clock, monkeypatch):
    many = [
        PegRecord(BOARD, 1, i, i % 6, tuple((i >> k & 7, 8 + (i >> k + 3 & 7)) for k in range(0, 17, 2)), 9, shortest=False)
        for i in range(85_258)
    ]
    record = EnumerationRecord(BOARD, 1, {"positions": 9, "solutions": 85_258}, many)
    job = submit(store, 1)
    claim = claimed(store, chunk_ids(store, job)[0])
    held = []
    monkeypatch.setattr(store, "_write_files", lambda records: held.append(store.chunks(job)[0].lease_until) or {})
    assert store.finish(claim, ChunkResult([record]))
    assert held == [clock.now + 30 + 85_259 / 2000]  # the lease outlasts the writing
    with read(store.engine) as conn:
        assert conn.execute(select(func.count(), func.max(PegSolution.rank))).one() == (85_258, 85_257)


# Rings


def ring(name="a", clicks=30, bound=20, **more):
    facts = {"state": "s" + name, "canonical": "c" + name, "method": "beam", "moves": f"R1 {clicks}", "clicks": clicks}
    return RingRecord(**(facts | {"lower_bound": bound, "optimal": clicks == bound, "nodes": 5} | more))


def test_the_better_proof_stays_with_its_certificate(store):
    def proof(bound):
        paper = {"engine_version": "3", "refuted": [{"bound": bound - 1, "nodes": 7, "share_nodes": [3, 4]}]}
        return ring(method="prove", moves=None, clicks=None, bound=bound, optimal=False, certificate=paper)

    first, _ = keep(store, proof(21))
    second, _ = keep(store, proof(23))
    keep(store, proof(22))
    (kept,) = rows(store, RingSolution)
    assert (kept.lower_bound, kept.certificate) == (23, proof(23).certificate)
    for job, bound in ((first, 21), (second, 23)):
        assert load(store, "rings", job) == [proof(bound)]


def test_ring_solutions_make_the_position_known(store):
    job, (item,) = keep(store, ring(seconds=1.5))
    (position,) = rows(store, RingPosition)
    assert (position.canonical, position.best_clicks, position.lower_bound, position.optimal_clicks) == ("ca", 30, 20, None)
    assert (item.table_name, item.is_new) == ("ring_solution", True)
    assert load(store, "rings", job) == [ring(seconds=1.5)]
    assert load(store, "rings")[1:] == [ring(seconds=1.5)]


def test_only_a_better_ring_solution_replaces_the_row_and_each_job_keeps_its_own(store):
    twin = ring(clicks=28, state="twin")
    jobs = [keep(store, record)[0] for record in (ring(clicks=30), twin, ring(clicks=29), ring(clicks=28, bound=25))]
    (row,) = rows(store, RingSolution)
    assert (row.clicks, row.lower_bound, row.state) == (28, 25, "sa")
    (position,) = rows(store, RingPosition)
    assert (position.best_clicks, position.lower_bound, position.state) == (28, 25, "sa")
    assert [load(store, "rings", job)[0].clicks for job in jobs] == [30, 28, 29, 28]
    assert load(store, "rings", jobs[1]) == [twin]


def test_a_proof_gives_the_optimum_and_stays(store):
    keep(store, ring(clicks=30))
    keep(store, ring(method="prove", clicks=None, moves=None, bound=24))
    (position,) = rows(store, RingPosition)
    assert (position.best_clicks, position.lower_bound, position.optimal_clicks) == (30, 24, None)
    keep(store, ring(method="ida", clicks=26, bound=26))
    keep(store, ring(clicks=31, bound=10))
    (position,) = rows(store, RingPosition)
    assert (position.best_clicks, position.lower_bound, position.optimal_clicks) == (26, 26, 26)
    assert {row.method: row.clicks for row in rows(store, RingSolution)} == {"beam": 30, "prove": None, "ida": 26}


def test_scrambled_positions_keep_their_origin(store):
    scrambled = PositionRecord("sa", "ca", 7, {"scramble": "clicks", "moves": "R1 D"})
    twin = PositionRecord("twin", "ca", 8, {"scramble": "uniform"})
    keep(store, ring())
    job, (item,) = keep(store, scrambled)
    assert (item.table_name, item.is_new, item.detail) == ("ring_position", False, None)
    other, (item,) = keep(store, twin)
    assert item.detail["state"] == "twin"
    (row,) = rows(store, RingPosition)
    assert (row.state, row.origin, row.lower_bound) == ("sa", scrambled.origin, 20)
    assert load(store, "rings", other) == [twin]
    assert load(store, "rings", job) == [replace(scrambled, lower_bound=20)]


def test_many_solutions_of_one_position_in_one_chunk(store):
    _, items = keep(store, ring(clicks=30), ring(clicks=27), PositionRecord("sa", "ca", 9, {}), ring(clicks=27, method="ida"))
    assert [item.is_new for item in items] == [True, False, True, True]
    assert {(row.method, row.clicks) for row in rows(store, RingSolution)} == {("beam", 27), ("ida", 27)}


# All


def test_one_chunk_may_bring_records_of_several_families(store):
    _, items = keep(
        store, ring(), puzzle("a"), EnumerationRecord(BOARD, 1, {"positions": 1, "solutions": 0}, (), b"g"), puzzle("b")
    )
    assert [item.family for item in items] == ["rings", "sudoku", "pegs", "sudoku"]
    assert [items[1].row_id, items[3].row_id] == [row.id for row in rows(store, Sudoku)]
    assert rows(store, PegEnumeration)[0].graph_digest == artifacts.digest_of(b"g")


def test_the_bank_does_not_change_a_jobs_content(store):
    """The same job gives the same digest on an empty bank and on one that holds its puzzles in other forms."""
    results = ChunkResult([puzzle("a"), puzzle("b", rating=RATING)])
    digests, contents = set(), []
    for before in ([], [puzzle("a", "turned"), puzzle("b", "turned")]):
        keep(store, *before)
        job, _ = keep(store, *results.records)
        store.reconcile()
        digests.add(store.job(job).digest)
        contents.append(load(store, "sudoku", job))
    assert len(digests) == 1
    assert contents[0] == contents[1] == list(results.records)


def test_a_family_that_nobody_keeps(store):
    with pytest.raises(UnknownNameError, match="chess"):
        family_results("chess")


def test_artifacts_are_named_by_their_content(tmp_path):
    stored = artifacts.write_file(tmp_path, b"content", "text/plain")
    assert artifacts.write_file(tmp_path, b"content", "text/plain") == stored
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == [stored.digest]
    assert artifacts.read_file(tmp_path, stored.path, stored.digest) == b"content"
    (tmp_path / stored.path).write_bytes(b"contend")
    with pytest.raises(ArtifactError, match="damaged"):
        artifacts.read_file(tmp_path, stored.path, stored.digest)
    (tmp_path / stored.path).unlink()
    with pytest.raises(ArtifactError, match="cannot read"):
        artifacts.read_file(tmp_path, stored.path, stored.digest)


def test_an_artifact_folder_that_cannot_be_written(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(DatabaseReadOnlyError, match="cannot write to the artifact folder"):
        artifacts.write_file(tmp_path / "file", b"content", "text/plain")
