"""Gives names their numbers, and memories the values of their rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import psycopg

from recollect.store.memories import KINDS, LAYERS, SORTS, STATUSES, MemoryRow
from recollect.store.memory_rows import TAG_JOINT
from recollect.store.postgres.address import Address
from recollect.store.postgres.memory_taught import TaughtWriting

FAMILY = "memory"


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
            self._pair(
                "tagged (space, tag, memory)", [codes[name] for name, _ in pairs], [n for _, n in pairs]
            )

    def _pair(self, table: str, codes: list[int], numbers: list[int]) -> None:
        sql = (
            f"INSERT INTO {table} SELECT $1, given.* FROM unnest($2::bigint[], $3::bigint[]) AS given "
            "ON CONFLICT DO NOTHING"
        )
        self.change(sql, (codes, numbers))

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
            sql = (
                "INSERT INTO label (space, sort, name, number) SELECT $1, given.* FROM "
                "unnest($2::smallint[], $3::text[], $4::bigint[]) AS given"
            )
            values = (
                [SORTS.index(s) for s, _ in fresh],
                [name for _, name in fresh],
                [self._labels[p] for p in fresh],
            )
            self.change(sql, values)
        return self._labels

    def _look_up(self, pairs: Sequence[tuple[str, str]]) -> None:
        sql = (
            "SELECT l.sort, l.name, l.number FROM unnest($2::smallint[], $3::text[]) AS asked (sort, name) "
            "JOIN label l ON l.space = $1 AND l.sort = asked.sort AND sha256(l.name::bytea) = sha256(asked.name::bytea)"
        )
        for sort, name, number in self.rows(
            sql, ([SORTS.index(s) for s, _ in pairs], [name for _, name in pairs])
        ):
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
