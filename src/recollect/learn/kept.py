"""The events of a project in a file that is opened when it is needed; no answer waits for it or fails because of it."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Protocol

from recollect import plugins
from recollect.errors import StoreError
from recollect.ports import Event

AT_ONCE = 1000
"""How many events wait in memory before they are written together."""
WAIT = 0.2
"""Seconds that writing what was shown may wait for another process."""
LATELY = 3600.0
"""Seconds for which what was shown may still matter to a session; later it matters only to its own question."""
PATIENCE = 10.0
"""Seconds that writing what a person said may wait."""


class _Store(Protocol):
    def reader(self) -> AbstractContextManager[Any]: ...
    def writer(self, wait: float = ...) -> AbstractContextManager[Any]: ...
    def close(self) -> None: ...


class EventPlace(Protocol):
    """Where events are kept."""

    def exists(self) -> bool:
        """Tell whether any were ever kept."""
        ...

    def open(self) -> _Store:
        """Open it."""
        ...

    def state(self) -> object:
        """Return what changes when anyone writes to it."""
        ...


class _File:
    def __init__(self, path: Path) -> None:
        self._path = path

    def exists(self) -> bool:
        return self._path.exists()

    def open(self) -> _Store:
        opened: _Store = plugins.load("stores", "sqlite").open_events(self._path)
        return opened

    def state(self) -> object:
        found = []
        for place in (self._path, self._path.with_name(self._path.name + "-wal")):
            try:
                stat = place.stat()
            except OSError:
                continue
            # Opening a file lays an empty log beside it, which is no write.
            if stat.st_size:
                found.append((stat.st_mtime_ns, stat.st_size))
        return tuple(found)


class EventFile:
    """All events of a project, oldest first; what happens is written in batches and when it is closed."""

    def __init__(self, place: Path | EventPlace) -> None:
        self._place: EventPlace = _File(place) if isinstance(place, Path) else place
        self._guard = threading.RLock()
        self._store: _Store | None = None
        self._known: list[Event] | None = None
        self._seen: object = ()
        self._waiting: list[Event] = []

    def events(self) -> Sequence[Event]:
        """Return all that was judged and what was shown lately, oldest first, also what other processes filed."""
        with self._guard:
            state = self._place.state()
            if self._known is None or state != self._seen:
                self._known, self._seen = [*self._read(), *self._waiting], state
            return self._known

    def load(self, query_id: str) -> Sequence[Event]:
        """Return the events of a question, however old, and take them among those that are known."""
        with self._guard:
            # Opening the file may look like a change to it, so it is read before the rest is.
            read = self._read(query_id)
            known = list(self.events())
            mine = [event for event in known if event.query_id == query_id]
            fresh = [event for event in read if event not in mine]
            self._known = [*fresh, *known]
            return [*fresh, *mine]

    def add(self, events: Iterable[Event]) -> None:
        """Append events; they are written when there are many, or when the file is closed."""
        with self._guard:
            fresh = list(events)
            self._waiting.extend(fresh)
            if self._known is not None:
                self._known.extend(fresh)
            if len(self._waiting) >= AT_ONCE:
                self._try_to_write()

    def settle(self) -> None:
        """Write what waits if that is possible at once, so that other processes see it."""
        with self._guard:
            self._try_to_write()

    def flush(self) -> None:
        """Write what waits, or raise what kept it from being written."""
        with self._guard:
            self._write(PATIENCE)

    def close(self) -> None:
        """Write what waits if that is possible, and close the file."""
        with self._guard:
            self._try_to_write()
            store, self._store = self._store, None
            if store is not None:
                store.close()

    def _read(self, query_id: str = "") -> list[Event]:
        if not self._place.exists():
            return []
        since = 0.0 if query_id else time.time() - LATELY
        try:
            with self._opened().reader() as reader:
                return list(reader.events(query_id, shown_since=since))
        except StoreError:
            return []

    def _try_to_write(self) -> None:
        try:
            self._write(WAIT)
        except StoreError:
            # What was shown is no reason to fail; a read-only project still answers.
            del self._waiting[:-AT_ONCE]

    def _write(self, wait: float) -> None:
        if not self._waiting:
            return
        with self._opened().writer(wait) as writer:
            alone = self._known is not None and self._place.state() == self._seen
            writer.add_events(self._waiting)
        self._waiting = []
        if alone:
            # Nobody else wrote, so what is known is all there is, and need not be read again.
            self._seen = self._place.state()
        else:
            self._known = None

    def _opened(self) -> _Store:
        if self._store is None:
            self._store = self._place.open()
        return self._store
