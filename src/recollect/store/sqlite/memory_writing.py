"""Writes memories: rows, words, tags, mentions, links and history, inside one transaction."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

import apsw

from recollect.store.ids import content_of
from recollect.store.memories import KINDS, LAYERS, SORTS, STATUSES, Gone, HistoryRow, LinkRow, MemoryRow
from recollect.store.memory_rows import TAG_JOINT
from recollect.store.sqlite.database import Database
from recollect.store.sqlite.memory_reading import MemoryReading
from recollect.store.sqlite.put_vectors import VectorWriting
from recollect.types import EDGE_TYPES

UNWIPED = "unwiped"
"""Under this key stand the uids that were removed and not yet wiped from the files."""
_COLUMNS = (
    "uid, kind, layer, priority, status, importance, trust, session, position, author, source, created, updated, "
    "accessed, valid_from, valid_until, expires, seen, words, signs, sketch, sketch_too, tags, metadata, pinned, text"
)
_INSERT = f"INSERT INTO memory ({_COLUMNS}) VALUES ({', '.join('?' * 26)}) RETURNING number"
_REPLACE = f"UPDATE memory SET ({_COLUMNS}) = ({', '.join('?' * 26)}) WHERE number = ?"
_WORDS_IN = "INSERT INTO text_memory (rowid, text, tags) VALUES (?, ?, ?)"
_WORDS_OUT = "INSERT INTO text_memory (text_memory, rowid, text, tags) VALUES ('delete', ?, ?, ?)"


class MemoryWriting(MemoryReading, VectorWriting):
    """Writes memories; its own reads see that at once, others once it is committed."""

    def __init__(self, database: Database, connection: apsw.Connection, domain: str) -> None:
        super().__init__(database, connection, domain)
        self._labels: dict[tuple[str, str], int] = {}

    def add(self, row: MemoryRow, mentions: Iterable[tuple[str, str]]) -> int:
        """Write a new memory with what it mentions; return its number."""
        tags = TAG_JOINT.join(row.tags) or None
        number = int(self.rows(_INSERT, self._values(row, tags))[0][0])
        self.change(_WORDS_IN, (number, row.text, tags))
        self._connect(number, row, mentions)
        return number

    def replace(self, old: MemoryRow, new: MemoryRow, mentions: Iterable[tuple[str, str]] | None) -> None:
        """Write a memory over its old self; its mentions stay as they are when none are given."""
        tags = TAG_JOINT.join(new.tags) or None
        self.change(_REPLACE, (*self._values(new, tags), old.number))
        if (old.text, old.tags) != (new.text, new.tags):
            self.change(_WORDS_OUT, (old.number, old.text, TAG_JOINT.join(old.tags) or None))
            self.change(_WORDS_IN, (old.number, new.text, tags))
        if old.tags != new.tags:
            self.change("DELETE FROM tagged WHERE memory = ?", (old.number,))
        if mentions is not None:
            self.change("DELETE FROM mention WHERE memory = ?", (old.number,))
        self._connect(old.number, new, mentions or ())

    def count_again(self, number: int, time: int) -> None:
        """Note that a memory was written once more with the same words."""
        self.change("UPDATE memory SET seen = seen + 1, updated = ? WHERE number = ?", (time, number))

    def set_status(self, number: int, status: str, time: int) -> None:
        """Give a memory another status."""
        sql = "UPDATE memory SET status = ?, updated = ? WHERE number = ?"
        self.change(sql, (STATUSES.index(status), time, number))

    def put_link(self, link: LinkRow) -> bool:
        """Write a link; tell whether it is new."""
        sql = "INSERT OR IGNORE INTO link (source, type, target, created, detail) VALUES (?, ?, ?, ?, ?) RETURNING 1"
        values = (link.source, EDGE_TYPES.index(link.type), link.target, link.created, link.detail or None)
        return bool(self.rows(sql, values))

    def remove_link(self, source: int, type_name: str, target: int) -> bool:
        """Remove a link; tell whether it was there."""
        sql = "DELETE FROM link WHERE source = ? AND type = ? AND target = ? RETURNING 1"
        return bool(self.rows(sql, (source, EDGE_TYPES.index(type_name), target)))

    def add_history(self, row: HistoryRow) -> None:
        """Note a change."""
        sql = "INSERT INTO history (uid, memory, time, action, detail) VALUES (?, ?, ?, ?, ?)"
        self.change(sql, (row.uid, row.memory, row.time, row.action, row.detail or None))

    def remove(self, rows: Sequence[MemoryRow | Gone]) -> None:
        """Delete memories with all that refers to them, whatever the schema, and note what is to be wiped."""
        for row in rows:
            tags = TAG_JOINT.join(row.tags) or None
            self.change(_WORDS_OUT, (row.number, row.text, tags))
        numbers, uids = [(row.number,) for row in rows], [(row.uid,) for row in rows]
        for tag in {tag for row in rows for tag in row.tags}:
            code = self.label("tag", tag)
            self.change_many("DELETE FROM tagged WHERE tag = ? AND memory = ?", [(code, *n) for n in numbers])
        self.change_many("DELETE FROM mention WHERE memory = ?", numbers)
        self.change_many("DELETE FROM link WHERE source = ?1 OR target = ?1", uids)
        for table in ("history", "event", *self._tables("dreamt")):
            self.change_many(f"DELETE FROM {table} WHERE uid = ?", uids)
        self.remove_vectors(content_of(row.uid) for row in rows)
        self.change_many("DELETE FROM memory WHERE number = ?", numbers)
        self._drop_unused_labels()
        waiting = json.loads(self.meta(UNWIPED) or "[]")
        self.set_meta(UNWIPED, json.dumps([*waiting, *(row.uid for row in rows)]))

    def set_meta(self, key: str, value: str) -> None:
        """Keep a value under a key."""
        self.change("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", (key, value))

    def _tables(self, *names: str) -> list[str]:
        """Return those tables that this schema has."""
        known = {row[0] for row in self.rows("SELECT name FROM sqlite_master WHERE type = 'table'")}
        return [name for name in names if name in known]

    def _values(self, row: MemoryRow, tags: str | None) -> tuple[object, ...]:
        return (
            row.uid, KINDS.index(row.kind), LAYERS.index(row.layer), row.priority, STATUSES.index(row.status),
            row.importance, row.trust, self._code("session", row.session), row.position,
            self._code("author", row.author), self._code("source", row.source), *row[12:20], row.signs,
            row.sketch, row.sketch_too, tags, row.metadata or None, int(row.pinned), row.text,
        )  # fmt: skip

    def _connect(self, number: int, row: MemoryRow, mentions: Iterable[tuple[str, str]]) -> None:
        for tag in row.tags:
            self.change("INSERT OR IGNORE INTO tagged VALUES (?, ?)", (self._code("tag", tag), number))
        for kind, name in mentions:
            code = self._code(f"entity:{kind}", name)
            self.change("INSERT OR IGNORE INTO mention VALUES (?, ?)", (code, number))

    def _code(self, sort: str, name: str) -> int | None:
        if not name:
            return None
        found = self._labels.get((sort, name)) or self.label(sort, name)
        if found is None:
            sql = "INSERT INTO label (sort, name) VALUES (?, ?) RETURNING number"
            found = int(self.rows(sql, (SORTS.index(sort), name))[0][0])
        self._labels[sort, name] = found
        return found

    def _drop_unused_labels(self) -> None:
        """Forget names that nothing bears any more, since a name may say what had to be forgotten."""
        self._labels.clear()
        self.change(
            "DELETE FROM label WHERE number NOT IN (SELECT session FROM memory WHERE session IS NOT NULL "
            "UNION SELECT author FROM memory WHERE author IS NOT NULL "
            "UNION SELECT source FROM memory WHERE source IS NOT NULL "
            "UNION SELECT tag FROM tagged UNION SELECT entity FROM mention)"
        )
