"""Reads memories: whole, by label, by sketch, with their links and their history."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from recollect.store.memories import Gone, HistoryRow, LinkRow, MemoryRow, ShelfRow
from recollect.store.memory_rows import ABSENT, TAG_JOINT, WHOLE, link_of, memory_of, shelf_table
from recollect.store.postgres.memory_lookup import MemoryLookup
from recollect.types import EDGE_TYPES

_LABEL = "(SELECT l.name FROM label l WHERE l.space = $1 AND l.number = m.{})"
_WHOLE = (
    WHOLE.replace("s.name", _LABEL.format("session"))
    .replace("a.name", _LABEL.format("author"))
    .replace("o.name", _LABEL.format("source"))
)
SELECT_WHOLE = f"SELECT {_WHOLE} FROM memory m WHERE m.space = $1 AND "
SELECT_KEYED = (
    f"SELECT {_WHOLE} FROM ({{}}) AS asked (value) "
    "CROSS JOIN LATERAL (SELECT * FROM memory WHERE space = $1 AND {} = asked.value OFFSET 0) AS m"
)
"""Whole memories by values of one column, each found by its key whatever the server believes of the table."""
_NUMBERED = SELECT_KEYED.format("SELECT unnest($2::bigint[])", "number")
_PAGE = 50_000
_SHELF = "SELECT {} FROM memory WHERE space = $1 AND ".format(
    ", ".join(f"coalesce({name}, {ABSENT[name]})" if name in ABSENT else name for name in ShelfRow._fields)
)


class MemoryReading(MemoryLookup):
    """Reads memories inside one transaction."""

    def memories(self, numbers: Sequence[int]) -> list[MemoryRow]:
        """Return the memories with these numbers, in the given order, without those that are gone."""
        rows = self.rows(_NUMBERED, (list({int(one) for one in numbers}),)) if len(numbers) else []
        found = {row[-1]: memory_of(row) for row in rows}
        return [found[number] for number in numbers if number in found]

    def memory(self, uid: int) -> MemoryRow | None:
        """Return the memory with a uid."""
        row = self.row(f"{SELECT_WHOLE}m.uid = $2", (uid,))
        return None if row is None else memory_of(row)

    def gone(self, uids: Iterable[int]) -> list[Gone]:
        """Return what removing some memories needs to know."""
        sql = "SELECT uid, number, text, tags FROM memory WHERE space = $1 AND uid = ANY($2::bigint[])"
        return [
            Gone(uid, number, text, tuple(tags.split(TAG_JOINT)) if tags else ())
            for uid, number, text, tags in self.rows(sql, (list(uids),))
        ]

    def memories_after(self, number: int, limit: int) -> list[MemoryRow]:
        """Return the next memories in the order in which they were written."""
        rows = self.rows(f"{SELECT_WHOLE}m.number > $2 ORDER BY m.number LIMIT $3", (number, limit))
        return [memory_of(row) for row in rows]

    def sketched(self, sketch: int, too: int, limit: int) -> list[MemoryRow]:
        """Return memories that share a sketch, which those of nearly the same words do."""
        sql = (
            f"{SELECT_WHOLE}m.number IN (SELECT number FROM memory WHERE space = $1 AND sketch = $2 "
            "UNION SELECT number FROM memory WHERE space = $1 AND sketch_too = $3 ORDER BY 1 LIMIT $4) "
            "ORDER BY m.number"
        )
        return [memory_of(row) for row in self.rows(sql, (sketch, too, limit))]

    def shelf(self, after: int = 0) -> np.ndarray:
        """Return what ranking needs to know of every memory written after one, oldest first."""
        parts = [shelf_table([])]
        # In pages: a million rows of Python numbers at once would take a gigabyte.
        while True:
            rows = self.rows(f"{_SHELF}number > $2 ORDER BY number LIMIT {_PAGE}", (after,))
            parts.append(shelf_table(rows))
            if len(rows) < _PAGE:
                return np.concatenate(parts)
            after = rows[-1][0]

    def shelf_of(self, numbers: Iterable[int]) -> np.ndarray:
        """Return the same of some memories."""
        wanted = [int(number) for number in numbers]
        return shelf_table(self.rows(f"{_SHELF}number = ANY($2::bigint[])", (wanted,)) if wanted else [])

    def last_numbers(self) -> tuple[int, int]:
        """Return the highest number that a memory and a change ever had."""
        counters = self.counters("memory")
        return counters.get("memory", 0), counters.get("history", 0)

    def changed_since(self, number: int) -> list[int]:
        """Return the numbers of the memories that were changed after a change."""
        sql = "SELECT DISTINCT memory FROM history WHERE space = $1 AND number > $2"
        return [row[0] for row in self.rows(sql, (number,))]

    def links(self, uid: int) -> list[LinkRow]:
        """Return the links from and to a memory."""
        return self.links_by([uid])[uid]

    def links_by(self, uids: Iterable[int]) -> dict[int, list[LinkRow]]:
        """Return the same for many memories."""
        sql = (
            "SELECT l.* FROM unnest($2::bigint[]) AS asked (uid) CROSS JOIN LATERAL ("
            "SELECT source, type, target, created, detail FROM link WHERE space = $1 AND source = asked.uid UNION "
            "SELECT source, type, target, created, detail FROM link WHERE space = $1 AND target = asked.uid) AS l "
            "ORDER BY created, source, type, target"
        )
        found: dict[int, list[LinkRow]] = {uid: [] for uid in uids}
        links = dict.fromkeys(link_of(row) for row in self.rows(sql, (list(found),)))
        for link in links:
            for uid in {link.source, link.target} & found.keys():
                found[uid].append(link)
        return found

    def links_of(self, types: Sequence[str]) -> list[LinkRow]:
        """Return all links of some types."""
        sql = (
            "SELECT source, type, target, created, detail FROM link WHERE space = $1 AND type = ANY($2::smallint[]) "
            "ORDER BY source, type, target"
        )
        return [link_of(row) for row in self.rows(sql, ([EDGE_TYPES.index(name) for name in types],))]

    def strongest_links(self, uids: Iterable[int], most: int) -> list[tuple[int, int, float]]:
        """Return memory, neighbour and weight of the strongest links of each of some memories."""
        sql = (
            "SELECT source, target, detail FROM link WHERE space = $1 AND source = ANY($2::bigint[]) AND type <> $3 "
            "UNION ALL "
            "SELECT target, source, detail FROM link WHERE space = $1 AND target = ANY($2::bigint[]) AND type <> $3"
        )
        pool = list(dict.fromkeys(uids))
        weights: dict[int, dict[int, float]] = {}
        for one, other, detail in self.rows(sql, (pool, EDGE_TYPES.index("mentions"))):
            known = weights.setdefault(one, {})
            known[other] = max(known.get(other, 0.0), _weight(detail))
        return [
            (one, other, weight)
            for one in sorted(weights)
            for other, weight in sorted(weights[one].items(), key=lambda pair: (-pair[1], pair[0]))[:most]
        ]

    def history(self, uid: int) -> list[HistoryRow]:
        """Return what happened to a memory, oldest first."""
        sql = (
            "SELECT uid, memory, time, action, detail, number FROM history "
            "WHERE space = $1 AND uid = $2 ORDER BY number"
        )
        return [HistoryRow._make((*row[:4], row[4] or "", row[5])) for row in self.rows(sql, (uid,))]

    def meta(self, key: str) -> str | None:
        """Return the value that was kept under a key."""
        found = self.row("SELECT value FROM memory_meta WHERE space = $1 AND key = $2", (key,))
        return None if found is None else str(found[0])


def _weight(detail: str | None) -> float:
    found: Any = json.loads(detail).get("weight") if detail else None
    return 1.0 if found is None else float(found)
