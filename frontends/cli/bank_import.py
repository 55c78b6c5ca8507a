"""`puzzlemill bank import`: another name for the jobs that bring puzzles from a file into the bank."""

import click

from engine import registry
from frontends.cli.commands import LazyGroup
from frontends.cli.common import shared_options
from frontends.cli.job_start import run_command

KINDS = {"sudoku": "sudoku.solve", "rings": "rings.solve"}
"""Importing is solving: what is stored has its solution and its proof."""


class _Imports(LazyGroup):
    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return list(KINDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        del ctx
        if cmd_name not in KINDS:
            return None
        command = run_command(registry.kind(KINDS[cmd_name]))
        command.examples = (f"puzzlemill bank import {cmd_name} FILE",)
        return command


@click.group("import", cls=_Imports)
@shared_options
def group() -> None:
    """Bring puzzles from a file into the bank.

    Each is solved on the way, so that nothing is stored without its solution and its proof: `bank import sudoku FILE` is
    `job run sudoku.solve FILE`, `bank import rings FILE` is `job run rings.solve FILE`.
    """
