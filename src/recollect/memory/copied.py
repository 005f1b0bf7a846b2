"""Memories of a server with a copy beside them, and the writes that wait until the server is back."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeVar

from recollect.errors import AwayError, NotFoundError, ReadOnlyError, RecollectError, StoreError
from recollect.memory import queue
from recollect.memory.forget import Selection
from recollect.memory.move import move
from recollect.memory.opened import OpenMemory
from recollect.memory.queue import Waiting
from recollect.memory.times import shown
from recollect.memory.tools import Tools
from recollect.store.ids import uid_of
from recollect.store.memories import MemoryRow
from recollect.store.memory_port import MemoryKeeper
from recollect.store.postgres.memory_store import MemorySpace
from recollect.store.sqlite.database import begin_folder
from recollect.store.sqlite.lock import writer_lock
from recollect.store.sqlite.moving import FileFilled

COPY, COPIED = "shared.db", "shared.copied"
COPY_SECONDS = 300.0
"""A copy that is younger is not made again, whatever was written meanwhile."""
AGAIN_SECONDS = 5.0
"""So long after the server was away it is not asked again."""
_WAIT = 30.0
_MARKED = MemoryRow._fields.index("uid"), MemoryRow._fields.index("number")

Answer = TypeVar("Answer")


class Copied(OpenMemory):
    """Asks the server, or the copy where it is away, and brings both together again."""

    def __init__(self, place: MemorySpace, folder: Path, wait: float, **given: Any) -> None:
        super().__init__(place, wait, **given)
        self._space = place
        self.folder = folder
        self.here = OpenMemory(folder / COPY, wait, **given)
        self._away_until = 0.0
        self._said: tuple[str, ...] = ()

    def sync(self) -> tuple[int, list[Waiting]]:
        """Make the writes that wait, then copy the server's memories; return how many were made, and conflicts."""
        self._away_until = 0.0
        made = self._reconcile()
        self._copy()
        return made, self.conflicts()

    def queued(self) -> list[Waiting]:
        """Return the writes that wait."""
        return queue.read(self.folder / queue.QUEUE)

    def conflicts(self) -> list[Waiting]:
        """Return the writes that met changes of others and were not made."""
        return queue.read(self.folder / queue.CONFLICTS)

    def counts(self) -> Mapping[str, int]:
        """Return what is counted of the server, and how many writes wait."""
        return {**super().counts(), "queued": len(self.queued())}

    def close(self) -> None:
        """Close both."""
        self.here.close()
        super().close()

    def _ask(self, there: Callable[[], Answer], here: Callable[[], Answer]) -> tuple[Answer, bool]:
        """Ask the server, or the copy while it is away; tell whether it was."""
        if time.monotonic() >= self._away_until:
            try:
                self._reconcile()
                answer = there()
            except (AwayError, ReadOnlyError) as error:
                if not _is_away(error, self._opened):
                    raise
                self._away_until = time.monotonic() + AGAIN_SECONDS
                super().close()
            else:
                self._copy_if_old()
                return answer, False
        return here(), True

    def _there(self, action: str, arguments: dict[str, Any]) -> Any:
        if action == "remember":
            return super().remember_many(arguments["rows"], None)
        if action == "forget":
            return super().forget(Selection(tuple(arguments["ids"])), False)
        return getattr(super(), action)(**arguments)

    def _queue(self, action: str, arguments: dict[str, Any], marks: dict[str, str]) -> None:
        begin_folder(self.folder)
        with writer_lock(self.folder / f"{queue.QUEUE}.lock", _WAIT):
            one = Waiting(action, arguments, marks, shown(self._now()) or "")
            queue.append(self.folder / queue.QUEUE, one)

    def _reconcile(self) -> int:
        """Make the writes that wait, in their order; those that meet changes of others are put aside, none is lost."""
        if not (self.folder / queue.QUEUE).exists():
            return 0
        with writer_lock(self.folder / f"{queue.QUEUE}.lock", _WAIT):
            waiting, touched = self.queued(), set[str]()
            made = met = 0
            while waiting:
                one = waiting[0]
                why = self._make(one, touched)
                if why:
                    queue.append(self.folder / queue.CONFLICTS, one._replace(why=why))
                # After a conflict the rest that was done to the same memory is one too.
                touched |= set(() if why else one.marks)
                made, met = made + (not why), met + bool(why)
                waiting = waiting[1:]
                queue.replace(self.folder / queue.QUEUE, waiting)
        told = f"{made} writes that had waited for the server were made"
        told += (
            f"; {met} met changes of others and were not: 'recollect store conflicts' shows them"
            if met
            else ""
        )
        self._said = (*self._said, f"{told}.") if made or met else self._said
        self._copy()
        return made

    def _make(self, one: Waiting, touched: set[str]) -> str:
        """Make one write; return why it could not be made."""
        there = self._marks(super(), [name for name in one.marks if name not in touched])
        changed = [name for name, mark in there.items() if mark != one.marks[name]]
        if changed:
            gone = [name for name in changed if not there[name]]
            return f"{', '.join(changed)} {'was forgotten' if gone else 'was changed'} by others meanwhile"
        try:
            self._there(one.action, one.arguments)
        except RecollectError as error:
            if _is_away(error, self._opened):
                raise
            return str(error)
        return ""

    def _marks(self, memory: Any, ids: Iterable[str]) -> dict[str, str]:
        """Return what memories are like, by id; an empty text for one that is not there."""
        wanted = list(ids)
        try:
            rows = {one: _row(memory, one) for one in wanted}
        except NotFoundError:
            rows = dict.fromkeys(wanted)
        return {one: "" if row is None else _mark(row) for one, row in rows.items()}

    def _copy_if_old(self) -> None:
        file = self.folder / COPIED
        if not file.exists() or time.time() - file.stat().st_mtime > COPY_SECONDS:
            try:
                self._copy()
            except StoreError as error:
                # The answer is there; only the next time without a server would know less.
                self._said = (*self._said, f"The copy of the shared memories could not be renewed: {error}")

    def _copy(self) -> None:
        """Copy every memory of the server, whole or not at all."""
        begin_folder(self.folder)
        with writer_lock(self.folder / f"{COPIED}.lock", _WAIT), self._space.rows() as rows:
            self.here.close()
            move(rows, FileFilled(self.folder / COPY, over=True))
        (self.folder / COPIED).touch()

    def _how_old(self) -> str:
        file, waiting = self.folder / COPIED, len(self.queued())
        when = shown(int(file.stat().st_mtime * 1000)) if file.exists() else None
        waits = f"; {waiting} writes wait for it" if waiting else ""
        old = (
            f"comes from the copy of {when}"
            if when
            else "knows only what was written here, as there is no copy yet"
        )
        return f"{self.place.shown[0].upper()}{self.place.shown[1:]} does not answer, so this {old}{waits}."


def _is_away(error: RecollectError, opened: tuple[MemoryKeeper, Tools] | None) -> bool:
    """Tell whether an error passes by itself: no server answers, or only a standby, which takes no writes."""
    standby = opened is not None and bool(opened[0].notes())
    return isinstance(error, AwayError) or (isinstance(error, ReadOnlyError) and standby)


def _row(memory: Any, public_id: str) -> MemoryRow | None:
    store, _ = memory._open()
    row: MemoryRow | None = store.read(lambda reader: reader.memory(uid_of(public_id)))
    return row


def _mark(row: MemoryRow) -> str:
    values = [value for at, value in enumerate(row) if at not in _MARKED]
    return blake2b(repr(values).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
