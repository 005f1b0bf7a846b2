"""Reads memories: whole, by label, by sketch, by word, with their links and their history."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

import numpy as np

from recollect.store.memories import Gone, HistoryRow, LinkRow, MemoryRow, ShelfRow
from recollect.store.memory_rows import ABSENT, TAG_JOINT, WHOLE, link_of, memory_of, shelf_table
from recollect.store.sqlite.memory_lookup import MemoryLookup, numbers_in
from recollect.store.sqlite.snapshot import Row
from recollect.store.sqlite.vectors import VectorReading
from recollect.types import EDGE_TYPES

_BATCH = 500
_PAGE = 50_000
_WHOLE = (
    f"SELECT {WHOLE} FROM memory m LEFT JOIN label s ON s.number = m.session "
    "LEFT JOIN label a ON a.number = m.author LEFT JOIN label o ON o.number = m.source "
)
_SHELF = "SELECT {} FROM memory ".format(
    ", ".join(
        f"ifnull({name}, {ABSENT[name]}) AS {name}" if name in ABSENT else name for name in ShelfRow._fields
    )
)
_SHELF_PAGE = "SELECT {} FROM ({}WHERE number > ? ORDER BY number LIMIT ?)".format(
    ", ".join(f"group_concat({name})" for name in ShelfRow._fields), _SHELF
)
_STRONGEST = """
WITH pool AS (SELECT value AS uid FROM json_each(?1)),
either AS (
  SELECT l.source AS one, l.target AS other, l.type, l.detail FROM link l JOIN pool ON pool.uid = l.source
  UNION ALL
  SELECT l.target, l.source, l.type, l.detail FROM link l JOIN pool ON pool.uid = l.target
),
weighed AS (
  SELECT one, other, max(ifnull(json_extract(detail, '$.weight'), 1.0)) AS weight FROM either
  WHERE type <> ?3 GROUP BY one, other
)
SELECT one, other, weight FROM (
  SELECT one, other, weight, row_number() OVER (PARTITION BY one ORDER BY weight DESC, other) AS place FROM weighed
) WHERE place <= ?2 ORDER BY one, place
"""


class MemoryReading(MemoryLookup, VectorReading):
    """Reads memories inside one transaction."""

    def memories(self, numbers: Sequence[int]) -> list[MemoryRow]:
        """Return the memories with these numbers, in the given order, without those that are gone."""
        found: dict[int, MemoryRow] = {}
        for part, marks in _parts(numbers):
            rows = self.rows(f"{_WHOLE}WHERE m.number IN ({marks})", part)
            found.update((row[-1], memory_of(row)) for row in rows)
        return [found[number] for number in numbers if number in found]

    def memory(self, uid: int) -> MemoryRow | None:
        """Return the memory with a uid."""
        row = self.row(f"{_WHOLE}WHERE m.uid = ?", (uid,))
        return None if row is None else memory_of(row)

    def gone(self, uids: Iterable[int]) -> list[Gone]:
        """Return what removing some memories needs to know, from any schema that ever was."""
        sql = "SELECT uid, number, text, tags FROM memory WHERE uid = ?"
        found = [row for uid in uids for row in self.rows(sql, (uid,))]
        return [
            Gone(uid, number, text, tuple(tags.split(TAG_JOINT)) if tags else ())
            for uid, number, text, tags in found
        ]

    def memories_after(self, number: int, limit: int) -> list[MemoryRow]:
        """Return the next memories in the order in which they were written."""
        return [
            memory_of(row)
            for row in self.rows(f"{_WHOLE}WHERE m.number > ? ORDER BY m.number LIMIT ?", (number, limit))
        ]

    def sketched(self, sketch: int, too: int, limit: int) -> list[MemoryRow]:
        """Return memories that share a sketch, which those of nearly the same words do."""
        sql = (
            f"{_WHOLE}WHERE m.number IN (SELECT number FROM memory WHERE sketch = ?1 "
            "UNION SELECT number FROM memory WHERE sketch_too = ?2 LIMIT ?3)"
        )
        return [memory_of(row) for row in self.rows(sql, (sketch, too, limit))]

    def shelf(self, after: int = 0) -> np.ndarray:
        """Return what ranking needs to know of every memory written after one, oldest first."""
        parts = [shelf_table([])]
        while len(page := self._shelf_page(after)):
            parts.append(page)
            after = int(page[:, 0].max())
        return np.concatenate(parts)

    def _shelf_page(self, after: int) -> np.ndarray:
        columns = self.rows(_SHELF_PAGE, (after, _PAGE))[0]
        return np.stack([numbers_in(column) for column in columns], axis=1)

    def shelf_of(self, numbers: Iterable[int]) -> np.ndarray:
        """Return the same of some memories."""
        found: list[Row] = []
        for part, marks in _parts(list(numbers)):
            found += self.rows(f"{_SHELF}WHERE number IN ({marks})", part)
        return shelf_table(found)

    def last_numbers(self) -> tuple[int, int]:
        """Return the highest number of a memory and of a change."""
        row = self.row(
            "SELECT (SELECT max(number) FROM memory), (SELECT seq FROM sqlite_sequence WHERE name = 'history')"
        )
        return (0, 0) if row is None else (row[0] or 0, row[1] or 0)

    def changed_since(self, number: int) -> list[int]:
        """Return the numbers of the memories that were changed after a change."""
        return [
            row[0] for row in self.rows("SELECT DISTINCT memory FROM history WHERE number > ?", (number,))
        ]

    def links(self, uid: int) -> list[LinkRow]:
        """Return the links from and to a memory."""
        sql = (
            "SELECT source, type, target, created, detail FROM link WHERE source = ?1 OR target = ?1 "
            "ORDER BY created, source, type, target"
        )
        return [link_of(row) for row in self.rows(sql, (uid,))]

    def links_by(self, uids: Iterable[int]) -> dict[int, list[LinkRow]]:
        """Return the same for many memories."""
        return {uid: self.links(uid) for uid in uids}

    def links_of(self, types: Sequence[str]) -> list[LinkRow]:
        """Return all links of some types."""
        codes = [EDGE_TYPES.index(name) for name in types]
        marks = ", ".join("?" * len(codes))
        sql = f"SELECT source, type, target, created, detail FROM link WHERE type IN ({marks})"
        return [link_of(row) for row in self.rows(sql, codes)]

    def strongest_links(self, uids: Iterable[int], most: int) -> list[tuple[int, int, float]]:
        """Return memory, neighbour and weight of the strongest links of each of some memories, in one query."""
        rows = self.rows(_STRONGEST, (json.dumps(list(uids)), most, EDGE_TYPES.index("mentions")))
        return [(one, other, weight) for one, other, weight in rows]

    def history(self, uid: int) -> list[HistoryRow]:
        """Return what happened to a memory, oldest first."""
        sql = "SELECT uid, memory, time, action, detail, number FROM history WHERE uid = ? ORDER BY number"
        return [HistoryRow._make((*row[:4], row[4] or "", row[5])) for row in self.rows(sql, (uid,))]


def _parts(numbers: Sequence[int]) -> Iterable[tuple[Sequence[int], str]]:
    for start in range(0, len(numbers), _BATCH):
        part = numbers[start : start + _BATCH]
        yield part, ", ".join("?" * len(part))
