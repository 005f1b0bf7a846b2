"""Which formats there are, and which one a file has."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from recollect.config import suggest
from recollect.errors import UsageError
from recollect.memory import exchange
from recollect.memory.imports import conversations, engram, engrava, others
from recollect.memory.imports.markdown import read_markdown
from recollect.memory.imports.taken import KEY, Taken
from recollect.memory.show import is_id
from recollect.store.sqlite.foreign import is_database, open_foreign

Read = Callable[[Path], Taken]


def read_jsonl(path: Path) -> Taken:
    """Read what `recollect export` writes, or lines of another program."""
    with path.open(encoding="utf-8-sig") as file:
        return from_lines(list(exchange.lines(file, path.name)), path.name)


def from_lines(lines: list[dict[str, Any]], name: str) -> Taken:
    """Return what lines of JSON hold."""
    rows = list(exchange.rows(lines, name))
    for line, row in zip(lines, rows, strict=True):
        if is_id(line.get("id")):
            row[KEY] = line["id"]
    return Taken(rows, list(exchange.links(lines)))


FORMATS: Mapping[str, tuple[Read, ...]] = {
    "jsonl": (read_jsonl,),
    "markdown": (read_markdown,),
    "claude-code": (conversations.read_claude_code,),
    "chatgpt": (conversations.read_chatgpt,),
    "engrava": (engrava.read_database, engrava.read_export, engrava.read_snapshot),
    "engram": (engram.read_database, engram.read_export),
    "claude-memory": (others.read_claude_memory,),
    "mem0": (others.read_mem0_history, others.read_mem0_export),
    "mcp-memory": (others.read_mcp_memory,),
}


def read(path: Path, format_name: str = "") -> Taken:
    """Read a file in a format, or in the one that it looks like."""
    if format_name and format_name not in FORMATS:
        raise UsageError(
            f"There is no format '{format_name}'.{suggest(format_name, FORMATS)} Formats are {', '.join(FORMATS)}."
        )
    if not path.exists():
        raise UsageError(f"There is no file {path}; nothing was imported.")
    reader = _only(format_name) or _looks_like(path)
    if reader is None or (format_name and reader not in FORMATS[format_name]):
        what = f"looks like no {format_name} file" if format_name else "has no format that is known here"
        raise UsageError(f"{path} {what}; say which of {', '.join(FORMATS)} it is with --from.")
    try:
        return reader(path)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        kind = format_name or next(name for name, readers in FORMATS.items() if reader in readers)
        raise UsageError(f"{path} is no sound {kind} file ({error!r}); nothing was imported.") from error


def _only(format_name: str) -> Read | None:
    readers = FORMATS.get(format_name, ())
    return readers[0] if len(readers) == 1 else None


def _looks_like(path: Path) -> Read | None:
    if path.is_dir():
        return conversations.read_claude_code if any(path.rglob("*.jsonl")) else read_markdown
    if is_database(path):
        return _database(path)
    if zipfile.is_zipfile(path):
        return conversations.read_chatgpt
    if path.suffix.lower() in {".md", ".markdown"}:
        return read_markdown
    text = path.read_text("utf-8-sig", errors="replace").lstrip()
    if text.startswith("["):
        return _document(json_of(text))
    first = json_of(text.partition("\n")[0]) if text.startswith("{") and "}\n" in text else None
    return _line(first) if isinstance(first, dict) else _document(json_of(text))


def json_of(text: str) -> Any:
    """Return what a text says, None when it is no JSON."""
    try:
        return json.loads(text)
    except ValueError:
        return None


def _database(path: Path) -> Read | None:
    with open_foreign(path) as file:
        tables = file.tables()
    if "thought" in tables:
        return engrava.read_database
    columns = tables.get("memories", set())
    if "memory_type" in columns or "hypothetical_queries" in tables:
        return engram.read_database
    if "expanded_keywords" in columns:
        return others.read_claude_memory
    if {"memory_id", "new_memory"} <= tables.get("history", set()):
        return others.read_mem0_history
    if "text_memory" in tables:
        raise UsageError(f"{path} is a database of recollect; export it, and import the export.")
    return None


def _line(first: Mapping[str, Any]) -> Read:
    if first.get("type") in {"entity", "relation"} and ("entityType" in first or "relationType" in first):
        return others.read_mcp_memory
    if "_type" in first:
        return engrava.read_snapshot
    if "sessionId" in first or (
        first.get("type") in {"user", "assistant", "summary"} and "text" not in first
    ):
        return conversations.read_claude_code
    return read_jsonl


def _document(found: Any) -> Read | None:
    if isinstance(found, list):
        rows = [one for one in found[:1] if isinstance(one, Mapping)]
        if rows and "mapping" in rows[0]:
            return conversations.read_chatgpt
        return others.read_mem0_export if rows and "memory" in rows[0] else None
    if not isinstance(found, Mapping):
        return None
    if "thoughts" in found:
        return engrava.read_export
    if "memories" in found:
        return engram.read_export
    if "results" in found:
        return others.read_mem0_export
    return conversations.read_chatgpt if "mapping" in found else _line(found)
