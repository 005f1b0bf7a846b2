"""What is known of the past, for those who rank or answer: looked up, never gathered; git is not asked."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from recollect.source.git import find_repository, head
from recollect.store.ids import uid_of
from recollect.store.past import FilePast, Pair, PastState, SymbolPast
from recollect.store.sqlite.past import open_past
from recollect.types import Item

_MOST_FILES = 4096


class PastView:
    """The past of a project's files and symbols as it was last read; any thread may ask."""

    def __init__(self, root: Path, evidence_db: Path) -> None:
        self._root = root
        self._past = open_past(evidence_db)
        self._guard = threading.Lock()
        self._stamp: tuple[int, int] = (0, 0)
        self._symbols: dict[str, Mapping[int, SymbolPast]] = {}
        self._files: dict[str, FilePast | None] = {}
        self._state = PastState()

    def state(self) -> PastState:
        """Return how much is known."""
        with self._guard:
            self._keep_up()
            return self._state

    def newest(self) -> int:
        """Return when the newest commit was made."""
        return self.state().newest

    def missing(self) -> tuple[str, ...]:
        """Say what is not known, a sentence for each thing; nothing when all of it is."""
        state = self.state()
        repository = find_repository(self._root)
        if repository is None:
            return ("There is no git repository, so nothing is known of its history.",)
        if not state.head:
            return ("The history was not read yet; `recollect enrich --history` does that.",)
        behind = state.head != head(repository).commit
        late = (
            ("The history was read at another commit; `recollect enrich --history` goes on.",)
            if behind
            else ()
        )
        return (*state.notes, *late)

    def committed(self, items: Sequence[Item]) -> Mapping[int, float]:
        """Return when lines of each item were last changed by a commit, by number; what is not known is absent."""
        found = {item.number: self.symbol(item) for item in items if item.path and item.start_line}
        return {number: float(one.latest) for number, one in found.items() if one is not None}

    def symbol(self, item: Item) -> SymbolPast | None:
        """Return the past of a symbol."""
        with self._guard:
            self._keep_up()
            if item.path not in self._symbols:
                if len(self._symbols) >= _MOST_FILES:
                    self._symbols.clear()
                self._symbols[item.path] = {one.uid: one for one in self._past.symbols(item.path)}
            return self._symbols[item.path].get(uid_of(item.id))

    def files(self, paths: Iterable[str]) -> dict[str, FilePast]:
        """Return the past of files; those of which nothing is known are absent."""
        with self._guard:
            self._keep_up()
            wanted = list(paths)
            new = [path for path in wanted if path not in self._files]
            if new:
                found = self._past.files(new)
                self._files.update({path: found.get(path) for path in new})
            return {path: known for path in wanted if (known := self._files[path]) is not None}

    def partners(self, path: str) -> tuple[Pair, ...]:
        """Return the files that change with a file."""
        return self._past.partners(path)

    def symbol_partners(self, item: Item) -> tuple[Pair, ...]:
        """Return the symbols that change with a symbol, by uid."""
        return self._past.symbol_partners(uid_of(item.id))

    def close(self) -> None:
        """Close the database."""
        self._past.close()

    def _keep_up(self) -> None:
        """Forget what was looked up when something was written since."""
        try:
            found = self._past.path.stat()
            stamp = (found.st_mtime_ns, found.st_size)
        except OSError:
            stamp = (0, 0)
        if stamp != self._stamp:
            self._stamp = stamp
            self._symbols.clear()
            self._files.clear()
            self._state = self._past.state()
