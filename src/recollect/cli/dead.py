"""`recollect dead`: functions, methods and types that nothing seems to use, with how sure that is."""

from __future__ import annotations

from pathlib import Path

import click

from recollect.cli.options import examples, json_option, path_option, print_json, typed

NOTHING = 1


@click.command(
    "dead",
    epilog=examples(
        "recollect dead",
        "recollect dead src/shop --least 0.8",
        "recollect dead --least 0 --json",
    ),
)
@click.argument("places", nargs=-1, metavar="[FILE OR FOLDER]...")
@path_option
@click.option(
    "--least", type=click.FloatRange(0, 1), default=0.5, show_default=True, help="How sure it has to be."
)
@click.option("--limit", type=click.IntRange(1), default=50, show_default=True, help="How many are shown.")
@json_option
def command(places: tuple[str, ...], folder: Path | None, least: float, limit: int, as_json: bool) -> int:
    """List functions, methods and types that nothing seems to use.

    Each has a certainty and what it rests on: who uses it by the edges, where else its name stands, whether
    code outside may reach it, and what runs have shown. What only dead code uses is dead too. These are
    candidates: look before you delete. Exit code 1 means that there are none.
    """
    from recollect import engine
    from recollect.cli import evidence_lines
    from recollect.cli.progress import ProgressBar

    with engine.open(folder) as project, ProgressBar() as progress:
        report = project.dead(map(typed, places), least, progress)
    if as_json:
        print_json(report.to_dict())
    else:
        click.echo("\n".join(evidence_lines.dead(report, limit)))
        for line in evidence_lines.wrapped(report.notes):
            click.echo(line, err=True)
    return 0 if report.candidates else NOTHING
