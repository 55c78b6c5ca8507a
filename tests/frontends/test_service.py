"""Commands that look after the service: db, doctor, up, bench."""

import signal
import subprocess

import pytest


def test_upgrade_check_current(invoke):
    missing = invoke("db", "check", "--json")
    assert (missing.code, missing.json["ok"], missing.json["revision"]) == (5, False, None)
    made = invoke("db", "upgrade", "--json").json
    assert made["before"] is None
    assert made["revision"] == made["head"]
    assert "already at" in invoke("db", "upgrade").err
    assert invoke("db", "check").code == 0
    assert invoke("db", "current").out.strip() == made["head"]


def test_doctor_on_a_bare_machine_and_after_first_use(invoke, tmp_path):
    before = invoke("doctor", "--json")
    assert before.code == 0
    assert before.json["ok"] is True
    assert not (tmp_path / "data").exists()  # looking makes nothing
    invoke("db", "upgrade")
    after = {check["name"]: check for check in invoke("doctor", "--json").json["checks"]}
    assert after["schema"]["state"] == "ok"
    assert "sqlite" in after["database"]["detail"]
    assert set(after) == {
        "versions", "cores", "job kinds", "kernel cache", "data folder", "database", "schema", "workers", "broker",
    }  # fmt: skip
    assert "broker" in invoke("doctor").out


@pytest.mark.parametrize(
    ("option", "url", "name"),
    [
        ("--database-url", "postgresql://nobody@127.0.0.1:9/none", "database"),
        ("--broker-url", "redis://127.0.0.1:9/0", "broker"),
    ],
)
def test_doctor_says_what_cannot_be_reached(invoke, option, url, name):
    ran = invoke("doctor", option, url, "--json")
    assert ran.code == 5
    assert ran.json["ok"] is False
    (check,) = [check for check in ran.json["checks"] if check["name"] == name]
    assert check["state"] == "unreachable"
    assert check["detail"]


def test_doctor_finds_a_data_folder_it_cannot_use(invoke, tmp_path):
    (tmp_path / "file").write_text("in the way")
    ran = invoke("doctor", "--data-dir", tmp_path / "file" / "data", "--json")
    assert ran.code == 1
    assert {check["name"]: check["state"] for check in ran.json["checks"]}["data folder"] == "wrong"


def test_up_computes_what_is_submitted_and_stops_at_a_signal(cli_kinds, program, invoke, puzzlemill):
    process = subprocess.Popen([program, "up", "--slots=1"], stderr=subprocess.PIPE)
    try:
        sent = invoke("job", "submit", "cli.add", "41", "--plus=1", "--json").json
        ran = puzzlemill("job", "watch", sent["job"], "--no-workers", "--json")
        assert ran.json["summary"] == {"total": 42}
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 0
    assert b"1 worker processes on" in err


def test_bench_lists_and_runs(invoke, tmp_path, monkeypatch):
    (tmp_path / "bench_of_the_test.py").write_text(
        '"""Counts to a million."""\n'
        "from bench.result import BenchResult\n"
        "def run(path, *, repeats):\n"
        "    return BenchResult('test', 10, 2.0, repeats, 0.5, {'path': path and path.name})\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr("frontends.cli.bench_cmd._modules", lambda: {"test": "bench_of_the_test"})
    assert invoke("bench", "list", "--json").lines == [{"name": "test", "summary": "Counts to a million."}]
    assert "Counts to a million." in invoke("bench").out
    ran = invoke("bench", "test", "bench_of_the_test.py", "--repeats=2", "--json").json
    assert (ran["name"], ran["per_second"], ran["repeats"], ran["path"]) == ("test", 5.0, 2, "bench_of_the_test.py")
    assert "per second" in invoke("bench", "test").out
