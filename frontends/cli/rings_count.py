"""`puzzlemill rings count`: how many states of a ring puzzle there are at each distance from the solved one."""

import time
from collections.abc import Generator, Sequence
from pathlib import Path

import click

from engine.rings.count import MEMORY, Depth, Going, Plan, counting, forecast
from engine.rings.diskcount import Stage, counting_on_disk
from engine.rings.model import Puzzle
from frontends.cli.commands import Command
from frontends.cli.common import json_option, shared_options
from frontends.cli.output import chatty, deliver, echo, emit, say
from frontends.cli.progress import Pace
from frontends.cli.rings_puzzle import puzzle_options
from frontends.cli.rings_show import watched
from frontends.cli.tables import duration

TOLD_FROM_SECONDS = 20.0
"""What is likely to take longer is said to on stderr before it starts."""

MEASURED_FROM_CLASSES = 50_000
"""A depth for which as many classes were turned gives the speed and the growth by which the later ones are foretold."""

ROW = "{:>5}  {:>26}  {:>16}  {:>16}  {:>8}"


@click.command(
    cls=Command,
    examples=[
        "puzzlemill rings count --depth 9",
        "puzzlemill rings count --depth 11 --json",
        "puzzlemill rings count --depth 12 --memory 1500",
        "puzzlemill rings count --depth 12 --folder counted",
        "puzzlemill rings count --rings 3 --beads 4 --depth 99",
    ],
)
@click.option("--depth", type=click.IntRange(0, 99), default=9, metavar="N", help="The last distance counted  [default: 9]")
@click.option(
    "--memory", type=click.IntRange(min=1), default=MEMORY >> 20, metavar="MIB", help="May take so much  [default: 2048]"
)
@click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Keep all layers there, and go on from them.",
)
@puzzle_options
@json_option
@shared_options
def count(depth: int, memory: int, folder: Path | None, *, puzzle: Puzzle, as_json: bool) -> None:
    """Count the states at each distance from solved.

    Exact: by breadth-first search, with nothing but whole states told apart. A class is all states that are alike but for
    carrying the rings round and mirror images: up to ten states of five rings. Classes under all symmetries also take together
    what the reversal of each ring alone does to a state: up to twenty. A click more takes six times as long.

    With --folder the count goes on where an earlier one in the same folder was interrupted, and needs less memory, but room on
    the disk: 6 GB for depth 12. --memory is then not looked at.
    """
    if folder is not None:
        _count_on_disk(puzzle, depth, folder, as_json=as_json)
        return
    steps = counting(puzzle, depth, memory << 20)
    known: list[Depth] = []
    begin = time.perf_counter()
    foretold = False
    if not as_json:
        echo(ROW.format("depth", "states", "classes", "under all", "seconds"))
    while True:
        start = time.perf_counter()
        found = watched(f"depth {len(known)}", _next_depth(steps))
        if found is None:
            break
        seconds = time.perf_counter() - start
        known.append(found)
        _show(found, seconds, as_json=as_json)
        deliver()
        if not foretold and found.depth and known[-2].all_classes >= MEASURED_FROM_CLASSES:
            foretold = True
            _foretell(puzzle, known, depth, memory << 20, seconds)
    if known[-1].depth < depth and not as_json:
        echo(f"no more states: {sum(found.states for found in known):,} in all, none further than {known[-1].depth} clicks")
    if chatty():
        say(f"counted in {duration(time.perf_counter() - begin)}")


def _count_on_disk(puzzle: Puzzle, depth: int, folder: Path, *, as_json: bool) -> None:
    steps = counting_on_disk(puzzle, depth, folder)
    if not as_json:
        echo(ROW.format("depth", "states", "classes", "under all", "seconds"))
    for number in range(depth + 1):
        start = time.perf_counter()
        found = watched(f"depth {number}", _next_on_disk(steps))
        if found is None:
            if not as_json:
                echo(f"no more states: none further than {number - 1} clicks")
            return
        _show(found, time.perf_counter() - start, as_json=as_json)
        deliver()


def _next_on_disk(steps: Generator[Depth | Stage, None, None]) -> Generator[str, None, Depth | None]:
    for step in steps:
        if isinstance(step, Depth):
            return step
        what = "parts turned" if step.name == "turn" else "pieces sifted"
        yield f"{step.done:.1f} of {step.total} {what}"
    return None


def _next_depth(steps: Generator[Depth | Plan | Going, None, None]) -> Generator[str, None, Depth | None]:
    """Run the count to its next finished depth and return that, None if there is none, yielding where it stands."""
    pace = Pace()
    for step in steps:
        if isinstance(step, Depth):
            return step
        if isinstance(step, Plan):
            passes = f" in {step.passes} passes" if step.passes > 1 else ""
            yield f"{step.turned:,} classes to turn{passes}"
            pace = Pace()
            continue
        pace.see(time.monotonic(), step.done)
        parts = [
            f"{step.done / step.total:.0%} of {step.total:,} classes turned",
            pace.rate(),
            pace.left(step.total - step.done),
        ]
        yield ", ".join(part for part in parts if part)
    return None


def _show(found: Depth, seconds: float, *, as_json: bool) -> None:
    if as_json:
        emit(
            {
                "depth": found.depth,
                "states": found.states,
                "classes": found.classes,
                "all_classes": found.all_classes,
                "seconds": round(seconds, 3),
            }
        )
    else:
        numbers = [f"{number:,}" for number in (found.states, found.classes, found.all_classes)]
        echo(ROW.format(found.depth, *numbers, f"{seconds:.1f}"))


def _foretell(puzzle: Puzzle, known: Sequence[Depth], depth: int, memory: int, seconds: float) -> None:
    """Say what the remaining depths are likely to take, by the `seconds` of the last one; refuse what is too big."""
    plans = forecast(puzzle, known, depth, memory)
    turned = sum(plan.turned for plan in plans)
    left = seconds * turned / max(1, known[-2].all_classes)
    if left > TOLD_FROM_SECONDS:
        needed = max(plan.bytes for plan in plans) / 2**20
        say(f"depth {depth} will take about {duration(left)}, and at most {needed:,.0f} MiB; Ctrl-C stops it")
