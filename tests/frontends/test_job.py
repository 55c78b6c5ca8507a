"""Jobs from the command line, with kinds made for the purpose: submit, run, look, steer; input refused, exit codes."""

import signal
import subprocess
import time

import pytest

pytestmark = pytest.mark.usefixtures("cli_kinds")


@pytest.fixture
def numbers(tmp_path):
    path = tmp_path / "numbers.txt"
    path.write_text("1\n2\n3\n4\n5\n")
    return path


def test_kinds(invoke):
    assert "Add up numbers." in invoke("job", "kinds").out
    (add,) = [line for line in invoke("job", "kinds", "--json").lines if line["kind"] == "cli.add"]
    assert add["input"] == "lines"
    assert add["params"]["properties"]["plus"]["default"] == 0


def test_options_of_a_kind_are_in_its_help(invoke):
    text = invoke("job", "run", "cli.add", "--help").out
    for part in ("FILE", "--plus", "Added to each number", "[default: 0]", "e.g. 1", "--seed", "--slots", "--json", "--strict"):
        assert part in text
    assert "puzzlemill job run cli.add puzzles.txt.gz --plus 1" in text
    assert "cli.nap" in invoke("job", "submit", "--help").out


def test_run_to_the_end(puzzlemill, numbers):
    ran = puzzlemill("job", "run", "cli.add", numbers, "--plus=1", "--seed=7", "--json", "--slots=2")
    assert ran.code == 0
    assert ran.err == ""
    end = ran.json
    assert {key: end[key] for key in ("job", "kind", "state", "items", "chunks", "seed", "refused")} == {
        "job": 1,
        "kind": "cli.add",
        "state": "done",
        "items": 5,
        "chunks": 3,
        "seed": 7,
        "refused": 0,
    }
    assert end["summary"] == {"total": 20}
    assert len(end["digest"]) == 32
    assert end["seconds"] >= 0


def test_bad_lines_are_refused_and_the_good_ones_done(puzzlemill):
    ran = puzzlemill("job", "run", "cli.add", "-", stdin=b"1\nx\n3\n")
    assert ran.code == 2
    assert "total  4" in ran.out
    assert "standard input, line 2: 'x' is not a number" in ran.err
    assert "1 input line was refused" in ran.err


def test_quarantined_chunks_are_exit_code_3_and_can_be_looked_up(puzzlemill, invoke):
    ran = puzzlemill("job", "run", "cli.nap", "--seconds=0", "--fail", "--json")
    assert ran.code == 3
    assert ran.json["state"] == "partial"
    assert "1 chunks are quarantined" in ran.err or "1 chunk is quarantined" in ran.err
    (chunk,) = invoke("job", "chunks", 1, "--state=quarantined", "--json").lines
    assert chunk["attempts"] == 3
    assert "this chunk was told to fail" in chunk["last_error"]
    assert "this chunk was told to fail" in invoke("job", "chunks", 1).out
    assert invoke("job", "retry", 1, "--json").json["state"] == "running"


def test_submit_then_look_and_steer(invoke, numbers):
    sent = invoke("job", "submit", "cli.add", numbers, "--priority=5", "--json").json
    assert (sent["job"], sent["state"], sent["created"], sent["priority"]) == (1, "queued", True, 5)
    assert invoke("job", "show", 1, "--json").json["chunks"] == 3
    assert "queued, 0 of 5 items, 0 of 3 chunks" in invoke("job", "show", 1).out
    assert [job["job"] for job in invoke("job", "list", "--json").lines] == [1]
    assert invoke("job", "list", "--state=done", "--json").out == ""
    assert invoke("job", "pause", 1, "--json").json["paused"] is True
    assert "paused" in invoke("job", "list").out
    assert invoke("job", "resume", 1, "--json").json["paused"] is False
    assert invoke("job", "cancel", 1, "--json").json["state"] == "cancelled"
    assert [event["event"] for event in invoke("job", "events", 1, "--json").lines][:2] == ["submitted", "paused"]
    assert "cancel" in invoke("job", "events", 1, "--follow").out
    refused = invoke("job", "pause", 1)
    assert refused.code == 1
    assert "cancelled" in refused.err


def test_pages_of_the_list(invoke, numbers):
    for _ in range(5):
        invoke("job", "submit", "cli.add", numbers)
    assert [job["job"] for job in invoke("job", "list", "--limit=2", "--json").lines] == [5, 4]
    assert [job["job"] for job in invoke("job", "list", "--limit=2", "--before=4", "--json").lines] == [3, 2]


def test_idempotency_key(invoke, numbers):
    first = invoke("job", "submit", "cli.add", numbers, "--idempotency-key=k", "--json").json
    again = invoke("job", "submit", "cli.add", numbers, "--idempotency-key=k", "--json").json
    assert (first["job"], first["created"]) == (1, True)
    assert (again["job"], again["created"]) == (1, False)
    other = invoke("job", "submit", "cli.add", numbers, "--plus=1", "--idempotency-key=k")
    assert other.code == 2
    assert "idempotency key 'k' belongs to job 1" in other.err


def test_without_a_seed_each_job_has_its_own(invoke, numbers):
    seeds = {invoke("job", "submit", "cli.add", numbers, "--json").json["seed"] for _ in range(3)}
    assert len(seeds) == 3


@pytest.mark.parametrize(
    "args",
    [
        ["job", "run", "cli.add", "missing.txt"],
        ["job", "run", "cli.add", "."],
        ["job", "run", "cli.add", "empty.txt"],
        ["job", "run", "cli.add", "bad.txt"],
        ["job", "run", "cli.add", "some.txt", "--strict"],
        ["job", "run", "cli.add"],
        ["job", "run", "cli.nope", "some.txt"],
        ["job", "run", "cli.add", "some.txt", "--plus=x"],
        ["job", "run", "cli.add", "some.txt", "--seed=-1"],
        ["job", "run", "cli.add", "some.txt", "--slots=0"],
        ["job", "show", "x"],
        ["job", "list", "--kind=nope"],
    ],
)
def test_usage_errors_store_nothing(invoke, tmp_path, args):
    (tmp_path / "empty.txt").write_text("")
    (tmp_path / "bad.txt").write_text("x\n")
    (tmp_path / "some.txt").write_text("1\nx\n")
    ran = invoke(*args)
    assert ran.code == 2
    assert ran.err
    assert ran.out == ""
    assert invoke("job", "list", "--json").out == ""


@pytest.mark.parametrize("command", ["show", "watch", "pause", "resume", "cancel", "retry", "chunks", "events"])
def test_no_such_job(invoke, command):
    ran = invoke("job", command, 99)
    assert ran.code == 4
    assert "no job 99" in ran.err


def test_watch_of_a_finished_job_reports_it_again(puzzlemill, invoke, numbers):
    first = puzzlemill("job", "run", "cli.add", numbers, "--json").json
    again = invoke("job", "watch", 1, "--json")
    assert again.code == 0
    assert again.json["digest"] == first["digest"]


def test_interrupt_keeps_the_job_and_says_how_to_go_on(invoke, puzzlemill, program):
    process = subprocess.Popen(
        [program, "job", "run", "cli.nap", "--chunks=8", "--seconds=0.5", "--slots=1"],
        stderr=subprocess.PIPE,
    )
    try:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            jobs = invoke("job", "list", "--json").lines
            if jobs and jobs[0]["chunks_done"]:
                break
            time.sleep(0.2)  # between two looks, so that the job gets the processor
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 130
    assert b"puzzlemill job watch 1" in err
    job = invoke("job", "show", 1, "--json").json
    assert job["state"] == "running"
    assert job["chunks_running"] == 0
    ran = puzzlemill("job", "watch", 1, "--json")
    assert ran.code == 0
    assert ran.json["chunks_done"] == 8
    assert {chunk["attempts"] for chunk in invoke("job", "chunks", 1, "--json").lines} == {1}


def test_a_large_estimate_is_said_before_the_start(invoke, tmp_path, monkeypatch):
    (tmp_path / "many.txt").write_text("1\n" * 100)
    monkeypatch.setattr("frontends.cli.job_start.follow", lambda store, _made, number, **_: store.cancel(number))
    ran = invoke("job", "run", "cli.add", "many.txt", "--slots=4")
    assert "cli.add: about 4 d 4 h of computing, 25 h 00 min with 4 workers, 512 MiB each (a guess)" in ran.err
