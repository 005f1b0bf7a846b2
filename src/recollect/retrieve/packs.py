"""Packs that are kept between processes, in a file that may be deleted at any time."""

from __future__ import annotations

import threading
from pathlib import Path

from recollect.errors import StoreError
from recollect.store.arc import ArcCache

CAPACITY = 64
GHOSTS = 128


class PackFile:
    """A cache of packs that is read by the first question and written when the project is closed."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._guard = threading.Lock()
        self._cache: ArcCache | None = None
        self._changed = False

    def get(self, key: str) -> bytes | None:
        """Return what was kept, or None."""
        with self._guard:
            return self._kept().get(key)

    def put(self, key: str, value: bytes) -> None:
        """Keep a pack."""
        with self._guard:
            self._kept().put(key, value)
            self._changed = True

    def close(self) -> None:
        """Write the packs if there are new ones; what cannot be written is made again another time."""
        with self._guard:
            cache, self._cache = self._cache, None
            if cache is None or not self._changed:
                return
            self._changed = False
            try:
                cache.save(self._path)
            except (StoreError, OSError):
                return

    def _kept(self) -> ArcCache:
        if self._cache is None:
            try:
                self._cache = ArcCache.load(self._path) if self._path.exists() else ArcCache(CAPACITY, GHOSTS)
            except (StoreError, OSError):
                self._cache = ArcCache(CAPACITY, GHOSTS)
        return self._cache
