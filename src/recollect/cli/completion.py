"""`recollect completion`: what makes a shell complete commands, options, profiles and ids of memories."""

from __future__ import annotations

import click

from recollect.cli.options import examples

SHELLS = ("bash", "zsh", "fish")


@click.command(
    "completion",
    epilog=examples(
        "recollect completion bash >> ~/.bashrc",
        "recollect completion zsh >> ~/.zshrc",
        "recollect completion fish > ~/.config/fish/completions/recollect.fish",
    ),
)
@click.argument("shell", metavar="SHELL", type=click.Choice(SHELLS))
def command(shell: str) -> None:
    """Print what makes a SHELL complete the words of recollect: bash, zsh or fish.

    Put it where the shell reads it when it starts. Commands, options and their values are completed, and
    profiles and ids of memories as the project around the current folder has them.
    """
    from click.shell_completion import shell_complete

    from recollect.cli.app import COMPLETE, app

    shell_complete(app, {}, "recollect", COMPLETE, f"{shell}_source")
