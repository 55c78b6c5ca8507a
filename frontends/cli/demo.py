"""`puzzlemill demo`: the main job end to end, all three families through queue, workers and database, then checked."""

import io
import time
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path

import click
from platformdirs import user_data_path

from db.models import JobState
from db.queries import pegs, rings, sudoku
from db.session import read
from db.settings import Settings
from db.store import JobView, Store
from db.verify import verify
from engine import registry
from engine.jobs import JsonObject
from frontends.cli import jobtext
from frontends.cli.commands import Command
from frontends.cli.common import SLOTS, json_option, override, settings, shared_options
from frontends.cli.follow import Watcher
from frontends.cli.inputs import LineReader
from frontends.cli.output import CliError, Exit, echo, emit, say
from frontends.cli.progress import Display, Snapshot, display
from frontends.cli.service import opened
from frontends.cli.tables import cell, duration, pairs, rate, table
from workers.supervisor import Supervisor

SEED = 7
"""The same demo everywhere: anyone can compare digests."""

SUDOKUS = 200

POSITIONS = 10
"""Ring positions of each of two sorts: some clicks from solved, and uniformly random."""

BOARD, SOLUTIONS = "triangle-15", 438_984
"""The board, and how many solutions it is known to have over all its starts (published, and counted by several programs)."""

STEPS = 6

CHECKED = 5000
"""Stored results of each family that are checked at the end; Triangle-15 alone has 438,984 solutions."""

QUERIES = (
    ["bank", "query", "sudoku", "--er", "2.5..4.5", "--sort", "-er", "--limit", "3"],
    ["bank", "query", "pegs", "--board", "triangle-15", "--start", "3", "--finish", "3", "--moves", "9", "--limit", "3"],
    ["bank", "query", "rings", "--optimal", "--sort", "-clicks", "--limit", "3"],
)
"""What to ask the database for at the end, as command lines."""

NEXT = (
    "bank stats sudoku",
    "bank show pegs triangle-15",
    "job list",
    "job run sudoku.generate --count 1000 --level hard",
    "doctor",
)
"""What to try next."""


class _Steps(Display):
    """Shows progress as `inner` does, but tells the steps in every case: the demo is there to be watched."""

    def __init__(self, inner: Display) -> None:
        self._inner = inner

    def show(self, at: Snapshot) -> None:
        self._inner.show(at)

    def note(self, message: str) -> None:
        if self._inner.detailed:
            self._inner.note(message)
        else:
            say(message)


@dataclass(slots=True)
class Demo:
    """One run: where it stores, who computes, and what was done."""

    store: Store
    supervisor: Supervisor
    shown: Display
    jobs: list[JobView] = field(default_factory=list)

    def run(self, title: str, name: str, params: JsonObject, items: Sequence[str] = ()) -> JobView:
        """Submit a job and wait for its end; raise `CliError` if it does not end well."""
        kind = registry.kind(name)
        checked = kind.params_model.model_validate(params)
        number = self.store.submit(name, checked.model_dump(mode="json"), SEED, kind.plan(checked, items)).job_id
        self.shown.note(f"{len(self.jobs) + 1}/{STEPS}  {title} ({name}, job {number}) ...")
        watcher = Watcher(self.store, number, self.shown)
        self.supervisor.run(until=watcher.finished)
        view = watcher.view
        if view.state is not JobState.DONE:
            raise CliError(f"job {number} ended {view.state}: puzzlemill job show {number}")
        took = f"{duration(view.elapsed)}, {rate(view.items_done, view.elapsed)}"
        self.shown.note(f"     {cell(view.items_done)} items in {took}")
        self.jobs.append(view)
        return view

    def puzzles(self, job: JobView) -> list[str]:
        """Return the sudokus that a job made."""
        with read(self.store.engine) as conn:
            return [row["puzzle"] for row in sudoku.query(conn, sudoku.Filters(job_id=job.id))]

    def states(self, job: JobView) -> list[str]:
        """Return the ring positions that a job made."""
        with read(self.store.engine) as conn:
            return [row["state"] for row in rings.query(conn, rings.Filters(job_id=job.id))]


@click.command(cls=Command, examples=["puzzlemill demo", "puzzlemill demo --list puzzles.txt.gz", "puzzlemill demo --json"])
@click.option(
    "--list",
    "source",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Sudokus to solve, one a line  [default: those that the demo makes]",
)
@click.option("--slots", type=click.IntRange(1, 1024), metavar="N", help=SLOTS)
@json_option
@shared_options
def demo(source: Path | None, slots: int | None, *, as_json: bool) -> int:
    """Run the main job end to end in a few minutes.

    A bank of rated sudokus, a list of sudokus solved with proof, all solutions of the triangular board from every start, and
    five rings positions solved with proved lower bounds: through queue, workers and database, and then checked. It has a data
    folder of its own, unless --data-dir says another.
    """
    override(**_own_folder())
    made = settings()
    began = time.monotonic()
    say(f"The data go to {made.data_dir}. Kernels are compiled the first time, which takes a minute or two of the total.")
    with opened(made) as store:
        jobs = _jobs(store, made, source, slots)
        say("Checking what is stored ...")
        wrong = [*_check(store, made), *_against_known(jobs)]
        content = _content(store)
        examples = list(_examples(made))
    took = time.monotonic() - began
    if as_json:
        emit(
            {
                "ok": not wrong,
                "seconds": round(took, 3),
                "data_dir": str(made.data_dir),
                "jobs": [jobtext.as_json(job) for job in jobs],
                "database": content,
                "checked": {"each": CHECKED, "wrong": wrong},
                "examples": [{"command": command, "lines": text.count("\n") + 1} for command, text in examples],
            }
        )
    else:
        _print(made, jobs, content, examples, took)
    for problem in wrong:
        say(f"wrong: {problem}")
    return Exit.FAILURE if wrong else Exit.OK


def _own_folder() -> JsonObject:
    """Return the demo's own data folder as a setting, unless the environment or a database of one's own names the place."""
    named = settings()
    default = user_data_path("puzzlemill", appauthor=False)
    return {"data_dir": default.with_name("puzzlemill-demo")} if named.data_dir == default and named.embedded_database else {}


def _jobs(store: Store, made: Settings, source: Path | None, slots: int | None) -> list[JobView]:
    kinds = ["sudoku.generate", "sudoku.solve", "pegs.enumerate", "rings.scramble", "rings.solve"]
    given = _read_list(source) if source else None
    try:
        with display() as shown:
            steps = _Steps(shown)
            number = slots or made.slots or jobtext.cores()
            with Supervisor(made, number, on_event=steps.note, warm=kinds) as supervisor:
                this = Demo(store, supervisor, steps)
                bank = this.run(f"a bank of {SUDOKUS} rated sudokus", "sudoku.generate", {"count": SUDOKUS})
                puzzles = this.puzzles(bank) if given is None else given
                this.run(f"solving {len(puzzles):,} sudokus, with proof", "sudoku.solve", {}, puzzles)
                this.run(f"all solutions of {BOARD} from every start", "pegs.enumerate", {"board": BOARD})
                near = this.run(
                    f"{POSITIONS} ring positions of level low", "rings.scramble", {"count": POSITIONS, "level": "low"}
                )
                far = this.run(f"{POSITIONS} random ring positions", "rings.scramble", {"count": POSITIONS, "mode": "uniform"})
                states = [*this.states(near), *this.states(far)]
                this.run("solving them, with proved lower bounds", "rings.solve", {}, states)
                return this.jobs
    except KeyboardInterrupt:
        raise CliError("interrupted; start again with: puzzlemill demo", Exit.INTERRUPTED) from None


def _read_list(source: Path) -> list[str]:
    return [item for _, item in LineReader(str(source), registry.kind("sudoku.solve").parse_line)]


def _check(store: Store, made: Settings) -> list[str]:
    """Return what is wrong with the first so many stored results of each family."""
    outcomes = verify(store.engine, limit=CHECKED, artifact_dir=made.artifact_dir)
    return [f"{outcome.family}, {outcome.label}: {outcome.problem}" for outcome in outcomes if not outcome.ok]


def _against_known(jobs: Sequence[JobView]) -> list[str]:
    """Return what differs from what is known of the board."""
    found = [(job.summary or {}).get("solutions") for job in jobs if job.kind == "pegs.enumerate"]
    return [] if found == [SOLUTIONS] else [f"{BOARD} has {SOLUTIONS:,} solutions, the job found {found}"]


def _content(store: Store) -> JsonObject:
    """Return how many rows of each sort the database holds."""
    with read(store.engine) as conn:
        of_sudoku, of_pegs, of_rings = sudoku.stats(conn), pegs.stats(conn), rings.stats(conn)
    return {
        "sudokus": of_sudoku["puzzles"],
        "sudokus_rated": of_sudoku["rated"],
        "peg_enumerations": of_pegs["enumerations"],
        "peg_solutions": of_pegs["solutions_stored"],
        "ring_positions": of_rings["positions"],
        "ring_positions_solved": of_rings["solved"],
        "ring_positions_optimal": of_rings["optimal"],
    }


def _examples(made: Settings) -> Iterator[tuple[str, str]]:
    """Run the example queries as the commands they are; yield each command line and what it prints."""
    root = click.get_current_context().find_root().command
    for words in QUERIES:
        text = _output_of(root, [*words, "--data-dir", str(made.data_dir)])
        yield f"puzzlemill {' '.join(words)}", text


def _output_of(root: click.Command, words: list[str]) -> str:
    caught = io.StringIO()
    with redirect_stdout(caught), redirect_stderr(io.StringIO()):  # that there are more rows is of no interest here
        root.main(words, prog_name="puzzlemill", standalone_mode=False)
    return caught.getvalue().rstrip("\n")


def _print(
    made: Settings, jobs: Sequence[JobView], content: JsonObject, examples: Sequence[tuple[str, str]], took: float
) -> None:
    rows = [
        [str(job.id), job.kind, job.items_done, duration(job.elapsed), rate(job.items_done, job.elapsed), job.digest]
        for job in jobs
    ]
    echo(table(["job", "kind", "items", "took", "rate", "digest"], rows))
    echo()
    echo("In the database:")
    echo(pairs({f"  {name.replace('_', ' ')}": count for name, count in content.items()}))
    for command, text in examples:
        echo()
        echo(f"$ {command}")
        echo(text)
    echo()
    echo(f"All done and checked in {duration(took)}. To go on with these data:")
    echo(f"  export PUZZLEMILL_DATA_DIR='{made.data_dir}'")
    for command in NEXT:
        echo(f"  puzzlemill {command}")
