"""`recollect enrich`: has language servers or an index prove what the code refers to, or reads git's history."""

from __future__ import annotations

from pathlib import Path

import click

from recollect.cli.options import examples, json_option, path_option, print_json


@click.command(
    "enrich",
    epilog=examples(
        "recollect enrich",
        "recollect enrich --language python --seconds 60",
        "recollect enrich --scip index.scip",
        "recollect enrich --history",
    ),
)
@path_option
@click.option(
    "--language", "languages", multiple=True, metavar="NAME", help="Only this one; may be repeated."
)
@click.option(
    "--scip",
    "indexes",
    multiple=True,
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="FILE",
    help="Take a SCIP index instead of a server; may be repeated.",
)
@click.option(
    "--history", is_flag=True, help="Read git's history instead: what changed when, by whom, with what."
)
@click.option(
    "--commits", type=click.IntRange(1), help="How many of the newest commits count.  [default: 20000]"
)
@click.option(
    "--seconds", type=click.FloatRange(min=1), help="Stop after so long; the next run goes on there."
)
@click.option("--full", is_flag=True, help="Resolve files again that have not changed.")
@json_option
def command(
    folder: Path | None,
    languages: tuple[str, ...],
    indexes: tuple[Path, ...],
    history: bool,
    commits: int | None,
    seconds: float | None,
    full: bool,
    as_json: bool,
) -> int:
    """Have language servers resolve what the code refers to.

    Guesses about names become proven edges, or go. Files are resolved once, and again when they change; a
    server that hangs or dies over a file costs that file. Servers that are installed are used, and what is
    missing is named. With --history no server is started; commits are read once, and servers and
    `recollect watch` do it by themselves. Exit code 1 means that nothing could be resolved or read.
    """
    from recollect import engine
    from recollect.cli import evidence_lines
    from recollect.cli.progress import ProgressBar

    if (history and (languages or indexes or full)) or (commits and not history):
        raise click.UsageError(
            "--history goes with --seconds and --commits only.", click.get_current_context()
        )
    if history:
        with engine.open(folder) as project, ProgressBar() as progress:
            past = project.read_history(seconds, progress, commits)
        if as_json:
            print_json(past.to_dict())
        else:
            click.echo("\n".join(evidence_lines.read(past)))
        return 0 if past.commits else 1
    with engine.open(folder) as project, ProgressBar() as progress:
        report = project.enrich(languages, indexes, seconds, full, progress)
    if as_json:
        print_json(report.to_dict())
    else:
        click.echo("\n".join(evidence_lines.enriched(report)))
    return 0 if any(tool.resolved or tool.known for tool in report.tools) else 1
