import logging
import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest
from chaos.place import Place, wait_for

from workers import process as process_module
from workers import supervisor as supervisor_module
from workers.errors import WorkerStartError
from workers.lock import FolderLock
from workers.supervisor import Supervisor, embedded_prefix


@pytest.fixture
def place(tmp_path, monkeypatch):
    place = Place(tmp_path)
    for name, value in place.environment.items():
        monkeypatch.setenv(name, value)
    yield place
    place.close()


def test_a_folder_is_locked_by_one_and_free_again_when_its_holder_is_killed(tmp_path):
    code = (
        "import sys, pathlib, workers.lock as l; a = l.FolderLock(pathlib.Path(sys.argv[1])); "
        "print(a.acquire(), flush=True); sys.stdin.read()"
    )
    holder = subprocess.Popen([sys.executable, "-c", code, tmp_path], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert holder.stdout.readline() == b"True\n"
    lock = FolderLock(tmp_path)
    assert not lock.acquire()
    assert lock.holder() == holder.pid
    holder.kill()
    holder.communicate()
    wait_for(lock.acquire, 5)
    assert lock.held
    assert lock.holder() == os.getpid()
    lock.release()
    assert not lock.held


def test_no_process_of_the_worker_inherits_the_lock(place):
    with Supervisor(place.settings, 1, warm=[]) as supervisor:
        supervisor.run(until=lambda: supervisor.ready)
        family = [psutil.Process(supervisor.worker_pid), *psutil.Process(supervisor.worker_pid).children()]
        files = {link.name for one in family for link in (f.readlink() for f in Path(f"/proc/{one.pid}/fd").iterdir())}
        assert "worker.lock" not in files


def test_a_job_runs_and_the_worker_is_listed_while_it_does(place):
    job_id = place.submit(chunks=4, slices=1, seconds=0.01)
    said = []
    with Supervisor(place.settings, 2, warm=[], on_event=said.append) as supervisor:
        supervisor.run(until=lambda: place.job(job_id).closed)
        (listed,) = place.store.workers()
        assert (listed.slots, listed.restarts, listed.pid) == (2, 0, os.getpid())
        assert listed.name.startswith(embedded_prefix(place.settings.data_dir))
    assert str(place.job(job_id).state) == "done"
    assert place.store.workers() == []
    assert said == []  # nothing went wrong, and nothing was compiled
    assert "ready" in (place.settings.data_dir / "log" / "worker.log").read_text()


def test_a_second_supervisor_stands_by_and_takes_over(place):
    first = place.start("embedded")
    wait_for(first.pool, 30, "the first worker")
    job_id = place.submit(chunks=30, slices=4, seconds=0.1, max_attempts=5)
    place.running()
    said = []
    with Supervisor(place.settings, 1, warm=[], on_event=said.append) as second:
        second.run(until=lambda: second.standing_by)
        assert second.worker_pid is None
        assert f"process {first.popen.pid}" in said[0]
        first.kill()
        second.run(until=lambda: second.ready)
        assert "taking over" in said[1]
        place.store.cancel(job_id)
        second.run(until=lambda: place.job(job_id).closed)


def test_a_signal_becomes_a_keyboard_interrupt_at_the_next_tick_and_handlers_are_put_back(place):
    before = signal.getsignal(signal.SIGTERM)
    with Supervisor(place.settings, 1, warm=[], worker=False) as supervisor:
        os.kill(os.getpid(), signal.SIGTERM)
        with pytest.raises(KeyboardInterrupt):
            supervisor.run()
    assert signal.getsignal(signal.SIGTERM) is before


def test_a_worker_that_never_gets_ready_is_given_up_with_a_word_about_its_log(place, monkeypatch):
    monkeypatch.setattr(process_module, "_arguments", lambda _name, _slots: ["--no-such-option"])
    monkeypatch.setattr(supervisor_module, "FIRST_PAUSE", 0.0)
    monkeypatch.setattr(supervisor_module, "START_ATTEMPTS", 2)
    with pytest.raises(WorkerStartError, match=r"2 times .* see .*worker\.log"), Supervisor(place.settings, 1, warm=[]) as one:
        one.run()


def test_a_folder_named_like_ours_where_the_user_is_hides_nothing(place, monkeypatch, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    for name in ("db", "engine", "workers"):
        (elsewhere / name).mkdir(parents=True)
        (elsewhere / name / "__init__.py").write_text("raise RuntimeError('not this one')\n")
    monkeypatch.chdir(elsewhere)
    job_id = place.submit(chunks=1, slices=1, seconds=0.0)
    with Supervisor(place.settings, 1, warm=[]) as supervisor:
        supervisor.run(until=lambda: place.job(job_id).closed)


@pytest.mark.slow
def test_memory_is_bounded_over_two_thousand_small_chunks(place):
    with Supervisor(place.settings, 2, warm=[]) as supervisor:

        def memory():
            parent = psutil.Process(supervisor.worker_pid)
            return [one.memory_info().rss for one in [psutil.Process(), parent, *parent.children()]]

        def after(chunks):
            job_id = place.submit(chunks=chunks, slices=1, seconds=0.0, seed=chunks)
            supervisor.run(until=lambda: place.job(job_id).closed)
            return memory()

        early, late = after(500), after(1500)
    grown = [round((now - then) / 2**20, 1) for then, now in zip(early, late, strict=True)]
    assert max(grown) < 8.0, f"MiB grown by 1,500 chunks (this process, parent, children): {grown}"


@pytest.mark.slow
def test_nothing_dangerous_is_there_at_the_fork(place, monkeypatch):
    forks = place.folder / "forks.jsonl"
    monkeypatch.setenv("FAKE_FORKS", str(forks))
    with Supervisor(place.settings, 2) as supervisor:  # all kinds are warmed, those with kernels too
        supervisor.run(until=lambda: supervisor.ready)
        pid = supervisor.worker_pid
    seen = place.forks(forks, pid)
    assert len(seen) >= 2
    for fork in seen[:2]:  # the first pool; later replacements come from a thread of Celery's own
        assert fork["threads"] == 1, fork
        assert fork["openmp"] == []
        assert fork["databases"] == []
        assert fork["sockets"] == []


def test_logging_goes_to_the_file_and_is_put_back(place):
    ours = logging.getLogger("workers")
    before = (list(ours.handlers), ours.propagate)
    with Supervisor(place.settings, 1, worker=False):
        assert not ours.propagate
    assert (list(ours.handlers), ours.propagate) == before
