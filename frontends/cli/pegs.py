"""`puzzlemill pegs`: solve, enumerate and show peg solitaire boards, directly (no database, no queue)."""

from collections.abc import Iterator
from random import Random
from secrets import randbelow

import click

from engine.jobs import MAX_SEED, JsonObject
from engine.pegs.boards import Board
from engine.pegs.build import build_graph_stepwise
from engine.pegs.catalogue import LISTED, named_board
from engine.pegs.cost import expected_cost
from engine.pegs.enumerate_job import MOVES_AUTO_HOLES, Enumerate
from engine.pegs.enumeration import enumerate_stepwise
from engine.pegs.graph import SolutionGraph
from engine.pegs.levels import DEFAULT_MEMORY_MIB
from engine.pegs.params import Choice, Mode, finish_holes
from engine.pegs.report import StartReport, carried_figures, report_stepwise, with_texts
from engine.pegs.solution import Solution
from engine.pegs.solve_job import choose, graph_finishes, no_solution, solutions_of
from engine.pegs.sweeps import FewestMoves, fewest_moves_stepwise
from frontends.cli.commands import LazyGroup
from frontends.cli.common import json_option, shared_options
from frontends.cli.output import CliError, Exit, echo, emit
from frontends.cli.pegs_show import board_text, enumeration_text, solution_text, starts_text
from frontends.cli.pegs_start import Start, read_board, say_cost, watched
from frontends.cli.tables import table
from frontends.cli.watching import prepare

_memory_option = click.option(
    "--memory",
    type=click.IntRange(64, 1 << 20),
    default=DEFAULT_MEMORY_MIB,
    show_default=True,
    metavar="MIB",
    help="Memory that one level of positions may take.",
)


@click.group(cls=LazyGroup)
@shared_options
def group() -> None:
    """Solve and enumerate peg solitaire boards.

    A board is given by name (`puzzlemill pegs boards` lists them) or as a file in which it is drawn: o for a peg, . for an
    empty hole. A hole is given by its number, row by row from 0, or by its name, such as d4: a letter for the column, a number
    for the row.
    """


@group.command(
    "enumerate",
    examples=[
        "puzzlemill pegs enumerate triangle-15",
        "puzzlemill pegs enumerate triangle-15 --start a1 --json",
        "puzzlemill pegs enumerate english-33 --start d4",
    ],
)
@click.argument("board")
@click.option("--start", metavar="HOLE", help="The hole that is empty at the start  [default: as drawn, or every hole]")
@click.option(
    "--moves",
    type=click.Choice([choice.value for choice in Choice]),
    default=Choice.AUTO.value,
    help=f"Fewest moves too  [default: auto, that is, up to {MOVES_AUTO_HOLES} holes]",
)
@_memory_option
@json_option
@shared_options
def enumerate_board(board: str, start: str | None, moves: str, memory: int, *, as_json: bool) -> None:
    """Count everything from a start: positions, games, solutions, fewest moves.

    Problem A is to leave one peg anywhere in the fewest moves, Problem B to leave it in the hole that was empty at the start.
    A move is a sweep: consecutive jumps by one peg count once.
    """
    drawn, begin = read_board(board, start)
    with_moves = moves == Choice.YES or (moves == Choice.AUTO and len(drawn) <= MOVES_AUTO_HOLES)
    prepare(Enumerate().warm)
    if begin is not None:
        report = _report(drawn, begin, with_moves=with_moves, memory=memory)
        if as_json:
            emit(_enumeration_json(drawn, begin, report.figures()))
        else:
            echo(enumeration_text(report, begin))
        return
    rows = []
    for hole, figures in _every_start(drawn, with_moves=with_moves, memory=memory):
        if as_json:
            emit(_enumeration_json(drawn, Start.vacancy(drawn, hole), figures))
        else:
            rows.append((hole, figures))
    if rows:
        echo(starts_text(drawn, rows))


def _report(board: Board, start: Start, *, with_moves: bool, memory: int) -> StartReport:
    say_cost(board, expected_cost(board, start.position, enumerate_all=True, graph=with_moves), memory)
    counted = watched(board.name, enumerate_stepwise(board, start.position, memory_mib=memory))
    return watched(board.name, report_stepwise(counted, start.hole, moves=with_moves, memory_mib=memory))


def _every_start(board: Board, *, with_moves: bool, memory: int) -> Iterator[tuple[int, JsonObject]]:
    """Yield each hole with its figures, in order; symmetric starts are computed once and carried over."""
    known: dict[int, StartReport] = {}
    for hole in range(len(board)):
        first = next(holes[0] for holes in board.start_classes if hole in holes)
        if first not in known:
            known[first] = _report(board, Start.vacancy(board, first), with_moves=with_moves, memory=memory)
        yield hole, carried_figures(known[first], hole)


def _enumeration_json(board: Board, start: Start, figures: JsonObject) -> JsonObject:
    head: JsonObject = {"board": board.name, "start": start.hole}
    head |= {"start_name": board.hole_names[start.hole]} if start.hole is not None else {"position": board.text(start.position)}
    return head | with_texts(figures)


@group.command(
    examples=[
        "puzzlemill pegs solve triangle-15 --start 0 --finish start",
        "puzzlemill pegs solve english-33 --start d4 --finish d4 --pictures",
        "puzzlemill pegs solve triangle-15 --start 3 --all --json > solutions.jsonl",
        "puzzlemill pegs solve triangle-21 --start 7 --random --seed 1",
    ]
)
@click.argument("board")
@click.option("--start", metavar="HOLE", help="The hole that is empty at the start  [default: as drawn]")
@click.option("--finish", metavar="HOLE", default="any", help="Where the last peg ends: any, start, or a hole  [default: any]")
@click.option("--shortest", "mode", flag_value=Mode.SHORTEST.value, default=True, help="One with the fewest moves  [default]")
@click.option("--all", "mode", flag_value=Mode.ALL.value, help="Every solution, in order.")
@click.option("--index", type=click.IntRange(min=0), metavar="K", help="Solution number K, from 0, in the order of --all.")
@click.option("--random", "mode", flag_value=Mode.RANDOM.value, help="One drawn uniformly from all.")
@click.option("--count", type=click.IntRange(1, 1_000_000), default=1, help="How many, with --random or --index  [default: 1]")
@click.option("--seed", type=click.IntRange(0, MAX_SEED), metavar="N", help="Same seed, same draw  [default: a new one]")
@click.option("--pictures", is_flag=True, help="Show the board after each move.")
@_memory_option
@json_option
@shared_options
def solve(  # noqa: PLR0917  # click hands over every option by name
    board: str,
    start: str | None,
    finish: str,
    mode: str,
    index: int | None,
    count: int,
    seed: int | None,
    memory: int,
    *,
    pictures: bool,
    as_json: bool,
) -> None:
    """Solve a board: leave one peg.

    Exit code 1 if there is no solution; the message says why where parity shows it. With --finish, solutions are numbered among
    those that end there.
    """
    drawn, begin = read_board(board, start)
    if begin is None:
        raise CliError(f"say which hole is empty at the start: --start HOLE, 0 to {len(drawn) - 1}", Exit.USAGE)
    if begin.hole is None and finish.strip().lower() == "start":
        raise CliError("--finish start needs a start with exactly one empty hole", Exit.USAGE)
    finishes = finish_holes(drawn, begin.hole or 0, finish)
    chosen = _mode(Mode(mode), index, count)
    prepare(Enumerate().warm)
    say_cost(drawn, expected_cost(drawn, begin.position, enumerate_all=False, graph=True), memory)
    aims = graph_finishes(drawn, begin.position, finishes, chosen)
    graph = watched(drawn.name, build_graph_stepwise(drawn, begin.position, aims, memory_mib=memory))
    if not graph.total:
        why = str(no_solution(drawn, begin.position, finishes))
        if as_json:
            emit(_solution_json(graph, begin, None, None) | {"message": why})
        raise CliError(why, Exit.FAILURE)
    moves = watched(drawn.name, fewest_moves_stepwise(graph))
    rng = Random(randbelow(MAX_SEED + 1) if seed is None else seed)  # noqa: S311  # a reproducible draw, not a secret
    found = choose(graph, moves, chosen, finishes=finishes, index=index or 0, count=count, rng=rng)
    for offset, solution in enumerate(found):
        number: int | None = offset + (index or 0)
        if chosen in (Mode.SHORTEST, Mode.RANDOM):
            number = graph.index_of(solution.jumps) if aims == finishes else None
        if as_json:
            total = solutions_of(graph, finishes)
            emit(_solution_json(graph, begin, solution, number) | _totals_json(solution, moves, total))
        else:
            echo(solution_text(solution, number, pictures=pictures))


def _mode(asked: Mode, index: int | None, count: int) -> Mode:
    if index is not None and asked is not Mode.SHORTEST:
        raise CliError(f"--index and --{asked.value} exclude each other", Exit.USAGE)
    chosen = Mode.INDEX if index is not None else asked
    if count > 1 and chosen not in (Mode.INDEX, Mode.RANDOM):
        raise CliError("--count goes with --random or --index", Exit.USAGE)
    return chosen


def _solution_json(graph: SolutionGraph, start: Start, solution: Solution | None, number: int | None) -> JsonObject:
    head: JsonObject = {"board": graph.board.name, "start": start.hole}
    if start.hole is None:
        head["position"] = graph.board.text(start.position)
    if solution is None:
        return head | {"finish": None, "jumps": None, "moves": None, "solution": None, "solutions": 0}
    return head | {
        "finish": solution.finish,
        "jumps": len(solution.jumps),
        "moves": solution.moves,
        "solution": [list(jump) for jump in solution.jumps],
        "solution_text": str(solution),
        "index": number,
        "index_text": None if number is None else str(number),
    }


def _totals_json(solution: Solution, moves: FewestMoves, total: int) -> JsonObject:
    return {"fewest_moves": moves.by_finish[solution.finish], "solutions": total, "solutions_text": str(total)}


@group.command(examples=["puzzlemill pegs boards", "puzzlemill pegs boards english-33"])
@click.argument("board", required=False)
@json_option
@shared_options
def boards(board: str | None, *, as_json: bool) -> None:
    """List the boards that have names, or show one with its hole numbers."""
    shown = [named_board(name) for name in LISTED] if board is None else [read_board(board, None)[0]]
    if as_json:
        for one in shown:
            emit(_board_json(one))
    elif board is not None:
        echo(board_text(shown[0]))
    else:
        rows = [
            (b.name, len(b), b.lattice.value, len(b.jumps), len(b.symmetries), " ".join(str(c[0]) for c in b.start_classes))
            for b in shown
        ]
        echo(table(["board", "holes", "lattice", "jumps", "symmetries", "starts that differ"], rows))


def _board_json(board: Board) -> JsonObject:
    return {
        "board": board.name,
        "holes": len(board),
        "lattice": board.lattice.value,
        "cells": [list(c) for c in board.cells],
        "names": list(board.hole_names),
        "jumps": [list(jump) for jump in board.jumps],
        "symmetries": len(board.symmetries),
        "start_classes": [list(holes) for holes in board.start_classes],
        "shape_hash": board.shape_hash,
        "text": board.text(),
    }
