"""The root: help at once and of every command, shared options on either side, exit codes, completion, quiet pipes."""

import importlib
import subprocess
import sys
import time
from pathlib import Path

import click
import pytest

from engine import registry
from frontends.cli import bank, job, main
from frontends.cli.commands import Command, LazyGroup
from frontends.cli.common import SharedOption
from frontends.cli.main import cli


def commands(command=cli, path=()):
    """Yield (path, command) for every command of ours; the direct family groups are tested with their families."""
    yield path, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            if path or name not in ("sudoku", "pegs", "rings"):
                yield from commands(command.get_command(context, name), (*path, name))


PATHS = [path for path, _ in commands() if path[:2] not in (("job", "run"), ("job", "submit"))]


@pytest.mark.parametrize("path", PATHS, ids=" ".join)
def test_help_of_every_command(invoke, path):
    ran = invoke(*path, "--help")
    assert ran.code == 0
    assert ran.out.startswith("Usage: puzzlemill")
    assert max(len(line) for line in ran.out.splitlines() if "puzzlemill " not in line) <= 110


@pytest.mark.parametrize("table", [main.COMMANDS, job.COMMANDS, bank.COMMANDS], ids=["root", "job", "bank"])
def test_the_lists_of_commands_say_what_the_commands_say(table):
    for entry in table.values():
        command = getattr(importlib.import_module(entry.module), entry.attribute)
        if entry.module.rsplit(".", 1)[1] in ("sudoku", "pegs", "rings"):
            continue
        first = command.help.strip().split("\n\n", 1)[0]
        assert " ".join(first.split()) == entry.summary or command.help.startswith(entry.summary)


def test_every_leaf_has_the_shared_options():
    for path, command in commands():
        if path and not isinstance(command, click.Group) and path != ("completion",) and path[:2] != ("job", "run"):
            names = {param.name for param in command.params if isinstance(param, SharedOption)}
            assert names == {"database_url", "broker_url", "data_dir", "verbose"}, path


def test_examples_are_real_command_lines():
    """Each example of a help text is taken apart by the very command it is an example of."""
    seen = 0
    for path, command in commands():
        for line in command.examples if isinstance(command, Command) else ():
            words = line.split("  ")[0].split(">")[0].split("|")[0].split()
            if words[0] != "puzzlemill":
                continue
            assert tuple(words[1 : 1 + len(path)]) == path, line
            rest = [word for word in words[1 + len(path) :] if word != "FILE"]
            with command.make_context(path[-1], rest, resilient_parsing=True) as context:
                known = {name for param in command.params for name in (*param.opts, *param.secondary_opts)}
                used = {word.split("=")[0] for word in rest if word.startswith("--")}
                assert used <= known, line
                assert context.command is command
            seen += 1
    assert seen >= 20


def test_help_imports_no_engine():
    code = "import sys, frontends.cli.main as m; sys.argv = ['puzzlemill', '--help']\ntry: m.main()\nexcept SystemExit: pass\n"
    code += "print(sorted({'numba', 'sqlalchemy', 'celery', 'numpy', 'pydantic_settings'} & set(sys.modules)), file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"


def test_version(invoke):
    assert invoke("--version").out.startswith("puzzlemill ")


def test_shared_options_before_and_after(invoke, tmp_path):
    for args in (
        ["--data-dir", tmp_path / "one", "doctor", "--json"],
        ["doctor", "--data-dir", tmp_path / "one", "--json"],
        ["--data-dir", tmp_path / "two", "doctor", "--json", "--data-dir", tmp_path / "one"],
        ["job", "--data-dir", tmp_path / "one", "list"],
    ):
        ran = invoke(*args)
        assert ran.code == 0
        if "doctor" in args:
            assert ran.json["data_dir"] == str(tmp_path / "one")
    assert (tmp_path / "one" / "puzzlemill.db").exists()


@pytest.mark.parametrize("args", [["nope"], ["--nope"], ["job", "nope"], ["job", "list", "--limit=x"], ["bench", "nope"]])
def test_usage_errors(invoke, args):
    ran = invoke(*args)
    assert ran.code == 2
    assert ran.err


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("postgresql://nobody@127.0.0.1:9/none", "cannot use the database"),
        ("mysql://x/y", "not supported"),
        ("nonsense", "not a database URL"),
        ("sqlite:////proc/none/x.db", ""),
    ],
)
@pytest.mark.parametrize("args", [["job", "list"], ["job", "show", "1"]])
def test_a_database_that_cannot_be_reached(invoke, url, words, args):
    ran = invoke(*args, "--database-url", url)
    assert ran.code in ((5,) if words else (1, 5))
    assert words in ran.err
    assert ran.err.count("\n") <= 3


def test_a_wrong_setting_in_the_environment(invoke, monkeypatch):
    monkeypatch.setenv("PUZZLEMILL_LEASE_SECONDS", "-1")
    ran = invoke("job", "list")
    assert ran.code == 2
    assert "PUZZLEMILL_LEASE_SECONDS: Input should be greater than 0 (got '-1')" in ran.err


def test_an_unexpected_error_is_one_line(invoke, monkeypatch):
    monkeypatch.setattr("frontends.cli.job_views.opened", lambda _made: 1 / 0)
    ran = invoke("job", "list")
    assert ran.code == 1
    assert "unexpected error, please report it: ZeroDivisionError: division by zero" in ran.err
    monkeypatch.setenv("PUZZLEMILL_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        invoke("job", "list")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_script(puzzlemill, shell):
    ran = puzzlemill("completion", shell)
    assert ran.code == 0
    assert "_PUZZLEMILL_COMPLETE" in ran.out


def test_completion_of_commands_kinds_and_options(monkeypatch):
    def complete(*words):
        program = [sys.executable, "-c", "import sys; sys.argv[0] = 'puzzlemill'; from frontends.cli.main import main; main()"]
        environment = {
            "_PUZZLEMILL_COMPLETE": "bash_complete",
            "COMP_WORDS": " ".join(words),
            "COMP_CWORD": str(len(words) - 1),
        }
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        return subprocess.run(program, capture_output=True, text=True, check=True).stdout

    assert "plain,bank" in complete("puzzlemill", "ba")
    assert "plain,resume" in complete("puzzlemill", "job", "re")
    assert "plain,--json" in complete("puzzlemill", "job", "list", "--j")
    assert "plain,sudoku.solve" in complete("puzzlemill", "job", "run", "sudoku.s")


def test_a_closed_pipe_is_no_error(program):
    done = subprocess.run(
        ["/bin/sh", "-c", f"{program} --help | head -1 >/dev/null"], capture_output=True, text=True, check=True
    )
    assert done.stderr == ""


def test_help_is_quick(program):
    best = float("inf")
    for _ in range(5):
        start = time.perf_counter()
        subprocess.run([program, "--help"], capture_output=True, check=True)
        best = min(best, time.perf_counter() - start)
    assert best < 1.0  # a quarter of a second on an idle machine; the tests' machine is busy


def test_every_group_is_lazy_or_small():
    assert isinstance(cli, LazyGroup)


DOCS = Path(__file__).parents[2] / "docs" / "4-cli.md"


def test_every_command_is_in_the_documentation():
    text = DOCS.read_text()
    for path, command in commands():
        if not 1 <= len(path) <= 2:
            continue
        assert f"puzzlemill {' '.join(path)}" in text or f"`{' '.join(path)}" in text, path
        if path[0] in ("job", "bank"):
            for name in (name for param in command.params for name in param.opts if name.startswith("--")):
                assert name in text, (path, name)


def test_every_kind_is_in_the_documentation():
    text = DOCS.read_text()
    for name in registry.kinds():
        assert f"`{name}`" in text


@pytest.mark.parametrize(
    "page", ["README.md", "docs/1-first-steps.md", "docs/4-cli.md", "docs/6-ratings.md", "docs/7-operations.md"]
)
def test_command_lines_in_the_documentation_exist(page):
    """Each line of a code block that calls the program names real commands and options."""
    text = (DOCS.parents[1] / page).read_text()
    blocks = text.split("```")[1::2]
    lines = [line.removeprefix("$ ") for block in blocks for line in block.splitlines()]
    for line in lines:
        for call in line.split(" | "):
            words = call.split("#")[0].split()
            if words[:1] == ["puzzlemill"]:
                _resolve(words[1:], line)


def _resolve(words, line):
    command = cli
    context = click.Context(cli, info_name="puzzlemill")
    while isinstance(command, click.Group):
        while words[:1] and words[0].startswith("--"):
            words = words[2:]
        if not words or not words[0][0].isalpha():
            return
        name, *words = words
        command = command.get_command(context, name)
        assert command is not None, line
        context = click.Context(command, parent=context, info_name=name)
    known = {name for param in command.params for name in (*param.opts, *param.secondary_opts)} | {"--help", "-h"}
    assert {word.split("=")[0] for word in words if word.startswith("--")} <= known, line
