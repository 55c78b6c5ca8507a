"""`puzzlemill bench`: finds the benchmarks (modules of the `bench` package that define `run`) and runs one."""

import importlib
import pkgutil
from pathlib import Path
from typing import Any

import click

from frontends.cli.commands import Command
from frontends.cli.common import json_option, shared_options
from frontends.cli.output import CliError, Exit, chatty, echo, emit, say
from frontends.cli.tables import cell, duration, pairs, table


@click.command(
    cls=Command,
    examples=["puzzlemill bench list", "puzzlemill bench sudoku.solve puzzles.txt.gz", "puzzlemill bench rings.solve --json"],
)
@click.argument("name", required=False)
@click.argument("file", required=False, type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--repeats", type=click.IntRange(1, 1000), default=3, show_default=True, help="Runs; their median is reported.")
@json_option
@shared_options
def bench(name: str | None, file: Path | None, repeats: int, *, as_json: bool) -> None:
    """Run a benchmark of the installed program.

    Kernel compilation is excluded and reported apart. Without NAME, or with `list`, it says which there are.
    """
    modules = _modules()
    if name is None or name == "list":
        _list(modules, as_json=as_json)
        return
    if name not in modules:
        raise CliError(f"no benchmark {name!r}; there are: {', '.join(modules)}", Exit.USAGE)
    if chatty():
        say(f"running {name} {repeats} times ...")
    result = importlib.import_module(modules[name]).run(file, repeats=repeats).as_json()
    if as_json:
        emit(result)
        return
    shown: dict[str, Any] = dict(result)
    shown["seconds"] = duration(result["seconds"])
    shown["per_second"] = cell(float(result["per_second"]))
    shown["compile_seconds"] = duration(result["compile_seconds"])
    echo(pairs({key.replace("_", " "): value for key, value in shown.items()}))


def _modules() -> dict[str, str]:
    """Return {benchmark name: module}: `bench/sudoku_solve.py` is `sudoku.solve`, `bench/queue.py` is `queue`."""
    package = importlib.import_module("bench")
    names = sorted(found.name for found in pkgutil.iter_modules(package.__path__))
    return {name.replace("_", ".", 1): f"bench.{name}" for name in names if name != "result" and not name.startswith("_")}


def _list(modules: dict[str, str], *, as_json: bool) -> None:
    rows = [(name, _first_line(importlib.import_module(module).__doc__)) for name, module in modules.items()]
    if as_json:
        for name, summary in rows:
            emit({"name": name, "summary": summary})
    else:
        echo(table(["benchmark", "what it measures"], rows))


def _first_line(text: str | None) -> str:
    return (text or "").strip().split("\n", 1)[0]
