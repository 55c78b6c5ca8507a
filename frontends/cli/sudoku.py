"""`puzzlemill sudoku`: solve, rate, explain, generate and canonicalize sudokus, directly (no database, no queue)."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from secrets import randbelow
from typing import Any

import click

from engine.jobs import MAX_SEED, JsonObject
from engine.sudoku import canon, grid, solve
from engine.sudoku.generate import generate
from engine.sudoku.generate_job import MANY_GIVENS, GenerateJob, GenerateParams
from engine.sudoku.pattern import EXAMPLE
from engine.sudoku.records import SudokuRecord
from engine.sudoku.symmetry import Symmetry
from engine.sudoku.wish import Sampling
from frontends.cli import near
from frontends.cli.commands import LazyGroup
from frontends.cli.common import json_option, shared_options
from frontends.cli.options import params_of
from frontends.cli.output import CliError, Exit, chatty, echo, emit, say
from frontends.cli.sudoku_all import MOST, none_line, print_all
from frontends.cli.sudoku_input import PuzzleBatches, source_argument, strict_option
from frontends.cli.watching import prepare

MOST_COUNTED = 10_000_000
"""Largest limit where solutions are only counted: a minute or so, in which Ctrl-C has to wait."""


@click.group(cls=LazyGroup)
@shared_options
def group() -> None:
    """Solve, rate, explain, generate and canonicalize sudokus.

    A puzzle is 81 cells, row by row: digits, and . 0 * or _ for an empty cell; what follows it on the line is ignored. FILE may
    be gzip; without it, or with -, standard input is read, and answers come as fast as lines do.
    """


@group.command(
    "solve",
    examples=[
        "puzzlemill sudoku solve puzzles.txt > solutions.txt",
        "zcat puzzles.txt.gz | puzzlemill sudoku solve --json",
        "puzzlemill sudoku solve 4...3.......6..8..........1....5..9..8....6...7.2........1.27..5.3....4.9........",
        "puzzlemill sudoku solve --all --limit 5000000 puzzle.txt > solutions.txt",
    ],
)
@source_argument
@click.option("--all", "every", is_flag=True, help="Print every solution on a line of its own, as they are found.")
@click.option(
    "--limit",
    type=click.IntRange(min=2),
    help=f"Stop at this many solutions of a puzzle  [default: 2, which proves uniqueness; with --all {MOST:,}]",
)
@strict_option
@json_option
@shared_options
def solve_command(source: str, limit: int | None, *, every: bool, strict: bool, as_json: bool) -> int:
    """Solve puzzles and prove that each has exactly one solution.

    One line for each puzzle: its solution; or the first solution, or the puzzle itself, followed by # and what is the matter.
    """
    if limit is not None and limit > MOST_COUNTED and not every:
        raise CliError(f"--limit: above {MOST_COUNTED:,} only with --all, which shows how far it is", Exit.USAGE)
    prepare(solve.warm)
    batches = PuzzleBatches(source, strict)
    if every:
        return print_all(batches, limit or MOST, as_json=as_json)
    limit = limit or 2
    counts: Counter[str] = Counter()
    for batch in batches:
        for (number, _), found in zip(batch, solve.solve_texts([puzzle for _, puzzle in batch], limit), strict=True):
            counts[found.status] += 1
            if as_json:
                emit(_solution_json(found))
            else:
                echo(_solution_line(found, limit))
            if found.status is solve.Status.INVALID:
                batches.fail(number, grid.find_conflict(grid.parse(found.puzzle)) or "conflicting givens")
                if strict:
                    return Exit.USAGE
    if chatty():
        say(", ".join(f"{count:,} {status}" for status, count in sorted(counts.items())) or "no puzzles")
    return Exit.USAGE if batches.refused else Exit.OK


def _solution_json(found: solve.Solution) -> JsonObject:
    value: JsonObject = {
        "puzzle": found.puzzle,
        "status": str(found.status),
        "solution": found.solution,
        "solutions_found": found.solutions_found,
    }
    return value | {"second_solution": found.second} if found.second else value


def _solution_line(found: solve.Solution, limit: int) -> str:
    if found.status is solve.Status.UNIQUE:
        return found.solution or ""
    if found.status is solve.Status.MULTIPLE:
        more = "at least " if found.solutions_found == limit else ""
        return f"{found.solution}  # {more}{found.solutions_found:,} solutions; another: {found.second}"
    return none_line(found)


EFFORTS = ("8.5", "9.0", "9.5", "10.0", "10.5")
"""As `engine.sudoku.rating.EFFORTS`, which is not imported for a help text; a test compares them."""

_effort_option = click.option(
    "--max-effort",
    type=click.Choice(EFFORTS),
    default=EFFORTS[-1],
    show_default=True,
    help="Search no chains of a higher base rating; a puzzle that needs one gets a lower bound. Above 9.0 it takes seconds.",
)


def _not_unique(puzzles: list[str]) -> list[str | None]:
    """Return for each puzzle None if it has one solution, else a sentence on why it cannot be rated."""
    return [_why_not(found) for found in solve.solve_texts(puzzles)]


FEWEST_GIVENS = 17
"""No sudoku with fewer has just one solution (G. McGuire, B. Tugemann, G. Civario: There is no 16-clue sudoku, 2012)."""


def _why_not(found: solve.Solution) -> str | None:
    if found.status is solve.Status.INVALID:
        return grid.find_conflict(grid.parse(found.puzzle)) or "conflicting givens"
    if found.status is solve.Status.NONE:
        return "no solution, so it has no rating"
    if found.status is solve.Status.MULTIPLE:
        givens = 81 - found.puzzle.count(".")
        few = f": givens {givens}, and with fewer than {FEWEST_GIVENS} there are always several"
        return f"more than one solution, so it has no rating{few if givens < FEWEST_GIVENS else ''}"
    return None


@group.command(
    examples=[
        "puzzlemill sudoku rate puzzles.txt.gz --json > ratings.jsonl",
        "puzzlemill sudoku generate --count 10 | puzzlemill sudoku rate",
    ]
)
@source_argument
@_effort_option
@strict_option
@json_option
@shared_options
def rate(source: str, max_effort: str, *, strict: bool, as_json: bool) -> int:
    """Rate puzzles on the scale of Sudoku Explainer 1.2.1 (ER, EP, ED).

    A + behind the ER says that it is a lower bound: the path needs more than --max-effort allows. A puzzle that has no
    solution, or several, has no rating.
    """
    from engine.sudoku import rating  # noqa: PLC0415  # its kernels take a while to load; the other commands do without

    prepare(rating.warm)
    prepare(solve.warm)
    batches = PuzzleBatches(source, strict)
    for batch in batches:
        puzzles = [puzzle for _, puzzle in batch]
        for (number, puzzle), fault in zip(batch, _not_unique(puzzles), strict=True):
            if fault is not None:
                batches.fail(number, fault)
                _print_unrated(puzzle, fault, as_json=as_json)
                if strict:
                    return Exit.USAGE
                continue
            if "." not in puzzle:
                _print_unrated(puzzle, "solved already, so it has no rating", as_json=as_json)
                continue
            one = rating.rate(puzzle, float(max_effort))
            if as_json:
                emit(
                    {
                        "puzzle": puzzle,
                        "er": one.er,
                        "ep": one.ep,
                        "ed": one.ed,
                        "bound": one.bound,
                        "level": one.level,
                        "score": one.score,
                        "techniques": dict(one.techniques),
                        "rater": one.rater,
                    }
                )
            else:
                plus = "+" if one.bound else ""
                echo(f"{puzzle}  # ER {one.er:.1f}{plus} EP {one.ep:.1f} ED {one.ed:.1f} {one.level}, score {one.score:,}")
    return Exit.USAGE if batches.refused else Exit.OK


def _print_unrated(puzzle: str, fault: str, *, as_json: bool) -> None:
    if as_json:
        nothing = dict.fromkeys(("er", "ep", "ed", "level", "score", "rater"))
        emit({"puzzle": puzzle, **nothing, "bound": False, "techniques": {}, "error": fault})
    else:
        echo(f"{puzzle}  # {fault}")


def _draw(folder: Path, before: int, documents: Iterable[str]) -> int:
    """Write pictures of steps to a folder, numbered from `before` on; return how many."""
    folder.mkdir(parents=True, exist_ok=True)
    count = 0
    for count, document in enumerate(documents, start=1):
        (folder / f"step-{before + count:03}.svg").write_text(document, encoding="utf-8")
    return count


@group.command(
    examples=[
        "puzzlemill sudoku explain 4...3.......6..8..........1....5..9..8....6...7.2........1.27..5.3....4.9........",
        "puzzlemill sudoku generate --level hard | puzzlemill sudoku explain --json",
        "puzzlemill sudoku generate --level hard | puzzlemill sudoku explain --language zh --svg steps",
    ]
)
@source_argument
@_effort_option
@click.option("--language", type=click.Choice(["en", "zh"]), default="en", show_default=True, help="English or Chinese.")
@click.option(
    "--svg",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    help="Also write a picture of each step there: step-001.svg, ...; numbered on from puzzle to puzzle.",
)
@strict_option
@json_option
@shared_options
def explain(source: str, max_effort: str, language: str, folder: Path | None, *, strict: bool, as_json: bool) -> int:
    """Explain puzzles: the path that a person could take, step by step, each with its rating."""
    from engine.sudoku import rating  # noqa: PLC0415  # its kernels take a while to load; the other commands do without

    prepare(rating.warm)
    prepare(solve.warm)
    batches = PuzzleBatches(source, strict)
    tongue = rating.Language(language)
    drawn = 0
    for batch in batches:
        for (number, puzzle), fault in zip(batch, _not_unique([puzzle for _, puzzle in batch]), strict=True):
            if fault is not None:
                batches.fail(number, fault)
                if strict:
                    return Exit.USAGE
                continue
            explanation = rating.explain(puzzle, float(max_effort))
            if folder is not None:
                drawn += _draw(folder, drawn, rating.pictures(explanation, tongue))
            if as_json:
                emit(explanation.as_json(tongue))
            else:
                plus = "+" if explanation.bound else ""
                echo(puzzle)
                echo(
                    f"ER {explanation.er:.1f}{plus}, EP {explanation.ep:.1f}, ED {explanation.ed:.1f}: "
                    f"{explanation.level}, {len(explanation.steps)} steps"
                )
                echo(explanation.text(tongue))
    return Exit.USAGE if batches.refused else Exit.OK


@group.command(
    "generate",
    examples=[
        "puzzlemill sudoku generate",
        "puzzlemill sudoku generate --count 100 --symmetry rot180 --level hard --seed 7 --json",
        "puzzlemill sudoku generate --count 5 --er 2.6..3.4 --clues 24..26",
        "puzzlemill sudoku generate --technique x-wing --no-technique naked-pair --attempts 1000",
        "puzzlemill sudoku generate --count 10 --er 8.5..",
        "puzzlemill sudoku generate --clues 32..36 --symmetry rot180",
        f"puzzlemill sudoku generate --pattern {EXAMPLE}",
        "puzzlemill sudoku generate --count 1000 --sampling controlled-bias --no-rate --json",
    ],
)
@click.option("--count", type=click.IntRange(min=1), default=1, show_default=True, help="How many puzzles.")
@click.option("--seed", type=click.IntRange(0, MAX_SEED), metavar="N", help="Same seed, same puzzles  [default: a new one]")
@click.option(
    "--symmetry",
    type=click.Choice([symmetry.value for symmetry in Symmetry]),
    default=Symmetry.NONE.value,
    show_default=True,
    help="Symmetry of the pattern of givens; puzzles are minimal within it.",
)
@click.option(
    "--sampling",
    type=click.Choice([sampling.value for sampling in Sampling]),
    default=Sampling.AUTO.value,
    show_default=True,
    help="How puzzles are drawn, see above.",
)
@click.option(
    "--pattern", metavar="MASK", help="Where givens stand: 81 characters, x or 1 a given, ? where one may be, . or 0 empty."
)
@click.option("--clues", metavar="A..B", help="Number of givens wanted, e.g. 22..25; 17 to 81.")
@click.option("--er", metavar="A..B", help="Rating wanted, e.g. 3.0..4.5.")
@click.option("--level", help="Level wanted, e.g. hard.")
@click.option("--technique", multiple=True, metavar="NAME", help="Technique that its path must use; repeat for several.")
@click.option("--no-technique", multiple=True, metavar="NAME", help="Technique that its path must not use; repeat for several.")
@click.option(
    "--minimal/--no-minimal",
    default=None,
    help="Remove givens until none can go, or stop within --clues  "
    f"[default: minimal, unless --clues asks for {MANY_GIVENS} or more or --pattern says which cells are given]",
)
@click.option(
    "--near", multiple=True, metavar="SOURCE", help="Begin the search with these: a file, or a puzzle; may be repeated."
)
@click.option("--per-family", type=click.IntRange(min=1), metavar="N", help="Most puzzles that stem from one  [default: 8]")
@click.option("--rate/--no-rate", default=True, help="Rate each puzzle  [default: rate]")
@click.option(
    "--attempts", type=click.IntRange(1, 1_000_000), default=200, show_default=True, help="Puzzles made for each one wanted."
)
@json_option
@shared_options
def generate_command(*, seed: int | None, as_json: bool, **wishes: Any) -> int:
    """Make unique puzzles at random, no two equivalent.

    Each is proved to have one solution and, unless said otherwise, to be minimal (with a symmetry: no orbit of givens can go).
    If --attempts puzzles for each one wanted do not suffice, the exit code is 1.

    --sampling: top-down is fast, and favours few givens. controlled-bias draws some 40 a second; weighted by `weight` they
    stand for all minimal puzzles alike. neighbours looks for rare wishes near puzzles that fulfil them, or nearly: many times
    as fast, and no more than --per-family of them stem from one. auto begins as top-down and turns to neighbours if fewer than
    one puzzle in 100 will do.
    """
    wishes["near"] = near.read(wishes["near"], bank=None)
    params = params_of(GenerateJob(), wishes)
    assert isinstance(params, GenerateParams)
    wish = params.wish()
    seed = randbelow(MAX_SEED + 1) if seed is None else seed
    prepare(GenerateJob().warm)
    made = tried = 0
    for batch in generate(seed, params.count, wish, params.attempts, params.near or ()):
        made += len(batch.records)
        tried += batch.tried
        for record in batch.records:
            if as_json:
                emit(_made_json(record, seed) | {"minimal_within_symmetry": wish.minimal})
            else:
                echo(_made_line(record, within=wish.minimal))
    if made < params.count:
        say(f"made {made:,} of {params.count:,}: {tried:,} puzzles were tried; allow more --attempts or wish for less")
        return Exit.FAILURE
    if chatty():
        say(f"seed {seed}")
    return Exit.OK


def _made_json(record: SudokuRecord, seed: int) -> JsonObject:
    rating = record.rating
    return {
        "puzzle": record.puzzle,
        "solution": record.solution,
        "clues": record.clues,
        "minimal": record.minimal,
        "symmetry": record.symmetry,
        "er": rating.er if rating else None,
        "bound": rating.bound if rating else None,
        "level": rating.level if rating else None,
        "canonical": record.canonical,
        "automorphisms": record.automorphisms,
        "sampling": record.sampling,
        "weight": record.weight,
        "seed": seed,
    }


def _made_line(record: SudokuRecord, *, within: bool) -> str:
    rating = record.rating
    minimal = "minimal" if record.minimal else f"minimal within {record.symmetry}" if within else "not minimal"
    rated = f", ER {rating.er:.1f}{'+' if rating.bound else ''} {rating.level}" if rating else ""
    return f"{record.puzzle}  # {record.clues} givens, {minimal}{rated}"


@group.command(
    "canon",
    examples=["puzzlemill sudoku canon puzzles.txt | sort -u | wc -l", "puzzlemill sudoku canon puzzles.txt --json"],
)
@source_argument
@strict_option
@json_option
@shared_options
def canon_command(source: str, *, strict: bool, as_json: bool) -> int:
    """Bring puzzles or full grids to canonical form (minlex): equal for equivalent puzzles only.

    Equivalent are those that relabelling digits, permuting rows, columns, bands and stacks, and transposing turn into each
    other. `automorphisms` is in how many such ways a puzzle becomes itself.
    """
    prepare(canon.warm)
    batches = PuzzleBatches(source, strict, grid.parse_line)
    for batch in batches:
        puzzles = [puzzle for _, puzzle in batch]
        for puzzle, form, automorphisms in zip(puzzles, *canon.canonical_texts(puzzles), strict=True):
            if as_json:
                emit({"puzzle": puzzle, "canonical": form, "automorphisms": automorphisms})
            else:
                echo(form)
    return Exit.USAGE if batches.refused else Exit.OK
