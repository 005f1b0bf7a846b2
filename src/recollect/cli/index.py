"""`recollect index`: read the repository and make it searchable."""

from __future__ import annotations

from pathlib import Path

import click

from recollect.cli.options import examples, json_option, path_option, print_json


@click.command(
    "index",
    epilog=examples(
        "recollect index",
        "recollect index ../other-repository",
        "recollect index --full --json",
    ),
)
@click.argument("folder_argument", metavar="[PATH]", required=False, type=click.Path(path_type=Path))
@path_option
@click.option("--full", is_flag=True, help="Build everything anew instead of only what changed.")
@json_option
def command(folder_argument: Path | None, folder: Path | None, full: bool, as_json: bool) -> None:
    """Read the repository and make it searchable.

    The first run reads everything; later runs read again only what changed by content.
    """
    from recollect import engine
    from recollect.cli import render
    from recollect.cli.progress import ProgressBar

    if folder_argument and folder and folder_argument.resolve() != folder.resolve():
        raise click.UsageError(
            f"PATH is {folder_argument} and --path is {folder}; give one folder.", click.get_current_context()
        )
    with engine.open(folder_argument or folder) as project, ProgressBar() as progress:
        report = project.index(progress=progress, full=full)
    if as_json:
        print_json(report.to_dict())
    else:
        click.echo("\n".join(render.report_lines(report)))
