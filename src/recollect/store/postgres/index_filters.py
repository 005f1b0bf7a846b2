"""Turns Filters into conditions on the item (i) and file (f) tables of a server."""

from __future__ import annotations

from typing import Any

from recollect.errors import UsageError
from recollect.ports import Filters
from recollect.store.postgres.index_snapshot import Snapshot

_AFTER_ALL = "\U0010ffff"
_NO_CODE = -1


def conditions(filters: Filters, snapshot: Snapshot, parameters: list[Any]) -> str:
    """Return SQL that starts with AND, or nothing; what it needs is added to the parameters, of which `$3` is first."""
    if filters.metadata:
        keys = ", ".join(sorted(filters.metadata))
        raise UsageError(
            f"The code index keeps no metadata, so it cannot filter by {keys}; leave that filter out."
        )

    def given(value: Any, kind: str) -> str:
        parameters.append(value)
        return f"${len(parameters) + 2}::{kind}"

    sql = ""
    if filters.kinds:
        codes = (snapshot.code(kind) for kind in sorted(filters.kinds))
        sql += f" AND i.kind = ANY({given([_NO_CODE if code is None else code for code in codes], 'int[]')})"
    if filters.languages:
        sql += f" AND f.language = ANY({given(sorted(filters.languages), 'text[]')})"
    if filters.path_prefixes:
        ranges = [
            f"(f.path >= {given(prefix, 'text')} AND f.path < {given(prefix + _AFTER_ALL, 'text')})"
            for prefix in filters.path_prefixes
        ]
        sql += f" AND ({' OR '.join(ranges)})"
    if not filters.include_tests:
        sql += " AND NOT i.test AND NOT f.test"
    return sql
