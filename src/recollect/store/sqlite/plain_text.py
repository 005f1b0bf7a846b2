"""Full text of memories as their words are written, unstemmed, kept in memory: for profiles that need its syntax."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Mapping, Sequence

import apsw
import numpy as np

from recollect.store.memories import ANSWERS, MemoryRow
from recollect.store.memory_port import MemoryReader
from recollect.store.shelf import Column, Shelf

COLUMNS = ("essence", "content", "questions")
"""What a memory says in short, all of it, and which questions it answers."""
_PAGE = 2000
_TABLE = (
    "CREATE VIRTUAL TABLE plain USING fts5 (essence, content, questions, content = '', contentless_delete = 1, "
    "tokenize = 'unicode61')"
)


class PlainText:
    """Follows the shelf: what is new is read when it is first searched, what is gone goes."""

    def __init__(self) -> None:
        self._connection = apsw.Connection(":memory:")
        self._connection.execute(_TABLE)
        self._held: Column = np.zeros(0, np.int64)
        self._seen = (0, 0)
        self._guard = threading.RLock()

    def follow(self, reader: MemoryReader, shelf: Shelf) -> None:
        """Bring the text in step with a shelf."""
        with self._guard:
            if self._seen == shelf.seen and len(self._held) == len(shelf):
                return
            numbers = np.sort(shelf.column("number"))
            changed = np.asarray(reader.changed_since(min(self._seen[1], shelf.seen[1])), np.int64)
            out = np.union1d(np.setdiff1d(self._held, numbers), np.intersect1d(self._held, changed))
            new = np.union1d(np.setdiff1d(numbers, self._held), np.intersect1d(numbers, changed))
            with self._connection:
                self._connection.executemany("DELETE FROM plain WHERE rowid = ?", ((int(n),) for n in out))
                for at in range(0, len(new), _PAGE):
                    self._add(reader.memories([int(number) for number in new[at : at + _PAGE]]))
            self._held, self._seen = numbers, shelf.seen

    def search(
        self, expression: str, columns: Sequence[str], limit: int | None
    ) -> tuple[np.ndarray, np.ndarray] | None:
        """Return numbers and scores of the best matches, all without a limit; None when it is no expression."""
        sql = "SELECT rowid, -bm25(plain) FROM plain WHERE plain MATCH ? ORDER BY 2 DESC, 1 LIMIT ?"
        inside = f"{{{' '.join(columns)}}} : ({expression})"
        with self._guard:
            try:
                rows = self._connection.execute(sql, (inside, -1 if limit is None else limit)).fetchall()
            except apsw.SQLError:
                return None
        table = np.asarray(rows, np.float64).reshape(-1, 2)
        return table[:, 0].astype(np.int64), table[:, 1]

    def _add(self, rows: Iterable[MemoryRow]) -> None:
        self._connection.executemany(
            "INSERT INTO plain (rowid, essence, content, questions) VALUES (?, ?, ?, ?)",
            ((row.number, *_parts(row)) for row in rows),
        )


def _parts(row: MemoryRow) -> tuple[str, str, str]:
    known: Mapping[str, object] = json.loads(row.metadata) if row.metadata else {}
    essence = known.get("essence")
    asked = [one for key in ANSWERS for one in _texts(known.get(key))]
    first = row.text.strip().partition("\n")[0]
    return essence if isinstance(essence, str) else first, row.text, "\n".join(asked)


def _texts(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []
