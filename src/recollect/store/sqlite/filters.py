"""Turns Filters into conditions on the item (i) and file (f) tables."""

from __future__ import annotations

from typing import Any

from recollect.errors import UsageError
from recollect.ports import Filters
from recollect.store.sqlite.snapshot import Snapshot

_AFTER_ALL = "\U0010ffff"
_NO_CODE = -1


def conditions(filters: Filters, snapshot: Snapshot) -> tuple[str, list[Any]]:
    """Return SQL that starts with AND, or nothing, and its parameters."""
    if filters.metadata:
        keys = ", ".join(sorted(filters.metadata))
        raise UsageError(
            f"The code index keeps no metadata, so it cannot filter by {keys}; leave that filter out."
        )
    sql, parameters = "", list[Any]()
    if filters.kinds:
        sql += f" AND i.kind IN ({_marks(len(filters.kinds))})"
        codes = (snapshot.code(kind) for kind in sorted(filters.kinds))
        parameters += [_NO_CODE if code is None else code for code in codes]
    if filters.languages:
        sql += f" AND f.language IN ({_marks(len(filters.languages))})"
        parameters += sorted(filters.languages)
    if filters.path_prefixes:
        sql += f" AND ({' OR '.join('(f.path >= ? AND f.path < ?)' for _ in filters.path_prefixes)})"
        for prefix in filters.path_prefixes:
            parameters += [prefix, prefix + _AFTER_ALL]
    if not filters.include_tests:
        sql += " AND i.test = 0 AND f.test = 0"
    return sql, parameters


def _marks(count: int) -> str:
    return ", ".join("?" * count)
