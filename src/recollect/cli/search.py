"""`recollect search`: find code and documentation, one question or a file of them."""

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
    from recollect.types import Hits

NOTHING = 1


@click.command(
    "search",
    epilog=examples(
        'recollect search "where are retries configured"',
        "recollect search Client.send --limit 3",
        "recollect search parse_config --language python --no-tests --json",
        "recollect search RetryPolicy --profile knowing --set fuse.rrf.limit=20",
        "recollect search --batch questions.jsonl",
    ),
)
@click.argument("words", nargs=-1, metavar="QUERY")
@path_option
@click.option(
    "--limit", type=click.IntRange(1, 1000), default=10, show_default=True, help="How many hits at most."
)
@click.option(
    "--language", "languages", multiple=True, metavar="NAME", help="Only this language; may be repeated."
)
@click.option("--kind", "kinds", multiple=True, metavar="KIND", help="Only this kind (class, function, ...).")
@click.option("--under", "path_prefixes", multiple=True, metavar="FOLDER", help="Only files in this folder.")
@click.option("--no-tests", is_flag=True, help="Leave test code out.")
@profile_option
@set_option
@session_option
@batch_option
@json_option
def command(
    words: tuple[str, ...], batch: TextIO | None, folder: Path | None, as_json: bool, **options: Any
) -> int:
    """Find code and documentation.

    A name goes first to what defines it; words go to full text, names and paths, and files are weighed
    as a whole. A stack trace or a diff is read for its places and names. Files that changed since they
    were indexed are read again before they are shown. Exit code 1 means that nothing was found.
    """
    from recollect import engine
    from recollect.cli.progress import ProgressBar

    query = " ".join(map(typed, words))
    if bool(query) == (batch is not None):
        raise click.UsageError("Give either a QUERY or --batch FILE.", click.get_current_context())
    chosen = _chosen(options)
    with engine.open(folder) as project:
        with ProgressBar() as progress:
            project.ready(progress)
        if batch is not None:
            return _answer_all(project, batch, chosen)
        hits = project.search(query, **chosen)
    if as_json:
        print_json(answer(hits))
    else:
        _print(hits, query)
    return 0 if hits.hits else NOTHING


def _chosen(options: dict[str, Any]) -> dict[str, Any]:
    """Return the options of the command as arguments of a search."""
    own = overrides(options.pop("settings"))
    profile = options.pop("profile")
    chosen = options | {"include_tests": not options.pop("no_tests")} | own
    return chosen | ({"profile": profile} if profile else {})


def answer(hits: Hits) -> dict[str, Any]:
    """Return the documented JSON of an answer."""
    return {
        "query_id": hits.query_id,
        "profile": hits.profile,
        "channels": list(hits.channels),
        "degraded": list(hits.degraded),
        "hits": [hit.to_dict() for hit in hits.hits],
    }


def _answer_all(project: Recollect, batch: TextIO, chosen: dict[str, Any]) -> int:
    found = False
    for name, query in questions(batch):
        hits = project.search(query, **chosen)
        found = found or bool(hits.hits)
        print_json({"id": name, **answer(hits)})
    return 0 if found else NOTHING


def _print(hits: Hits, query: str) -> None:
    from recollect.cli import render

    notes = [note for note in hits.degraded if hits.hits or not note.startswith("Nothing matches")]
    for note in notes:
        click.echo(f"Note: {note}", err=True)
    if hits.reread:
        click.echo(f"Note: {render.plural(len(hits.reread), 'changed file')} read again.", err=True)
    if hits.hits:
        click.echo("\n".join(render.hits_lines(hits)))
    elif not notes:
        click.echo(f"Nothing found for {render.cut(query, 50)!r}; try fewer or other words.", err=True)
