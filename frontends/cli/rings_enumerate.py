"""`puzzlemill rings enumerate`: a small ring puzzle listed whole."""

import click

from engine.rings.model import Puzzle
from engine.rings.whole import Whole, listing
from frontends.cli.commands import Command
from frontends.cli.common import json_option, shared_options
from frontends.cli.output import echo, emit
from frontends.cli.rings_puzzle import puzzle_options
from frontends.cli.rings_show import watched
from frontends.cli.tables import histogram, pairs


@click.command(
    name="enumerate",
    cls=Command,
    examples=[
        "puzzlemill rings enumerate --rings 3 --beads 4",
        "puzzlemill rings enumerate --rings 5 --beads 2 --places 0 --json",
    ],
)
@puzzle_options
@json_option
@shared_options
def enumerate_whole(*, puzzle: Puzzle, as_json: bool) -> None:
    """List every state of a small ring puzzle.

    Its God's number, how many states need how many clicks, and some of the farthest. Up to 20 million states; the usual five
    rings of seven have far more.
    """
    found = watched("listing", listing(puzzle), _reached)
    if as_json:
        emit(
            {
                "rings": puzzle.rings,
                "beads": puzzle.beads,
                "places": list(puzzle.places),
                "states": found.states,
                "reached": found.reached,
                "gods_number": found.gods_number,
                "mean_clicks": round(found.mean_clicks, 6),
                "states_by_clicks": list(found.by_clicks),
                "farthest": [state.text for state in found.farthest],
            }
        )
    else:
        echo(whole_text(found))


def whole_text(found: Whole) -> str:
    """Return a listing for people: the figures, a histogram, the farthest states."""
    puzzle = found.puzzle
    reached = "all" if found.reached == found.states else f"{found.reached:,}"
    facts = {
        "puzzle": f"{puzzle.rings} rings of {puzzle.beads} beads, places {', '.join(map(str, puzzle.places))} on the disc",
        "states": f"{found.states:,}, of which {reached} can be reached",
        "God's number": f"{found.gods_number} clicks",
        "mean": f"{found.mean_clicks:.3f} clicks",
    }
    by_clicks = histogram({str(clicks): count for clicks, count in enumerate(found.by_clicks)})
    farthest = "\n".join(state.text for state in found.farthest)
    return f"{pairs(facts)}\n\n{by_clicks}\n\nfarthest\n{farthest}"


def _reached(by_clicks: tuple[int, ...]) -> str:
    return f"{sum(by_clicks):,} states within {len(by_clicks) - 1} clicks"
