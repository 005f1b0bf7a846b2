"""What answers showed, filed where a profile learns from it."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence

from recollect.errors import AwayError, BusyError, ReadOnlyError
from recollect.memory.show import public_id
from recollect.ports import Event
from recollect.store.ids import uid_of
from recollect.store.memory_port import MemoryKeeper, MemoryWriter
from recollect.store.view import RankedMemories

PATIENCE = 0.2
"""Seconds for which filing what was shown may wait for another writer."""
AT_ONCE = 500
"""How many events wait in memory before they are written together."""


def shown_of(ranked: RankedMemories, now: float) -> list[Event]:
    """Return what an answer shows, with the features that learning needs; nothing where the profile does not learn."""
    return [
        Event(ranked.query_id, public_id(one.row.uid), "shown", now, json.dumps(one.features))
        for one in ranked.memories
        if one.features
    ]


class Shown:
    """What answers showed and is not yet filed: it is written when there is much of it, and before it is needed."""

    def __init__(self) -> None:
        self._waiting: list[Event] = []
        self._guard = threading.Lock()

    def add(self, store: MemoryKeeper, events: Sequence[Event]) -> None:
        """Keep what was shown for later."""
        with self._guard:
            self._waiting += events
            many = len(self._waiting) >= AT_ONCE
        if many:
            self.file(store)

    def file(self, store: MemoryKeeper) -> None:
        """Write what waits, as far as that is possible at once; no answer fails because of it."""
        with self._guard:
            waiting, self._waiting = self._waiting, []
        if not waiting:
            return
        try:
            store.write(lambda writer: _file(writer, waiting), PATIENCE)
        except (AwayError, BusyError, ReadOnlyError):
            with self._guard:
                self._waiting = [*waiting, *self._waiting][-AT_ONCE:]


def _file(writer: MemoryWriter, events: Sequence[Event]) -> None:
    # Of what was forgotten since, nothing is filed.
    writer.add_events(one for one in events if writer.memory(uid_of(one.item_id)) is not None)
