"""`recollect doctor`: look for damage and repair it."""

from __future__ import annotations

from pathlib import Path

import click

from recollect.cli.options import examples, json_option, path_option, print_json


@click.command("doctor", epilog=examples("recollect doctor", "recollect doctor --repair"))
@path_option
@click.option("--repair", is_flag=True, help="Mend what can be mended; memories are never thrown away.")
@json_option
def command(folder: Path | None, repair: bool, as_json: bool) -> int:
    """Look for damage, and with --repair mend it.

    Exit code 1 means that something is wrong and was not repaired.
    """
    from recollect import engine
    from recollect.cli import render
    from recollect.cli.progress import ProgressBar

    with engine.open(folder) as project, ProgressBar() as progress:
        diagnosis = project.doctor(repair=repair, progress=progress)
    if as_json:
        print_json(diagnosis.to_dict())
    else:
        click.echo("\n".join(render.diagnosis_lines(diagnosis)))
    return 0 if diagnosis.healthy else 1
