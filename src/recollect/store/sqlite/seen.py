"""Which contents were ever parsed, in a file beside the facts, so that a new content is told without looking for it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from recollect.errors import CorruptError, StoreError
from recollect.store.bloom import CAPACITY, BloomFilter

_SPARE = 2
"""How many times as many keys as there are now a filter that is made anew has room for."""

Keys = Callable[[], Sequence[bytes]]


class Seen:
    """The filter of one store of facts; who adds to it holds that store's lock, and adds before the facts appear."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._filter: BloomFilter | None = None
        self._stamp: tuple[int, int] = (0, 0)

    def may_have(self, key: bytes) -> bool:
        """Return False when the key was certainly never added; without a readable filter nothing is certain."""
        kept = self._current()
        return kept is None or key in kept

    def add(self, keys: Iterable[bytes], total: int, everything: Keys) -> None:
        """Add keys to the `total` ones that are there; a filter that is missing or full is made anew of everything."""
        kept = self._current()
        if kept is None or total > kept.capacity:
            kept = _made_of(everything())
        else:
            keys = [key for key in keys if key not in kept]
            if not keys:
                return
        for key in keys:
            kept.add(key)
        self._save(kept)

    def replace(self, keys: Sequence[bytes]) -> None:
        """Forget all but these keys."""
        self._save(_made_of(keys))

    def _save(self, kept: BloomFilter) -> None:
        self._filter = kept
        kept.save(self.path)
        self._stamp = self._seen_stamp()

    def _current(self) -> BloomFilter | None:
        """Return the filter as the last of all processes has left it."""
        stamp = self._seen_stamp()
        if stamp != self._stamp:
            self._stamp = stamp
            try:
                self._filter = BloomFilter.load(self.path) if stamp != (0, 0) else None
            except (CorruptError, StoreError):
                self._filter = None
        return self._filter

    def _seen_stamp(self) -> tuple[int, int]:
        try:
            found = self.path.stat()
        except OSError:
            return 0, 0
        return found.st_mtime_ns, found.st_ino


def _made_of(keys: Sequence[bytes]) -> BloomFilter:
    made = BloomFilter(max(CAPACITY, _SPARE * len(keys)))
    for key in keys:
        made.add(key)
    return made
