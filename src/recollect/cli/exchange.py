"""`recollect export` and `import`: memories as files, of recollect and of other programs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TextIO

import click

from recollect.cli.memory import NOTHING, global_option, scope_of
from recollect.cli.options import either, examples, json_option, path_option, print_json

FORMATS = (
    "jsonl", "markdown", "claude-code", "chatgpt", "engrava", "engram", "claude-memory", "mem0", "mcp-memory",
)  # fmt: skip


@click.command(
    "export", epilog=examples("recollect export memories.jsonl", "recollect export --global > all.jsonl")
)
@click.argument("file", type=click.File("w", encoding="utf-8"), default="-")
@path_option
@global_option
@click.option("--json", "as_json", is_flag=True, help="Changes nothing: each line is JSON in any case.")
def export(file: TextIO, folder: Path | None, everywhere: bool, as_json: bool) -> int:
    """Write every memory to FILE, or to stdout, one JSON object a line."""
    import json

    from recollect import engine

    del as_json
    count = 0
    with engine.open(folder) as project:
        for row in project.memories.of(scope_of(everywhere)).export():
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
            count += 1
    click.echo(f"Exported {count} {'memory' if count == 1 else 'memories'}.", err=True)
    return 0 if count else NOTHING


@click.command(
    "import",
    epilog=examples(
        "recollect import memories.jsonl",
        "recollect import notes/ --from markdown",
        "recollect import ~/.claude/projects/-home-me-shop --from claude-code",
        "recollect import conversations.json --redact",
    ),
)
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@path_option
@click.option(
    "--from",
    "format_name",
    metavar="PROGRAM",
    type=click.Choice(FORMATS),
    help=f"What wrote it: {either(FORMATS)}; default: what it looks like.",
)
@click.option("--redact", is_flag=True, help="Blot secrets out instead of leaving their lines out.")
@global_option
@json_option
def import_(
    file: Path, folder: Path | None, format_name: str | None, redact: bool, everywhere: bool, as_json: bool
) -> int:
    """Remember what a FILE of recollect or of another program holds; "-" takes JSON lines from stdin.

    A JSON line has `text` or `content`, and may have session, speaker or author, date, tags, importance and
    whatever else export writes; what is unknown becomes metadata. Importing a file twice adds nothing.
    """
    from recollect import engine

    options = {"scope": scope_of(everywhere), "redact": redact}
    with engine.open(folder) as project:
        if str(file) == "-":
            items, refused = project.memories.import_lines(sys.stdin, "stdin", options)
        else:
            items, refused = project.memories.import_from(file, format_name or "", options)
    actions = [item.metadata["action"] for item in items]
    if as_json:
        print_json(
            {
                "added": actions.count("ADD"),
                "updated": actions.count("UPDATE"),
                "known": actions.count("NOOP"),
                "refused": refused,
                "ids": [item.id for item in items],
            }
        )
    else:
        click.echo(f"{actions.count('ADD')} added, {len(actions) - actions.count('ADD')} known already.")
        for sentence in refused:
            click.echo(f"Note: {sentence}", err=True)
    return 0 if items else NOTHING


commands = {"export": export, "import": import_}
