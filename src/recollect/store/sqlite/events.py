"""What happened to items under a query; rows are only ever added."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from recollect.errors import UsageError
from recollect.ports import Event
from recollect.store.ids import id_of, uid_of
from recollect.store.sqlite.snapshot import Snapshot

EVENT_KINDS = frozenset({"retrieved", "shown", "selected", "used", "discarded"})


class EventReading(Snapshot):
    """Reads events."""

    def events(self, query_id: str = "", item_id: str = "", shown_since: float = 0.0) -> Sequence[Event]:
        """Return the events of a query, of an item, of both or all, oldest first, without what was shown long ago."""
        conditions, parameters = [], list[str | int | float]()
        if query_id:
            conditions.append("query_id = ?")
            parameters.append(query_id)
        if item_id:
            conditions.append("uid = ?")
            parameters.append(uid_of(item_id))
        if shown_since:
            conditions.append("(kind <> 'shown' OR time >= ?)")
            parameters.append(shown_since)
        where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
        rows = self.rows(
            f"SELECT query_id, uid, kind, time, detail FROM event{where} ORDER BY number", parameters
        )
        return [
            Event(query, id_of(uid, self.domain), kind, time, detail)
            for query, uid, kind, time, detail in rows
        ]


class EventWriting(Snapshot):
    """Writes events."""

    def add_events(self, events: Iterable[Event]) -> None:
        """Append events; none is ever changed."""
        sql = "INSERT INTO event (query_id, uid, kind, time, detail) VALUES (?, ?, ?, ?, ?)"
        self.change_many(sql, event_rows(events))


def event_rows(events: Iterable[Event]) -> list[tuple[str, int, str, float, str]]:
    """Return events as they are stored; raise when there is no such kind."""
    rows = [(one.query_id, uid_of(one.item_id), one.kind, float(one.time), one.detail) for one in events]
    for row in rows:
        if row[2] not in EVENT_KINDS:
            raise UsageError(
                f"There is no event '{row[2]}'; the events are {', '.join(sorted(EVENT_KINDS))}."
            )
    return rows
