"""`puzzlemill rings draw`: a state, or some clicks from it, as a picture."""

from pathlib import Path

import click

from engine.registry import kind
from engine.rings.animation import FASTEST, SECONDS_A_CLICK, SLOWEST, animation
from engine.rings.model import Puzzle, State
from engine.rings.palette import Labels
from engine.rings.svg import drawing
from frontends.cli.commands import Command
from frontends.cli.common import shared_options
from frontends.cli.output import CliError, Exit, echo, say
from frontends.cli.rings_puzzle import puzzle_options
from frontends.cli.rings_show import read_state, watched
from frontends.cli.watching import prepare

STATE = "40000040111120122221133332323344444"


@click.command(
    cls=Command,
    examples=[
        f"puzzlemill rings draw {STATE} -o state.svg",
        f"puzzlemill rings draw {STATE} --solve -o solution.svg",
        "puzzlemill rings draw solved --moves \"R1 D R1' D'\" --seconds 2 --labels letters -o clicks.svg",
        "puzzlemill rings draw solved --rings 3 --beads 4 > small.svg",
    ],
)
@click.argument("state")
@click.option("--moves", metavar="CLICKS", help="Clicks to show from the state on, as an animation.")
@click.option("--solve", "is_solved", is_flag=True, help="Show a short solution of the state, as an animation.")
@click.option(
    "--labels",
    type=click.Choice([label.value for label in Labels]),
    default=Labels.NUMBERS.value,
    help=f"What stands in a bead  [default: {Labels.NUMBERS.value}]",
)
@click.option(
    "--seconds",
    type=click.FloatRange(FASTEST, SLOWEST),
    default=SECONDS_A_CLICK,
    help=f"Time of a click in an animation  [default: {SECONDS_A_CLICK:g}]",
)
@click.option("--once", is_flag=True, help="Play an animation once, and not again and again.")
@click.option("-o", "--output", type=click.Path(path_type=Path), metavar="FILE", help="Write there  [default: stdout]")
@puzzle_options
@shared_options
def draw(
    state: str,
    moves: str | None,
    labels: str,
    seconds: float,
    output: Path | None,
    *,
    puzzle: Puzzle,
    is_solved: bool,
    once: bool,
) -> None:
    """Draw a state as SVG, or clicks as an animated SVG.

    Five rings around their disc, in colours that colour-blind readers can tell apart. The state is 35 digits, or the word
    solved. An animation plays in any browser, without a script; each bead travels along the ring or the disc that turns.
    """
    if is_solved and moves is not None:
        raise CliError("choose one of --moves and --solve", Exit.USAGE)
    start = read_state(state, puzzle)
    if is_solved:
        picture = animation(start, _solution(start), Labels(labels), seconds=seconds, loop=not once)
    elif moves is not None:
        picture = animation(start, puzzle.parse_moves(moves), Labels(labels), seconds=seconds, loop=not once)
    else:
        picture = drawing(start, Labels(labels))
    if output is None:
        echo(picture.rstrip("\n"))
        return
    try:
        output.write_text(picture, encoding="utf-8")
    except OSError as error:
        raise CliError(f"{output}: cannot be written: {error.strerror}", Exit.USAGE) from None
    say(f"{output}: written, {len(picture.encode()):,} bytes")


def _solution(start: State) -> tuple[int, ...]:
    from engine.rings.solve import solving  # noqa: PLC0415  # kernels that a picture alone does not need

    prepare(kind("rings.solve").warm)
    found = watched("solving", solving(start))
    if found.moves is None:
        raise CliError(f"no solution of {start} was found", Exit.FAILURE)
    return tuple(found.moves)
