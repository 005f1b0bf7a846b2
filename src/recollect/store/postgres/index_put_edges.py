"""Writes segments of edges to a server, and the items that stand for things outside the source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from recollect.ports import EdgeRow
from recollect.store.ids import uid_from
from recollect.store.postgres.columns import Table
from recollect.store.postgres.index_counting import Counting
from recollect.store.postgres.index_files import key_of
from recollect.store.sqlite.segments import digest_of, pack_rows, unpack_rows

_SUM = (1 << 64) - 1
SEGMENT = Table(
    "code_segment",
    (
        ("key", "bigint"), ("unit", "text"), ("digest", "bigint"), ("count", "integer"), ("dependencies", "bytea"),
        ("edges", "bytea"),
    ),
)  # fmt: skip
EXTERNAL = Table(
    "code_external",
    (("number", "integer"), ("uid", "bigint"), ("kind", "smallint"), ("name", "text"), ("uses", "integer")),
)


class EdgeWriting(Counting):
    """Writes edges and externals."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._edges, self._outside = self._wait(SEGMENT, "key", "bigint"), self._wait(EXTERNAL)
        self._known_externals: dict[int, list[Any]] | None = None
        """Rows by number: what is asked for again and again."""
        self._numbers: dict[int, int] = {}
        self._unit_keys: set[int] | None = None
        self._uses: dict[int, int] = {}

    def external(self, kind: str, name: str) -> int:
        """Return the number of the item that stands for something outside the source; made when it is new."""
        known = self._externals()
        uid = uid_from(self.domain, "external", kind, name)
        number = self._numbers.get(uid)
        if number is None:
            number = self._numbers[uid] = self._next_number()
            known[number] = [number, uid, self._code_for(kind), name, 0]
            self._outside.put(number, known[number], known=False)
        return number

    def _externals(self) -> dict[int, list[Any]]:
        if self._known_externals is None:
            sql = "SELECT number, uid, kind, name, uses FROM code_external WHERE space = $1 AND tree = $2"
            self._known_externals = {row[0]: list(row) for row in self.now(sql)}
            self._numbers = {row[1]: number for number, row in self._known_externals.items()}
        return self._known_externals

    def put_segment(self, unit: str, rows: Sequence[EdgeRow], dependencies: bytes) -> None:
        """Replace the edges of a unit and the keys that it asked."""
        blob = pack_rows(unit, rows)
        digest = digest_of(unit, blob)
        old = self._old_segment(unit)
        if old is not None and old[2] == digest and bytes(old[4]) == dependencies:
            return
        if old is not None:
            self._forget_segment(old)
        key = key_of(unit)
        self._edges.put(key, (key, unit, digest, len(rows), dependencies, blob), old is not None)
        self._units().add(key)
        self._segments = (self._segments + digest) & _SUM
        self._count("edges", len(rows))
        self._use(blob, 1)
        self._send_many()

    def remove_segment(self, unit: str) -> None:
        """Remove the edges of a unit."""
        old = self._old_segment(unit)
        if old is not None:
            self._edges.remove(old[0])
            self._units().discard(old[0])
            self._forget_segment(old)

    def _units(self) -> set[int]:
        if self._unit_keys is None:
            sql = "SELECT key FROM code_segment WHERE space = $1 AND tree = $2"
            self._unit_keys = {row[0] for row in self.now(sql)}
        return self._unit_keys

    def _old_segment(self, unit: str) -> Sequence[Any] | None:
        key = key_of(unit)
        if key not in self._units():
            return None
        waiting = self._edges.rows.get(key)
        if waiting is not None:
            return waiting
        sql = (
            "SELECT key, unit, digest, count, dependencies, edges FROM code_segment "
            "WHERE space = $1 AND tree = $2 AND key = $3"
        )
        found = self.now(sql, (key,))
        return found[0] if found else None

    def _forget_segment(self, old: Sequence[Any]) -> None:
        self._segments = (self._segments - old[2]) & _SUM
        self._count("edges", -old[3])
        self._use(bytes(old[5]), -1)

    def _use(self, blob: bytes, change: int) -> None:
        """Count how many edges lead to or from each external, so that unused ones vanish."""
        known = self._externals()
        if not known or not blob:
            return
        rows = unpack_rows(blob)
        for number in np.concatenate((rows["source"], rows["target"])).tolist():
            if number in known:
                self._uses[number] = self._uses.get(number, 0) + change

    def _settle_counters(self) -> None:
        """Count the uses of externals, and collect those that lost their last edge."""
        known = self._externals() if self._uses else {}
        for number, change in self._uses.items():
            row = known[number]
            row[4] += change
            if change < 0 and row[4] <= 0:
                self._outside.remove(number)
                self._numbers.pop(row[1], None)
                del known[number]
                self._removed += 1
                self._dirty = True
            elif change:
                self._outside.put(number, row, known=True)
                self._dirty = True
        self._uses.clear()
        super()._settle_counters()

    def counts(self) -> Mapping[str, int]:
        """Return the counts as they stand inside this transaction."""
        self._settle_counters()
        return super().counts()
