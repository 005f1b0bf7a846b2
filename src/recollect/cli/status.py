"""`recollect status`: what is indexed, how fresh and how big it is."""

from __future__ import annotations

from pathlib import Path

import click

from recollect.cli.options import examples, json_option, path_option, print_json


@click.command("status", epilog=examples("recollect status", "recollect status --path ../other --json"))
@path_option
@json_option
def command(folder: Path | None, as_json: bool) -> int:
    """Show what is indexed, how fresh and how big it is.

    Freshness is looked up on disk now, not remembered. Exit code 1 means that there is no index yet.
    """
    from recollect import engine
    from recollect.cli import render

    with engine.open(folder) as project:
        status = project.status()
    if as_json:
        print_json(status.to_dict())
    else:
        click.echo("\n".join(render.status_lines(status)))
    return 0 if status.indexed else 1
