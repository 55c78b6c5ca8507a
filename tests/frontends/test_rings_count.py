"""`puzzlemill rings count`: its keys, its end, what it says before and on the way, and what it refuses."""

import pytest

from frontends.cli import rings_count


def test_counts_as_json(invoke):
    ran = invoke("rings", "count", "--depth", 6, "--json")
    assert ran.code == 0
    assert [set(line) for line in ran.lines] == [{"depth", "states", "classes", "all_classes", "seconds"}] * 7
    assert [line["states"] for line in ran.lines] == [1, 2, 22, 160, 980, 6240, 39489]
    assert [line["classes"] for line in ran.lines] == [1, 1, 3, 16, 100, 624, 3960]


def test_counts_for_people_and_the_end_of_a_small_puzzle(invoke):
    ran = invoke("rings", "count", "--rings", 3, "--beads", 3, "--depth", 99)
    assert ran.code == 0
    assert ran.err == ""
    assert "no more states: 1,680 in all, none further than 9 clicks" in ran.out
    assert "depth" in ran.out.splitlines()[0]


def test_what_takes_long_is_foretold(invoke, monkeypatch):
    monkeypatch.setattr(rings_count, "MEASURED_FROM_CLASSES", 0)
    monkeypatch.setattr(rings_count, "TOLD_FROM_SECONDS", 0.0)
    ran = invoke("--verbose", "rings", "count", "--depth", 5)
    assert "depth 5 will take about" in ran.err
    assert "MiB" in ran.err
    assert "counted in" in ran.err


def test_where_it_stands_is_noted(invoke, monkeypatch):
    noted = []

    def watch(title, steps):
        while True:
            try:
                noted.append(f"{title}: {next(steps)}")
            except StopIteration as stop:
                return stop.value

    monkeypatch.setattr(rings_count, "watched", watch)
    assert invoke("rings", "count", "--depth", 8).code == 0
    assert any(note.startswith("depth 8: 12,391 classes to turn") for note in noted)
    assert any(note.startswith("depth 8: 100% of 12,391 classes turned") for note in noted)


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["--memory", 100], 1, "100 MiB are allowed: stop at a lower depth, or allow more"),
        (["--depth", -1], 2, "--depth"),
        (["--rings", 8, "--beads", 5], 2, "128-bit keys"),
    ],
    ids=str,
)
def test_what_is_refused(invoke, words, code, message):
    ran = invoke("rings", "count", *words)
    assert ran.code == code
    assert message in ran.err
