"""What happened to items of a space under a query; rows are only ever added."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from recollect.errors import StoreError
from recollect.ports import Event
from recollect.store.ids import id_of, uid_of
from recollect.store.postgres.address import Address
from recollect.store.postgres.columns import Table
from recollect.store.postgres.server import Server, Space
from recollect.store.postgres.session import Session
from recollect.store.sqlite.events import event_rows

FAMILY = "event"
DEFAULT_WAIT = 30.0
PATIENCE = 1.0
"""No answer waits long for events."""
_EVENT = Table(
    "event",
    (("number", "bigint"), ("query_id", "text"), ("uid", "bigint"), ("kind", "text"), ("time", "double precision"),
     ("detail", "text")),
    ("space",),
    verbatim=True,
)  # fmt: skip


class EventSession(Session):
    """Reads events, and adds to them inside a write transaction."""

    domain = "code"

    def events(self, query_id: str = "", item_id: str = "", shown_since: float = 0.0) -> Sequence[Event]:
        """Return the events of a query, of an item, of both or all, oldest first, without what was shown long ago."""
        conditions, parameters = ["space = $1"], list[Any]()
        for condition, value in (
            ("query_id = ${}", query_id),
            ("uid = ${}::bigint", uid_of(item_id) if item_id else 0),
            ("(kind <> 'shown' OR time >= ${}::double precision)", shown_since),
        ):
            if value:
                parameters.append(value)
                conditions.append(condition.format(len(parameters) + 1))
        sql = f"SELECT query_id, uid, kind, time, detail FROM event WHERE {' AND '.join(conditions)} ORDER BY number"
        return [
            Event(query, id_of(uid, self.domain), kind, time, detail)
            for query, uid, kind, time, detail in self.rows(sql, parameters)
        ]

    def add_events(self, events: Iterable[Event]) -> None:
        """Append events; none is ever changed."""
        append_events(self, events)


def append_events(session: Session, events: Iterable[Event]) -> None:
    """Append events in a session whose turn it is to write them."""
    rows = event_rows(events)
    if not rows:
        return
    counters = session.counters(FAMILY)
    first = counters.get("event", 0) + 1
    counters["event"] = first + len(rows) - 1
    session.put(_EVENT, ((number, *row) for number, row in enumerate(rows, first)))
    session.change(
        "UPDATE turn SET counters = $3::jsonb WHERE space = $1 AND family = $2",
        (FAMILY, json.dumps(counters)),
    )


class PostgresEvents:
    """The events of one space."""

    def __init__(self, server: Server, space: Space, domain: str = "code") -> None:
        self.server = server
        self.space = space
        self.domain = domain

    @contextmanager
    def reader(self) -> Iterator[EventSession]:
        """Open a snapshot."""
        with self.server.reading(self.space) as session:
            yield self._session(session)

    @contextmanager
    def writer(self, wait: float = DEFAULT_WAIT) -> Iterator[EventSession]:
        """Open the one write transaction; commit when the block ends well, undo all of it otherwise."""
        with self.server.writing(self.space, FAMILY, wait) as session:
            yield self._session(session)

    def close(self) -> None:
        """Close the connections."""
        self.server.close()

    def _session(self, session: Session) -> EventSession:
        made = EventSession(session.connection, session.space, session.address)
        made.domain = self.domain
        return made


class EventSpace:
    """The space of a server in which events are kept."""

    def __init__(self, address: Address, space: Space) -> None:
        self._address = address
        self._space = space
        self._server: Server | None = None

    def exists(self) -> bool:
        """Tell whether there may be anything; only the server knows."""
        return True

    def open(self) -> PostgresEvents:
        """Open the server."""
        server = Server(self._address, PATIENCE)
        server.open()
        self._server = server
        return PostgresEvents(server, self._space)

    def state(self) -> object:
        """Return what changes when anyone adds events or removes them; nothing while the server is away."""
        if self._server is None:
            return None
        try:
            return sorted(self._server.read(self._space, lambda session: session.counters(FAMILY)).items())
        except StoreError:
            return None
