"""`puzzlemill job submit KIND` and `job run KIND`: one subcommand a kind, its options made from the kind's parameters."""

import hashlib
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import click

from db.settings import Settings
from db.store import Store
from engine import registry
from engine.jobs import MAX_SEED, InputKind, JobKind, Params
from frontends.cli import jobtext
from frontends.cli.commands import Command, LazyGroup
from frontends.cli.common import SLOTS, settings, shared_options, shared_params
from frontends.cli.follow import follow
from frontends.cli.inputs import LineReader, is_file, read_text
from frontends.cli.options import BOARD_FIELD, option_name, options_of, params_of
from frontends.cli.output import CliError, Exit, chatty, emit, say
from frontends.cli.service import opened, opened_engine
from frontends.cli.tables import duration

SEED = "Same seed, same results  [default: a new one]"

LARGE = 60.0
"""Core-seconds from which the estimate is said before the job starts."""


@dataclass(frozen=True, slots=True)
class Request:
    """What is to be submitted: the kind with its parameters and accepted items, and what was refused on the way."""

    kind: JobKind[Any]
    params: Params
    items: list[str]
    refused: int


class KindGroup(LazyGroup):
    """A group with one subcommand for every job kind, made when it is asked for."""

    def __init__(self, *args: Any, make: Callable[[JobKind[Any]], click.Command] | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.make = make

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the kinds."""
        return list(_kinds(ctx))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of a kind; raise `CliError` (exit 2), which lists the kinds, if there is none of that name."""
        kinds = _kinds(ctx)
        if cmd_name not in kinds:
            if ctx.resilient_parsing:
                return None
            raise CliError(f"no job kind {cmd_name!r}; kinds: {', '.join(kinds)}", Exit.USAGE)
        assert self.make is not None
        return self.make(kinds[cmd_name])

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of kinds with their summaries."""
        with formatter.section("Kinds"):
            formatter.write_dl([(name, kind.summary) for name, kind in _kinds(ctx).items()])


def _kinds(ctx: click.Context) -> Mapping[str, JobKind[Any]]:
    registry.add_modules(settings(ctx).extra_kind_modules)
    return registry.kinds()


def submit_command(kind: JobKind[Any]) -> Command:
    """Return `job submit KIND`."""
    return _command(kind, "submit", _submit_kind, [*_common_options(kind), _json_flag()])


def run_command(kind: JobKind[Any]) -> Command:
    """Return `job run KIND`."""
    own = [
        click.Option(["--slots"], type=click.IntRange(1, 1024), metavar="N", help=SLOTS),
        click.Option(
            ["--workers/--no-workers"],
            default=True,
            help="Compute here too, or only wait for a cluster's workers  [default: workers]",
        ),
    ]
    return _command(kind, "run", _run_kind, [*own, *_common_options(kind), _json_flag()])


@click.group(cls=KindGroup, make=submit_command)
@shared_options
def submit() -> None:
    """Submit a job and return at once.

    The job waits in the database for workers: those of `puzzlemill up`, `job watch` or, with a cluster, `puzzlemill worker`.
    """


@click.group(cls=KindGroup, make=run_command)
@shared_options
def run() -> None:
    """Submit a job, compute it here, and wait for its end.

    Ctrl-C stops the workers, not the job: `puzzlemill job watch NUMBER` goes on with it.
    """


def _command(
    kind: JobKind[Any], verb: str, callback: Callable[[JobKind[Any], dict[str, Any]], int], options: list[click.Option]
) -> Command:
    argument = {InputKind.LINES: "FILE", InputKind.BOARD: "BOARD"}.get(kind.input)
    params: list[click.Parameter] = []
    if argument is not None:
        params.append(click.Argument(["source"], metavar=argument))
    params += [*options_of(kind), *options, *shared_params()]

    def call(**given: Any) -> int:
        return callback(kind, given)

    what = {
        InputKind.LINES: "\n\nFILE holds one item a line (gzip or not); - is standard input, and one item itself will do too.",
        InputKind.BOARD: "\n\nBOARD is the name of a board, or a file in which one is drawn.",
        InputKind.NONE: "",
    }[kind.input]
    return Command(
        name=kind.name,
        params=params,
        callback=call,
        help=f"{kind.summary}{what}",
        short_help=kind.summary,
        examples=_examples(kind, verb),
    )


def _examples(kind: JobKind[Any], verb: str) -> list[str]:
    """Make two lines from the kind's own examples: the plainest call, and one with options."""
    sources = {
        InputKind.LINES: (" positions.txt" if kind.family == "rings" else " puzzles.txt.gz",) * 2,
        InputKind.BOARD: (" triangle-15", " english-33"),
        InputKind.NONE: ("", ""),
    }[kind.input]
    shown = [
        f" {option_name(name)} {field.examples[0]}"
        for name, field in kind.params_model.model_fields.items()
        if field.examples and not isinstance(field.examples[0], (bool, list, tuple)) and name != BOARD_FIELD
    ]
    seeded = " --seed 7" if kind.input is InputKind.NONE else ""
    plain = f"puzzlemill job {verb} {kind.name}"
    return [plain + sources[0]] + ([plain + sources[1] + "".join(shown[:2]) + seeded] if shown else [])


def _common_options(kind: JobKind[Any]) -> list[click.Option]:
    strict = click.Option(["--strict"], is_flag=True, help="Stop at the first bad line and submit nothing")
    return [
        click.Option(
            ["--seed"], type=int, metavar="N", callback=_checked_seed, help="Same seed, same results  [default: a new one]"
        ),
        click.Option(["--priority"], type=int, metavar="N", default=0, help="Higher goes first  [default: 0]"),
        click.Option(["--idempotency-key"], metavar="TEXT", help="Submitting again with this key gives the same job"),
        *([strict] if kind.input is InputKind.LINES else []),
    ]


def _checked_seed(_ctx: click.Context, _param: click.Parameter, value: int | None) -> int | None:
    if value is not None and not 0 <= value <= MAX_SEED:
        raise click.BadParameter(f"{value} is not in 0 to 2^63 - 1")
    return value


def _json_flag() -> click.Option:
    return click.Option(["--json", "as_json"], is_flag=True, help="Print one JSON object at the end")


def read_request(kind: JobKind[Any], given: Mapping[str, Any]) -> Request:
    """Read the input and the parameters. Raise `CliError` (exit 2) if nothing good is left to do."""
    source = given.get("source")
    values = dict(given)
    if values.get("near"):  # a parameter of `sudoku.generate`
        values["near"] = _near(kind, values)
    if kind.input is InputKind.BOARD and source is not None:
        values[BOARD_FIELD] = read_text(source) if is_file(source) else source
    params = params_of(kind, values)
    if kind.input is not InputKind.LINES or source is None:
        return Request(kind, params, [], 0)
    reader = LineReader(source, kind.parse_line, strict=bool(given.get("strict")))
    items = [item for _, item in reader]
    if not items:
        raise CliError(f"{reader.name}: no line could be used, so there is nothing to do", Exit.USAGE)
    return Request(kind, params, items, reader.refused)


def _near(kind: JobKind[Any], values: Mapping[str, Any]) -> list[str]:
    """Return the puzzles that `--near` names, those from the bank looked up now."""
    from engine.sudoku.generate_job import GenerateParams  # noqa: PLC0415  # brings compiled kernels; only this option needs them
    from frontends.cli import near, near_bank  # noqa: PLC0415  # same

    def bank() -> list[str]:
        params = params_of(kind, {**values, "near": ()})
        assert isinstance(params, GenerateParams)
        with opened_engine(settings()) as engine, engine.connect() as conn:
            return near_bank.from_bank(conn, params.wish())

    return near.read(values["near"], bank)


def send(store: Store, request: Request, given: Mapping[str, Any]) -> tuple[int, bool]:
    """Submit the request; return the job's number and whether it is new (False: the idempotency key was used before)."""
    key = given.get("idempotency_key")
    submitted = store.submit(
        request.kind.name,
        request.params.model_dump(mode="json"),
        _seed(given.get("seed"), key),
        request.kind.plan(request.params, request.items),
        priority=given.get("priority") or 0,
        idempotency_key=key,
    )
    return submitted.job_id, submitted.created


def _seed(seed: int | None, key: str | None) -> int:
    if seed is not None:
        return seed
    if key is not None:  # the same request again must be the same job, so its seed must not be drawn anew
        return int.from_bytes(hashlib.blake2b(key.encode(), digest_size=4).digest(), "little")
    return secrets.randbelow(2**32)


def _submit_kind(kind: JobKind[Any], given: dict[str, Any]) -> int:
    made = settings()
    request = read_request(kind, given)
    with opened(made) as store:
        number, created = send(store, request, given)
        view = store.job(number)
    if given["as_json"]:
        emit({**jobtext.as_json(view), "created": created, "refused": request.refused})
    else:
        say(f"job {number} submitted: {jobtext.size(view)}" if created else f"job {number} was submitted before: {view.state}")
        if created and made.embedded_database:
            say(f"start workers with `puzzlemill up`, or follow it with `puzzlemill job watch {number}`")
    return Exit.USAGE if request.refused else Exit.OK


def _run_kind(kind: JobKind[Any], given: dict[str, Any]) -> int:
    made = settings()
    request = read_request(kind, given)
    _announce(made, request, given)
    with opened(made) as store:
        number, created = send(store, request, given)
        if chatty():
            view = store.job(number)
            say(f"job {number}: {kind.name}, {jobtext.size(view)}, seed {view.seed}" if created else f"job {number} again")
        view = follow(store, made, number, workers=given["workers"], slots=given["slots"])
    return jobtext.report(view, as_json=given["as_json"], refused=request.refused)


def _announce(made: Settings, request: Request, given: Mapping[str, Any]) -> None:
    estimate = request.kind.estimate(request.params, request.items)
    if estimate.core_seconds <= LARGE:
        return
    slots = given["slots"] or made.slots or jobtext.cores()
    note = f" ({estimate.note})" if estimate.note else ""
    say(
        f"{request.kind.name}: about {duration(estimate.core_seconds)} of computing, {duration(estimate.core_seconds / slots)} "
        f"with {slots} workers, {estimate.memory_mib} MiB each{note}"
    )
