"""`puzzlemill bank`: the group; its commands live in the `bank_*` modules."""

import click

from frontends.cli.commands import Lazy, LazyGroup
from frontends.cli.common import shared_options

COMMANDS = {
    "query": Lazy("frontends.cli.bank_query", "query", "Find stored results by what is known of them."),
    "show": Lazy("frontends.cli.bank_show", "show", "Show one stored result with all that is known of it."),
    "stats": Lazy("frontends.cli.bank_show", "stats", "Count what is stored, with histograms."),
    "export": Lazy("frontends.cli.bank_query", "export", "Write stored results to a file, as lines, CSV or JSON Lines."),
    "import": Lazy("frontends.cli.bank_import", "group", "Bring puzzles from a file into the bank."),
    "verify": Lazy("frontends.cli.bank_verify", "verify", "Check stored results again, by computing them anew."),
}


@click.group(cls=LazyGroup, table=COMMANDS)
@shared_options
def group() -> None:
    """Query, show, export and verify what is in the database.

    FAMILY comes first: sudoku, pegs or rings.
    """
