"""`puzzlemill sudoku solve --all`: every solution of each puzzle on a line of its own, while they are being found."""

import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from rich.live import Live
from rich.text import Text

from engine.sudoku import grid, solve
from engine.sudoku.enumerate import Enumeration
from frontends.cli.output import Exit, Talk, chatty, echo, emit, say, stderr
from frontends.cli.sudoku_input import PuzzleBatches
from frontends.cli.tables import rate

MOST = 1_000_000
"""Solutions of one puzzle that are printed unless another limit is given."""

SHOW_SECONDS = 0.2
LINE_SECONDS = 10.0
"""How often progress is shown on a terminal, and by `--verbose` where there is none."""


ATOMIC = 4096
"""Bytes that go into a pipe whole or not at all on Linux, so that Ctrl-C never leaves half a line (PIPE_BUF, pipe(7))."""


def print_all(batches: PuzzleBatches, limit: int, *, as_json: bool) -> int:
    """Print all solutions of each puzzle, up to `limit`; count them on stderr; return the exit code.

    In JSON every line has the keys of `sudoku solve`: `solutions_found` counts along, and the last line of each puzzle also
    says whether it is `complete`. A puzzle without a solution has one line, as ever.
    """
    printed = puzzles = 0
    with _progress() as show:
        for batch in batches:
            for (number, puzzle), proved in zip(batch, solve.solve_texts([puzzle for _, puzzle in batch]), strict=True):
                every = Enumeration(grid.to_cells([puzzle])[0], limit)
                for _ in _print_one(proved, every, as_json=as_json):
                    show(printed + every.found)
                printed += every.found
                puzzles += 1
                if not every.complete:
                    batches.tell(number, f"stopped at {limit:,} solutions, and there are more; --limit N allows for them")
                if proved.status is solve.Status.INVALID:
                    batches.fail(number, grid.find_conflict(grid.parse(puzzle)) or "conflicting givens")
                    if batches.strict:
                        return Exit.USAGE
    if chatty() or not as_json:
        say(f"{printed:,} solution{'' if printed == 1 else 's'} of {puzzles:,} puzzle{'' if puzzles == 1 else 's'}")
    return Exit.USAGE if batches.refused else Exit.OK


def _print_one(proved: solve.Solution, every: Enumeration, *, as_json: bool) -> Iterator[None]:
    """Print the solutions of one puzzle, coming back after each batch of them."""
    printed = 0
    last: list[str] = []  # held back, since only the end tells that it is the last
    for batch in every:
        solutions = last + grid.to_texts(batch)
        last = [solutions.pop()]
        _write(_json_lines(proved, solutions, printed) if as_json else [f"{line}\n" for line in solutions])
        printed += len(solutions)
        yield
    if as_json:
        emit(
            {
                "puzzle": proved.puzzle,
                "status": str(proved.status),
                "solution": last[0] if last else None,
                "solutions_found": every.found,
                "complete": every.complete,
            }
        )
    else:
        echo(last[0] if last else none_line(proved))


def none_line(proved: solve.Solution) -> str:
    """Return the line for a puzzle without solution: itself, and what is the matter."""
    return f"{proved.puzzle}  # {'conflicting givens' if proved.status is solve.Status.INVALID else 'no solution'}"


def _json_lines(proved: solve.Solution, solutions: Sequence[str], printed: int) -> list[str]:
    # Put together by hand: the general way takes as long as finding the solutions. Digits and dots need no escapes.
    head = json.dumps({"puzzle": proved.puzzle, "status": str(proved.status)})[:-1]
    return [
        f'{head}, "solution": "{solution}", "solutions_found": {number}}}\n'
        for number, solution in enumerate(solutions, start=printed + 1)
    ]


def _write(lines: Sequence[str]) -> None:
    """Print lines at once, in pieces that a signal cannot cut."""
    size = max(1, ATOMIC // max(map(len, lines), default=1))
    for start in range(0, len(lines), size):
        sys.stdout.write("".join(lines[start : start + size]))
        sys.stdout.flush()


@contextmanager
def _progress() -> Iterator[Callable[[int], None]]:
    """Give a function that shows how many there are so far: on a terminal that does not show them all, or with `--verbose`."""
    if sys.stderr.isatty() and not sys.stdout.isatty():
        # Left to itself a live display takes over stdout too, and sends the solutions to the terminal.
        with Live(console=stderr, auto_refresh=False, transient=True, redirect_stdout=False) as live:
            yield _teller(lambda text: live.update(Text(text), refresh=True), SHOW_SECONDS)
    else:
        yield _teller(say if Talk.verbose else None, LINE_SECONDS)


def _teller(tell: Callable[[str], None] | None, every: float) -> Callable[[int], None]:
    begin = time.monotonic()
    due = begin + every

    def show(found: int) -> None:
        nonlocal due
        now = time.monotonic()
        if tell is not None and now >= due:
            tell(f"{found:,} solutions so far, {rate(found, now - begin)}")
            due = now + every

    return show
