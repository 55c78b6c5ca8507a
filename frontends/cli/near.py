"""The option `--near`: puzzles that a directed search begins with, out of the bank or a file, or written out.

What is read becomes part of the job's parameters, so that the job does not depend on what the bank holds later.
"""

from collections.abc import Callable, Sequence
from typing import Final

from engine.sudoku.generate_job import MOST_NEAR
from engine.sudoku.grid import parse_line
from frontends.cli.inputs import LineReader
from frontends.cli.output import CliError, Exit

BANK: Final = "bank"


def read(sources: Sequence[str], bank: Callable[[], list[str]] | None) -> list[str]:
    """Return the puzzles named by `sources`: `bank`, files (gzip or not, - for standard input), or puzzles.

    Raise `CliError` (exit 2) for a line that holds no puzzle, if there are too many, if the bank holds none that would do, or
    if it is asked for where there is none (`bank` is None).
    """
    puzzles: list[str] = []
    for source in sources:
        if source != BANK:
            puzzles += [puzzle for _, puzzle in LineReader(source, parse_line, strict=True)]
        elif bank is None:
            raise CliError("--near bank: only jobs reach the bank; give a file or a puzzle", Exit.USAGE)
        elif found := bank():
            puzzles += found
        else:
            raise CliError("--near bank: the bank holds no puzzle that is near what is wished for", Exit.USAGE)
    puzzles = list(dict.fromkeys(puzzles))
    if len(puzzles) > MOST_NEAR:
        raise CliError(f"--near: {len(puzzles):,} puzzles; a search begins with {MOST_NEAR:,} at most", Exit.USAGE)
    return puzzles
