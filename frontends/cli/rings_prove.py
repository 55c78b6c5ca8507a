"""`puzzlemill rings prove`: shortest solutions proved, on all cores, without a queue."""

import time
from collections.abc import Generator

import click

from engine.jobs import JsonObject
from engine.registry import kind
from engine.rings.certificate import certificate
from engine.rings.lines import parse_state_line
from engine.rings.model import Puzzle
from engine.rings.prove import Standing, tables_used
from engine.rings.prove_job import Tables, answer
from engine.rings.proving import Proving, cores, proving
from engine.rings.unions import unions
from frontends.cli.commands import Command
from frontends.cli.common import json_option, shared_options
from frontends.cli.inputs import LineReader
from frontends.cli.output import Exit, chatty, deliver, echo, emit, say
from frontends.cli.rings_show import proof_text, watched
from frontends.cli.rings_with import tables_option, wanted_unions
from frontends.cli.tables import duration
from frontends.cli.watching import prepare

MOST_CLICKS = {Tables.COLOURS: 24, Tables.UNIONS: 36}
"""Where a proof stops unless told otherwise: with single colours 25 clicks take many minutes; no state needing 37 is known."""

TOLD_FROM_SECONDS = 20.0
"""A bound that is likely to take longer is said to on stderr before it is searched."""


@click.command(
    cls=Command,
    examples=[
        "puzzlemill rings prove 40000040111120122221133332323344444",
        "puzzlemill rings prove states.txt --max-clicks 20 --json",
        "puzzlemill rings prove states.jsonl --tables unions --cores 2 --json",
    ],
)
@click.argument("source", default="-", metavar="[FILE|STATE]")
@click.option(
    "--max-clicks",
    type=click.IntRange(0, 60),
    metavar="N",
    help="Stop when no solution of N clicks exists; each click takes 7 to 10 times as long  [default: 36 or 24, by tables]",
)
@tables_option
@click.option("--cores", "workers", type=click.IntRange(1, 256), metavar="N", help="How many to use  [default: all]")
@click.option("--strict", is_flag=True, help="Stop at the first bad line.")
@json_option
@shared_options
def prove(source: str, max_clicks: int | None, wanted: str, workers: int | None, *, strict: bool, as_json: bool) -> int:
    """Prove shortest solutions of states, one a line.

    Or that there is none within so many clicks.

    With the tables of two colours, which `puzzlemill rings tables --unions` builds, random states take minutes; without them,
    solutions of up to 23 clicks or so can be proved. `puzzlemill job run rings.prove` splits the search over many machines.
    """
    reader = LineReader(source, parse_state_line, strict=strict)
    tables = None
    for number, item in reader:
        if tables is None:
            prepare(kind("rings.prove").warm)
            tables = _tables(wanted)
            max_clicks = MOST_CLICKS[tables] if max_clicks is None else max_clicks
        assert max_clicks is not None  # set with the tables
        begin = time.perf_counter()
        standing = watched(f"state {number}", _proving(item, max_clicks, tables, workers or cores()))
        seconds = round(time.perf_counter() - begin, 3)
        if as_json:
            emit({**answer(standing), "certificate": _certificate(standing), "seconds": seconds})
        else:
            echo(proof_text(standing))
        deliver()
        if standing.moves is None and chatty():
            say(f"state {number}: no solution of {max_clicks} clicks or fewer; --max-clicks {max_clicks + 1} goes on")
    return Exit.USAGE if reader.refused else Exit.OK


def _certificate(standing: Standing) -> JsonObject:
    return certificate(standing, tables_used(Puzzle(), with_unions=standing.with_unions))


def _tables(wanted: str) -> Tables:
    """Return the tables to use, and say which."""
    if wanted_unions(Puzzle(), wanted) is None:
        if chatty():
            built = wanted == Tables.COLOURS and unions(Puzzle()) is not None
            hint = " (puzzlemill rings tables --unions builds those of two colours, with which it goes much further)"
            say(f"with the tables of single colours{'' if built else hint}")
        return Tables.COLOURS
    if chatty():
        say("with the tables of the unions of two colours")
    return Tables.UNIONS


def _proving(text: str, max_clicks: int, tables: Tables, workers: int) -> Generator[str, None, Standing]:
    """Yield where the proof stands; return its end. Say what the next bound is likely to take, when that is long."""
    steps = proving(text, max_clicks=max_clicks, with_unions=tables is Tables.UNIONS, workers=workers)
    told = -1
    begin = bound_begin = time.perf_counter()
    while True:
        try:
            step = next(steps)
        except StopIteration as stop:
            standing: Standing = stop.value
            return standing
        standing = step.standing
        now = time.perf_counter()
        if step.nodes == 0:
            bound_begin = now
        elif standing.lower_bound != told and now - bound_begin > 1:
            told = standing.lower_bound
            left = _left(step, now - bound_begin)
            if chatty() and left > TOLD_FROM_SECONDS:
                so_far = f"none below {standing.lower_bound} clicks after {duration(now - begin)}"
                say(f"{so_far}; this bound takes about {duration(left)} more")
        yield _note(step, now - bound_begin)


def _note(step: Proving, seconds: float) -> str:
    note = f"none below {step.standing.lower_bound} clicks"
    if step.standing.known is not None:
        note += f", {len(step.standing.known.split())} are enough"
    if step.nodes and seconds > 1:
        note += f"; {step.nodes:,} nodes, {step.nodes / seconds:.1e} a second, about {duration(_left(step, seconds))} left"
    return note


def _left(step: Proving, seconds: float) -> float:
    """Return about how many seconds the bound being searched still takes, by the speed so far."""
    return max(0.0, step.standing.next_nodes - step.nodes) * seconds / max(1, step.nodes)
