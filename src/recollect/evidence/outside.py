"""The names of what lies outside the repository, as the tools that resolved the code told them."""

from __future__ import annotations

import threading
import zlib
from pathlib import Path

import msgspec

from recollect.ports import Reader
from recollect.store.resolved import evidence_key, unpack
from recollect.store.sqlite.evidence import open_evidence


class Outside:
    """Names of symbols outside that the code uses as it is now; read anew when evidence or index changed."""

    def __init__(self, evidence_db: Path) -> None:
        self._evidence = open_evidence(evidence_db)
        self._guard = threading.Lock()
        self._known: tuple[tuple[str, int], tuple[str, ...]] = (("", -1), ())

    def names(self, reader: Reader) -> tuple[str, ...]:
        """Return each name once, such as `external://flask/app#Flask`, in a fixed order."""
        with self._guard:
            key = (self._evidence.stamp(), reader.generation())
            if not key[0]:
                return ()
            if self._known[0] != key:
                self._known = (key, self._read(reader))
            return self._known[1]

    def close(self) -> None:
        """Close the database."""
        self._evidence.close()

    def _read(self, reader: Reader) -> tuple[str, ...]:
        wanted = {evidence_key(row.content, row.path) for row in reader.files() if not row.skipped}
        names: set[str] = set()
        for key, data in self._evidence.resolved():
            if key in wanted:
                try:
                    names.update(name for _, name in unpack(data).outside)
                except (zlib.error, ValueError, msgspec.MsgspecError):
                    continue
        return tuple(sorted(names))
