"""Finds the numbers of memories by what they carry: words, labels, tags, entities and metadata."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from recollect.store.memories import SORTS, ShelfRow
from recollect.store.postgres.memory_words import kept
from recollect.store.postgres.session import Session

_REPEATED = 4
"""So often, at most, stands a word in a memory among the newest before all are looked at."""
NAMED = (
    'space = $1 AND key = hashtextextended(asked.name COLLATE "C", asked.sort) AND label.sort = asked.sort '
    "AND label.name = asked.name"
)
"""The condition that a label is the one that was asked for; its key is a hash, since a name may be long."""


class MemoryLookup(Session):
    """Looks up which memories carry something."""

    def occurrences(self, word: str) -> np.ndarray:
        """Return the numbers of the memories that hold a stem, once for each time that they do."""
        return self.all_occurrences([word])[word]

    def all_occurrences(self, words: Sequence[str]) -> dict[str, np.ndarray]:
        """Return the same for many stems."""
        sql = (
            "SELECT p.stem, p.numbers FROM unnest($2::text[]) AS asked (stem) CROSS JOIN LATERAL "
            "(SELECT stem, numbers FROM posting WHERE space = $1 AND stem = asked.stem OFFSET 0) AS p"
        )
        parts: dict[str, list[bytes]] = {kept(word): [] for word in words}
        for stem, numbers in self.rows(sql, (list(parts),)):
            parts[stem].append(numbers)
        return {word: np.frombuffer(b"".join(parts[kept(word)]), "<i4").astype(np.int64) for word in words}

    def newest_with(self, _word: str, stem: str, most: int, /) -> np.ndarray:
        """Return the numbers of the newest memories that hold a word or another one of its stem, in rising order."""
        # Each part holds at least one, and the newest at its end.
        sql = (
            "SELECT substr(numbers, greatest(octet_length(numbers) - $3 + 1, 1)), octet_length(numbers) > $3 "
            "FROM posting WHERE space = $1 AND stem = $2 ORDER BY last DESC LIMIT $4"
        )
        rows = self.rows(sql, (kept(stem), 4 * _REPEATED * most, most))
        found = np.unique(np.frombuffer(b"".join(row[0] for row in rows), "<i4"))
        if len(found) < most and any(more for _, more in rows):
            found = np.unique(self.occurrences(stem))
        return found[-most:].astype(np.int64)

    def labels(self, sort: str) -> dict[str, int]:
        """Return the number of every name of a sort."""
        sql = "SELECT name, number FROM label WHERE space = $1 AND sort = $2"
        return dict(self.rows(sql, (SORTS.index(sort),)))

    def label(self, sort: str, name: str) -> int | None:
        """Return the number of a name, None when it was never stored."""
        sql = (
            f"SELECT number FROM (SELECT $2::smallint, $3::text) AS asked (sort, name) JOIN label ON {NAMED}"
        )
        row = self.row(sql, (SORTS.index(sort), name))
        return None if row is None else int(row[0])

    def tagged(self, tag: int) -> list[int]:
        """Return the numbers of the memories with a tag."""
        return [
            row[0] for row in self.rows("SELECT memory FROM tagged WHERE space = $1 AND tag = $2", (tag,))
        ]

    def mentioning(self, entity: int) -> list[int]:
        """Return the numbers of the memories that mention an entity."""
        sql = "SELECT memory FROM mention WHERE space = $1 AND entity = $2"
        return [row[0] for row in self.rows(sql, (entity,))]

    def mentions(self, number: int) -> list[tuple[str, str]]:
        """Return kind and name of what a memory mentions."""
        sql = (
            "SELECT l.sort, l.name FROM mention m JOIN label l ON l.space = m.space AND l.number = m.entity "
            "WHERE m.space = $1 AND m.memory = $2 ORDER BY l.sort, l.name"
        )
        return [(SORTS[sort].partition(":")[2], name) for sort, name in self.rows(sql, (number,))]

    def having(self, key: str, value: object) -> list[int]:
        """Return the numbers of the memories whose metadata has a value under a key."""
        wanted = _plain(value)
        return [number for number, found in self.values_of(key) if found == wanted]

    def values_of(self, key: str) -> list[tuple[int, object]]:
        """Return number and value of every memory whose metadata says something under a key; lists as JSON."""
        bare = key.replace('"', "")
        sql = (
            "SELECT number, metadata FROM memory WHERE space = $1 AND metadata IS NOT NULL "
            "AND strpos(metadata, $2) > 0 ORDER BY number"
        )
        found = []
        for number, text in self.rows(sql, (json.dumps(bare, ensure_ascii=False),)):
            metadata = json.loads(text)
            value = _plain(metadata.get(bare)) if isinstance(metadata, dict) else None
            if value is not None:
                found.append((number, value))
        return found

    def numbers_where(self, column: str, operator: str, value: int) -> list[int]:
        """Return the numbers of the memories whose column compares so with a value."""
        assert column in ShelfRow._fields
        assert operator in {"=", "<", ">="}
        sql = f"SELECT number FROM memory WHERE space = $1 AND {column} {operator} $2"
        return [row[0] for row in self.rows(sql, (value,))]


def _plain(value: Any) -> Any:
    """Return a value as SQLite would find it inside JSON, so that both stores compare alike."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return value
