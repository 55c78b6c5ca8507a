"""`puzzlemill completion`: prints the script that teaches a shell to complete commands and options."""

import click
from click.shell_completion import get_completion_class

from frontends.cli.commands import Command
from frontends.cli.output import CliError, echo

COMPLETE_VARIABLE = "_PUZZLEMILL_COMPLETE"


@click.command(
    cls=Command,
    examples=[
        "puzzlemill completion bash > ~/.local/share/bash-completion/completions/puzzlemill",
        'puzzlemill completion zsh > "${fpath[1]}/_puzzlemill"',
        "puzzlemill completion fish > ~/.config/fish/completions/puzzlemill.fish",
        "source <(puzzlemill completion bash)      # this session only",
    ],
)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the shell's completion script."""
    root = click.get_current_context().find_root().command
    shape = get_completion_class(shell)
    if shape is None:
        raise CliError(f"no completion for {shell}")
    # Not through the class's check of the installed bash: the script may be meant for another machine.
    complete = shape(root, {}, "puzzlemill", COMPLETE_VARIABLE)
    echo(complete.source_template % complete.source_vars())
