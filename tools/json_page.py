"""Writes docs/json.md from the schemas that recollect comes with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from recollect.cli.schema import SHARED, names, schema, shared_parts

PAGE = Path(__file__).resolve().parent.parent / "docs" / "json.md"
HEAD = """# The JSON of each command

`--json` prints one object on one line. Keys are only ever added. Paths are relative to the root and have forward
slashes; lines start at 1 and spans include their last line. With `--batch FILE` one object is printed for each line
of FILE.

`recollect schema COMMAND` prints what stands here as JSON Schema. This page is made of those schemas, and every
`--json` in recollect's own tests is held against them. What several commands print, such as a [hit](#hit), stands at
the end.
"""


def page() -> str:
    """Return the page."""
    parts = [HEAD, *(f"## {name}\n\n{_section(schema(name))}" for name in names())]
    for name, part in shared_parts().items():
        parts.append(f"## {name.capitalize()}\n\n{part['description']}\n\n{_table(part)}")
    return "\n".join(parts)


def stale(write: bool) -> list[Path]:
    """Return the page when it is not what the schemas say; with `write` it is written."""
    wanted = page()
    if PAGE.exists() and PAGE.read_text(encoding="utf-8") == wanted:
        return []
    if write:
        PAGE.write_text(wanted, encoding="utf-8")
    return [PAGE]


def _section(found: Mapping[str, Any]) -> str:
    if "anyOf" in found:
        return "\n".join(_section(one) for one in found["anyOf"])
    said = found.get("description", "")
    if found.get("type") == "array":
        lead = f"A list{': ' + said if said else ''}."
        return f"{lead}\n\n{_table(found['items'])}"
    if "$ref" in found:
        return f"{_type(found)}.\n"
    text = f"{said[:1].upper()}{said[1:].rstrip('.')}.\n" if said else ""
    table = _table(found)
    return "\n".join(filter(None, (text, table)))


def _table(found: Mapping[str, Any]) -> str:
    rows = [f"| `{key}` | {kind} | {said} |" for key, kind, said in _rows(found, "")]
    return "\n".join(["| Key | Type | Meaning |", "|---|---|---|", *rows, ""]) if rows else ""


def _rows(found: Mapping[str, Any], before: str) -> Iterator[tuple[str, str, str]]:
    needed = found.get("required", ())
    for key, value in found.get("properties", {}).items():
        said = value.get("description", "")
        if key not in needed:
            said = f"{said} (not always there)".strip()
        yield f"{before}{key}", _type(value), said.replace("|", "\\|")
        inner, mark = _inside(value)
        yield from _rows(inner, f"{before}{key}{mark}.")
    more = found.get("additionalProperties")
    if isinstance(more, dict) and not before:
        yield "KEY", _type(more), more.get("description", "")


def _inside(value: Mapping[str, Any]) -> tuple[Mapping[str, Any], str]:
    if "items" in value:
        inner, mark = _inside(value["items"])
        return inner, f"[]{mark}"
    more = value.get("additionalProperties")
    if isinstance(more, dict) and "properties" not in value:
        inner, mark = _inside(more)
        return inner, f".KEY{mark}"
    return value, ""


def _type(value: Mapping[str, Any]) -> str:
    if "$ref" in value:
        name = value["$ref"].removeprefix(SHARED).removeprefix("#/$defs/")
        return f"[{name}](#{name})"
    if "anyOf" in value:
        return " or ".join(_type(one) for one in value["anyOf"])
    if "enum" in value:
        return " or ".join(f"`{one}`" for one in value["enum"])
    kind = value.get("type", "any")
    if isinstance(kind, list):
        return " or ".join(kind)
    if kind == "array":
        return f"[{_type(value['items'])}]"
    more = value.get("additionalProperties")
    return f"KEY: {_type(more)}" if kind == "object" and isinstance(more, dict) and more else kind
