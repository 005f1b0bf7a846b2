"""The databases of an open index: those of the project, or of its server, or of this machine while that is away."""

from __future__ import annotations

import threading
import time

from recollect import plugins
from recollect.errors import AwayError
from recollect.index.lazy import LazyFacts
from recollect.index.project import Project
from recollect.index.shared import Shared
from recollect.ports import FactsStore, Store

STORE = "sqlite"
SHARED_STORE = "postgres-index"
AWAY_SECONDS = 60.0
"""So long after a server was away the index of this machine is used before it is asked again."""


class Stores:
    """Opens the databases when they are first needed; any thread may use it."""

    def __init__(self, project: Project, shared: Shared | None) -> None:
        self.project = project
        self.shared = shared
        self._guard = threading.RLock()
        self._opened: tuple[Store, FactsStore] | None = None
        self._away_until = 0.0
        self._away = False

    def get(self) -> tuple[Store, FactsStore]:
        """Return the index and the facts by content."""
        with self._guard:
            if self._away and time.monotonic() >= self._away_until:
                self.close()
                self._away = False
            if self._opened is None:
                self._opened = (self._open(), LazyFacts(self.project.parsed_db))
            return self._opened

    @property
    def in_files(self) -> bool:
        """Tell whether the index lies in a file of this machine."""
        return self.shared is None or self._away

    @property
    def notes(self) -> tuple[str, ...]:
        """Return a sentence when the index is not the one that is set."""
        if not self._away:
            return ()
        return ("The server does not answer, so the code comes from an index of this machine.",)

    def leave(self) -> bool:
        """Use the index of this machine for a while, where that is wished; tell whether it is."""
        if self.shared is None or self.shared.copy is None or self._away:
            return False
        with self._guard:
            self.close()
            self._away, self._away_until = True, time.monotonic() + AWAY_SECONDS
        return True

    def close(self) -> None:
        """Close the databases; they open again when they are needed."""
        with self._guard:
            opened, self._opened = self._opened, None
        for store in opened or ():
            store.close()

    def _open(self) -> Store:
        if self.shared is not None and not self._away:
            try:
                return self._open_shared(self.shared)
            except AwayError:
                if self.shared.copy is None:
                    raise
                self._away, self._away_until = True, time.monotonic() + AWAY_SECONDS
        here: Store = plugins.load("stores", STORE).open_index(
            self.project.index_db, self.project.evidence_db
        )
        return here

    def _open_shared(self, shared: Shared) -> Store:
        from recollect.store.postgres.installed import require

        require()
        place = (shared.space, shared.tree)
        project = self.project
        opened: Store = plugins.load("stores", SHARED_STORE).open_index(
            shared.url, place, project.folder, project.evidence_db
        )
        return opened
