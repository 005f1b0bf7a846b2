"""`recollect context`: pack what a task, files or a change need into a budget of tokens."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from recollect.cli.batch import batch_option, questions
from recollect.cli.options import (
    examples,
    json_option,
    overrides,
    path_option,
    print_json,
    profile_option,
    session_option,
    set_option,
    typed,
)

if TYPE_CHECKING:
    from recollect.engine import Recollect
    from recollect.types import Pack

NOTHING = 1
FORMATS = ("text", "markdown", "xml", "json", "lines")


@click.command(
    "context",
    epilog=examples(
        'recollect context "make the retry policy configurable"',
        "recollect context --files src/client.py src/retry.py --budget 2000",
        "recollect context --base main --format markdown",
        'recollect context "fix the timeout" --format lines --no-tests',
    ),
)
@click.argument("words", nargs=-1, metavar="[TASK]")
@path_option
@click.option(
    "--files", "first_file", metavar="F...", help="Start from these files; they follow one another."
)
@click.option(
    "--base", metavar="REF", help="Start from what differs from where HEAD left this branch or commit."
)
@click.option("--budget", type=click.IntRange(0), metavar="N", help="Tokens at most, framing included.")
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="text",
    show_default=True,
    help="How it is written.",
)
@click.option("--no-tests", is_flag=True, help="Leave test code out.")
@click.option("--no-memories", is_flag=True, help="Leave out what was remembered.")
@profile_option
@set_option
@session_option
@batch_option
@json_option
def command(
    words: tuple[str, ...],
    first_file: str | None,
    batch: TextIO | None,
    folder: Path | None,
    as_json: bool,
    **options: Any,
) -> int:
    """Pack what a task, files or a change need into a budget of tokens.

    Give a TASK in quotes, or --files with all the paths that follow it, or --base. The budget is a
    ceiling for everything that is printed. --json prints the pack with scores and ids. Exit code 1 means
    that nothing was found.
    """
    from recollect import engine
    from recollect.cli.progress import ProgressBar

    task, files = _split(words, first_file)
    base = options.pop("base")
    if (batch is None) == (task is None and files is None and base is None):
        raise click.UsageError("Give a TASK, --files, --base or --batch FILE.", click.get_current_context())
    form = options.pop("form")
    chosen = _chosen(options)
    with engine.open(folder) as project:
        with ProgressBar() as progress:
            project.ready(progress)
        if batch is not None:
            return _answer_all(project, batch, chosen | {"format": form})
        pack = project.context(task, files=files, base=base, format=form, **chosen)
        if as_json:
            print_json(pack.to_dict())
        else:
            _print(project, pack, form)
    return 0 if pack.items else NOTHING


def _split(words: tuple[str, ...], first_file: str | None) -> tuple[str | None, list[str] | None]:
    """Return the task and the files: with `--files` every loose word is one more file."""
    if first_file is not None:
        return None, [typed(path) for path in (first_file, *words)]
    return (" ".join(map(typed, words)) if words else None), None


def _chosen(options: dict[str, Any]) -> dict[str, Any]:
    """Return the options of the command as arguments of a context."""
    own = overrides(options.pop("settings"))
    told = {"include_tests": not options.pop("no_tests"), "memories": not options.pop("no_memories")}
    return options | told | own


def _answer_all(project: Recollect, batch: TextIO, chosen: dict[str, Any]) -> int:
    found = False
    for name, query in questions(batch):
        pack = project.context(query, **chosen)
        found = found or bool(pack.items)
        print_json({"id": name, **pack.to_dict()})
    return 0 if found else NOTHING


def _print(project: Recollect, pack: Pack, form: str) -> None:
    from recollect.cli.render import colour, plural

    text = project.write(pack, form)
    click.echo(_coloured(pack, text) if form == "text" and colour() else text, nl=False)
    for note in dict.fromkeys((*pack.notes, *pack.degraded)):
        if note in text:
            continue
        click.echo(f"Note: {note}", err=True)
    shown = plural(len(pack.items), "item")
    click.echo(f"{shown} in {pack.tokens} of {pack.budget} tokens; query {pack.query_id}.", err=True)


def _coloured(pack: Pack, text: str) -> str:
    """Return the answer with its places and reasons set off from the code."""
    from recollect.cli.render import style
    from recollect.retrieve.formats.block import packed_block

    titles = {packed_block(item).title for item in pack.items}
    lines = []
    for line in text.split("\n"):
        if line in titles:
            place, _, rest = line.partition(" ")
            lines.append(f"{style(place, fg='cyan')} {style(rest, bold=True)}")
        else:
            lines.append(style(line, dim=True) if line.startswith("  # ") else line)
    return "\n".join(lines)
