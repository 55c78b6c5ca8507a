"""`puzzlemill completion`: prints the script that teaches a shell to complete commands and options."""

import click
from click.shell_completion import get_completion_class

from frontends.cli.output import CliError, echo

COMPLETE_VARIABLE = "_PUZZLEMILL_COMPLETE"


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the shell's completion script.

    \b
    bash:  puzzlemill completion bash > ~/.local/share/bash-completion/completions/puzzlemill
    zsh:   puzzlemill completion zsh > "${fpath[1]}/_puzzlemill"
    fish:  puzzlemill completion fish > ~/.config/fish/completions/puzzlemill.fish

    Or for this session only: source <(puzzlemill completion bash)
    """  # noqa: D301  # \b is click's mark for "do not rewrap", not an escape of ours
    root = click.get_current_context().find_root().command
    shape = get_completion_class(shell)
    if shape is None:
        raise CliError(f"no completion for {shell}")
    # Not through the class's check of the installed bash: the script may be meant for another machine.
    complete = shape(root, {}, "puzzlemill", COMPLETE_VARIABLE)
    echo(complete.source_template % complete.source_vars())
