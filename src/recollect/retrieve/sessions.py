"""What sessions were shown, kept between processes in a file that may be deleted at any time."""

from __future__ import annotations

import threading
from pathlib import Path

from recollect.errors import StoreError
from recollect.retrieve.delta import Seen


class SeenFile:
    """Is read by the first question of a session and written when the project is closed."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._guard = threading.Lock()
        self._seen: Seen | None = None

    def begun(self, session: str, now: float) -> Seen:
        """Return what was shown, after noting that a session asks something."""
        with self._guard:
            if self._seen is None:
                self._seen = Seen.load(self._path) if self._path.exists() else Seen()
            self._seen.begin(session, now)
            return self._seen

    def close(self) -> None:
        """Write what was shown; what cannot be written is sent whole another time."""
        with self._guard:
            seen, self._seen = self._seen, None
            try:
                if seen is not None:
                    seen.save(self._path)
            except (StoreError, OSError):
                return
