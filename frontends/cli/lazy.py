"""Groups whose subcommands are imported only when they are called, so that help and completion answer at once."""

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import click


@dataclass(frozen=True, slots=True)
class Lazy:
    """Where a command lives, and its one line for the list of commands (a test holds it to the command's own)."""

    module: str
    attribute: str
    summary: str
    section: str = "Commands"


class LazyGroup(click.Group):
    """A group made from a table of `Lazy` entries; sections are printed in the order in which they first appear."""

    def __init__(self, *args: Any, table: Mapping[str, Lazy] | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.table: Mapping[str, Lazy] = table or {}

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

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands without importing any of the table's."""
        sections: dict[str, list[tuple[str, str]]] = {}
        for name, entry in self.table.items():
            sections.setdefault(entry.section, []).append((name, entry.summary))
        for name in super().list_commands(ctx):
            command = super().get_command(ctx, name)
            if command is not None and not command.hidden:
                sections.setdefault("Commands", []).append((name, command.get_short_help_str(limit=formatter.width)))
        for section, rows in sections.items():
            with formatter.section(section):
                formatter.write_dl(rows)
