"""What the readers of every family of tables share: one connection inside one transaction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import apsw

from recollect.errors import CorruptError, UsageError
from recollect.store.sqlite.database import Database
from recollect.store.sqlite.faults import corrupt, translate

Row = tuple[Any, ...]


class Snapshot:
    """A connection inside a transaction, with the words that small numbers stand for."""

    def __init__(self, database: Database, connection: apsw.Connection, domain: str) -> None:
        self.database = database
        self.connection = connection
        self.domain = domain
        self._words: dict[int, str] = {}
        self._codes: dict[str, int] = {}

    def each(self, sql: str, parameters: Sequence[Any] = ()) -> Iterator[Row]:
        """Yield the rows of a query as they are found."""
        try:
            yield from self.connection.execute(sql, parameters)
        except (apsw.Error, UnicodeError) as error:
            raise self.translated(error) from error

    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[Row]:
        """Return all rows of a query."""
        try:
            return self.connection.execute(sql, parameters).fetchall()
        except (apsw.Error, UnicodeError) as error:
            raise self.translated(error) from error

    def row(self, sql: str, parameters: Sequence[Any] = ()) -> Row | None:
        """Return the first row of a query, or None."""
        found = self.rows(sql, parameters)
        return found[0] if found else None

    def change(self, sql: str, parameters: Sequence[Any] = ()) -> None:
        """Run one statement that writes."""
        try:
            self.connection.execute(sql, parameters)
        except (apsw.Error, UnicodeError) as error:
            raise self.translated(error) from error

    def change_many(self, sql: str, parameters: Iterable[Sequence[Any]]) -> None:
        """Run one statement that writes for each row of parameters."""
        try:
            self.connection.executemany(sql, parameters)
        except (apsw.Error, UnicodeError) as error:
            raise self.translated(error) from error

    def translated(self, error: apsw.Error | UnicodeError) -> Exception:
        """Return our error for one of SQLite's or of a text; damage is marked, so that an index is made anew."""
        if isinstance(error, UnicodeEncodeError):
            return UsageError(
                f"The text {error.object!r} cannot be stored as UTF-8; leave out what it stands for."
            )
        if isinstance(error, UnicodeError):
            return self.damaged(f"a text in it is no UTF-8: {error}")
        ours = translate(error, self.database.path)
        return self.damaged(str(error)) if isinstance(ours, CorruptError) else ours

    def damaged(self, detail: str) -> CorruptError:
        """Mark the database as damaged and return the error that says so."""
        self.database.mark_damaged()
        return corrupt(self.database.path, detail)

    def may_cache(self) -> bool:
        """Say whether arrays made from this snapshot may be kept in a file."""
        return self.database.writable

    def word(self, code: int) -> str:
        """Return the word that a small number stands for."""
        if code not in self._words:
            self._load_codes()
            if code not in self._words:
                raise self.damaged(f"the code {code} stands for no word")
        return self._words[code]

    def code(self, word: str) -> int | None:
        """Return the small number that stands for a word, or None when it was never stored."""
        if word not in self._codes:
            self._load_codes()
        return self._codes.get(word)

    def _load_codes(self) -> None:
        self._words = dict(self.rows("SELECT number, word FROM code"))
        self._codes = {word: number for number, word in self._words.items()}
