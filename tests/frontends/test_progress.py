"""What is shown while a job runs: rate and time left from what really moved, the bar never beyond the end."""

import pytest
from rich.console import Console

from frontends.cli import progress
from frontends.cli.output import Talk
from frontends.cli.progress import Display, LineDisplay, LiveDisplay, Pace, Snapshot, display, draw, headline


def snapshot(**changes):
    values = {
        "number": 12, "kind": "sudoku.solve", "state": "running", "done": 250.0, "expected": 1000, "chunks_done": 1,
        "chunks_running": 2, "chunks": 4, "quarantined": 0, "stage": 0, "stage_label": "",
        "running": ("chunk 1: 10/20 deep", "chunk 2: started"),
    }  # fmt: skip
    return Snapshot(**(values | changes))


def picture(at, pace):
    console = Console(width=120, force_terminal=False)
    with console.capture() as captured:
        console.print(draw(at, pace))
    return captured.get()


def test_the_pace_forgets_the_start_of_the_workers():
    pace = Pace()
    for now in (0.0, 5.0, 10.0):
        pace.see(now, 0)
    pace.see(12.0, 200)
    pace.see(14.0, 400)
    assert pace.rate() == "100/s"
    assert pace.left(600) == "6.0 s left"


def test_the_pace_follows_the_last_half_minute():
    pace = Pace()
    for second in range(101):
        pace.see(float(second), min(second, 50) * 10)
    assert pace.rate() == ""
    assert pace.left(10) == ""


def test_an_unknown_pace_says_nothing():
    pace = Pace()
    assert (pace.rate(), pace.left(5)) == ("", "")
    pace.see(1.0, 5)
    assert (pace.rate(), pace.left(5)) == ("", "")


@pytest.mark.parametrize(("done", "expected", "share"), [(0, 0, 0.0), (5, 10, 0.5), (12, 10, 1.0)])
def test_share(done, expected, share):
    assert snapshot(done=done, expected=expected).share == share


def test_picture_of_a_running_job():
    pace = Pace()
    pace.see(0.0, 0)
    pace.see(10.0, 250)
    text = picture(snapshot(), pace)
    for part in ("job 12", "25%", "250/1,000", "25/s", "30 s left", "sudoku.solve · chunks 1/4", "chunk 1: 10/20 deep"):
        assert part in text


def test_picture_tells_stage_pause_quarantine_and_waiting():
    pace = Pace()
    text = picture(snapshot(stage=3, stage_label="bound 23", state="paused", quarantined=1, running=(), chunks_running=0), pace)
    assert "stage 3 (bound 23) · 1 quarantined · paused; `puzzlemill job resume 12` lets it go on" in text
    assert "waiting for a worker" in picture(snapshot(running=(), chunks_running=0), pace)
    many = picture(snapshot(running=tuple(f"chunk {n}" for n in range(9))), pace)
    assert "chunk 3" in many
    assert "chunk 4" not in many
    assert "and 5 more" in many


def test_a_line_now_and_then_without_a_terminal(monkeypatch, capsys):
    now = [0.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    with LineDisplay() as shown:
        for second in range(25):
            now[0] = float(second)
            shown.show(snapshot(done=float(second * 10)))
        shown.note("a worker died")
    lines = capsys.readouterr().err.splitlines()
    assert lines == [
        "job 12: 100/1,000 items (10%), 10/s, 90 s left, 1/4 chunks",
        "job 12: 200/1,000 items (20%), 10/s, 80 s left, 1/4 chunks",
        "a worker died",
    ]


def test_headline_names_an_unusual_state():
    assert headline(snapshot(state="paused", quarantined=2, stage_label="bound 9"), Pace()) == (
        "paused, 250/1,000 items (25%), 1/4 chunks, 2 quarantined, bound 9"
    )


def test_which_display(monkeypatch):
    assert type(display()) is Display
    monkeypatch.setattr(Talk, "verbose", True)
    assert type(display()) is LineDisplay
    monkeypatch.setattr(progress.sys.stderr, "isatty", lambda: True, raising=False)
    assert type(display()) is LiveDisplay


def test_the_live_display_comes_and_goes(capsys):
    with LiveDisplay() as shown:
        shown.show(snapshot())
        shown.note("kernels are ready")
    assert "kernels are ready" in capsys.readouterr().err
