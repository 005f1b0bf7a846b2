"""Reads databases of other programs, and never writes them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import apsw

from recollect.errors import UsageError

_MAGIC = b"SQLite format 3\0"


def is_database(path: Path) -> bool:
    """Tell whether a file is an SQLite database."""
    with path.open("rb") as file:
        return file.read(len(_MAGIC)) == _MAGIC


class ForeignFile:
    """A database of another program, open for reading."""

    def __init__(self, connection: apsw.Connection, path: Path) -> None:
        self._connection = connection
        self._path = path

    def tables(self) -> dict[str, set[str]]:
        """Return the columns of every table."""
        names = [row[0] for row in self._all("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {
            name: {row[0] for row in self._all("SELECT name FROM pragma_table_info(?)", name)}
            for name in names
        }

    def rows(self, table: str, order: str = "rowid") -> Iterator[dict[str, Any]]:
        """Yield the rows of a table that exists, in their order or in that of a column, by column."""
        columns = [row[0] for row in self._all("SELECT name FROM pragma_table_info(?)", table)]
        listed = ", ".join(f'"{name}"' for name in columns)
        for row in self._all(f'SELECT {listed} FROM "{table}" ORDER BY "{order}"'):
            yield dict(zip(columns, row, strict=True))

    def _all(self, sql: str, *parameters: str) -> Iterator[tuple[Any, ...]]:
        try:
            yield from self._connection.execute(sql, parameters)
        except (apsw.Error, UnicodeError) as error:
            raise UsageError(f"{self._path} cannot be read ({error}); nothing was imported.") from error


@contextmanager
def open_foreign(path: Path) -> Iterator[ForeignFile]:
    """Open a database of another program, also while that program writes it."""
    try:
        connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
        connection.set_busy_timeout(10_000)
        connection.execute("SELECT count(*) FROM sqlite_master").fetchall()
    except apsw.CantOpenError:
        uri = path.resolve().as_uri() + "?immutable=1"
        connection = apsw.Connection(uri, flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)
    except apsw.Error as error:
        raise UsageError(f"{path} cannot be read ({error}); nothing was imported.") from error
    try:
        yield ForeignFile(connection, path)
    finally:
        connection.close()
