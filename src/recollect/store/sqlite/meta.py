"""Small named values: generation, counts and what others wish to remember with the data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from recollect.store.sqlite.snapshot import Snapshot


class MetaReading(Snapshot):
    """Reads the small named values."""

    def meta(self, key: str) -> str | None:
        """Return the value that was kept under a key."""
        found = self.row("SELECT value FROM meta WHERE key = ?", (key,))
        return None if found is None else str(found[0])

    def generation(self) -> int:
        """Return how often this store was published."""
        return int(self.meta("generation") or 0)

    def counts(self) -> Mapping[str, int]:
        """Return how many files, symbols, chunks, externals and edges there are, and items by `kind:` and kind."""
        counts = {"files": 0, "skipped": 0, "symbols": 0, "chunks": 0, "edges": 0}
        counts.update(
            (name, count) for name, count in self.rows("SELECT name, count FROM tally WHERE count > 0")
        )
        (counts["externals"],) = self.rows("SELECT count(*) FROM external WHERE uses > 0")[0]
        return counts

    def notes(self) -> Mapping[str, Any]:
        """Return facts about the database itself, and sentences about what was out of the ordinary."""
        (pages,) = self.rows("PRAGMA page_count")[0]
        (free,) = self.rows("PRAGMA freelist_count")[0]
        (size,) = self.rows("PRAGMA page_size")[0]
        (mode,) = self.rows("PRAGMA journal_mode")[0]
        (schema,) = self.rows("PRAGMA user_version")[0]
        return {
            "path": str(self.database.path),
            "bytes": pages * size,
            "free_bytes": free * size,
            "journal": mode,
            "schema": schema,
            "writable": self.database.writable,
            "remarks": tuple(self.database.remarks),
        }
