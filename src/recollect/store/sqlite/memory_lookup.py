"""Finds the numbers of memories by what they carry: words, labels, tags, entities and metadata."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import numpy as np

from recollect.store.memories import SORTS, ShelfRow
from recollect.store.sqlite.snapshot import Snapshot


class MemoryLookup(Snapshot):
    """Looks up which memories carry something."""

    def occurrences(self, word: str) -> np.ndarray:
        """Return the numbers of the memories that hold a stem, once for each time that they do."""
        row = self.row("SELECT group_concat(doc) FROM word_memory WHERE term = ?", (word,))
        return numbers_in(None if row is None else row[0])

    def all_occurrences(self, words: Sequence[str]) -> dict[str, np.ndarray]:
        """Return the same for many stems."""
        return {word: self.occurrences(word) for word in words}

    def newest_with(self, word: str, _stem: str, most: int, /) -> np.ndarray:
        """Return the numbers of the newest memories that hold a word or another one of its stem, in rising order."""
        sql = "SELECT rowid FROM text_memory WHERE text_memory MATCH ? ORDER BY rowid DESC LIMIT ?"
        found = self.rows(sql, ('"' + word.replace('"', '""') + '"', most))
        return np.array([row[0] for row in reversed(found)], np.int64)

    def labels(self, sort: str) -> dict[str, int]:
        """Return the number of every name of a sort."""
        return dict(self.rows("SELECT name, number FROM label WHERE sort = ?", (SORTS.index(sort),)))

    def label(self, sort: str, name: str) -> int | None:
        """Return the number of a name, None when it was never stored."""
        row = self.row("SELECT number FROM label WHERE sort = ? AND name = ?", (SORTS.index(sort), name))
        return None if row is None else int(row[0])

    def tagged(self, tag: int) -> list[int]:
        """Return the numbers of the memories with a tag."""
        return [row[0] for row in self.rows("SELECT memory FROM tagged WHERE tag = ?", (tag,))]

    def mentioning(self, entity: int) -> list[int]:
        """Return the numbers of the memories that mention an entity."""
        return [row[0] for row in self.rows("SELECT memory FROM mention WHERE entity = ?", (entity,))]

    def mentions(self, number: int) -> list[tuple[str, str]]:
        """Return kind and name of what a memory mentions."""
        sql = (
            "SELECT l.sort, l.name FROM mention m JOIN label l ON l.number = m.entity "
            "WHERE m.memory = ? ORDER BY l.sort, l.name"
        )
        return [(SORTS[sort].partition(":")[2], name) for sort, name in self.rows(sql, (number,))]

    def having(self, key: str, value: object) -> list[int]:
        """Return the numbers of the memories whose metadata has a value under a key."""
        path = '$."' + key.replace('"', "") + '"'
        sql = "SELECT number FROM memory WHERE metadata IS NOT NULL AND json_extract(metadata, ?) = ?"
        return [row[0] for row in self.rows(sql, (path, value))]

    def values_of(self, key: str) -> list[tuple[int, object]]:
        """Return number and value of every memory whose metadata says something under a key; lists as JSON."""
        path = '$."' + key.replace('"', "") + '"'
        sql = (
            "SELECT number, json_extract(metadata, ?1) FROM memory WHERE metadata IS NOT NULL "
            "AND json_extract(metadata, ?1) IS NOT NULL ORDER BY number"
        )
        return [(number, value) for number, value in self.rows(sql, (path,))]

    def matching(self, match: str, limit: int) -> list[int]:
        """Return the numbers of the best matches of an FTS5 expression."""
        sql = "SELECT rowid FROM text_memory WHERE text_memory MATCH ? ORDER BY rank LIMIT ?"
        return [row[0] for row in self.rows(sql, (match, limit))]

    def numbers_where(self, column: str, operator: str, value: int) -> list[int]:
        """Return the numbers of the memories whose column compares so with a value."""
        assert column in ShelfRow._fields
        assert operator in {"=", "<", ">="}
        return [
            row[0] for row in self.rows(f"SELECT number FROM memory WHERE {column} {operator} ?", (value,))
        ]


def numbers_in(joined: str | None) -> np.ndarray:
    """Return what SQLite joined with commas: one string is read much faster than a row for each number."""
    if joined is None:
        return np.zeros(0, np.int64)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return np.fromstring(joined, dtype=np.int64, sep=",")
