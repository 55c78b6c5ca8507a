"""Two ways to run the command line: in this process (quick) and as a program (as users do)."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner

from engine import registry
from frontends.cli import output
from frontends.cli.main import cli

PROGRAM = str(Path(sys.executable).with_name("puzzlemill"))

KINDS = Path(__file__).parent / "kinds"


@dataclass
class Ran:
    code: int
    out: str
    err: str

    @property
    def json(self):
        return json.loads(self.out)

    @property
    def lines(self):
        return [json.loads(line) for line in self.out.splitlines()]


@pytest.fixture(autouse=True)
def _own_place(tmp_path, monkeypatch):
    """Give each test a data folder of its own, and no `.env` file."""
    for name in list(os.environ):
        if name.startswith("PUZZLEMILL_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("PUZZLEMILL_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(output.Talk, "verbose", False)


@pytest.fixture
def cli_kinds(monkeypatch):
    """Add the job kinds of `kinds/cli_kinds.py`, here and in any process that is started."""
    monkeypatch.syspath_prepend(str(KINDS))
    monkeypatch.setenv("PYTHONPATH", str(KINDS))
    monkeypatch.setenv("PUZZLEMILL_EXTRA_KINDS", "cli_kinds")
    before = list(registry._added)
    registry.add_modules(["cli_kinds"])
    yield
    registry._added[:] = before
    for cached in (registry._modules, registry.kinds, registry.families):
        cached.cache_clear()


@pytest.fixture
def invoke(monkeypatch):
    """Run a command in this process."""

    def run(*args, stdin=None):
        result = CliRunner().invoke(cli, [str(arg) for arg in args], input=stdin, prog_name="puzzlemill")
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return Ran(result.exit_code, result.stdout, result.stderr)

    # rich keeps the stream it was made with; click's runner puts another one in its place
    monkeypatch.setattr(output.stderr, "_file", None)
    return run


@pytest.fixture
def program():
    """Return the path of the installed program."""
    return PROGRAM


@pytest.fixture
def puzzlemill():
    """Run a command as a program."""

    def run(*args, stdin=None, timeout=120):
        done = subprocess.run(
            [PROGRAM, *[str(arg) for arg in args]],
            input=stdin,
            capture_output=True,
            timeout=timeout,
            check=False,
        )
        ran = Ran(done.returncode, done.stdout.decode(), done.stderr.decode())
        assert "Traceback" not in ran.err, ran.err
        return ran

    return run
