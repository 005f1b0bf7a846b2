"""Memories of a server that can be asked while it is away: a copy answers, writes wait until it is back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from recollect.memory.code import Code
from recollect.memory.copied import Copied
from recollect.memory.forget import Forgotten, Selection
from recollect.memory.timeline import Timeline
from recollect.memory.times import shown
from recollect.store.memories import MemoryRow
from recollect.types import Hits, Item


class OfflineMemory(Copied):
    """Answers and takes writes whether the server is there or not; any thread may use it."""

    def recall(self, query: str, limit: int, given: Mapping[str, Any], code: Code | None) -> Hits:
        """Answer a question, from the copy where the server is away, and say so."""
        asked = (query, limit, given, code)
        hits, away = self._ask(
            lambda: super(OfflineMemory, self).recall(*asked), lambda: self.here.recall(*asked)
        )
        said, self._said = self._said, ()
        notes = (*said, *((self._how_old(),) if away else ()))
        return replace(hits, degraded=(*hits.degraded, *notes)) if notes else hits

    def received(self) -> Mapping[str, Sequence[MemoryRow]]:
        """Return what others share; of that there is no copy."""
        return self._ask(super().received, _nothing)[0]

    def timeline(self, first: int, length: int, given: Mapping[str, Any]) -> Timeline:
        """Return a page of all memories, newest first."""
        asked = (first, length, given)
        return self._ask(
            lambda: super(OfflineMemory, self).timeline(*asked), lambda: self.here.timeline(*asked)
        )[0]

    def get(self, public_id: str) -> Item:
        """Return one memory."""
        return self._ask(lambda: super(OfflineMemory, self).get(public_id), lambda: self.here.get(public_id))[
            0
        ]

    def history(self, public_id: str) -> list[dict[str, Any]]:
        """Return what happened to a memory, oldest first."""
        one = public_id
        return self._ask(lambda: super(OfflineMemory, self).history(one), lambda: self.here.history(one))[0]

    def export(self) -> Iterable[dict[str, Any]]:
        """Return everything that is known."""
        return self._ask(lambda: list(super(OfflineMemory, self).export()), lambda: list(self.here.export()))[
            0
        ]

    def remember_many(
        self, rows: Iterable[Mapping[str, Any] | str], code: Code | None, redact: bool = False
    ) -> list[Item]:
        """Write many memories; where the server is away they are written to the copy and wait."""
        given = [{"text": row} if isinstance(row, str) else dict(row) for row in rows]

        def later() -> list[Item]:
            now = shown(self._now())
            dated = [{"created": now, **row} for row in given]
            items = self.here.remember_many(dated, code, redact)
            # What was blotted out here must not be sent as it was.
            kept = [
                {**row, "text": self.here.get(one.id).text} for row, one in zip(dated, items, strict=True)
            ]
            self._queue("remember", {"rows": kept}, {})
            return [replace(one, metadata={**one.metadata, "queued": True}) for one in items]

        return self._ask(lambda: super(OfflineMemory, self).remember_many(given, code, redact), later)[0]

    def forget(self, selection: Selection, dry_run: bool) -> Forgotten:
        """Remove what is selected; where the server is away the ids wait."""

        def later() -> Forgotten:
            found = self.here.forget(selection, True)
            if not dry_run:
                marks = self._marks(self.here, found.ids)
                found = self.here.forget(Selection(found.ids), False)
                self._queue("forget", {"ids": list(found.ids)}, marks)
            return found

        return self._ask(lambda: super(OfflineMemory, self).forget(selection, dry_run), later)[0]

    def link(self, source: str, type_name: str, target: str, remove: bool = False) -> bool:
        """Link two memories, or take a link back."""
        asked = {"source": source, "type_name": type_name, "target": target, "remove": remove}
        return self._either("link", asked, (source, target))

    def pin(self, public_id: str, pinned: bool = True) -> bool:
        """Keep a memory from ever fading, or let it go again."""
        return self._either("pin", {"public_id": public_id, "pinned": pinned}, (public_id,))

    def set_status(self, public_id: str, status: str) -> bool:
        """Archive a memory or make it active again."""
        return self._either("set_status", {"public_id": public_id, "status": status}, (public_id,))

    def _either(self, action: str, arguments: dict[str, Any], ids: Sequence[str]) -> bool:
        def later() -> bool:
            marks = self._marks(self.here, ids)
            changed = bool(getattr(self.here, action)(**arguments))
            self._queue(action, arguments, marks)
            return changed

        return bool(self._ask(lambda: self._there(action, arguments), later)[0])


def _nothing() -> Mapping[str, Sequence[MemoryRow]]:
    return {}
