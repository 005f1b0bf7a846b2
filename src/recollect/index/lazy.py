"""Opens what was parsed before only when an update asks for it; most updates find nothing to do."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from pathlib import Path

from recollect import plugins
from recollect.ports import FactsStore


class LazyFacts:
    """The facts of a project, opened by the first call."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._guard = threading.Lock()
        self._opened: FactsStore | None = None

    def seen(self, content: bytes) -> bool:
        """Return False when the content was certainly never parsed."""
        return self._store().seen(content)

    def get(self, content: bytes) -> bytes | None:
        """Return the facts of a content, or None."""
        return self._store().get(content)

    def known(self, contents: Iterable[bytes]) -> set[bytes]:
        """Return those contents whose facts are kept."""
        return self._store().known(contents)

    def put(self, rows: Iterable[tuple[bytes, bytes]]) -> None:
        """Keep facts."""
        self._store().put(rows)

    def prune(self, keep: Iterable[bytes]) -> int:
        """Drop all facts but those of the given contents."""
        return self._store().prune(keep)

    def close(self) -> None:
        """Close the facts if they were opened."""
        with self._guard:
            opened, self._opened = self._opened, None
        if opened is not None:
            opened.close()

    def _store(self) -> FactsStore:
        with self._guard:
            if self._opened is None:
                from recollect.parse import grammar_version

                opened: FactsStore = plugins.load("stores", "sqlite-facts")(self._path, grammar_version())
                self._opened = opened
            return self._opened
