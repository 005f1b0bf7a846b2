"""`recollect profile`: list, show and compare the ways of ranking."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from recollect.cli.evidence_lines import wrapped
from recollect.cli.offers import profiles
from recollect.cli.options import examples, json_option, overrides, path_option, print_json, set_option
from recollect.cli.render import WIDTH, style

DIFFERENT = 1


@click.group(
    "profile",
    epilog=examples(
        "recollect profile list",
        "recollect profile show code",
        "recollect profile diff code knowing",
    ),
)
def command() -> None:
    """List, show and compare the ways of ranking.

    A profile names the stages of the pipeline with their parameters. A project's own lie in
    .recollect/profiles/NAME.toml; any key can be overridden for one question with --set.
    """


@command.command("list", epilog=examples("recollect profile list --json"))
@path_option
@json_option
def listed(folder: Path | None, as_json: bool) -> int:
    """List all profiles with what they are for."""
    from recollect import engine

    with engine.open(folder) as project:
        rows = project.profiles()
    if as_json:
        print_json(rows)
    else:
        click.echo("\n".join(line for row in rows for line in _row(row)))
    return 0


@command.command("show", epilog=examples("recollect profile show code --set fuse.linear.limit=100"))
@click.argument("name", shell_complete=profiles)
@path_option
@set_option
@json_option
def show(name: str, folder: Path | None, settings: tuple[str, ...], as_json: bool) -> int:
    """Show every key of a profile, defaults included."""
    from recollect import engine

    with engine.open(folder) as project:
        keys = project.profile(name, **overrides(settings))
    if as_json:
        print_json(keys)
    else:
        click.echo("\n".join(f"{key} = {_value(value)}" for key, value in keys.items()))
    return 0


@command.command("diff", epilog=examples("recollect profile diff code knowing"))
@click.argument("first", shell_complete=profiles)
@click.argument("second", shell_complete=profiles)
@path_option
@json_option
def diff(first: str, second: str, folder: Path | None, as_json: bool) -> int:
    """Show every key in which two profiles differ; exit code 1 means that they do."""
    from recollect import engine

    with engine.open(folder) as project:
        rows = project.profile_diff(first, second)
    if as_json:
        print_json(rows)
    elif rows:
        changes = [f"{row['key']}: {_value(row[first])} -> {_value(row[second])}" for row in rows]
        click.echo("\n".join(wrapped(changes)))
    else:
        click.echo(f"{first} and {second} say the same.")
    return DIFFERENT if rows else 0


def _row(row: dict[str, Any]) -> list[str]:
    import textwrap

    return [
        style(row["name"], bold=True),
        *textwrap.wrap(row["description"], WIDTH, initial_indent="  ", subsequent_indent="  "),
        *textwrap.wrap(" > ".join(row["stages"]), WIDTH, initial_indent="    ", subsequent_indent="    "),
    ]


def _value(value: Any) -> str:
    import json

    return "not there" if value is None else json.dumps(value, ensure_ascii=False)
