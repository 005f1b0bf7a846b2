"""The memories of one scope that are kept: their database, and what is done with one of them by its id."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from recollect.errors import NotFoundError, UsageError
from recollect.memory import show
from recollect.memory.exchange import exported
from recollect.memory.history import history, set_status
from recollect.memory.note import LINK_TYPES, TIES
from recollect.memory.relate import relate, unrelate
from recollect.memory.shown import Shown
from recollect.memory.timeline import linked
from recollect.memory.tools import Tools
from recollect.store.ids import uid_of
from recollect.store.memories import MemoryRow
from recollect.store.memory_port import MemoryKeeper, MemoryPlace, MemoryReader, MemoryWriter
from recollect.store.sqlite.memory_store import MemoryFile
from recollect.types import Item


class KeptMemory:
    """Opens the database when it is first needed; any thread may use it."""

    def __init__(self, place: Path | MemoryPlace, wait: float, clock: Callable[[], float]) -> None:
        self.place: MemoryPlace = MemoryFile(place) if isinstance(place, Path) else place
        self._wait = wait
        self._clock = clock
        self._guard = threading.RLock()
        self._opened: tuple[MemoryKeeper, Tools] | None = None
        self._shown = Shown()

    def get(self, public_id: str) -> Item:
        """Return one memory with its links and what it mentions."""
        store, _ = self._known(public_id)

        def work(reader: MemoryReader) -> Item:
            row = known(reader, public_id)
            links = [
                {"source": _id(link.source), "type": link.type, "target": _id(link.target)}
                for link in reader.links(row.uid)
                if link.type != "mentions"
            ]
            mentions = [f"{kind}:{name}" for kind, name in reader.mentions(row.number)]
            return show.item(row, {"links": links, "mentions": mentions})

        return store.read(work)

    def links(self, public_id: str) -> list[dict[str, Any]]:
        """Return what a memory is to others and what they are to it, each with the title of the other."""
        store, _ = self._known(public_id)
        return store.read(lambda reader: linked(reader, known(reader, public_id)))

    def history(self, public_id: str) -> list[dict[str, Any]]:
        """Return what happened to a memory, oldest first."""
        store, _ = self._known(public_id)
        return store.read(lambda reader: history(reader, public_id))

    def link(self, source: str, type_name: str, target: str, remove: bool = False) -> bool:
        """Link two memories, or take a link back; tell whether that changed anything."""
        name = type_name.replace("-", "_")
        if name not in LINK_TYPES:
            raise UsageError(f"There is no link '{type_name}'; links are {', '.join(LINK_TYPES)}.")
        return self._change(source, LINK_TYPES[name], target, remove)

    def tie(self, source: str, type_name: str, target: str) -> bool:
        """Link two memories as an export says, also by what only dreams make."""
        if type_name not in TIES:
            raise UsageError(f"There is no link '{type_name}'; links are {', '.join(TIES)}.")
        return self._change(source, type_name, target)

    def _change(self, source: str, type_name: str, target: str, remove: bool = False) -> bool:
        store, _ = self._known(source)

        def work(writer: MemoryWriter) -> bool:
            change = unrelate if remove else relate
            return change(writer, known(writer, source), type_name, known(writer, target), self._now())

        return store.write(work, self._wait)

    def set_status(self, public_id: str, status: str) -> bool:
        """Archive a memory or make it active again; tell whether that changed anything."""
        store, _ = self._known(public_id)
        return store.write(
            lambda writer: set_status(writer, known(writer, public_id), status, self._now()), self._wait
        )

    def export(self) -> Iterable[dict[str, Any]]:
        """Yield everything that is known, a line for each memory."""
        return exported(self._open()[0]) if self.place.exists() else ()

    def check(self) -> list[str]:
        """Return what is wrong with the database."""
        return self._open()[0].check() if self.place.exists() else []

    def close(self) -> None:
        """Close the database; it opens again when it is needed."""
        with self._guard:
            opened, self._opened = self._opened, None
        if opened:
            self._shown.file(opened[0])
            opened[0].close()

    def _open(self) -> tuple[MemoryKeeper, Tools]:
        with self._guard:
            if self._opened is None:
                store = self.place.open(self._wait)
                self._opened = (store, Tools(store.tokenizer(), store.tokenizer(stems=False)))
            return self._opened

    def _known(self, public_id: str) -> tuple[MemoryKeeper, Tools]:
        if not self.place.exists():
            raise NotFoundError(f"There is no memory {public_id}, because nothing was remembered here yet.")
        return self._open()

    def _now(self) -> int:
        return int(self._clock() * 1000)


def known(reader: MemoryReader, public_id: str) -> MemoryRow:
    """Return the memory with a public id, or say that there is none."""
    row = reader.memory(uid_of(public_id)) if public_id.startswith("m") else None
    if row is None:
        raise NotFoundError(f"There is no memory {public_id}; recall shows the ids.")
    return row


def _id(uid: int) -> str:
    return show.public_id(uid)
