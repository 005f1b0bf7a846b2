"""The life of memories: pins, hygiene, what was learned of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from recollect.errors import NotFoundError
from recollect.memory.code import Code
from recollect.memory.dream.dreaming import Dream, dream, told, undo
from recollect.memory.dream.plan import Tools
from recollect.memory.dream.rules import silent_stems
from recollect.memory.fading import life, retention
from recollect.memory.history import set_pinned
from recollect.memory.hygiene import Cleaned, Wish, clean, stale
from recollect.memory.judging import judge
from recollect.memory.kept import KeptMemory, known
from recollect.store.memories import MemoryRow
from recollect.store.memory_port import MemoryReader, MemoryWriter


class LivingMemory(KeptMemory):
    """Lets memories fade, and keeps those that are pinned."""

    def take_rows(self, rows: Iterable[MemoryRow]) -> None:
        """Take memories in as they stand in another store."""
        store, _ = self._open()

        def work(writer: MemoryWriter) -> None:
            for row in rows:
                writer.add(row, ())

        store.write(work, self._wait)

    def counts(self) -> Mapping[str, int]:
        """Return what is counted of the server on which memories lie; nothing of a file or before it is open."""
        return self._opened[0].told() if self._opened else {}

    def received(self) -> Mapping[str, Sequence[MemoryRow]]:
        """Return what others share, by who shares it."""
        return self._open()[0].received() if self.place.exists() else {}

    def pin(self, public_id: str, pinned: bool = True) -> bool:
        """Keep a memory from ever fading, or let it go again; tell whether that changed anything."""
        store, _ = self._known(public_id)
        return store.write(
            lambda writer: set_pinned(writer, known(writer, public_id), pinned, self._now()), self._wait
        )

    def retention(self, public_id: str, shape: str = "huber") -> float:
        """Return what is left of a memory, between 0 and 1."""
        store, _ = self._known(public_id)

        def work(reader: MemoryReader) -> float:
            row = known(reader, public_id)
            return retention(life(row, reader.uses().get(row.uid, (0, 0.0))), self._now(), shape)

        return store.read(work)

    def clean(self, wish: Wish, code: Code | None) -> Cleaned:
        """Put away what has faded, and say which memories tell of code that changed."""
        if not self.place.exists():
            return Cleaned(wish.dry_run, 0, 0, 0, (), ())
        store, _ = self._open()
        done = clean(store, wish, self._now(), self._wait)
        if code is None:
            return done
        return replace(done, stale=store.read(lambda reader: tuple(stale(reader, code))))

    def dream(self, dry_run: bool = False) -> Dream:
        """Consolidate memories: reflections of what belongs together, cards of what is often named, promotions."""
        if not self.place.exists():
            raise NotFoundError("There is nothing to dream of, because nothing was remembered here yet.")
        store, _ = self._open()
        stem, cut = store.tokenizer(), store.tokenizer(stems=False)
        return dream(store, Tools(stem, cut, silent_stems(stem)), self._now(), dry_run, self._wait)

    def undo_dream(self, number: int) -> dict[str, Any]:
        """Take a dream back."""
        if not self.place.exists():
            raise NotFoundError(f"There is no dream {number}, because nothing was remembered here yet.")
        return undo(self._open()[0], number, self._now(), self._wait)

    def dreams(self) -> list[Dream]:
        """Return every dream, oldest first."""
        return told(self._open()[0]) if self.place.exists() else []

    def judge(self, query_id: str, ids: Sequence[str], useful: bool) -> tuple[str, ...]:
        """File which memories of an answer were of use, or of none; return their ids."""
        wanted = tuple(dict.fromkeys(ids))
        store, _ = self._known(", ".join(wanted))
        self._shown.file(store)
        judge(store, query_id, wanted, useful, self._clock())
        return wanted

    def unlearn(self) -> int:
        """Remove every event, from which everything that was learned comes; return how many there were."""
        if not self.place.exists():
            return 0
        store, _ = self._open()
        return store.write(lambda writer: writer.remove_events(), self._wait)
