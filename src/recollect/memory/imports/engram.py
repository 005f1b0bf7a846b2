"""Memories of engram: its database and its export."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from recollect.memory.imports.naming import kind_of, names
from recollect.memory.imports.taken import KEY, Taken, mapping, plain, share
from recollect.store.memories import LAYERS
from recollect.store.sqlite.foreign import open_foreign

_MORE = ("source_type", "access_count", "emotional_valence")


def read_database(path: Path) -> Taken:
    """Read the table memories; what was forgotten there stays forgotten."""
    with open_foreign(path) as file:
        rows = list(file.rows("memories"))
        asked: dict[str, list[str]] = {}
        if "hypothetical_queries" in file.tables():
            for one in file.rows("hypothetical_queries"):
                asked.setdefault(str(one["memory_id"]), []).append(str(one["query_text"]))
    return _taken([row for row in rows if not row.get("forgotten")], asked)


def read_export(path: Path) -> Taken:
    """Read what `engram export` writes."""
    return _taken(json.loads(path.read_text("utf-8")).get("memories", ()), {})


def _taken(rows: list[Mapping[str, Any]], asked: Mapping[str, list[str]]) -> Taken:
    return Taken([_row(one, asked.get(str(one["id"]), [])) for one in rows])


def _row(one: Mapping[str, Any], questions: list[str]) -> dict[str, Any]:
    metadata = mapping(one.get("metadata"))
    tags = metadata.pop("tags", [])
    layer = str(one.get("layer") or "")
    more = {name: one.get(name) for name in _MORE} | {"questions": questions}
    fields = {
        "text": one["content"],
        "kind": kind_of(one.get("memory_type")),
        "layer": layer if layer in LAYERS else None,
        "status": names()["engram"]["status"].get(one.get("status")),
        "importance": share(one.get("importance"), 0.5),
        "trust": names()["engram"]["trust"].get(one.get("source_type"), 1.0),
        "tags": [*(tags if isinstance(tags, list) else [tags]), *([] if layer in {*LAYERS, ""} else [layer])],
        "source": one.get("source_file") or "engram",
        "created": one.get("created_at"),
        "valid_from": one.get("fact_date"),
        "valid_until": one.get("fact_date_end"),
        "metadata": plain({**metadata, **more}),
    }
    return plain(fields) | {KEY: str(one["id"])}
