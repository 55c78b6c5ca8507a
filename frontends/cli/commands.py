"""Commands with examples in their help, and groups whose subcommands are imported only when they are called."""

import importlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import click

from frontends.cli.common import SharedOption


@dataclass(frozen=True, slots=True)
class Lazy:
    """Where a command lives, and its one line for the list of commands (a test holds it to the command's own)."""

    module: str
    attribute: str
    summary: str
    section: str = "Commands"


def _write_options(command: click.Command, ctx: click.Context, formatter: click.HelpFormatter) -> None:
    own, shared = [], []
    for param in command.get_params(ctx):
        if isinstance(param, click.Argument) and not param.help:
            continue
        record = param.get_help_record(ctx)
        if record is not None and isinstance(param, SharedOption):
            shared.append(max(param.opts, key=len))
        elif record is not None:
            own.append(record)
    with formatter.section("Options"):
        formatter.write_dl(own)
        if shared:
            formatter.write_text(f"Also {', '.join(shared)}: see `puzzlemill --help`.")


class Command(click.Command):
    """A command whose help ends with examples, each a line one can paste."""

    def __init__(self, *args: Any, examples: Sequence[str] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.examples = tuple(examples)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, those that all commands share only by name."""
        _write_options(self, ctx, formatter)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples, then the ordinary epilog."""
        if self.examples:
            with formatter.section("Examples"):
                formatter.write("".join(f"{' ' * formatter.current_indent}{line}\n" for line in self.examples))
        super().format_epilog(ctx, formatter)


class LazyGroup(click.Group):
    """A group made from a table of `Lazy` entries; sections are printed in the order in which they first appear.

    Subcommands made with `@group.command()` are `Command`s. `notes` are lines printed as they are at the end of the help.
    """

    command_class = Command

    def __init__(self, *args: Any, table: Mapping[str, Lazy] | None = None, notes: Sequence[str] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.table: Mapping[str, Lazy] = table or {}
        self.notes = tuple(notes)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the table's order, then any added in the ordinary way."""
        return [*self.table, *super().list_commands(ctx)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return the command, or None if there is none of that name."""
        if cmd_name not in self.table:
            return super().get_command(ctx, cmd_name)
        entry = self.table[cmd_name]
        command = getattr(importlib.import_module(entry.module), entry.attribute)
        assert isinstance(command, click.Command)
        return command

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, those that all commands share only by name (but in full for the root), then the commands."""
        if ctx.parent is None:
            super().format_options(ctx, formatter)
        else:
            _write_options(self, ctx, formatter)
            self.format_commands(ctx, formatter)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands without importing any of the table's."""
        sections: dict[str, list[tuple[str, str]]] = {}
        for name, entry in self.table.items():
            sections.setdefault(entry.section, []).append((name, entry.summary))
        for name in super().list_commands(ctx):
            command = super().get_command(ctx, name)
            if command is not None and not command.hidden:
                sections.setdefault("Commands", []).append((name, command.get_short_help_str(limit=150)))
        for section, rows in sections.items():
            with formatter.section(section):
                formatter.write_dl(rows)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the notes, then the ordinary epilog."""
        if self.notes:
            formatter.write("\n" + "".join(f"{line}\n" for line in self.notes))
        super().format_epilog(ctx, formatter)
