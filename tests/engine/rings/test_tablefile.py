"""Table files: whole or not there, whoever writes them at once, and built again when damaged."""

import logging
import mmap
import subprocess
import sys

import numpy as np
import pytest
from ringkit import FIVE, TINY

from engine.errors import EngineError
from engine.rings import _tablefile, tables
from engine.rings._tablefile import HEADING_BYTES, TableFileError, read_table, table_path, tables_folder, write_table
from engine.rings.model import Puzzle
from engine.rings.tablecare import Condition, look, mending

TABLE = np.arange(1000, dtype=np.uint8)
NAME = "rings-5x7-0.6-colour"


@pytest.fixture(autouse=True)
def _fresh(own_tables):
    tables.frame.cache_clear()
    yield
    tables.frame.cache_clear()


def test_what_is_written_is_read(own_tables):
    written = write_table("one", TABLE)
    read = read_table("one", 1000)
    assert (written == TABLE).all()
    assert (read == TABLE).all()
    assert not read.flags.writeable
    assert [path.name for path in own_tables.iterdir()] == ["one.v1.bin"]


def test_the_folder_without_the_variable(monkeypatch):
    monkeypatch.delenv(_tablefile.TABLES_VARIABLE)
    assert tables_folder().name == "tables"
    assert "puzzlemill" in str(tables_folder())


def test_no_table():
    with pytest.raises(FileNotFoundError):
        read_table("one", 1000)


@pytest.mark.parametrize("where", [3, HEADING_BYTES - 1, HEADING_BYTES + 500])
def test_a_changed_byte_is_noticed(where):
    write_table("one", TABLE)
    data = bytearray(table_path("one").read_bytes())
    data[where] ^= 1
    table_path("one").write_bytes(data)
    with pytest.raises(TableFileError, match="hash is wrong"):
        read_table("one", 1000)


@pytest.mark.parametrize("size", [0, 10, HEADING_BYTES + 999, HEADING_BYTES + 1001])
def test_a_wrong_size_is_noticed(size):
    write_table("one", TABLE)
    data = table_path("one").read_bytes().ljust(size, b"x")[:size]
    table_path("one").write_bytes(data)
    with pytest.raises(TableFileError, match="not the size"):
        read_table("one", 1000)


def test_a_table_of_another_name_is_noticed():
    write_table("one", TABLE)
    table_path("one").rename(table_path("two"))
    with pytest.raises(TableFileError):
        read_table("two", 1000)


def test_a_failed_write_leaves_nothing(own_tables, monkeypatch):
    def fail(_: int) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(_tablefile.os, "fsync", fail)
    with pytest.raises(OSError, match="disk full"):
        write_table("one", TABLE)
    assert list(own_tables.iterdir()) == []


def test_the_table_is_built_once_and_then_read(caplog):
    with caplog.at_level(logging.INFO, "engine.rings"):
        first = tables.frame(FIVE)
        tables.frame.cache_clear()
        second = tables.frame(FIVE)
    assert (first.table == second.table).all()
    assert [record.message for record in caplog.records] == [f"building the distance table {NAME} (about a second, once)"]


def test_a_damaged_table_is_built_again(caplog):
    tables.frame(FIVE)
    path = table_path(NAME)
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)
    tables.frame.cache_clear()
    with caplog.at_level(logging.WARNING, "engine.rings"):
        again = tables.frame(FIVE)
    assert "building it again" in caplog.text
    assert again.table.max() == 25
    assert read_table(NAME, len(again.table)).max() == 25


def test_a_cut_table_is_built_again(caplog):
    tables.frame(FIVE)
    path = table_path(NAME)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    tables.frame.cache_clear()
    with caplog.at_level(logging.WARNING, "engine.rings"):
        assert tables.frame(FIVE).table.max() == 25
    assert "not the size of a whole table; building it again" in caplog.text
    assert path.read_bytes() == whole


def damage_by_cutting(path):
    path.write_bytes(path.read_bytes()[:-1])


def damage_by_flipping(path):
    data = bytearray(path.read_bytes())
    data[HEADING_BYTES + 3_000_000] ^= 1
    path.write_bytes(data)


@pytest.mark.parametrize("damage", [damage_by_cutting, damage_by_flipping, lambda path: path.write_bytes(b"")])
def test_the_condition_of_a_table(damage):
    assert look(FIVE).condition is Condition.MISSING
    built, shares = run(mending(FIVE))
    assert (built.condition, built.farthest, built.entries) == (Condition.BUILT, 25, 6_724_520)
    assert built.bytes == HEADING_BYTES + built.entries
    assert len(shares) > 5
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    whole = look(FIVE)
    assert (whole.condition, whole.farthest, whole.is_usable) == (Condition.WHOLE, 25, True)
    assert run(mending(FIVE)) == (whole, [])

    before = built.path.read_bytes()
    damage(built.path)
    damaged = look(FIVE)
    assert (damaged.condition, damaged.farthest, damaged.is_usable) == (Condition.DAMAGED, None, False)
    mended, _ = run(mending(FIVE))
    assert mended.condition is Condition.BUILT
    assert mended.detail == damaged.detail != ""
    assert built.path.read_bytes() == before


def run(steps):
    """What a generator returns, and what it yielded on the way."""
    shares = []
    while True:
        try:
            shares.append(next(steps))
        except StopIteration as stop:
            return stop.value, shares


def test_a_whole_table_is_built_anew_when_asked():
    run(mending(FIVE))
    inode = look(FIVE).path.stat().st_ino
    mapped = read_table(NAME, 6_724_520)
    report, shares = run(mending(FIVE, anew=True))
    assert report.condition is Condition.BUILT
    assert shares
    assert report.path.stat().st_ino != inode
    assert mapped.max() == 25  # who had mapped the old file still has it


def test_small_tables_are_not_kept(own_tables):
    report, shares = run(mending(TINY[1]))
    assert (report.condition, report.is_usable, shares) == (Condition.NOT_KEPT, True, [])
    assert not own_tables.exists()


def test_a_puzzle_too_big_for_tables():
    with pytest.raises(EngineError, match="too big for distance tables"):
        look(Puzzle(8, 7, (0, 6)))


def test_tables_are_mapped_and_shared_by_all(own_tables):
    run(mending(FIVE))
    table = tables.frame(FIVE).table
    base = table
    while isinstance(base, np.ndarray):
        base = base.base
    assert isinstance(base.obj if isinstance(base, memoryview) else base, mmap.mmap)
    assert not table.flags.writeable
    assert table_path(NAME).stat().st_mode & 0o444 == 0o444


def test_a_folder_that_cannot_be_written(tmp_path, monkeypatch, caplog):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("PUZZLEMILL_TABLES", str(tmp_path / "file" / "tables"))
    assert look(FIVE).condition is Condition.DAMAGED
    with caplog.at_level(logging.WARNING, "engine.rings"):
        assert tables.frame(FIVE).table.max() == 25
    assert "cannot be kept" in caplog.text


def test_processes_that_build_at_once_all_get_the_table(own_tables):
    program = (
        "from engine.rings.tables import distribution; from engine.rings.model import Puzzle; print(distribution(Puzzle()))"
    )
    running = [subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) for _ in range(2)]
    outputs = {process.communicate()[0] for process in running}
    assert len(outputs) == 1
    assert all(process.returncode == 0 for process in running)
    assert [path.name for path in own_tables.iterdir()] == [f"{NAME}.v1.bin"]


def test_importing_builds_nothing(own_tables):
    subprocess.run([sys.executable, "-c", "import engine.rings.jobs"], check=True)
    assert not own_tables.exists()
