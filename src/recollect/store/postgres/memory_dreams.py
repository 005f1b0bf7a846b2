"""What dreams did, so that it can be told and taken back; and which memories were of use."""

from __future__ import annotations

from collections.abc import Iterator

from recollect.store.memories import STATUSES, DreamRow, DreamtRow, MemoryRow
from recollect.store.postgres.memory_vectors import VectorReading
from recollect.types import EDGE_TYPES

_PAGE = 2000


class DreamReading(VectorReading):
    """Reads dreams, and what they and hygiene look at."""

    def dreams(self) -> list[DreamRow]:
        """Return every dream, oldest first."""
        rows = self.rows("SELECT time, report, undone, number FROM dream WHERE space = $1 ORDER BY number")
        return [DreamRow._make(row) for row in rows]

    def dreamt(self, number: int) -> list[DreamtRow]:
        """Return what one dream did."""
        sql = "SELECT uid, action, coalesce(detail, '') FROM dreamt WHERE space = $1 AND dream = $2 ORDER BY place"
        return [DreamtRow._make(row) for row in self.rows(sql, (number,))]

    def uses(self) -> dict[int, tuple[int, float]]:
        """Return how often each uid was of use and when last; what was merely shown does not count."""
        sql = (
            "SELECT uid, count(*), max(time) FROM event WHERE space = $1 AND kind IN ('selected', 'used') "
            "GROUP BY uid"
        )
        return {uid: (count, last) for uid, count, last in self.rows(sql)}

    def judgements(self) -> int:
        """Return a number that changes whenever anything is judged."""
        sql = "SELECT max(number) FROM event WHERE space = $1 AND kind IN ('selected', 'used', 'discarded')"
        row = self.row(sql)
        return 0 if row is None else int(row[0] or 0)

    def judged(self, most: int) -> list[tuple[str, int, str, str]]:
        """Return query, uid, kind and detail of the newest events of queries of which anything was judged."""
        sql = (
            "SELECT query_id, uid, kind, detail FROM event WHERE space = $1 AND query_id IN (SELECT query_id "
            "FROM event WHERE space = $1 AND kind IN ('selected', 'used', 'discarded')) ORDER BY number DESC LIMIT $2"
        )
        return [(row[0], row[1], row[2], row[3]) for row in self.rows(sql, (most,))]

    def each_memory(self) -> Iterator[MemoryRow]:
        """Yield every memory in the order of writing."""
        last = 0
        while rows := self.memories_after(last, _PAGE):
            yield from rows
            last = rows[-1].number

    def archived_at(self) -> dict[int, tuple[int, str]]:
        """Return when hygiene put each archived memory away, with what was noted then."""
        sql = (
            "SELECT DISTINCT ON (h.uid) h.uid, h.time, h.detail FROM history h "
            "JOIN memory m ON m.space = h.space AND m.number = h.memory "
            "WHERE h.space = $1 AND h.action = 'archived' AND m.status = $2 AND NOT EXISTS (SELECT 1 FROM history l "
            "WHERE l.space = $1 AND l.uid = h.uid AND l.action = 'status' AND l.number > h.number) "
            "ORDER BY h.uid, h.time DESC, h.number DESC"
        )
        rows = self.rows(sql, (STATUSES.index("archived"),))
        return {uid: (time, detail or "") for uid, time, detail in rows}

    def sources_of(self, type_name: str, target: int) -> list[int]:
        """Return the uids that have a link of a type to a target."""
        sql = "SELECT source FROM link WHERE space = $1 AND target = $2 AND type = $3 ORDER BY source"
        return [row[0] for row in self.rows(sql, (target, EDGE_TYPES.index(type_name)))]

    def all_mentions(self) -> list[tuple[int, int, int]]:
        """Return number of the memory, number of the name and its sort for everything that is mentioned."""
        sql = (
            "SELECT m.memory, m.entity, l.sort FROM mention m JOIN label l ON l.space = m.space "
            "AND l.number = m.entity WHERE m.space = $1 ORDER BY 2, 1"
        )
        return [(row[0], row[1], row[2]) for row in self.rows(sql)]
