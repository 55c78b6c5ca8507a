"""`puzzlemill rings thesis`: the three-step method a person can follow, step by step."""

import click

from engine.rings.lines import parse_state_line
from engine.rings.model import State
from engine.rings.thesis import thesis
from frontends.cli.commands import Command
from frontends.cli.common import json_option, shared_options
from frontends.cli.inputs import LineReader
from frontends.cli.output import Exit, deliver, echo, emit
from frontends.cli.rings_show import state_text


@click.command(
    name="thesis",
    cls=Command,
    examples=[
        "puzzlemill rings thesis 40000040111120122221133332323344444",
        "puzzlemill rings thesis states.txt --json",
    ],
)
@click.argument("source", default="-", metavar="[FILE|STATE]")
@click.option("--strict", is_flag=True, help="Stop at the first bad line.")
@json_option
@shared_options
def thesis_steps(source: str, *, strict: bool, as_json: bool) -> int:
    """Solve states by the thesis's three steps, each shown.

    Step 1 fills the five places off the disc of every ring. Step 2 pairs the beads on the disc by colour. Step 3 brings the
    pairs home. It takes 59 clicks on average; `puzzlemill rings solve` finds about 34.
    """
    reader = LineReader(source, parse_state_line, strict=strict)
    for _, item in reader:
        state = State(item)
        solution = thesis(state)
        name = state.puzzle.format_moves
        if not as_json:
            echo(f"{state.text}\n{len(solution.moves)} clicks")
        steps = []
        for number, (title, moves) in enumerate(solution.steps, 1):
            state = state.after(moves)
            steps.append({"step": number, "name": title, "clicks": len(moves), "moves": name(moves), "state": state.text})
            if not as_json:
                clicks = name(moves) or "(nothing to do)"
                echo(f"\nstep {number}, {title}: {len(moves)} clicks\n{clicks}\n{state_text(state)}")
        if as_json:
            emit({"state": item, "moves": name(solution.moves), "clicks": len(solution.moves), "steps": steps})
        deliver()
    return Exit.USAGE if reader.refused else Exit.OK
