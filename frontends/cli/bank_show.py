"""`puzzlemill bank show` and `bank stats`."""

from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any

import click

from db.queries import pegs, rings, sudoku
from db.session import read
from engine.jobs import JsonObject
from frontends.cli.bank_filters import hole
from frontends.cli.commands import Command
from frontends.cli.common import json_option, settings, shared_options
from frontends.cli.jobtext import clock
from frontends.cli.output import CliError, Exit, echo, emit
from frontends.cli.service import opened_engine
from frontends.cli.tables import histogram, pairs, table

MODULES: Mapping[str, ModuleType] = {"sudoku": sudoku, "pegs": pegs, "rings": rings}

FAMILY = click.argument("family", type=click.Choice(list(MODULES)), metavar="FAMILY")


@click.command(
    cls=Command,
    examples=[
        "puzzlemill bank show sudoku 12",
        "puzzlemill bank show pegs triangle-15 0",
        "puzzlemill bank show rings 40000040111120122221133332323344444 --json",
    ],
)
@FAMILY
@click.argument("key", nargs=-1, required=True)
@json_option
@shared_options
def show(family: str, key: Sequence[str], *, as_json: bool) -> None:
    """Show one stored result with all that is known of it.

    KEY is its number; or the puzzle, or one equivalent to it (sudoku); the state, or a symmetric one (rings); the board, with
    or without a start (pegs).
    """
    text = _pegs_key(key) if family == "pegs" else "".join(key)
    with opened_engine(settings()) as engine, read(engine) as conn:
        found = MODULES[family].show(conn, text)
    if found is None:
        raise CliError(f"{family}: there is no {' '.join(key)} in the database", Exit.NOT_FOUND)
    if as_json:
        emit(found)
    else:
        echo({"sudoku": _sudoku_text, "pegs": _pegs_text, "rings": _rings_text}[family](found))


def _pegs_key(key: Sequence[str]) -> str:
    if len(key) == 1 and ":" not in key[0]:
        return key[0]
    board, _, start = ":".join(key).partition(":")
    return f"{board}:{hole(board, start)}"


def _sudoku_text(row: JsonObject) -> str:
    facts = {
        "number": str(row["id"]),
        "puzzle": row["puzzle"],
        "solution": row["solution"],
        "status": row["status"],
        "clues": row["clues"],
        "minimal": row["minimal"],
        "symmetry": row["symmetry"],
        "automorphisms": row["automorphisms"],
        "ER / EP / ED": None if row["er"] is None else " / ".join(str(row[name]) for name in ("er", "ep", "ed")),
        "rating is": ("a lower bound" if row["bound"] else "exact") if row["er"] is not None else None,
        "level": row["level"],
        "score": row["score"],
        "techniques": row["techniques"],
        "rater": row["rater"],
        "stored": clock(row["created_at"]),
    }
    return f"{_grids(row['puzzle'], row['solution'])}\n\n{_facts(facts)}"


def _grids(puzzle: str, solution: str | None) -> str:
    """Return puzzle and solution side by side, boxes apart."""

    def rows(text: str) -> list[str]:
        lines = [" ".join(text[9 * r + c] + (" |" if c in (2, 5) else "") for c in range(9)) for r in range(9)]
        rule = "------+-------+------"
        return [*lines[:3], rule, *lines[3:6], rule, *lines[6:]]

    left = rows(puzzle)
    right = rows(solution) if solution else [""] * len(left)
    return "\n".join(f"{a}     {b}".rstrip() for a, b in zip(left, right, strict=True))


def _pegs_text(row: JsonObject) -> str:
    if "starts" in row:
        starts = [[start[name] for name in ("start", "positions", "solutions_text", "min_moves")] for start in row["starts"]]
        facts = _facts({"board": row["board"], "holes": row["holes"]})
        return f"{facts}\n\n{row['text']}\n\n" + table(["start", "positions", "solutions", "fewest moves"], starts)
    hidden = {name for name in row if name.endswith("_text")} | {"shape_hash", "created_at"}
    shown = {name.replace("_", " "): value for name, value in row.items() if name not in {*hidden, "id"}}
    return _facts({"number": str(row["id"]), **shown, "stored": clock(row["created_at"])})


def _rings_text(row: JsonObject) -> str:
    facts = {
        "number": str(row["id"]),
        "state": row["state"],
        "lower bound": row["lower_bound"],
        "best clicks": row["best_clicks"],
        "optimal clicks": row["optimal_clicks"],
        "origin": row["origin"],
        "stored": clock(row["created_at"]),
    }
    names = ("method", "clicks", "lower_bound", "optimal", "moves")
    solutions = [[solution[name] for name in names] for solution in row["solutions"]]
    shown = table([name.replace("_", " ") for name in names], solutions) if solutions else "no solution yet"
    proofs = [_certificate_text(solution["certificate"]) for solution in row["solutions"] if solution["certificate"]]
    return "\n\n".join([_facts(facts), shown, *proofs])


def _certificate_text(paper: JsonObject) -> str:
    """Return what a proof rests on: a line a bound, and the tables."""
    rows = [[one["bound"], one["nodes"], len(one.get("share_nodes", ())) or None] for one in paper["refuted"]]
    searched = table(["bound refuted", "nodes", "shares"], rows) if rows else "the tables alone refute all shorter solutions"
    return f"{searched}\n\n{_facts({'tables': ', '.join(sorted(paper['tables'])), 'engine version': paper['engine_version']})}"


def _facts(facts: Mapping[str, Any]) -> str:
    return pairs({name: value for name, value in facts.items() if value is not None})


@click.command(cls=Command, examples=["puzzlemill bank stats sudoku", "puzzlemill bank stats rings --json"])
@FAMILY
@json_option
@shared_options
def stats(family: str, *, as_json: bool) -> None:
    """Count what is stored, with histograms."""
    with opened_engine(settings()) as engine, read(engine) as conn:
        found = MODULES[family].stats(conn)
    if as_json:
        emit(found)
        return
    blocks = [pairs({name.replace("_", " "): value for name, value in found.items() if not name.startswith("by_")})]
    for name, counts in found.items():
        if name.startswith("by_") and counts:
            blocks.append(f"{name.replace('_', ' ')}\n{_counts_text(_by_difficulty(counts) if name == 'by_level' else counts)}")
    echo("\n\n".join(blocks))


def _by_difficulty(counts: Mapping[str, int]) -> Mapping[str, int]:
    from engine.sudoku.rating.levels import NAMES  # noqa: PLC0415  # brings compiled kernels; only this needs it

    return {name: counts[name] for name in (*NAMES, *counts) if name in counts}


def _counts_text(counts: Mapping[str, Any]) -> str:
    if all(isinstance(count, int) for count in counts.values()):
        return histogram(counts)
    names = list(next(iter(counts.values())))
    return table(["", *(name.replace("_", " ") for name in names)], [[key, *row.values()] for key, row in counts.items()])
