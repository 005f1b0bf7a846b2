"""`recollect impact`: who would notice a change of a symbol, and how sure that is."""

from __future__ import annotations

from pathlib import Path

import click

from recollect.cli.options import examples, json_option, path_option, print_json, typed


@click.command(
    "impact",
    epilog=examples(
        "recollect impact Client.send",
        "recollect impact Client.send --direction callees --depth 1",
        "recollect impact src/client.py:Client.send --json",
    ),
)
@click.argument("symbol")
@path_option
@click.option(
    "--direction",
    type=click.Choice(["callers", "callees"]),
    default="callers",
    show_default=True,
    help="What depends on the symbol, or what it depends on.",
)
@click.option(
    "--depth", type=click.IntRange(1, 20), default=3, show_default=True, help="How many steps to follow."
)
@json_option
def command(symbol: str, folder: Path | None, direction: str, depth: int, as_json: bool) -> int:
    """Show what calls a symbol, or what it calls, step by step.

    Every line says how the relation is known and how sure it is. Exit code 1 means that the symbol is
    unknown or that nothing is related to it.
    """
    from recollect import engine
    from recollect.cli import render
    from recollect.cli.progress import ProgressBar

    with engine.open(folder) as project:
        with ProgressBar() as progress:
            project.ready(progress)
        impact = project.impact(typed(symbol), direction=direction, depth=depth)
    if as_json:
        print_json(impact.to_dict())
    else:
        click.echo("\n".join(render.impact_lines(impact)))
    return 0 if impact.reached else 1
