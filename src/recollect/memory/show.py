"""Memories as the values that callers get."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from recollect.memory.times import shown
from recollect.store.ids import ID_LENGTH, PREFIXES, id_of
from recollect.store.memories import SENSITIVE, MemoryRow
from recollect.types import Item

_TITLE = 72


def title(text: str) -> str:
    """Return the first line of a text, cut where it is long."""
    line = text.strip().partition("\n")[0].strip()
    return line if len(line) <= _TITLE else f"{line[: _TITLE - 1].rstrip()}\u2026"


def public_id(uid: int) -> str:
    """Return the id of a memory as callers know it."""
    return id_of(uid, "memory")


def is_id(value: Any) -> bool:
    """Tell whether a value is an id that callers know memories by."""
    return isinstance(value, str) and len(value) == ID_LENGTH and value[0] == PREFIXES["memory"]


def facts(row: MemoryRow) -> dict[str, Any]:
    """Return what is known of a memory besides its text; what was never set is left out."""
    known: dict[str, Any] = {
        "layer": row.layer,
        "priority": f"P{row.priority}",
        "status": row.status,
        "importance": row.importance / 100,
        "trust": row.trust / 100,
        "tags": list(row.tags),
        "source": row.source,
        "session": row.session,
        "author": row.author,
        "position": row.position,
        "seen": row.seen,
        "pinned": row.pinned or None,
        "sensitive": bool(row.signs & SENSITIVE) or None,
        "created": shown(row.created),
        "updated": shown(row.updated),
        "valid_from": shown(row.valid_from),
        "valid_until": shown(row.valid_until),
        "expires": shown(row.expires),
        "metadata": json.loads(row.metadata) if row.metadata else {},
    }
    return {key: value for key, value in known.items() if value not in (None, "", [], {})}


def item(row: MemoryRow, more: Mapping[str, Any] | None = None) -> Item:
    """Return a memory as an item."""
    return Item(
        id=public_id(row.uid),
        domain="memory",
        kind=row.kind,
        name=title(row.text),
        text=row.text,
        tokens=(len(row.text) + 3) // 4,
        number=row.number,
        metadata={**facts(row), **(more or {})},
    )
