"""`recollect feedback`: say which results of an answer were of use."""

from __future__ import annotations

from pathlib import Path
from typing import TextIO

import click

from recollect.cli.memory import global_option, scope_of
from recollect.cli.options import examples, json_option, path_option, print_json
from recollect.cli.render import plural


@click.command(
    "feedback",
    epilog=examples(
        "recollect feedback qa27adc8554c4286f ch5xq3jzv7w2ka",
        "recollect feedback qa27adc8554c4286f ch5xq3jzv7w2ka --useless",
        "recollect feedback q_3b1f6f1c22d8a9e0 mk2wqlcvjdhqce",
        "git diff | recollect feedback --used-in -",
    ),
)
@click.argument("query_id", required=False)
@click.argument("ids", nargs=-1)
@path_option
@click.option("--useless", is_flag=True, help="They were of no use.")
@click.option(
    "--used-in",
    "text",
    type=click.File(encoding="utf-8", errors="replace"),
    metavar="FILE",
    help='An edit or anything else that was read or written, "-" for stdin.',
)
@click.option("--session", default="", metavar="NAME", help="With --used-in: only the answers of this one.")
@global_option
@json_option
def command(
    query_id: str | None,
    ids: tuple[str, ...],
    folder: Path | None,
    useless: bool,
    text: TextIO | None,
    session: str,
    everywhere: bool,
    as_json: bool,
) -> int:
    """Say which results of an answer were of use.

    QUERY_ID and the ids of its results are in the JSON of search, context and recall. With --used-in nothing else is
    needed: whatever was shown in the last ten minutes and is named in the text was of use. Profiles that learn
    rank what was of use higher for questions of the same kind.
    """
    from recollect import engine

    if (text is None) == (query_id is None) or (query_id and not ids) or (text and useless):
        raise click.UsageError("Give QUERY_ID and ids, or --used-in FILE.", click.get_current_context())
    with engine.open(folder) as project:
        if text is not None:
            filed = project.used(text.read(), session)
        else:
            filed = project.feedback(query_id or "", ids, not useless, scope_of(everywhere))
    if as_json:
        print_json({"query_id": query_id or "", "ids": list(filed), "useful": not useless})
    else:
        click.echo(f"Filed {plural(len(filed), 'item')} as {'useless' if useless else 'useful'}.")
    return 0
