"""Memories of a space as something to move from, and to move to."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from recollect.errors import UsageError
from recollect.store.memory_rows import TAG_JOINT
from recollect.store.moving import (
    DREAMT,
    MEMORY,
    META,
    OWN_META,
    PAGE,
    STATE,
    TABLES,
    Position,
    Row,
    Sum,
    Table,
)
from recollect.store.moving import summed as sum_all
from recollect.store.postgres import columns
from recollect.store.postgres.address import Address
from recollect.store.postgres.memory_words import put_words, stems_of
from recollect.store.postgres.server import Server, Space
from recollect.store.postgres.session import Session
from recollect.store.sqlite.memory_store import words_in

FAMILY = "memory"
_WAIT = 30.0
_CALLED = {"meta": "memory_meta", "model": "memory_model", "vector": "memory_vector"}
_COUNTED = ("memory", "label", "history", "dream", "model")
_DREAMT = (
    "(SELECT space, dream, (row_number() OVER (PARTITION BY dream ORDER BY place) - 1)::int AS place, uid, action, "
    "detail FROM dreamt WHERE space = $1) AS one"
)


class SpaceRows:
    """One snapshot of the memories of a space."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def page(self, table: Table, last: Row) -> list[Row]:
        """Return the next rows after a key, in the order of their keys."""
        place = _DREAMT if table is DREAMT else _CALLED.get(table.name, table.name)
        key = ", ".join(
            f'{name} COLLATE "C"' if kind == "text" else name for name, kind in table.columns[: table.keys]
        )
        marks = ", ".join(
            f"${at}::{kind}" for at, (_, kind) in enumerate(table.columns[: table.keys], start=2)
        )
        after = f" AND ({key}) > ({marks})" if last else ""
        own = f" AND key NOT IN ({', '.join(repr(one) for one in OWN_META)})" if table is META else ""
        sql = f"SELECT {', '.join(table.names)} FROM {place} WHERE space = $1{own}{after} ORDER BY {key} LIMIT {PAGE}"
        return self._session.rows(sql, last)


@contextmanager
def space_rows(address: Address, space: Space) -> Iterator[SpaceRows]:
    """Open the memories of a space as they are now."""
    server = Server(address)
    server.open()
    try:
        with server.reading(space) as session:
            yield SpaceRows(session)
    finally:
        server.close()


class SpaceFilled:
    """A space that is filled and cannot be opened before it is whole."""

    def __init__(self, address: Address, space: Space) -> None:
        self.shown = f"the space '{space.name}' on {address.shown}"
        self._space = space
        self._server = Server(address)
        self._stem = words_in(stems=True)

    def begin(self, fingerprint: str) -> Position:
        """Return where to go on; refuse a space that holds memories."""
        self._server.open()
        position = self._server.write(self._space, FAMILY, self._state, _WAIT)
        if position is not None and position.fingerprint == fingerprint:
            return position
        if position is not None:
            self.begin_again()
        position = Position(fingerprint)
        self._server.write(self._space, FAMILY, lambda session: _note(session, position), _WAIT)
        return position

    def _state(self, session: Session) -> Position | None:
        found = session.row("SELECT value FROM memory_meta WHERE space = $1 AND key = $2", (STATE,))
        if found is not None:
            return Position.read(found[0])
        for table in ("memory", "event"):
            if session.row(f"SELECT 1 FROM {table} WHERE space = $1 LIMIT 1"):
                raise UsageError(
                    f"{self.shown[0].upper()}{self.shown[1:]} holds memories already, and moving there would mix the "
                    "two; name another space. Nothing was changed."
                )
        return None

    def put(self, table: Table, rows: Sequence[Row], position: Position) -> None:
        """Write rows, and with them how far the work has come."""
        self._server.write(
            self._space, FAMILY, lambda session: self._put(session, table, rows, position), _WAIT
        )

    def _put(self, session: Session, table: Table, rows: Sequence[Row], position: Position) -> None:
        name = _CALLED.get(table.name, table.name)
        session.put(columns.Table(name, tuple(table.columns), ("space",), verbatim=True), rows)
        counters = session.counters(FAMILY)
        if table.name in _COUNTED:
            counters[table.name] = max(counters.get(table.name, 0), rows[-1][0])
        if table is MEMORY:
            put_words(session, self._words(rows), counters)
        if table.name == "event":
            _count(session, "event", {"event": rows[-1][0]})
        _count(session, FAMILY, counters)
        _note(session, position)

    def _words(self, rows: Sequence[Row]) -> dict[str, list[int]]:
        tags, text = MEMORY.names.index("tags"), MEMORY.names.index("text")
        words: dict[str, list[int]] = {}
        for row in rows:
            for stem in stems_of(row[text], (row[tags] or "").split(TAG_JOINT), self._stem):
                words.setdefault(stem, []).append(row[0])
        return words

    def sums(self) -> dict[str, Sum]:
        """Read everything back and sum it up."""
        return self._server.read(self._space, lambda session: sum_all(SpaceRows(session)))

    def finish(self) -> None:
        """Let the space be opened."""
        sql = "DELETE FROM memory_meta WHERE space = $1 AND key = $2"
        self._server.write(self._space, FAMILY, lambda session: session.change(sql, (STATE,)), _WAIT)
        self._server.close()

    def begin_again(self) -> None:
        """Throw away what was written."""

        def work(session: Session) -> None:
            for table in (*(_CALLED.get(one.name, one.name) for one in TABLES), "posting"):
                session.change(f"DELETE FROM {table} WHERE space = $1")
            _count(session, FAMILY, {})

        self._server.write(self._space, FAMILY, work, _WAIT)


def _note(session: Session, position: Position) -> None:
    sql = (
        "INSERT INTO memory_meta (space, key, value) VALUES ($1, $2, $3) "
        "ON CONFLICT (space, key) DO UPDATE SET value = excluded.value"
    )
    session.change(sql, (STATE, position.pack()))


def _count(session: Session, family: str, counters: dict[str, int]) -> None:
    sql = (
        "INSERT INTO turn (space, family, counters) VALUES ($1, $2, $3::jsonb) "
        "ON CONFLICT (space, family) DO UPDATE SET counters = excluded.counters"
    )
    session.change(sql, (family, json.dumps(counters)))
