"""Tables of unions of two colours: against plain breadth-first search, as files, and with what they promise to the searches."""

import logging
import os
from collections import Counter
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from naive import rings as naive
from ringkit import FIVE, outputs_with_and_without_compiler, random_states

from engine.errors import EngineError
from engine.rings import _tablefile, unionbuild, unions
from engine.rings._codes import MODULUS, SPAN, UNSEEN, at_most, code_at, set_code
from engine.rings._tablefile import HEADING_BYTES, read_facts, table_path
from engine.rings._unions import union_base, union_code, union_word
from engine.rings._words import turned
from engine.rings.errors import ImpossibleStateError
from engine.rings.model import Puzzle, State
from engine.rings.tablecare import Condition, look_at_unions, mending_unions
from engine.rings.tables import colour_words
from engine.rings.unions import UnionTable, union_distances, union_hashes, union_tables

SMALL = [Puzzle(5, 3, (0, 2)), Puzzle(4, 4, (0, 3)), Puzzle(4, 4, (0, 1, 3)), Puzzle(4, 3, (0,)), Puzzle(6, 2, (0,))]
"""Their tables are made at once and not kept."""

KEPT = Puzzle(5, 4, (0, 3))
"""Two tables of 125,970 entries: the smallest that are kept as files."""


@pytest.fixture(autouse=True)
def _fresh(own_tables):
    unions._mapped.cache_clear()
    yield
    unions._mapped.cache_clear()


def run(steps):
    """What a generator returns, and what it yielded on the way."""
    shares = []
    while True:
        try:
            shares.append(next(steps))
        except StopIteration as stop:
            return stop.value, shares


@cache
def listed(puzzle, apart):
    """Where the beads of colours 0 and `apart` are, as a text of 0 and 1, with the clicks that bring them home."""
    blank = naive.to_text(naive.solved(puzzle.rings, puzzle.beads))
    start = "".join("1" if digit in ("0", str(apart)) else "0" for digit in blank)
    return naive.distances(puzzle.rings, puzzle.beads, puzzle.places, start=start)


@pytest.mark.parametrize("puzzle", SMALL, ids=str)
@pytest.mark.parametrize("apart", [1, 2])
def test_counts_agree_with_breadth_first_search(puzzle, apart):
    table = UnionTable(puzzle, apart)
    filled, shares = run(unionbuild.filling(puzzle, table.homes, table.entries))
    counts = Counter(listed(puzzle, apart).values())
    assert filled.counts == tuple(counts[clicks] for clicks in range(len(counts)))
    assert shares == sorted(shares)
    codes = Counter((filled.codes[:, None] >> np.array([0, 4], dtype=np.uint8) & 15).ravel().tolist())
    expected = Counter()
    for clicks, count in counts.items():
        expected[clicks % MODULUS] += count
    assert {code: codes[code] for code in expected} == expected
    assert codes[UNSEEN] == 2 * table.size - sum(counts.values())


@pytest.mark.parametrize("puzzle", SMALL, ids=str)
def test_distances_agree_with_breadth_first_search(puzzle):
    view = unions.unions(puzzle)
    assert view is not None
    for state in random_states(25, puzzle=puzzle):
        expected = []
        for apart in (1, 2):
            for first in range(puzzle.rings):
                pair = {str(first), str((first + apart) % puzzle.rings)}
                where = "".join("1" if digit in pair else "0" for digit in state.text)
                at_zero = where[puzzle.beads * first :] + where[: puzzle.beads * first]
                expected.append(listed(puzzle, apart).get(at_zero))
        if None in expected:
            with pytest.raises(ImpossibleStateError, match="no clicks lead"):
                union_distances(state, view)
        else:
            assert list(union_distances(state, view)) == expected


@pytest.mark.parametrize("puzzle", SMALL, ids=str)
def test_a_click_changes_a_distance_by_at_most_one_and_the_code_tells_it(puzzle):
    view = unions.unions(puzzle)
    assert view is not None
    rng = np.random.default_rng(1)
    for state in random_states(5, puzzle=puzzle):
        try:
            known = union_distances(state, view)
        except ImpossibleStateError:
            continue
        moves = [int(move) for move in rng.integers(puzzle.move_count, size=SPAN // 2)]
        after = state.after(moves)
        exact = union_distances(after, view)
        for pair in range(2 * puzzle.rings):
            word = union_word(colour_words(state), pair, view)
            for move in moves:
                word = turned(word, move, union_base(pair, view), view.near)
            assert word == union_word(colour_words(after), pair, view)
            assert at_most(known[pair] + len(moves), union_code(word, pair, view)) == exact[pair]


@given(st.integers(0, 60), st.integers(0, SPAN))
def test_a_code_tells_a_distance_within_fourteen(distance, below):
    assert at_most(distance + below, distance % MODULUS) == distance


@given(st.lists(st.integers(0, 15), min_size=1, max_size=40))
def test_codes_are_two_to_a_byte(wanted):
    codes = np.full(-(-len(wanted) // 2), 255, dtype=np.uint8)
    for number, code in enumerate(wanted):
        set_code(codes, number, code)
    assert [code_at(codes, number) for number in range(len(wanted))] == wanted


def test_five_rings_without_tables():
    assert unions.unions(FIVE) is None  # and nothing is built
    assert [(table.entries, table.size) for table in union_tables(FIVE)] == [(2_319_959_400, 1_159_979_704)] * 2
    assert [report.condition for report in look_at_unions(FIVE)] == [Condition.MISSING] * 2


@pytest.mark.parametrize("puzzle", [Puzzle(3, 4, (0, 3)), Puzzle(7, 3, (0, 2)), Puzzle(5, 8, (0, 7))], ids=str)
def test_puzzles_without_unions(puzzle):
    assert union_tables(puzzle) == ()
    assert unions.unions(puzzle) is None
    assert run(mending_unions(puzzle)) == ([], [])


def damage_by_cutting(path):
    os.truncate(path, path.stat().st_size - 8)


def damage_by_flipping(path):
    data = bytearray(path.read_bytes())
    data[HEADING_BYTES + 30_000] ^= 16
    path.write_bytes(data)


def damage_the_heading(path):
    data = bytearray(path.read_bytes())
    data[30] ^= 1
    path.write_bytes(data)


@pytest.mark.parametrize("damage", [damage_by_cutting, damage_by_flipping, damage_the_heading])
def test_damage_is_noticed_and_mended(damage, caplog):
    assert unions.unions(KEPT) is None
    built, shares = run(mending_unions(KEPT))
    assert [report.condition for report in built] == [Condition.BUILT] * 2
    assert shares == sorted(shares)
    state = random_states(1, puzzle=KEPT)[0]
    view = unions.unions(KEPT)
    assert view is not None
    known = union_distances(state, view)
    assert [report.condition for report in look_at_unions(KEPT)] == [Condition.WHOLE] * 2
    hashes = union_hashes(KEPT)

    path = table_path(union_tables(KEPT)[1].name)
    before = path.read_bytes()
    damage(path)
    with caplog.at_level(logging.WARNING, "engine.rings"):
        assert unions.unions(KEPT) is None
    assert "the unions are not used" in caplog.text
    assert [report.condition for report in look_at_unions(KEPT)] == [Condition.WHOLE, Condition.DAMAGED]
    mended, _ = run(mending_unions(KEPT))
    assert [report.condition for report in mended] == [Condition.WHOLE, Condition.BUILT]
    assert mended[1].detail
    assert path.read_bytes() == before
    view = unions.unions(KEPT)
    assert view is not None
    assert union_distances(state, view) == known
    assert union_hashes(KEPT) == hashes
    assert run(mending_unions(KEPT)) == (look_at_unions(KEPT), [])


def test_a_large_table_is_hashed_once(monkeypatch):
    run(mending_unions(KEPT))
    hashed = []
    digest = _tablefile._digest
    monkeypatch.setattr(_tablefile, "_digest", lambda table: hashed.append(len(table)) or digest(table))
    assert unions.unions(KEPT) is not None
    assert hashed == []  # written here, so known to be whole
    unions._mapped.cache_clear()
    for note in table_path("x").parent.glob("*.checked"):
        note.write_text("nonsense")
    assert unions.unions(KEPT) is not None
    unions._mapped.cache_clear()
    assert unions.unions(KEPT) is not None
    assert len(hashed) == 2


def test_a_table_of_another_time_is_hashed_again():
    run(mending_unions(KEPT))
    path = table_path(union_tables(KEPT)[0].name)
    found = path.stat()
    damage_by_flipping(path)
    os.utime(path, ns=(found.st_atime_ns, found.st_mtime_ns + 1))
    assert unions.unions(KEPT) is None


def test_what_is_interrupted_leaves_nothing(own_tables):
    steps = unions.making(union_tables(KEPT))
    next(steps)
    steps.close()
    assert [path.suffix for path in own_tables.iterdir() if path.suffix == ".part"] == []
    for path in own_tables.glob("*.bin"):  # a thread that was done before the interruption
        assert path.stat().st_size == HEADING_BYTES + union_tables(KEPT)[0].size
    run(mending_unions(KEPT))
    assert unions.unions(KEPT) is not None


def test_a_failed_write_leaves_nothing(own_tables, monkeypatch):
    def fail(_):
        raise OSError("disk full")

    monkeypatch.setattr(_tablefile.os, "fsync", fail)
    with pytest.raises(OSError, match="disk full"):
        run(mending_unions(KEPT))
    assert list(own_tables.iterdir()) == []


def test_a_full_disk_is_noticed_before_the_work(monkeypatch):
    class Usage:
        free = 1000

    monkeypatch.setattr(unions.shutil, "disk_usage", lambda _: Usage)
    with pytest.raises(OSError, match="free; the tables take"):
        next(unions.making(union_tables(KEPT)))


def test_a_table_that_came_out_wrong_is_not_kept(monkeypatch, own_tables):
    monkeypatch.setitem(unions.FARTHEST, (KEPT, 1), 3)
    with pytest.raises(EngineError, match="came out wrong"):
        run(unions.making([UnionTable(KEPT, 1)]))
    assert list(own_tables.iterdir()) == []


def test_counts_are_kept():
    run(mending_unions(KEPT))
    for table in union_tables(KEPT):
        assert sum(read_facts(table.name)["counts"]) == table.entries


def test_filling_is_plain_python_too():
    """The same tables with compilation off, in a process of its own."""
    program = """
from engine.rings.model import Puzzle
from engine.rings.unions import union_distances, unions
puzzle = Puzzle(4, 2, (0,))
view = unions(puzzle)
state = puzzle.solved.after(puzzle.parse_moves("D R1 D R2 D' R3 D"))
print(view.near.table.tolist(), view.far.table.tolist(), union_distances(state, view))
"""
    plain, compiled = outputs_with_and_without_compiler(program)
    assert plain == compiled != ""


def test_a_state_of_the_wrong_orbit():
    puzzle = Puzzle(4, 4, (0, 2))
    view = unions.unions(puzzle)
    assert view is not None
    states = [State(state.text, puzzle) for state in random_states(20, puzzle=puzzle)]
    impossible = 0
    for state in states:
        try:
            union_distances(state, view)
        except ImpossibleStateError:
            impossible += 1
    assert impossible
