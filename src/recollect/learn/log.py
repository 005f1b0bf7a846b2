"""Logs of events: one in memory, and one in a store that never lets an answer wait for a writer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Any

from recollect.errors import BusyError, ReadOnlyError
from recollect.ports import Event

WAIT = 0.2
"""Seconds that filing events may wait for another writer; what cannot be filed is kept for the next time."""


class MemoryLog:
    """Keeps events as long as the process lives."""

    def __init__(self) -> None:
        self._events: list[Event] = []

    def events(self) -> Sequence[Event]:
        """Return all events, oldest first."""
        return self._events

    def add(self, events: Iterable[Event]) -> None:
        """Append events."""
        self._events.extend(events)


class StoreLog:
    """Keeps events in a store, read once and then followed by what this process adds."""

    def __init__(
        self,
        reader: Callable[[], AbstractContextManager[Any]],
        writer: Callable[[float], AbstractContextManager[Any]],
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._known: list[Event] | None = None
        self._waiting: list[Event] = []

    def events(self) -> Sequence[Event]:
        """Return all events, oldest first."""
        if self._known is None:
            with self._reader() as reader:
                self._known = list(reader.events())
        return self._known

    def add(self, events: Iterable[Event]) -> None:
        """Append events; while another process writes, or nothing can be written, they wait in memory."""
        fresh = list(events)
        if not fresh and not self._waiting:
            return
        if self._known is not None:
            self._known.extend(fresh)
        self._waiting.extend(fresh)
        try:
            with self._writer(WAIT) as writer:
                writer.add_events(self._waiting)
        except (BusyError, ReadOnlyError):
            return
        self._waiting.clear()

    def forget(self) -> None:
        """Read the store again the next time, because others may have added to it."""
        self._known = None
