"""`puzzlemill bank query FAMILY` and `bank export FAMILY`: rows that pass a filter, on the screen or in a file."""

import csv
import gzip
import io
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import chain, islice
from pathlib import Path
from typing import Any, TextIO

import click

from db.session import read
from engine.jobs import JsonObject
from frontends.cli.bank_filters import FAMILIES, BankFamily
from frontends.cli.commands import Command, LazyGroup
from frontends.cli.common import settings, shared_options, shared_params
from frontends.cli.output import echo, emit, say
from frontends.cli.service import opened_engine
from frontends.cli.tables import table

LIMIT = 20
"""Rows that a query shows unless told otherwise."""


@click.group(cls=LazyGroup)
@shared_options
def query() -> None:
    """Find stored results by what is known of them.

    All conditions that are given must hold. Ranges are A..B, A.. or ..B, both ends included.
    """


@click.group(cls=LazyGroup)
@shared_options
def export() -> None:
    """Write stored results to a file, as lines, CSV or JSON Lines.

    The filters are those of `bank query`; without any, all of the family is written.
    """


def _command(family: BankFamily, verb: str, summary: str, options: list[click.Option], run: Callable[..., None]) -> Command:
    def call(**given: Any) -> None:
        run(family, given)

    if verb == "export":
        endings = ["--format csv -o FILE", f"{family.examples[0].removesuffix(' --json')} -o FILE"]
    else:
        endings = list(family.examples)
    return Command(
        name=family.name,
        callback=call,
        params=[*family.options(), *options, *shared_params()],
        help=summary,
        examples=[f"puzzlemill bank {verb} {family.name} {ending}" for ending in endings],
    )


def _paging(limit: int | None) -> list[click.Option]:
    at_most = f"At most N  [default: {'all' if limit is None else limit}]"
    return [
        click.Option(["--sort"], default="id", metavar="KEY", help="Order by KEY; -KEY: descending  [default: id]"),
        click.Option(["--limit"], type=click.IntRange(min=0), default=limit, metavar="N", help=at_most),
        click.Option(["--offset"], type=click.IntRange(min=0), default=0, metavar="N", help="Pass over the first N"),
    ]


def _query(family: BankFamily, given: Mapping[str, Any]) -> None:
    filters = family.filters(given)
    limit: int = given["limit"]
    with opened_engine(settings()) as engine, read(engine) as conn:
        found = family.query(conn, filters, sort=given["sort"], limit=limit + 1, offset=given["offset"])
        rows = islice(found, limit)
        if given["as_json"]:
            for row in rows:
                emit(row)
            return
        shown = list(rows)
        more = next(found, None) is not None
    if not shown:
        say(f"no {family.what} like that")
        return
    names = family.columns(filters)
    echo(table([name.replace("_", " ") for name in names], [[_cell(row, name) for name in names] for row in shown]))
    if more:
        say(f"there are more: --limit, or --offset {given['offset'] + limit} for the next page")


def _cell(row: JsonObject, name: str) -> Any:
    if name == "id":
        return str(row[name])  # a name, not a count
    if name == "er" and row[name] is not None:
        return f">={row[name]:.1f}" if row["bound"] else f"{row[name]:.1f}"
    return row.get(name)


def _export(family: BankFamily, given: Mapping[str, Any]) -> None:
    filters = family.filters(given)
    target: Path | None = given["output"]
    with opened_engine(settings()) as engine, read(engine) as conn, _writer(target) as file:
        rows = family.query(conn, filters, sort=given["sort"], limit=given["limit"], offset=given["offset"])
        count = WRITERS[given["format"]](family, rows, file)
    if target is not None:
        say(f"{count:,} rows written to {target}")


@contextmanager
def _writer(target: Path | None) -> Iterator[TextIO]:
    """Give stdout, or a file (gzip if its name ends so) that takes its place only once it is whole."""
    if target is None:
        yield sys.stdout
        return
    unfinished = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with unfinished.open("wb") as raw:
            packed = gzip.GzipFile(fileobj=raw, mode="wb", mtime=0) if target.suffix == ".gz" else raw
            file = io.TextIOWrapper(packed, encoding="utf-8", newline="\n")
            yield file
            file.flush()
            packed.close()
        unfinished.replace(target)
    finally:
        unfinished.unlink(missing_ok=True)


def _write_lines(family: BankFamily, rows: Iterable[JsonObject], file: TextIO) -> int:
    count = 0
    for count, row in enumerate(rows, start=1):  # noqa: B007  # the count of rows is the answer
        file.write(family.line(row) + "\n")
    return count


def _write_jsonl(_family: BankFamily, rows: Iterable[JsonObject], file: TextIO) -> int:
    count = 0
    for count, row in enumerate(rows, start=1):  # noqa: B007  # same
        file.write(json.dumps(row, ensure_ascii=False) + "\n")
    return count


def _write_csv(_family: BankFamily, rows: Iterable[JsonObject], file: TextIO) -> int:
    """Write a heading from the first row's keys; lists and objects are written as JSON in their field."""
    rest = iter(rows)
    first = next(rest, None)
    if first is None:
        return 0
    writer = csv.DictWriter(file, fieldnames=list(first), extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    count = 0
    for count, row in enumerate(chain([first], rest), start=1):  # noqa: B007  # same
        writer.writerow({name: json.dumps(v) if isinstance(v, (dict, list, bool)) else v for name, v in row.items()})
    return count


WRITERS: Mapping[str, Callable[[BankFamily, Iterable[JsonObject], TextIO], int]] = {
    "lines": _write_lines,
    "csv": _write_csv,
    "jsonl": _write_jsonl,
}

for _family in FAMILIES:
    query.add_command(
        _command(
            _family,
            "query",
            f"Find {_family.what}.",
            [*_paging(LIMIT), click.Option(["--json", "as_json"], is_flag=True, help="Print JSON Lines, one object a row")],
            _query,
        )
    )
    export.add_command(
        _command(
            _family,
            "export",
            f"Write {_family.what} to a file.",
            [
                click.Option(["--format"], type=click.Choice(list(WRITERS)), default="lines", help="Form  [default: lines]"),
                click.Option(
                    ["-o", "--output"],
                    type=click.Path(path_type=Path, dir_okay=False),
                    help="File to write, packed if its name ends in .gz  [default: stdout]",
                ),
                *_paging(None),
            ],
            _export,
        )
    )
