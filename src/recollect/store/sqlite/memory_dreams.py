"""What dreams did, so that it can be told and taken back; and which memories were of use."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from recollect.store.memories import STATUSES, DreamRow, DreamtRow, MemoryRow
from recollect.store.silence import silenced
from recollect.store.sqlite.events import EventWriting
from recollect.store.sqlite.memory_reading import MemoryReading
from recollect.store.sqlite.memory_writing import MemoryWriting
from recollect.types import EDGE_TYPES

_PAGE = 2000


class DreamReading(MemoryReading):
    """Reads dreams, and what they and hygiene look at."""

    def dreams(self) -> list[DreamRow]:
        """Return every dream, oldest first."""
        rows = self.rows("SELECT time, report, undone, number FROM dream ORDER BY number")
        return [DreamRow._make(row) for row in rows]

    def dreamt(self, number: int) -> list[DreamtRow]:
        """Return what one dream did."""
        rows = self.rows("SELECT uid, action, ifnull(detail, '') FROM dreamt WHERE dream = ?", (number,))
        return [DreamtRow._make(row) for row in rows]

    def uses(self) -> dict[int, tuple[int, float]]:
        """Return how often each uid was of use and when last; what was merely shown does not count."""
        sql = "SELECT uid, count(*), max(time) FROM event WHERE kind IN ('selected', 'used') GROUP BY uid"
        return {uid: (count, last) for uid, count, last in self.rows(sql)}

    def judgements(self) -> int:
        """Return a number that changes whenever anything is judged."""
        row = self.row("SELECT max(number) FROM event WHERE kind IN ('selected', 'used', 'discarded')")
        return 0 if row is None else int(row[0] or 0)

    def judged(self, most: int) -> list[tuple[str, int, str, str]]:
        """Return query, uid, kind and detail of the newest events of queries of which anything was judged."""
        sql = (
            "SELECT query_id, uid, kind, detail FROM event WHERE query_id IN "
            "(SELECT query_id FROM event WHERE kind IN ('selected', 'used', 'discarded')) ORDER BY number DESC LIMIT ?"
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
            "SELECT h.uid, max(h.time), h.detail FROM history h JOIN memory m ON m.number = h.memory "
            "WHERE h.action = 'archived' AND m.status = ? AND NOT EXISTS (SELECT 1 FROM history l "
            "WHERE l.memory = h.memory AND l.action = 'status' AND l.number > h.number) GROUP BY h.uid"
        )
        rows = self.rows(sql, (STATUSES.index("archived"),))
        return {uid: (time, detail or "") for uid, time, detail in rows}

    def sources_of(self, type_name: str, target: int) -> list[int]:
        """Return the uids that have a link of a type to a target."""
        sql = "SELECT source FROM link WHERE target = ? AND type = ?"
        return [row[0] for row in self.rows(sql, (target, EDGE_TYPES.index(type_name)))]

    def all_mentions(self) -> list[tuple[int, int, int]]:
        """Return number of the memory, number of the name and its sort for everything that is mentioned."""
        sql = "SELECT m.memory, m.entity, l.sort FROM mention m JOIN label l ON l.number = m.entity ORDER BY 2, 1"
        return [(row[0], row[1], row[2]) for row in self.rows(sql)]


class DreamWriting(DreamReading, MemoryWriting, EventWriting):
    """Writes dreams."""

    def expect(self, uids: Iterable[int], sketches: Iterable[tuple[int, int]]) -> None:
        """Hear what will be asked for; a file is asked at once anyway."""

    def add_dream(self, time: int) -> int:
        """Begin a dream; return its number."""
        sql = "INSERT INTO dream (time, report) VALUES (?, '') RETURNING number"
        return int(self.rows(sql, (time,))[0][0])

    def finish_dream(self, number: int, report: str, did: Iterable[DreamtRow]) -> None:
        """Keep what a dream did."""
        self.change("UPDATE dream SET report = ? WHERE number = ?", (report, number))
        rows = [(number, row.uid, row.action, row.detail or None) for row in did]
        self.change_many("INSERT INTO dreamt (dream, uid, action, detail) VALUES (?, ?, ?, ?)", rows)

    def note_undone(self, number: int, time: int) -> None:
        """Note that a dream was taken back."""
        self.change("UPDATE dream SET undone = ? WHERE number = ?", (time, number))
        self.change("DELETE FROM dreamt WHERE dream = ?", (number,))

    def remove_events(self) -> int:
        """Remove every event, of code and of memories; return how many there were."""
        count = int(self.rows("SELECT count(*) FROM event")[0][0])
        self.change("DELETE FROM event")
        return count

    def silence(self, words: Collection[str]) -> None:
        """Take words out of what events noted of questions."""
        events = self.rows("SELECT number, detail FROM event WHERE detail <> ''")
        changed = [(detail, number) for number, detail in silenced(events, words)]
        self.change_many("UPDATE event SET detail = ? WHERE number = ?", changed)
