"""What the readers of every family of index tables share: one transaction, one working tree, its small named values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from recollect.errors import CorruptError
from recollect.store.postgres.columns import KINDS, Kind, Table
from recollect.store.postgres.index_cache import Kept
from recollect.store.postgres.session import Row, Session

META, COUNT, WORD = 0, 1, 2
"""What a row of code_meta is."""


class Place(NamedTuple):
    """Where an index is: the working tree in its space, and where its client keeps what can be made again."""

    tree: int
    cache: Path | None
    """A folder; None keeps nothing."""
    shown: str
    """The server, for people."""
    writable: bool = True


class Snapshot:
    """A transaction in one tree; `$1` of every statement is the space and `$2` the tree."""

    def __init__(self, session: Session, place: Place, domain: str, kept: Kept) -> None:
        self.session = session
        self.place = place
        self.domain = domain
        self.kept = kept
        self._meta: dict[str, str] = {}
        self._counts: dict[str, int] = {}
        self._codes: dict[str, int] = {}
        self._words: dict[int, str] = {}
        self._load()

    def _load(self) -> None:
        for sort, key, value in self.rows(
            "SELECT sort, key, value FROM code_meta WHERE space = $1 AND tree = $2"
        ):
            if sort == META:
                self._meta[key] = value
            else:
                (self._counts if sort == COUNT else self._codes)[key] = int(value)
        self._words.update((number, word) for word, number in self._codes.items())

    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[Row]:
        """Return all rows of a query in this tree; its own parameters begin with `$3`."""
        return self.session.rows(sql, (self.place.tree, *parameters))

    def row(self, sql: str, parameters: Sequence[Any] = ()) -> Row | None:
        """Return the first row of a query in this tree, or None."""
        found = self.rows(sql, parameters)
        return found[0] if found else None

    def change(self, sql: str, parameters: Sequence[Any] = ()) -> int:
        """Run one statement that writes in this tree."""
        return self.session.change(sql, (self.place.tree, *parameters))

    def insert(self, table: Table, rows: Iterable[Sequence[Any]]) -> None:
        """Write many rows."""
        leading = (self.place.tree,) if "tree" in table.leading else ()
        kinds = KINDS if all(kind in KINDS for _, kind in table.columns) else self._all_kinds()
        self.session.put(table, rows, leading, kinds)

    def _all_kinds(self) -> Mapping[str, Kind]:
        """Return the types of columns with that of half vectors, whose number every database chooses for itself."""
        sql = "SELECT 'halfvec'::regtype::oid::bigint, 'halfvec[]'::regtype::oid::bigint WHERE $1::bigint IS NOT NULL"
        one, many = self.session.rows(sql)[0]
        return {**KINDS, "halfvec": Kind("halfvec", one, many)}

    def damaged(self, detail: str) -> CorruptError:
        """Return the error for an index that contradicts itself."""
        return CorruptError(
            f"The index of this tree on {self.place.shown} is damaged ({detail}); "
            "'recollect index --full' makes it anew."
        )

    def may_cache(self) -> bool:
        """Say whether what is read from this snapshot may be kept for others."""
        return True

    def meta(self, key: str) -> str | None:
        """Return the value that was kept under a key."""
        return self._meta.get(key)

    def generation(self) -> int:
        """Return how often this index was published."""
        return int(self.meta("generation") or 0)

    def counts(self) -> Mapping[str, int]:
        """Return how many files, symbols, chunks, externals and edges there are, and items by `kind:` and kind."""
        counts = {"files": 0, "skipped": 0, "symbols": 0, "chunks": 0, "edges": 0}
        counts.update((name, count) for name, count in self._counts.items() if count > 0)
        sql = "SELECT count(*) FROM code_external WHERE space = $1 AND tree = $2 AND uses > 0"
        (counts["externals"],) = self.rows(sql)[0]
        return counts

    def notes(self) -> Mapping[str, Any]:
        """Return facts about the store itself, and sentences about what was out of the ordinary."""
        return {
            "path": self.place.shown,
            "bytes": 0,
            "free_bytes": 0,
            "journal": "server",
            "schema": 0,
            "writable": self.place.writable,
            "remarks": (),
            "degraded": _standby(self),
        }

    def word(self, code: int) -> str:
        """Return the word that a small number stands for."""
        try:
            return self._words[code]
        except KeyError:
            raise self.damaged(f"the code {code} stands for no word") from None

    def code(self, word: str) -> int | None:
        """Return the small number that stands for a word, or None when it was never stored."""
        return self._codes.get(word)


def _standby(snapshot: Snapshot) -> tuple[str, ...]:
    if snapshot.session.connection.info.parameter_status("in_hot_standby") != "on":
        return ()
    shown = snapshot.place.shown
    return (f"A standby of {shown} answers; the index stays as it is until a main server is back.",)
