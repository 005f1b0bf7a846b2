"""What every writer of an index on a server shares: numbers that are never given twice, counts, and publishing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from recollect.store.postgres.columns import Table
from recollect.store.postgres.index_sending import Sending
from recollect.store.postgres.index_snapshot import COUNT, META, WORD

_PLACES = frozenset({"file", "chunk"})
_META = Table("code_meta", (("sort", "smallint"), ("key", "text"), ("value", "text")))


class Counting(Sending):
    """A snapshot that writes; its counters are kept in memory until they are settled."""

    def __init__(self, *arguments: Any) -> None:
        self._changed: set[tuple[int, str]] = set()
        super().__init__(*arguments)
        self._high_water = int(self.meta("high_water") or 0)
        self._removed = int(self.meta("removed") or 0)
        self._segments = int(self.meta("segments") or 0)
        self._dirty = False

    def set_meta(self, key: str, value: str | None) -> None:
        """Keep a value under a key, or forget the key."""
        if value is None:
            self._meta.pop(key, None)
        else:
            self._meta[key] = value
        self._changed.add((META, key))

    def _next_number(self) -> int:
        self._high_water += 1
        self._dirty = True
        return self._high_water

    def _code_for(self, word: str) -> int:
        found = self.code(word)
        if found is None:
            found = self._codes[word] = max(self._words, default=0) + 1
            self._words[found] = word
            self._changed.add((WORD, word))
        return found

    def _count_kind(self, code: int, change: int) -> None:
        kind = self.word(code)
        self._count(f"kind:{kind}", change)
        if kind == "chunk":
            self._count("chunks", change)
        elif kind not in _PLACES:
            self._count("symbols", change)

    def _count(self, name: str, change: int) -> None:
        counts = self._counts
        counts[name] = counts.get(name, 0) + change
        self._changed.add((COUNT, name))
        self._dirty = True

    def publish(self) -> int:
        """Make what was written the next generation, once the transaction commits; return its number."""
        generation = self.generation() + 1
        self.set_meta("generation", str(generation))
        self.set_meta("root", self.root().hex())
        return generation

    def settle(self) -> None:
        """Write everything that waits in memory."""
        self._settle_counters()
        self._send_all()
        if not self._changed:
            return
        keys = sorted(self._changed)
        sql = (
            "DELETE FROM code_meta m USING unnest($3::smallint[], $4::text[]) AS gone (sort, key) "
            "WHERE m.space = $1 AND m.tree = $2 AND m.sort = gone.sort AND m.key = gone.key"
        )
        self.change(sql, ([sort for sort, _ in keys], [key for _, key in keys]))
        values: tuple[dict[str, Any], ...] = (self._meta, self._counts, self._codes)
        rows = [(sort, key, values[sort].get(key)) for sort, key in keys]
        self.insert(_META, [(sort, key, str(value)) for sort, key, value in rows if value is not None])
        self._changed.clear()

    def _settle_counters(self) -> None:
        if self._dirty:
            counters = {"high_water": self._high_water, "removed": self._removed, "segments": self._segments}
            for key, value in counters.items():
                self.set_meta(key, str(value))
            self._dirty = False

    def root(self) -> bytes:
        """Return the key of the graph as it stands inside this transaction."""
        self._settle_counters()
        return super().root()

    def counts(self) -> Mapping[str, int]:
        """Return the counts as they stand inside this transaction."""
        self._settle_counters()
        return super().counts()

    def may_cache(self) -> bool:
        """Say that what is not committed yet must not be kept for others."""
        return False
