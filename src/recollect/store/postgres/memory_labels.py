"""Gives names their numbers, and memories the values of their rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import psycopg

from recollect.store.memories import KINDS, LAYERS, SORTS, STATUSES, MemoryRow
from recollect.store.memory_rows import TAG_JOINT
from recollect.store.postgres.address import Address
from recollect.store.postgres.columns import Table
from recollect.store.postgres.memory_lookup import NAMED
from recollect.store.postgres.memory_taught import TaughtWriting

FAMILY = "memory"
MENTION = Table("mention", (("entity", "bigint"), ("memory", "bigint")), ("space",), unless_known=True)
_TAGGED = Table("tagged", (("tag", "bigint"), ("memory", "bigint")), ("space",), unless_known=True)
_LABEL = Table(
    "label", (("sort", "smallint"), ("name", "text"), ("number", "bigint")), ("space",), verbatim=True
)


class LabelWriting(TaughtWriting):
    """Writes names that many memories share."""

    def __init__(self, connection: psycopg.Connection[Any], space: int, address: Address) -> None:
        super().__init__(connection, space, address)
        self._labels: dict[tuple[str, str], int] = {}
        self._counters: dict[str, int] = {}

    def counters(self, family: str) -> dict[str, int]:
        """Return what is counted, with what this transaction added."""
        return self._counters if family == FAMILY else super().counters(family)

    def _next(self, what: str) -> int:
        self._counters[what] = self._counters.get(what, 0) + 1
        return self._counters[what]

    def _tag(self, rows: Sequence[MemoryRow]) -> None:
        pairs = [(("tag", tag), row.number) for row in rows for tag in row.tags]
        if pairs:
            codes = self._codes([name for name, _ in pairs])
            self.put(_TAGGED, ((codes[name], number) for name, number in pairs))

    def _values(self, rows: Sequence[MemoryRow]) -> list[tuple[Any, ...]]:
        named = [(sort, getattr(row, sort)) for row in rows for sort in ("session", "author", "source")]
        codes: dict[tuple[str, str], int | None] = {**self._codes([pair for pair in named if pair[1]])}
        return [
            (
                row.uid, KINDS.index(row.kind), LAYERS.index(row.layer), row.priority, STATUSES.index(row.status),
                row.importance, row.trust, codes.get(("session", row.session)), row.position,
                codes.get(("author", row.author)), codes.get(("source", row.source)), *row[12:20], row.signs,
                row.sketch, row.sketch_too, TAG_JOINT.join(row.tags) or None, row.metadata or None,
                int(row.pinned), row.text, row.number,
            )
            for row in rows
        ]  # fmt: skip

    def _codes(self, pairs: Sequence[tuple[str, str]]) -> dict[tuple[str, str], int]:
        """Return the numbers of names, which are given one where they have none."""
        new = [pair for pair in dict.fromkeys(pairs) if pair not in self._labels]
        if new:
            self._look_up(new)
        fresh = [pair for pair in new if pair not in self._labels]
        if fresh:
            self._labels.update((pair, self._next("label")) for pair in fresh)
            self.put(_LABEL, ((SORTS.index(sort), name, self._labels[sort, name]) for sort, name in fresh))
        return self._labels

    def _look_up(self, pairs: Sequence[tuple[str, str]]) -> None:
        sql = (
            "SELECT l.sort, l.name, l.number FROM unnest($2::smallint[], $3::text[]) AS asked (sort, name) "
            f"CROSS JOIN LATERAL (SELECT sort, name, number FROM label WHERE {NAMED} OFFSET 0) AS l"
        )
        values = ([SORTS.index(sort) for sort, _ in pairs], [name for _, name in pairs])
        for sort, name, number in self.rows(sql, values):
            self._labels[SORTS[sort], name] = number

    def _drop_unused_labels(self) -> None:
        """Forget names that nothing bears any more, since a name may say what had to be forgotten."""
        self._labels.clear()
        self.change(
            "DELETE FROM label l WHERE l.space = $1 "
            "AND NOT EXISTS (SELECT 1 FROM tagged t WHERE t.space = $1 AND t.tag = l.number) "
            "AND NOT EXISTS (SELECT 1 FROM mention n WHERE n.space = $1 AND n.entity = l.number) "
            "AND NOT EXISTS (SELECT 1 FROM memory m WHERE m.space = $1 AND m.session = l.number) "
            "AND NOT EXISTS (SELECT 1 FROM memory m WHERE m.space = $1 AND m.author = l.number) "
            "AND NOT EXISTS (SELECT 1 FROM memory m WHERE m.space = $1 AND m.source = l.number)"
        )
