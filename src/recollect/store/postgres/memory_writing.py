"""Changes memories inside one transaction: rows, words, tags, mentions, links and history."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from recollect.store.ids import content_of
from recollect.store.memories import STATUSES, Gone, HistoryRow, LinkRow, MemoryRow
from recollect.store.postgres.memory_labels import FAMILY
from recollect.store.postgres.memory_waiting import TYPES, WaitingWriting, link_values
from recollect.store.postgres.memory_words import drop_words, stems_of
from recollect.types import EDGE_TYPES

_COLUMNS = [name for name in TYPES if name != "number"]
_REPLACE = "UPDATE memory SET ({}) = ROW({}) WHERE space = $1 AND number = ${}".format(
    ", ".join(_COLUMNS), ", ".join(f"${place}::{TYPES[name]}" for place, name in enumerate(_COLUMNS, start=2)),
    len(_COLUMNS) + 2,
)  # fmt: skip


class MemoryWriting(WaitingWriting):
    """Writes memories; its own reads see that at once, others once it is committed."""

    def replace(self, old: MemoryRow, new: MemoryRow, mentions: Iterable[tuple[str, str]] | None) -> None:
        """Write a memory over its old self; its mentions stay as they are when none are given."""
        self._changing()
        (values,) = self._values([new._replace(number=old.number)])
        self.change(_REPLACE, values)
        if (old.text, old.tags) != (new.text, new.tags):
            drop_words(self, [(old.number, stems_of(old.text, old.tags, self._stem))])
            for stem in stems_of(new.text, new.tags, self._stem):
                self._waiting.words.setdefault(stem, []).append(old.number)
        if old.tags != new.tags:
            self.change("DELETE FROM tagged WHERE space = $1 AND memory = $2", (old.number,))
            self._tag([new._replace(number=old.number)])
        if mentions is not None:
            self.change("DELETE FROM mention WHERE space = $1 AND memory = $2", (old.number,))
            self._waiting.mentions.extend((old.number, one) for one in mentions)

    def count_again(self, number: int, time: int) -> None:
        """Note that a memory was written once more with the same words."""
        self._changing()
        sql = "UPDATE memory SET seen = seen + 1, updated = $2 WHERE space = $1 AND number = $3"
        self.change(sql, (time, number))

    def set_status(self, number: int, status: str, time: int) -> None:
        """Give a memory another status."""
        self._changing()
        sql = "UPDATE memory SET status = $2, updated = $3 WHERE space = $1 AND number = $4"
        self.change(sql, (STATUSES.index(status), time, number))

    def put_link(self, link: LinkRow) -> bool:
        """Write a link; tell whether it is new."""
        key = (link.source, link.type, link.target)
        if any(row.uid == link.source for row in self._waiting.rows[-1:]):
            known = key in self._waiting.links
            self._waiting.links.setdefault(key, link)
            return not known
        sql = (
            "INSERT INTO link (space, source, type, target, created, detail) VALUES ($1, $2, $3, $4, $5, $6) "
            "ON CONFLICT DO NOTHING"
        )
        return self.change(sql, link_values(link)) > 0

    def remove_link(self, source: int, type_name: str, target: int) -> bool:
        """Remove a link; tell whether it was there."""
        sql = "DELETE FROM link WHERE space = $1 AND source = $2 AND type = $3 AND target = $4"
        return self.change(sql, (source, EDGE_TYPES.index(type_name), target)) > 0

    def add_history(self, row: HistoryRow) -> None:
        """Note a change."""
        sql = (
            "INSERT INTO history (space, uid, memory, time, action, detail, number) "
            "VALUES ($1, $2, $3, $4, $5, $6, $7)"
        )
        number = self._next("history")
        self.change(sql, (row.uid, row.memory, row.time, row.action, row.detail or None, number))

    def remove(self, rows: Sequence[MemoryRow | Gone]) -> None:
        """Delete memories with all that refers to them."""
        self._changing()
        drop_words(self, [(row.number, stems_of(row.text, row.tags, self._stem)) for row in rows])
        numbers, uids = [row.number for row in rows], [row.uid for row in rows]
        for table, column in (("tagged", "memory"), ("mention", "memory"), ("memory", "number")):
            self.change(f"DELETE FROM {table} WHERE space = $1 AND {column} = ANY($2::bigint[])", (numbers,))
        for table in ("history", "event", "dreamt"):
            self.change(f"DELETE FROM {table} WHERE space = $1 AND uid = ANY($2::bigint[])", (uids,))
        for column in ("source", "target"):
            self.change(f"DELETE FROM link WHERE space = $1 AND {column} = ANY($2::bigint[])", (uids,))
        self.remove_vectors(content_of(uid) for uid in uids)
        self._drop_unused_labels()


__all__ = ["FAMILY", "MemoryWriting"]
