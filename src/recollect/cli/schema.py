"""`recollect schema`: what `--json` prints, as JSON Schema; the schemas are the files in the folder `schemas`."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from typing import Any

import click

from recollect.cli.options import examples, json_option, print_json
from recollect.config import suggest

SHARED = "shared.json#/$defs/"


@click.command(
    "schema",
    epilog=examples("recollect schema", "recollect schema search", "recollect schema bench compare"),
)
@click.argument("words", nargs=-1, metavar="[COMMAND]")
@json_option
def command(words: tuple[str, ...], as_json: bool) -> None:
    """Print the JSON Schema of what a COMMAND prints with --json.

    Without a COMMAND it lists those that have one. Keys are only ever added.
    """
    known = names()
    if not words:
        print_json(known) if as_json else click.echo("\n".join(known))
        return
    name = " ".join(words)
    if name not in known:
        raise click.UsageError(
            f"No schema is called '{name}'.{suggest(name, known)} `recollect schema` lists them."
        )
    click.echo(json.dumps(schema(name), indent=2, ensure_ascii=False))


def names() -> list[str]:
    """Return the commands that have a schema, as the help lists them."""
    from recollect.cli.app import COMMANDS

    folder = files("recollect.cli").joinpath("schemas")
    found = {file.name.removesuffix(".json").replace("-", " ") for file in folder.iterdir()} - {"shared"}
    order = list(COMMANDS)
    return sorted(found, key=lambda name: (order.index(name.split()[0]), name))


def schema(name: str) -> dict[str, Any]:
    """Return the schema of a command, with what it shares with others in it."""
    found = _read(name.replace(" ", "-"))
    shared, used = shared_parts(), set[str]()
    waiting = _named(found)
    while waiting:
        part = waiting.pop()
        if part not in used:
            used.add(part)
            waiting |= _named(shared[part])
    parts = {"$defs": {part: shared[part] for part in sorted(used)}} if used else {}
    whole: dict[str, Any] = json.loads(json.dumps(found | parts).replace(SHARED, "#/$defs/"))
    return whole


def shared_parts() -> dict[str, Any]:
    """Return what several schemas name."""
    parts: dict[str, Any] = _read("shared")["$defs"]
    return parts


def _read(name: str) -> dict[str, Any]:
    file = files("recollect.cli").joinpath("schemas", f"{name}.json")
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return found


def _named(part: dict[str, Any]) -> set[str]:
    return set(re.findall(rf'"{re.escape(SHARED)}(\w+)"', json.dumps(part)))
