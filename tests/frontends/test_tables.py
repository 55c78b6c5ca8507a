"""Text for people."""

import pytest

from frontends.cli.tables import cell, duration, histogram, pairs, rate, table


def test_columns_are_aligned_and_numbers_are_right():
    assert table(["name", "count"], [["a", 1], ["bcd", 12345], ["e", None]]).split("\n") == [
        "name   count",
        "----  ------",
        "a          1",
        "bcd   12,345",
        "e",
    ]


def test_no_rows():
    assert table(["name"], []) == "name\n----"
    assert pairs({}) == ""
    assert histogram({}) == ""


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""),
        (True, "yes"),
        (False, "no"),
        (438984, "438,984"),
        (2.5, "2.5"),
        (3.0, "3"),
        (0.0, "0"),
        ([1, 2], "1 2"),
        ({"a": 1}, "a: 1"),
        (40861647040079968 * 10**6, "40,861,647,040,079,968,000,000"),
    ],
)
def test_cells(value, text):
    assert cell(value) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.04, "0.0 s"),
        (9.94, "9.9 s"),
        (42.3, "42 s"),
        (99.4, "99 s"),
        (100.2, "1 min 40 s"),
        (3599.6, "1 h 00 min"),
        (7500, "2 h 05 min"),
        (300_000, "3 d 11 h"),
    ],
)
def test_durations(seconds, text):
    assert duration(seconds) == text


@pytest.mark.parametrize(
    ("items", "seconds", "text"), [(1200, 1, "1,200/s"), (35, 10, "3.5/s"), (1, 30, "2/min"), (1, 3600, "1/h"), (5, 0, "-")]
)
def test_rates(items, seconds, text):
    assert rate(items, seconds) == text


def test_histogram_bars():
    assert histogram({"easy": 4, "hard": 2, "none": 0}, width=4).split("\n") == ["easy  4  ####", "hard  2  ##", "none  0"]
