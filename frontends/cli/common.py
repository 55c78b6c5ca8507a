"""Options that every command shares, before or after its name, and the settings they make."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from frontends.cli.output import CliError, Exit, Talk

if TYPE_CHECKING:
    from db.settings import Settings

F = TypeVar("F", bound=Callable[..., Any])

_OVERRIDES = "puzzlemill.settings"
"""Key in click's `meta`, which nested contexts share: what the command line says over environment and `.env`."""


SLOTS = "Worker processes on this machine  [default: one a core]"


def _keep(ctx: click.Context, param: click.Parameter, value: Any) -> None:
    if value is not None:
        ctx.meta.setdefault(_OVERRIDES, {})[param.name] = value


def _talk(_ctx: click.Context, _param: click.Parameter, value: Any) -> None:
    if value:
        Talk.verbose = True


class SharedOption(click.Option):
    """An option that every command has: a command's help only names it, the root's help explains it."""


def shared_options(function: F) -> F:
    """Add `--database-url`, `--broker-url`, `--data-dir` and `--verbose`. The one nearest the end of the line wins."""
    for option in (
        click.option(
            "-v", "--verbose", cls=SharedOption, is_flag=True, expose_value=False, callback=_talk, help="Say more on stderr."
        ),
        click.option(
            "--data-dir",
            cls=SharedOption,
            type=click.Path(path_type=Path, file_okay=False),
            expose_value=False,
            callback=_keep,
            help="Folder of the embedded database, spool and files.  [env: PUZZLEMILL_DATA_DIR]",
        ),
        click.option(
            "--broker-url",
            cls=SharedOption,
            metavar="URL",
            expose_value=False,
            callback=_keep,
            help="Celery broker; default: a file spool in the data folder.  [env: PUZZLEMILL_BROKER_URL]",
        ),
        click.option(
            "--database-url",
            cls=SharedOption,
            metavar="URL",
            expose_value=False,
            callback=_keep,
            help="Database; default: SQLite in the data folder.  [env: PUZZLEMILL_DATABASE_URL]",
        ),
    ):
        function = option(function)
    return function


def shared_params() -> list[click.Parameter]:
    """Return the shared options as parameters, for commands that are not made by decorators."""

    @shared_options
    def bearer() -> None:
        """Bear the options."""

    found: list[click.Parameter] = bearer.__click_params__[::-1]  # type: ignore[attr-defined]  # where click leaves them
    return found


def json_option(function: F) -> F:
    """Add `--json`, given to the function as `as_json`."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON: one object, or one a line for lists.")(function)


def override(**values: Any) -> None:
    """Set settings as if they had been options, unless the user gave them (for commands with defaults of their own)."""
    kept = click.get_current_context().meta.setdefault(_OVERRIDES, {})
    for name, value in values.items():
        kept.setdefault(name, value)


def settings(ctx: click.Context | None = None) -> "Settings":
    """Return the settings of this call: options over environment over `.env`. Raise `CliError` (exit 2) if one is wrong.

    `ctx` is only needed where none is active, as while a shell completes a word.
    """
    from pydantic import ValidationError  # noqa: PLC0415  # a quarter of a second that `--help` need not pay

    from db.settings import Settings  # noqa: PLC0415  # same

    ctx = ctx or click.get_current_context(silent=True)
    given = dict(ctx.meta.get(_OVERRIDES, {})) if ctx is not None else {}
    try:
        made = Settings(**given)
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0]) if first["loc"] else "settings"
        where = f"--{name.replace('_', '-')}" if name in given else f"PUZZLEMILL_{name.upper()}"
        raise CliError(f"{where}: {first['msg']} (got {first['input']!r})", Exit.USAGE) from None
    return made.model_copy(update={"data_dir": made.data_dir.expanduser().absolute()})
