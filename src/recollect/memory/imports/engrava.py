"""Thoughts and edges of engrava: its database, its export and its snapshot."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from recollect.memory.imports.naming import kind_of, names
from recollect.memory.imports.taken import KEY, Taken, mapping, plain, share
from recollect.store.sqlite.foreign import open_foreign

_MORE = ("thought_type", "source_type", "visibility", "provenance", "action_outcome_score")


def read_database(path: Path) -> Taken:
    """Read the tables thought and edge."""
    with open_foreign(path) as file:
        edges = file.rows("edge") if "edge" in file.tables() else ()
        return _taken(file.rows("thought"), edges)


def read_export(path: Path) -> Taken:
    """Read what `engrava export` writes."""
    found = json.loads(path.read_text("utf-8"))
    return _taken(found.get("thoughts", ()), found.get("edges", ()))


def read_snapshot(path: Path) -> Taken:
    """Read what `engrava snapshot` writes: a line for each record."""
    records = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
    thoughts = (one["data"] for one in records if one.get("_type") == "thought")
    return _taken(thoughts, (one["data"] for one in records if one.get("_type") == "edge"))


def _taken(thoughts: Iterable[Mapping[str, Any]], edges: Iterable[Mapping[str, Any]]) -> Taken:
    taken = Taken([_row(one) for one in thoughts])
    for edge in edges:
        one, two, name = str(edge["from_thought_id"]), str(edge["to_thought_id"]), str(edge["edge_type"])
        if name == "CONTESTED_BY":
            taken.links.append((two, "contests", one))
        else:
            taken.links.append((one, names()["engrava"]["links"].get(name, "see_also"), two))
    return taken


def _row(one: Mapping[str, Any]) -> dict[str, Any]:
    more = {name: one.get(name) for name in _MORE}
    if one.get("essence") != one.get("content"):
        more["essence"] = one.get("essence")
    cycle = one.get("updated_cycle")
    more["cycle"] = one.get("created_cycle") if cycle is None else cycle
    fields = {
        "text": one["content"],
        "kind": kind_of(one.get("thought_type")) or "fact",
        "priority": one.get("priority"),
        "status": "archived" if one.get("lifecycle_status") == "ARCHIVED" else None,
        "trust": share(one.get("confidence"), 1.0),
        "source": one.get("source") or "engrava",
        "created": one.get("created_at"),
        "expires": one.get("expires_at"),
        "valid_from": one.get("valid_from"),
        "valid_until": one.get("valid_until"),
        "seen": 1 + int(one.get("confirmation_count") or 0),
        "pinned": bool(one.get("pinned")) or None,
        "metadata": plain({**mapping(one.get("metadata_json")), **more}),
    }
    return plain(fields) | {KEY: str(one["thought_id"])}
