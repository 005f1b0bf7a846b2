"""`recollect watch`: keep the index up to date while files change."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from recollect.cli.options import examples, json_option, path_option, print_json

if TYPE_CHECKING:
    from recollect.index.watch import Watched


@click.command("watch", epilog=examples("recollect watch", "recollect watch --json"))
@path_option
@json_option
def command(folder: Path | None, as_json: bool) -> None:
    """Keep the index up to date while files change.

    Prints one line for each round of changes; ends with Ctrl-C.
    """
    from recollect import engine
    from recollect.cli import render

    def told(watched: Watched) -> None:
        if watched.report is None:
            click.echo(f"recollect: {watched.error}", err=True)
        elif as_json:
            print_json(watched.report.to_dict())
        else:
            click.echo(render.report_lines(watched.report)[0])

    with engine.open(folder) as project:
        click.echo(f"Watching {project.root}; Ctrl-C ends it.", err=True)
        try:
            project.watch(told)
        except KeyboardInterrupt:
            click.echo("Stopped watching.", err=True)
