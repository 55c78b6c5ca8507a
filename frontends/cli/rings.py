"""`puzzlemill rings`: scramble, solve, prove and turn five rings positions, directly (no database, no queue)."""

import time
from secrets import randbelow

import click

from engine.jobs import MAX_SEED
from engine.registry import kind
from engine.rings.beam import MAX_WIDTH, WIDTH
from engine.rings.lines import parse_state_line
from engine.rings.model import Puzzle, State
from engine.rings.rng import Rng
from engine.rings.scramble import LEVELS, MAX_CLICKS, MAX_DISTANCE, Level, Way, scrambling
from engine.rings.solve import Method, solving
from frontends.cli.commands import Lazy, LazyGroup
from frontends.cli.common import json_option, shared_options
from frontends.cli.inputs import LineReader
from frontends.cli.output import CliError, Exit, deliver, echo, emit
from frontends.cli.rings_puzzle import puzzle_options
from frontends.cli.rings_show import read_state, solution_text, state_text, watched
from frontends.cli.rings_with import tables_option, wanted_unions
from frontends.cli.watching import prepare

_strict_option = click.option("--strict", is_flag=True, help="Stop at the first bad line.")


COMMANDS = {
    "thesis": Lazy("frontends.cli.rings_thesis", "thesis_steps", "Solve states by the thesis's three steps, each shown."),
    "count": Lazy("frontends.cli.rings_count", "count", "Count the states at each distance from solved."),
    "enumerate": Lazy("frontends.cli.rings_enumerate", "enumerate_whole", "List every state of a small ring puzzle."),
    "prove": Lazy("frontends.cli.rings_prove", "prove", "Prove shortest solutions of states, one a line."),
    "tables": Lazy("frontends.cli.rings_tables", "tables", "Build and check the distance tables."),
    "draw": Lazy("frontends.cli.rings_draw", "draw", "Draw a state as SVG, or clicks as an animated SVG."),
}


@click.group(cls=LazyGroup, table=COMMANDS)
@shared_options
def group() -> None:
    """Scramble, solve, prove and draw five rings positions.

    A state is 35 digits, ring by ring from place 0: five colours, seven beads of each. Clicks are R1 to R5 (a ring one place
    clockwise) and D (the disc one ring clockwise), with ' for the other way.
    """


@group.command(
    examples=[
        "puzzlemill rings scramble",
        "puzzlemill rings scramble --level high --count 3",
        "puzzlemill rings scramble --level true-middle --count 10 --json",
        "puzzlemill rings scramble --distance 17 --seed 1 --json",
        "puzzlemill rings scramble --uniform --count 200 --seed 7 --json | puzzlemill rings solve -",
    ]
)
@click.option("--clicks", type=click.IntRange(0, MAX_CLICKS), metavar="N", help="N random clicks  [default: 40]")
@click.option("--level", type=click.Choice(list(LEVELS)), help="A level by name, see above.")
@click.option("--distance", type=int, metavar="N", help=f"Exactly N clicks from solved, proved; up to {MAX_DISTANCE}.")
@click.option("--uniform", "is_uniform", is_flag=True, help="All states equally likely: about 33 clicks from solved.")
@click.option("--count", type=click.IntRange(min=1), default=1, help="How many  [default: 1]")
@click.option("--seed", type=click.IntRange(0, MAX_SEED), metavar="N", help="Same seed, same states  [default: a new one]")
@puzzle_options
@json_option
@shared_options
def scramble(
    clicks: int | None,
    level: str | None,
    distance: int | None,
    count: int,
    seed: int | None,
    *,
    puzzle: Puzzle,
    is_uniform: bool,
    as_json: bool,
) -> None:
    """Make scrambled positions.

    Each comes with clicks that lead to it from the solved state.

    Levels: low, middle and high are 20, 40 and 60 random clicks, as in the thesis; true-low, true-middle and true-high lie 1 to
    10, 11 to 17 and 18 to 24 clicks from solved, proved; extreme is the same as --uniform. Beyond 20 clicks that needs the
    tables of two colours: see `puzzlemill rings tables --unions`.
    """
    if (clicks is not None) + (level is not None) + (distance is not None) + is_uniform > 1:
        raise CliError("choose one of --clicks, --level, --distance and --uniform", Exit.USAGE)
    if level is not None:
        wanted = LEVELS[level]
    elif distance is not None:
        wanted = Level(Way.DISTANCE, distance, distance)
    elif is_uniform:
        wanted = Level(Way.UNIFORM)
    else:
        wanted = LEVELS["middle"] if clicks is None else Level(Way.CLICKS, clicks, clicks)
    rng = Rng(randbelow(MAX_SEED + 1) if seed is None else seed)
    if wanted.way is not Way.CLICKS:
        prepare(kind("rings.scramble").warm)
    for number in range(count):
        made = watched(f"scramble {number + 1}", scrambling(puzzle, wanted, rng), lambda clicks: f"{clicks} clicks from solved")
        moves = puzzle.format_moves(made.moves)
        if as_json:
            emit({"state": made.state.text, "moves": moves} | ({} if made.distance is None else {"distance": made.distance}))
        else:
            echo(f"{state_text(made.state)}\n{moves}" + ("\n" if number + 1 < count else ""))
        deliver()


@group.command(
    examples=[
        "puzzlemill rings solve 40000040111120122221133332323344444",
        "puzzlemill rings solve states.txt --json",
        "puzzlemill rings solve states.csv --method thesis",
        "puzzlemill rings solve - --method beam --width 100000 < states.txt",
        "puzzlemill rings solve states.txt --tables colours --json",
    ]
)
@click.argument("source", default="-", metavar="[FILE|STATE]")
@click.option("--method", type=click.Choice([m.value for m in Method]), default=Method.BEST.value, help="How  [default: best]")
@click.option("--width", type=click.IntRange(1, MAX_WIDTH), default=WIDTH, help=f"States a beam keeps  [default: {WIDTH}]")
@click.option(
    "--max-nodes", type=click.IntRange(min=0), metavar="N", help="IDA* nodes a state  [default: by method and length]"
)
@tables_option
@_strict_option
@puzzle_options
@json_option
@shared_options
def solve(
    source: str, method: str, width: int, max_nodes: int | None, wanted: str, *, puzzle: Puzzle, strict: bool, as_json: bool
) -> int:
    """Solve states, one a line.

    Each solution comes with a lower bound that is proved, by a search or by tables: those of one colour, or those of two, which
    say more (about 25 clicks for a random state), where `puzzlemill rings tables --unions` has built them.

    Method best solves with a beam and shortens or proves its solution with IDA*: shortest ones, proved, up to about 20 clicks,
    with the tables of two colours up to about 25.
    Method ida gives a shortest solution or none; thesis is the three-step method a person can follow. The file may be plain or
    gzip: states, comma-separated values that start with one, or JSON Lines with the key state.
    """
    reader = LineReader(source, lambda line: parse_state_line(line, puzzle), strict=strict)
    prepared, view = False, None
    for number, item in reader:
        if not prepared:
            view = wanted_unions(puzzle, wanted)
            for name in ("rings.solve",) if view is None else ("rings.solve", "rings.prove"):
                prepare(kind(name).warm)
            prepared = True
        begin = time.perf_counter()
        steps = solving(State(item, puzzle), Method(method), width=width, max_nodes=max_nodes, unions=view)
        found = watched(f"state {number}", steps)
        seconds = time.perf_counter() - begin
        if as_json:
            emit(
                {
                    "state": item,
                    "moves": None if found.moves is None else found.state.puzzle.format_moves(found.moves),
                    "clicks": found.clicks,
                    "lower_bound": found.lower_bound,
                    "bound": str(found.bound),
                    "optimal": found.optimal,
                    "method": str(found.method),
                    "nodes": found.nodes,
                    "seconds": round(seconds, 4),
                }
            )
        else:
            echo(solution_text(found, seconds))
        deliver()
    return Exit.USAGE if reader.refused else Exit.OK


@group.command(examples=["puzzlemill rings apply solved R1 D R1' D'", 'puzzlemill rings apply STATE "R1 D" --json'])
@click.argument("state")
@click.argument("moves", nargs=-1)
@puzzle_options
@json_option
@shared_options
def apply(state: str, moves: tuple[str, ...], *, puzzle: Puzzle, as_json: bool) -> None:
    """Turn a state by some clicks, and show it.

    The state is 35 digits, or the word solved.
    """
    start = read_state(state, puzzle)
    clicks = start.puzzle.parse_moves(" ".join(moves))
    after = start.after(clicks)
    if as_json:
        emit({"state": after.text, "moves": start.puzzle.format_moves(clicks), "from": start.text, "solved": after.is_solved})
    else:
        echo(state_text(after) + ("\nsolved" if after.is_solved else ""))


@group.command(
    examples=["puzzlemill rings definition > fiverings.tws", "puzzlemill rings definition --rings 3 --beads 4 > threerings.tws"]
)
@puzzle_options
@shared_options
def definition(*, puzzle: Puzzle) -> None:
    """Print the puzzle as a .tws file.

    That is the definition file of the general solver twsearch, to cross-check with.
    """
    echo(puzzle.tws().rstrip("\n"))
