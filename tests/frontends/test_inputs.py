"""Reading lines: good ones come through in order, bad ones are named by number, nothing ends in a traceback."""

import gzip
import io
import sys

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from engine.errors import InvalidInputError
from frontends.cli import inputs
from frontends.cli.inputs import MAX_LINE, LineReader, read_text
from frontends.cli.output import CliError, Exit


def digits(text: str) -> str | None:
    """A tiny format: a line of digits; blank lines and # comments are skipped."""
    text = text.strip()
    if not text or text.startswith("#"):
        return None
    if not (text.isascii() and text.isdigit()):
        raise InvalidInputError(f"{text[:20]!r} is not a number")
    return text


def read(path, *, strict=False):
    reader = LineReader(str(path), digits, strict=strict)
    return list(reader), reader


def test_good_lines_keep_their_numbers(tmp_path):
    path = tmp_path / "list.txt"
    path.write_text("# heading\n1\n\n2\r\n3")
    items, reader = read(path)
    assert items == [(2, "1"), (4, "2"), (5, "3")]
    assert (reader.accepted, reader.refused) == (3, 0)


def test_bad_lines_are_named_and_the_rest_goes_on(tmp_path, capsys):
    path = tmp_path / "list.txt"
    path.write_text("1\nx\n3\n")
    items, reader = read(path)
    assert [item for _, item in items] == ["1", "3"]
    assert reader.refused == 1
    assert f"{path}, line 2: 'x' is not a number" in capsys.readouterr().err


def test_strict_stops_at_the_first(tmp_path):
    path = tmp_path / "list.txt"
    path.write_text("1\nx\n3\n")
    with pytest.raises(CliError, match="line 2") as caught:
        read(path, strict=True)
    assert caught.value.exit_code == Exit.USAGE


def test_gzip_is_read_whatever_its_name(tmp_path):
    path = tmp_path / "list.dat"
    path.write_bytes(gzip.compress(b"1\n2\n"))
    assert [item for _, item in read(path)[0]] == ["1", "2"]


def test_gzip_cut_short_keeps_what_was_whole(tmp_path, capsys):
    lines = "".join(f"{n * 7919 % 100003}\n" for n in range(60_000)).encode()
    path = tmp_path / "cut.gz"
    path.write_bytes(gzip.compress(lines)[:-2000])
    items, reader = read(path)
    assert 1000 < len(items) < 60_000
    assert [item for _, item in items] == lines.decode().split()[: len(items)]
    assert reader.refused == 1
    assert f"line {len(items) + 1}: gzip data damaged or cut short" in capsys.readouterr().err
    with pytest.raises(CliError, match="cut short"):
        read(path, strict=True)


def test_garbage_after_gzip_data(tmp_path, capsys):
    path = tmp_path / "tail.gz"
    path.write_bytes(gzip.compress(b"1\n2\n") + b"not gzip")
    items, reader = read(path)
    assert len(items) == 2
    assert reader.refused == 1
    assert "damaged" in capsys.readouterr().err


def test_binary_file_is_refused_from_there_on(tmp_path, capsys):
    path = tmp_path / "picture.png"
    path.write_bytes(b"1\n2\n\x89PNG\x00\x00\n3\n")
    items, reader = read(path)
    assert [item for _, item in items] == ["1", "2"]
    assert reader.refused == 1
    assert "line 3: not a text file" in capsys.readouterr().err


def test_a_line_in_another_encoding_is_refused_alone(tmp_path, capsys):
    path = tmp_path / "latin.txt"
    path.write_bytes(b"1\n\xe9t\xe9\n3\n")
    items, reader = read(path)
    assert [item for _, item in items] == ["1", "3"]
    assert reader.refused == 1
    assert "line 2: not UTF-8 text (byte 1 is 0xe9)" in capsys.readouterr().err


def test_byte_order_mark_is_no_part_of_the_first_line(tmp_path):
    path = tmp_path / "bom.txt"
    path.write_bytes(b"\xef\xbb\xbf1\n2\n")
    assert [item for _, item in read(path)[0]] == ["1", "2"]


@pytest.mark.parametrize("end", [b"\n2\n", b""])
def test_a_line_without_end_does_not_fill_the_memory(tmp_path, capsys, end):
    path = tmp_path / "long.txt"
    path.write_bytes(b"1\n" + b"7" * (50 * MAX_LINE) + end)
    items, reader = read(path)
    assert [item for _, item in items] == (["1", "2"] if end else ["1"])
    assert reader.refused == 1
    assert "line 2: longer than 10,000 bytes" in capsys.readouterr().err


def test_the_longest_line_allowed_is_not_cut(tmp_path):
    path = tmp_path / "edge.txt"
    path.write_bytes(b"7" * (MAX_LINE - 1) + b"\n8\n")
    assert [len(item) for _, item in read(path)[0]] == [MAX_LINE - 1, 1]


def test_many_complaints_are_cut_to_a_count(tmp_path, capsys):
    path = tmp_path / "bad.txt"
    path.write_text("x\n" * 5000)
    _, reader = read(path)
    assert reader.refused == 5000
    err = capsys.readouterr().err
    assert err.count("not a number") == inputs.MAX_COMPLAINTS
    assert "5,000 lines refused" in err


@pytest.mark.parametrize("content", [b"", b"\n\n", b"# only a comment\n", gzip.compress(b"", mtime=0)])
def test_nothing_in_it(tmp_path, content):
    path = tmp_path / "empty.txt"
    path.write_bytes(content)
    with pytest.raises(CliError, match="nothing in it") as caught:
        read(path)
    assert caught.value.exit_code == Exit.USAGE


def test_a_folder_and_a_missing_file(tmp_path):
    with pytest.raises(CliError, match="Is a directory"):
        read(tmp_path)
    with pytest.raises(CliError, match="neither a file nor a valid item"):
        read(tmp_path / "missing.txt")
    with pytest.raises(CliError, match="neither a file nor a valid item"):
        read("x" * 5000)


def test_a_literal_item():
    assert read("42")[0] == [(1, "42")]


def test_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(gzip.compress(b"1\n2\n")))))
    assert [item for _, item in read("-")[0]] == ["1", "2"]
    assert not sys.stdin.buffer.closed


def test_read_text_takes_a_drawing_and_refuses_a_picture(tmp_path):
    drawing = tmp_path / "board.txt"
    drawing.write_text("  *\n * *\n")
    assert read_text(str(drawing)) == "  *\n * *"
    drawing.write_bytes(b"\x00\x01")
    with pytest.raises(CliError, match="not a text file"):
        read_text(str(drawing))
    drawing.write_text("*\n" * 600_000)
    with pytest.raises(CliError, match="too long"):
        read_text(str(drawing))


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    lines=st.lists(
        st.one_of(st.from_regex(rb"[0-9]{1,9}", fullmatch=True), st.binary(max_size=30).filter(lambda b: b"\n" not in b)),
        max_size=12,
    ),
    packed=st.booleans(),
    cut=st.integers(min_value=0, max_value=40),
)
@example(lines=[b"1", b"\x1f\x8b"], packed=False, cut=0)
@example(lines=[b"\x1f\x8b", b"1"], packed=False, cut=0)
def test_any_bytes_end_in_items_or_a_message(tmp_path, lines, packed, cut):
    """Whatever is in the file, each item that comes out is a good line of it, in order."""
    body = b"\n".join(lines)
    data = gzip.compress(body) if packed else body
    path = tmp_path / "fuzz"
    path.write_bytes(data[: len(data) - cut] if cut < len(data) else data)
    reader = LineReader(str(path), digits)
    items = []
    try:
        items.extend(reader)
    except CliError as error:
        ended_with = error.exit_code
    else:
        ended_with = Exit.USAGE if reader.refused else Exit.OK
    assert ended_with == Exit.OK or (ended_with == Exit.USAGE and (reader.refused or not items))
    assert reader.accepted == len(items)
    numbers = [number for number, _ in items]
    assert numbers == sorted(set(numbers))
    for number, item in items:
        line = body.split(b"\n")[number - 1]
        assert line.decode("utf-8-sig").strip().startswith(item)
