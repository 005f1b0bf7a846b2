"""What happened to items under a query, kept for all trees of a space; rows are only ever added."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from recollect.errors import UsageError
from recollect.ports import Event
from recollect.store.ids import id_of, uid_of
from recollect.store.postgres.columns import Table
from recollect.store.postgres.index_snapshot import Snapshot
from recollect.store.sqlite.events import EVENT_KINDS

_EVENT = Table(
    "code_event",
    (
        ("query_id", "text"),
        ("uid", "bigint"),
        ("kind", "text"),
        ("time", "double precision"),
        ("detail", "text"),
    ),
    ("space",),
)


class EventReading(Snapshot):
    """Reads events."""

    def events(self, query_id: str = "", item_id: str = "", shown_since: float = 0.0) -> Sequence[Event]:
        """Return the events of a query, of an item, of both or all, oldest first, without what was shown long ago."""
        where, parameters = "space = $1", list[Any]()
        if query_id:
            parameters.append(query_id)
            where += f" AND query_id = ${len(parameters) + 1}"
        if item_id:
            parameters.append(uid_of(item_id))
            where += f" AND uid = ${len(parameters) + 1}::bigint"
        if shown_since:
            parameters.append(shown_since)
            where += f" AND (kind <> 'shown' OR time >= ${len(parameters) + 1})"
        sql = f"SELECT query_id, uid, kind, time, detail FROM code_event WHERE {where} ORDER BY number"
        rows = self.session.rows(sql, parameters)
        return [
            Event(query, id_of(uid, self.domain), kind, time, detail)
            for query, uid, kind, time, detail in rows
        ]


class EventWriting(EventReading):
    """Adds events."""

    def add_events(self, events: Iterable[Event]) -> None:
        """Append events; none is ever changed."""
        rows = [
            (event.query_id, uid_of(event.item_id), event.kind, event.time, event.detail) for event in events
        ]
        for row in rows:
            if row[2] not in EVENT_KINDS:
                raise UsageError(
                    f"There is no event '{row[2]}'; the events are {', '.join(sorted(EVENT_KINDS))}."
                )
        self.insert(_EVENT, rows)
