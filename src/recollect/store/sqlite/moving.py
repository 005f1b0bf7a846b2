"""Memories in a file as something to move from, and to move to."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import apsw

from recollect.errors import StoreError, UsageError
from recollect.store.moving import (
    DREAMT,
    MEMORY,
    META,
    OWN_META,
    PAGE,
    STATE,
    VECTOR,
    Position,
    Row,
    Sum,
    Table,
)
from recollect.store.moving import summed as sum_all
from recollect.store.sqlite import schema
from recollect.store.sqlite.database import Database
from recollect.store.sqlite.faults import translated
from recollect.store.sqlite.lock import writer_lock
from recollect.store.sqlite.memory_writing import _WORDS_IN

_WAIT = 30.0
_COMPANIONS = ("", "-wal", "-shm", "-journal")
# The place of a row among those of its dream is the order in which it was written.
_DREAMT = (
    "(SELECT dream, row_number() OVER (PARTITION BY dream ORDER BY rowid) - 1 AS place, uid, action, detail "
    "FROM dreamt)"
)
_single = struct.Struct("<f")


class FileRows:
    """One snapshot of a file of memories."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection

    def page(self, table: Table, last: Row) -> list[Row]:
        """Return the next rows after a key, in the order of their keys."""
        return list(
            map(_plain if table is VECTOR else tuple, self._connection.execute(_select(table, last), last))
        )


def _plain(row: Row) -> Row:
    """Return a vector with its scale as exact as any store keeps it."""
    model, content, scale, data = row
    return model, content, _single.unpack(_single.pack(scale))[0], data


def _select(table: Table, last: Row) -> str:
    place = _DREAMT if table is DREAMT else table.name
    key = ", ".join(table.key)
    conditions = [f"({key}) > ({', '.join('?' * table.keys)})"] if last else []
    if table is META:
        conditions.append(f"key NOT IN ({', '.join(repr(one) for one in OWN_META)})")
    where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
    return f"SELECT {', '.join(table.names)} FROM {place}{where} ORDER BY {key} LIMIT {PAGE}"


@contextmanager
def file_rows(path: Path) -> Iterator[FileRows]:
    """Open a file of memories so that nothing about it can change; refuse one with another schema."""
    if not path.is_file():
        raise UsageError(f"{path} is no file of memories; there is nothing to move.")
    with translated(path):
        connection = _opened(path)
        try:
            schema.refuse_newer(schema.version(connection), path)
            if schema.version(connection) < schema.latest():
                raise StoreError(
                    f"{path} has an older schema; run 'recollect recall x' on it once, which backs it up and brings "
                    "it up to date, then move it. Nothing was changed."
                )
            connection.execute("BEGIN")
            yield FileRows(connection)
        finally:
            connection.close()


def _opened(path: Path) -> apsw.Connection:
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        connection.set_busy_timeout(10_000)
        connection.pragma("schema_version")
    except (apsw.CantOpenError, apsw.ReadOnlyError):
        # Without a writable folder there is no shared memory file; nobody can be writing, so reading is safe.
        connection.close()
        uri = path.resolve().as_uri() + "?immutable=1"
        connection = apsw.Connection(uri, flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)
    return connection


class FileFilled:
    """A file of memories that is filled under another name and takes its own when it is whole."""

    def __init__(self, path: Path, over: bool = False) -> None:
        self.path = path
        self.over = over
        self.shown = str(path)
        self._database = Database(path.with_name(f"{path.name}.arriving"), precious=True)

    def begin(self, fingerprint: str) -> Position:
        """Return where to go on; refuse a file that holds memories."""
        self._refuse_occupied()
        self._database.open()
        with self._database.connection() as connection:
            found = connection.execute("SELECT value FROM meta WHERE key = ?", (STATE,)).fetchone()
        position = Position.read(found[0]) if found else None
        if position is not None and position.fingerprint == fingerprint:
            return position
        self.begin_again()
        self._database.open()
        return Position(fingerprint)

    def put(self, table: Table, rows: Sequence[Row], position: Position) -> None:
        """Write rows, and with them how far the work has come."""
        names = [name for name in table.names if not (table is DREAMT and name == "place")]
        sql = f"INSERT INTO {table.name} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})"
        written = [(row[0], *row[2:]) for row in rows] if table is DREAMT else rows
        lock, lent = writer_lock(self._database.lock_path, _WAIT), self._database.connection()
        with lock, lent as connection, connection:
            connection.executemany(sql, written)
            if table is MEMORY:
                tags, text = MEMORY.names.index("tags"), MEMORY.names.index("text")
                connection.executemany(_WORDS_IN, [(row[0], row[text], row[tags]) for row in rows])
            connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (STATE, position.pack()))

    def sums(self) -> dict[str, Sum]:
        """Read everything back and sum it up."""
        with self._database.connection() as connection:
            return sum_all(FileRows(connection))

    def finish(self) -> None:
        """Give the file its name."""
        with writer_lock(self.path.with_suffix(".lock"), _WAIT):
            self._refuse_occupied()
            with self._database.connection() as connection:
                connection.execute("DELETE FROM meta WHERE key = ?", (STATE,))
                connection.pragma("wal_checkpoint(TRUNCATE)")
                connection.pragma("journal_mode", "DELETE")
            self._database.close()
            for companion in _COMPANIONS[1:]:
                self.path.with_name(self.path.name + companion).unlink(missing_ok=True)
            self._database.path.replace(self.path)
        self._database.lock_path.unlink(missing_ok=True)

    def begin_again(self) -> None:
        """Throw away what was written."""
        self._database.close()
        path = self._database.path
        for companion in _COMPANIONS:
            path.with_name(path.name + companion).unlink(missing_ok=True)
        self._database = Database(path, precious=True)

    def _refuse_occupied(self) -> None:
        if self.over or not self.path.exists():
            return
        with suppress(apsw.SQLError), file_rows(self.path) as rows:
            if any(rows.page(table, ()) for table in (MEMORY, _EVENT)):
                raise UsageError(
                    f"{self.path} holds memories already, and moving there would mix the two; move it away or name "
                    "another target. Nothing was changed."
                )


_EVENT = Table("event", (("number", "bigint"),))
