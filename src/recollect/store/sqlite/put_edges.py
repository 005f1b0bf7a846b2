"""Writes segments of edges, and the items that stand for things outside the source."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from recollect.ports import EdgeRow
from recollect.store.ids import uid_from
from recollect.store.sqlite.counting import Counting
from recollect.store.sqlite.segments import digest_of, pack_rows, unpack_rows
from recollect.store.sqlite.snapshot import Row

_SUM = (1 << 64) - 1


class EdgeWriting(Counting):
    """Writes edges and externals."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._externals: dict[tuple[str, str], int] = {}
        self._external_numbers: set[int] | None = None
        self._uses: dict[int, int] = {}

    def external(self, kind: str, name: str) -> int:
        """Return the number of the item that stands for something outside the source; made when it is new."""
        found = self._externals.get((kind, name))
        if found is None:
            uid = uid_from(self.domain, "external", kind, name)
            row = self.row("SELECT number FROM external WHERE uid = ?", (uid,))
            found = int(row[0]) if row else self._new_external(uid, kind, name)
            self._externals[kind, name] = found
        return found

    def _new_external(self, uid: int, kind: str, name: str) -> int:
        number = self._next_number()
        sql = "INSERT INTO external (number, uid, kind, name, uses) VALUES (?, ?, ?, ?, 0)"
        self.change(sql, (number, uid, self._code_for(kind), name))
        if self._external_numbers is not None:
            self._external_numbers.add(number)
        return number

    def put_segment(self, unit: str, rows: Sequence[EdgeRow], dependencies: bytes) -> None:
        """Replace the edges of a unit and the keys that it asked."""
        blob = pack_rows(unit, rows)
        digest = digest_of(unit, blob)
        old = self.row("SELECT digest, count, dependencies, edges FROM segment WHERE unit = ?", (unit,))
        if old is not None and old[0] == digest and old[2] == dependencies:
            return
        if old is None:
            sql = "INSERT INTO segment (digest, count, dependencies, edges, unit) VALUES (?, ?, ?, ?, ?)"
        else:
            sql = "UPDATE segment SET digest = ?, count = ?, dependencies = ?, edges = ? WHERE unit = ?"
            self._forget_segment(old)
        self.change(sql, (digest, len(rows), dependencies, blob, unit))
        self._segments = (self._segments + digest) & _SUM
        self._count("edges", len(rows))
        self._use(blob, 1)

    def remove_segment(self, unit: str) -> None:
        """Remove the edges of a unit."""
        old = self.row("SELECT digest, count, dependencies, edges FROM segment WHERE unit = ?", (unit,))
        if old is not None:
            self.change("DELETE FROM segment WHERE unit = ?", (unit,))
            self._forget_segment(old)

    def _forget_segment(self, old: Row) -> None:
        self._segments = (self._segments - old[0]) & _SUM
        self._count("edges", -old[1])
        self._use(old[3], -1)

    def _use(self, blob: bytes, change: int) -> None:
        """Count how many edges lead to or from each external, so that unused ones vanish."""
        if self._external_numbers is None:
            self._external_numbers = {row[0] for row in self.rows("SELECT number FROM external")}
        if not self._external_numbers or not blob:
            return
        rows = unpack_rows(blob)
        known = self._external_numbers
        for number in np.concatenate((rows["source"], rows["target"])).tolist():
            if number in known:
                self._uses[number] = self._uses.get(number, 0) + change

    def settle(self) -> None:
        """Count the uses of externals, collect those that lost their last edge, and write the counters."""
        uses = [(change, number) for number, change in self._uses.items() if change]
        if uses:
            self.change_many("UPDATE external SET uses = uses + ? WHERE number = ?", uses)
            self._collect([(number,) for change, number in uses if change < 0])
            self._dirty = True
        self._uses.clear()
        super().settle()

    def _collect(self, lost: list[tuple[int]]) -> None:
        if lost:
            before = self.connection.total_changes()
            self.change_many("DELETE FROM external WHERE number = ? AND uses <= 0", lost)
            self._removed += self.connection.total_changes() - before
            self._externals.clear()
            self._external_numbers = None
