"""New memories wait inside a transaction and are written together; what will be asked for is looked up at once."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import psycopg

from recollect.store.memories import LinkRow, MemoryRow
from recollect.store.memory_rows import memory_of
from recollect.store.postgres.address import Address
from recollect.store.postgres.columns import Table
from recollect.store.postgres.memory_labels import FAMILY, MENTION, LabelWriting
from recollect.store.postgres.memory_reading import SELECT_KEYED
from recollect.store.postgres.memory_words import Stem, put_words, stems_of
from recollect.types import EDGE_TYPES

TYPES = {
    "uid": "bigint", "kind": "smallint", "layer": "smallint", "priority": "smallint", "status": "smallint",
    "importance": "smallint", "trust": "smallint", "session": "bigint", "position": "bigint", "author": "bigint",
    "source": "bigint", "created": "bigint", "updated": "bigint", "accessed": "bigint", "valid_from": "bigint",
    "valid_until": "bigint", "expires": "bigint", "seen": "bigint", "words": "bigint", "signs": "integer",
    "sketch": "bigint", "sketch_too": "bigint", "tags": "text", "metadata": "text", "pinned": "smallint",
    "text": "text", "number": "bigint",
}  # fmt: skip
MEMORY = Table("memory", tuple(TYPES.items()), ("space",), verbatim=True)
_LINK = Table(
    "link",
    (
        ("source", "bigint"),
        ("type", "smallint"),
        ("target", "bigint"),
        ("created", "bigint"),
        ("detail", "text"),
    ),
    ("space",),
    unless_known=True,
    verbatim=True,
)
_MOST_ALIKE = 32
"""So many memories with one sketch are looked up at once."""
_ALIKE = (
    "SELECT found.number FROM unnest({}::bigint[]) AS asked (value) CROSS JOIN LATERAL (SELECT number FROM memory "
    f"WHERE space = $1 AND {{}} = asked.value ORDER BY number LIMIT {_MOST_ALIKE}) AS found"
)
_EXPECTED = SELECT_KEYED.format("SELECT unnest($2::bigint[])", "uid")
_EXPECTED_ALIKE = SELECT_KEYED.format(
    f"{_ALIKE.format('$2', 'sketch')} UNION {_ALIKE.format('$3', 'sketch_too')}", "number"
)


class _Waiting(NamedTuple):
    """What was added and is not in the database yet."""

    rows: list[MemoryRow]
    mentions: list[tuple[int, tuple[str, str]]]
    links: dict[tuple[int, str, int], LinkRow]
    words: dict[str, list[int]]


class _Expected:
    """The memories with some uids and sketches, as far as nothing changed them since they were looked up."""

    def __init__(
        self, uids: frozenset[int] = frozenset(), sketches: frozenset[tuple[int, int]] = frozenset()
    ) -> None:
        self.uids = uids
        self.sketches = sketches
        self.rows: dict[int, MemoryRow] = {}
        self.by_sketch: dict[tuple[str, int], list[MemoryRow]] = {}

    def take(self, row: MemoryRow) -> None:
        """Take a memory in."""
        self.rows[row.uid] = row
        self.by_sketch.setdefault(("sketch", row.sketch), []).append(row)
        self.by_sketch.setdefault(("too", row.sketch_too), []).append(row)

    def like(self, sketch: int, too: int, limit: int) -> list[MemoryRow]:
        """Return the oldest of those that share a sketch."""
        found = [*self.by_sketch.get(("sketch", sketch), ()), *self.by_sketch.get(("too", too), ())]
        return [row for _, row in sorted({row.number: row for row in found}.items())][:limit]


class WaitingWriting(LabelWriting):
    """Adds memories; its own reads see them at once."""

    def __init__(self, connection: psycopg.Connection[Any], space: int, address: Address, stem: Stem) -> None:
        super().__init__(connection, space, address)
        self._stem = stem
        self._waiting = _Waiting([], [], {}, {})
        self._expected = _Expected()
        self._counters = super(LabelWriting, self).counters(FAMILY)

    def expect(self, uids: Iterable[int], sketches: Iterable[tuple[int, int]]) -> None:
        """Look many memories up at once, before they are asked for one by one."""
        expected = _Expected(frozenset(uids), frozenset(sketches))
        found = self.rows(_EXPECTED, (list(expected.uids),)) if expected.uids else []
        if expected.sketches:
            columns = [sorted(set(column)) for column in zip(*expected.sketches, strict=True)]
            found += self.rows(_EXPECTED_ALIKE, columns)
        for row in sorted({row[-1]: row for row in found}.values(), key=lambda row: row[-1]):
            expected.take(memory_of(row))
        self._expected = expected

    def memory(self, uid: int) -> MemoryRow | None:
        """Return the memory with a uid."""
        if uid in self._expected.uids:
            return self._expected.rows.get(uid)
        return super().memory(uid)

    def sketched(self, sketch: int, too: int, limit: int) -> list[MemoryRow]:
        """Return memories that share a sketch, which those of nearly the same words do."""
        if (sketch, too) in self._expected.sketches and limit <= _MOST_ALIKE:
            return self._expected.like(sketch, too, limit)
        return super().sketched(sketch, too, limit)

    def add(self, row: MemoryRow, mentions: Iterable[tuple[str, str]]) -> int:
        """Write a new memory with what it mentions; return its number."""
        row = row._replace(number=self._next("memory"))
        self._waiting.rows.append(row)
        self._waiting.mentions.extend((row.number, one) for one in mentions)
        number, words = row.number, self._waiting.words
        for stem in stems_of(row.text, row.tags, self._stem):
            if stem in words:
                words[stem].append(number)
            else:
                words[stem] = [number]
        self._expected.take(row)
        return number

    def settle(self) -> None:
        """Write what waits; called before the transaction ends."""
        self._write_waiting()
        sql = "UPDATE turn SET counters = $3::jsonb WHERE space = $1 AND family = $2"
        self.change(sql, (FAMILY, json.dumps(self._counters)))

    def change_many(self, sql: str, parameters: Iterable[Sequence[Any]]) -> None:
        """Run one statement that writes for each row of parameters."""
        self._write_waiting()
        super().change_many(sql, parameters)

    def _run(self, sql: str, parameters: Sequence[Any]) -> Any:
        # Whatever is asked of the database must find what was added before.
        self._write_waiting()
        return super()._run(sql, parameters)

    def _write_waiting(self) -> None:
        waiting, self._waiting = self._waiting, _Waiting([], [], {}, {})
        if waiting.rows:
            self.put(MEMORY, self._values(waiting.rows))
            self._tag(waiting.rows)
        if waiting.mentions:
            codes = self._codes([(f"entity:{kind}", name) for _, (kind, name) in waiting.mentions])
            self.put(
                MENTION,
                ((codes[f"entity:{kind}", name], number) for number, (kind, name) in waiting.mentions),
            )
        if waiting.links:
            self.put(_LINK, map(link_values, waiting.links.values()))
        put_words(self, waiting.words, self._counters)

    def _changing(self) -> None:
        """Forget what was looked up, because what follows changes it."""
        self._expected = _Expected()


def link_values(link: LinkRow) -> tuple[Any, ...]:
    """Return the values of the row of a link."""
    return link.source, EDGE_TYPES.index(link.type), link.target, link.created, link.detail or None
