"""Memories of claude-memory, mem0 and the MCP memory server."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from recollect.memory.imports.naming import kind_of
from recollect.memory.imports.taken import KEY, Taken, mapping, plain, share
from recollect.store.sqlite.foreign import open_foreign


def read_claude_memory(path: Path) -> Taken:
    """Read the local database of claude-memory; what is sensitive there is kept elsewhere and left out."""
    with open_foreign(path) as file:
        rows = list(file.rows("memories"))
    secret = sum(bool(one.get("is_sensitive")) for one in rows)
    notes = [f"{secret} sensitive memories were left out; their text is not in the file."] if secret else []
    return Taken([_claude_memory(one) for one in rows if not one.get("is_sensitive")], notes=notes)


def _claude_memory(one: Mapping[str, Any]) -> dict[str, Any]:
    kind = kind_of(one.get("category"))
    fields = {
        "text": one["content"],
        "kind": kind,
        "importance": share(one.get("importance"), 0.5),
        "tags": [*str(one.get("tags") or "").split(","), *([] if kind else [str(one.get("category") or "")])],
        "source": "claude-memory",
        "created": one.get("created_at"),
        "metadata": plain({"keywords": one.get("expanded_keywords")}),
    }
    return plain(fields) | {KEY: str(one["id"])}


def read_mem0_history(path: Path) -> Taken:
    """Read mem0's history: the last state of every memory that was not deleted."""
    with open_foreign(path) as file:
        last: dict[str, dict[str, Any]] = {}
        for one in file.rows("history"):
            first = last.get(str(one["memory_id"]), one)
            last[str(one["memory_id"])] = {**one, "created_at": first.get("created_at")}
    kept = [one for one in last.values() if one.get("event") != "DELETE" and not one.get("is_deleted")]
    return Taken([_mem0({**one, "memory": one["new_memory"], "id": one["memory_id"]}) for one in kept])


def read_mem0_export(path: Path) -> Taken:
    """Read what `Memory.get_all()` returns, written as JSON."""
    found = json.loads(path.read_text("utf-8"))
    rows = found.get("results", ()) if isinstance(found, Mapping) else found
    return Taken([_mem0(one) for one in rows])


def _mem0(one: Mapping[str, Any]) -> dict[str, Any]:
    more = {name: one.get(name) for name in ("user_id", "agent_id", "run_id", "actor_id", "role")}
    fields = {
        "text": one["memory"],
        "tags": one.get("categories"),
        "source": "mem0",
        "created": one.get("created_at"),
        "expires": one.get("expiration_date"),
        "metadata": plain({**mapping(one.get("metadata")), **more}),
    }
    return plain(fields) | {KEY: str(one["id"])}


def read_mcp_memory(path: Path) -> Taken:
    """Read the graph of the MCP memory server: a memory for each observation and each relation."""
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
    taken = Taken()
    for one in lines:
        taken.rows += _entity(one) if one.get("type") == "entity" else _relation(one)
    return taken


def _entity(one: Mapping[str, Any]) -> Iterable[dict[str, Any]]:
    name, sort = str(one["name"]), str(one.get("entityType") or "")
    told = [f"{name}: {text}" for text in one.get("observations") or ()] or [f"{name} is a {sort}."]
    for text in told:
        tags = [sort] if sort else []
        yield {"text": text, "tags": tags, "source": "mcp-memory", "metadata": plain({"entity": name})}


def _relation(one: Mapping[str, Any]) -> Iterable[dict[str, Any]]:
    if one.get("type") == "relation":
        relation = {name: str(one[name]) for name in ("from", "relationType", "to")}
        text = f"{relation['from']} {relation['relationType'].replace('_', ' ')} {relation['to']}."
        yield {"text": text, "source": "mcp-memory", "metadata": {"relation": relation}}
