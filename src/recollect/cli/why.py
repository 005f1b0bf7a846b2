"""`recollect why`: why a symbol ranks where it does for a task, or why it is not there."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from recollect.cli.options import (
    examples,
    json_option,
    overrides,
    path_option,
    print_json,
    profile_option,
    set_option,
    typed,
)

if TYPE_CHECKING:
    from recollect.types import Explanation

ABSENT = 1


@click.command(
    "why",
    epilog=examples(
        'recollect why "make the retry policy configurable" RetryPolicy',
        'recollect why "retry" Client.send --profile knowing --set fuse.rrf.limit=20',
        'recollect why "retry" Client.send --trace-diff knowing',
    ),
)
@click.argument("task")
@click.argument("symbol")
@path_option
@profile_option
@set_option
@click.option(
    "--budget", type=click.IntRange(min=0), metavar="N", help="The budget of the answer to explain."
)
@click.option("--no-tests", is_flag=True, help="Explain an answer that leaves test code out.")
@click.option("--trace-diff", "other", metavar="PROFILE", help="Show what this profile would change as well.")
@json_option
def command(
    task: str,
    symbol: str,
    folder: Path | None,
    profile: str | None,
    settings: tuple[str, ...],
    other: str | None,
    as_json: bool,
    **asked: Any,
) -> int:
    """Explain why a symbol ranks where it does for a task, or why it is not there.

    SYMBOL is a name, a qualified name, a path or an id. Every stage of the ranking says what it did to
    it. For a symbol that is not in the answer it says where it was lost, to whom, and what would have kept
    it. Exit code 1 means that it is not in the answer.
    """
    from recollect import engine
    from recollect.cli.progress import ProgressBar

    with engine.open(folder) as project:
        with ProgressBar() as progress:
            project.ready(progress)
        own = overrides(settings) | ({"include_tests": False} if asked["no_tests"] else {})
        found = project.why(typed(task), typed(symbol), profile, budget=asked["budget"], **own)
        changes = project.trace_diff(typed(task), profile or engine.PROFILE, other, **own) if other else None
    if as_json:
        print_json(found.to_dict() | ({} if changes is None else {"trace_diff": changes}))
    else:
        _print(found, changes, other or "")
    return 0 if found.packed else ABSENT


def _print(found: Explanation, changes: list[dict[str, Any]] | None, other: str) -> None:
    from recollect.cli import waterfall

    lines = waterfall.explanation_lines(found)
    if changes is not None:
        lines += ["", *waterfall.changes_lines(changes, found.profile, other)]
    click.echo("\n".join(lines))
