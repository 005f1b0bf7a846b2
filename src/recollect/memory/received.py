"""Memories that other spaces share with this one: ranked beside its own, and told apart from them."""

from __future__ import annotations

import shutil
import tempfile
import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from recollect.memory.opened import OpenMemory
from recollect.memory.show import public_id
from recollect.store.memories import MemoryRow
from recollect.store.view import MemoryRanker
from recollect.types import Hit, Hits

Rows = Mapping[str, Sequence[MemoryRow]]


class Received:
    """What was shared, kept in a file of its own while it stays as it is."""

    def __init__(self, ranker: MemoryRanker | None) -> None:
        self._ranker = ranker
        self._guard = threading.RLock()
        self._rows: Rows = {}
        self._folder = ""
        self._memory: OpenMemory | None = None

    def beside(self, own: Hits, shared: Rows, asked: tuple[str, int, Mapping[str, Any]]) -> Hits:
        """Return an answer with what others share among it, best first."""
        query, limit, options = asked
        with self._guard:
            found = self._filled(shared).recall(query, limit, options, None)
        givers = {public_id(row.uid): name for name, rows in shared.items() for row in rows}
        mine = {hit.id for hit in own.hits}
        hits = [_told(hit, givers[hit.id]) for hit in found.hits if hit.id not in mine]
        if not hits:
            return own
        both = sorted((*own.hits, *hits), key=lambda hit: (-hit.score, hit.id))[:limit]
        # What was said of finding nothing is no longer true.
        said = own.degraded if own.hits else ()
        return replace(own, hits=tuple(both), degraded=said)

    def close(self) -> None:
        """Remove the file."""
        with self._guard:
            memory, self._memory = self._memory, None
            if memory is not None:
                memory.close()
                shutil.rmtree(self._folder, ignore_errors=True)

    def _filled(self, shared: Rows) -> OpenMemory:
        if self._memory is None or shared != self._rows:
            self.close()
            self._folder = tempfile.mkdtemp(prefix="recollect-shared-")
            self._memory = OpenMemory(Path(self._folder) / "memory.db", ranker=self._ranker)
            self._memory.take_rows(row for rows in shared.values() for row in rows)
            self._rows = shared
        return self._memory


def _told(hit: Hit, giver: str) -> Hit:
    return replace(hit, reasons=(*hit.reasons[:-1], f"{hit.reasons[-1]}, shared by {giver}"))
