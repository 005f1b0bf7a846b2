"""What every writer shares: numbers that are never given twice, counts, and publishing."""

from __future__ import annotations

from collections.abc import Mapping

import apsw

from recollect.store.sqlite.database import Database
from recollect.store.sqlite.reader import SqliteReader

_PLACES = frozenset({"file", "chunk"})


class Counting(SqliteReader):
    """A snapshot that writes; its counters are kept in memory until they are settled."""

    def __init__(self, database: Database, connection: apsw.Connection, domain: str) -> None:
        super().__init__(database, connection, domain)
        self._high_water = int(self.meta("high_water") or 0)
        self._removed = int(self.meta("removed") or 0)
        self._segments = int(self.meta("segments") or 0)
        self._tally: dict[str, int] = {}
        self._dirty = False

    def set_meta(self, key: str, value: str | None) -> None:
        """Keep a value under a key, or forget the key."""
        if value is None:
            self.change("DELETE FROM meta WHERE key = ?", (key,))
        else:
            self.change("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", (key, value))

    def _next_number(self) -> int:
        self._high_water += 1
        self._dirty = True
        return self._high_water

    def _code_for(self, word: str) -> int:
        found = self._codes.get(word) or self.code(word)
        if found is None:
            self.change("INSERT INTO code (word) VALUES (?)", (word,))
            found = self.code(word)
            assert found is not None
        return found

    def _count_kind(self, code: int, change: int) -> None:
        kind = self.word(code)
        self._count(f"kind:{kind}", change)
        if kind == "chunk":
            self._count("chunks", change)
        elif kind not in _PLACES:
            self._count("symbols", change)

    def _count(self, name: str, change: int) -> None:
        self._tally[name] = self._tally.get(name, 0) + change
        self._dirty = True

    def publish(self) -> int:
        """Make what was written the next generation, once the transaction commits; return its number."""
        generation = self.generation() + 1
        self.set_meta("generation", str(generation))
        self.settle()
        self.set_meta("root", self.root().hex())
        return generation

    def settle(self) -> None:
        """Write the counters that were kept in memory."""
        if not self._dirty:
            return
        sql = "INSERT INTO tally (name, count) VALUES (?, ?) ON CONFLICT DO UPDATE SET count = count + excluded.count"
        self.change_many(sql, [(name, change) for name, change in self._tally.items() if change])
        self._tally.clear()
        counters = {"high_water": self._high_water, "removed": self._removed, "segments": self._segments}
        for key, value in counters.items():
            self.set_meta(key, str(value))
        self._dirty = False

    def root(self) -> bytes:
        """Return the key of the graph as it stands inside this transaction."""
        self.settle()
        return super().root()

    def counts(self) -> Mapping[str, int]:
        """Return the counts as they stand inside this transaction."""
        self.settle()
        return super().counts()

    def may_cache(self) -> bool:
        """Say that what is not committed yet must not be kept in a file."""
        return False
