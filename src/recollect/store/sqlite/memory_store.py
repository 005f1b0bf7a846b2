"""The memories of one scope on one SQLite file: snapshots, the write transaction, and wiping what was forgotten."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar, cast

import apsw

from recollect.errors import RecollectError
from recollect.store.memories import MemoryRow
from recollect.store.sqlite.database import DEFAULT_WAIT, Database, fresh
from recollect.store.sqlite.faults import read_only, translate, translated
from recollect.store.sqlite.lock import writer_lock
from recollect.store.sqlite.memory_dreams import DreamReading, DreamWriting
from recollect.store.sqlite.memory_writing import UNWIPED

TOKENIZER = ("porter", ["unicode61", "remove_diacritics", "2"])
PLAIN_TOKENIZER = ("unicode61", ["remove_diacritics", "2"])

Result = TypeVar("Result")
PATIENCE = 10_000
"""Milliseconds that wiping waits for other processes to end their reading."""


class MemoryStore:
    """Keeps memories; safe to share between threads."""

    def __init__(self, database: Database) -> None:
        self.database = database

    @contextmanager
    def reader(self) -> Iterator[DreamReading]:
        """Open a snapshot; it never waits for a writer."""
        with self.database.connection() as connection:
            connection.execute("BEGIN")
            # The snapshot is taken by the first read, not by BEGIN.
            connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchall()
            yield DreamReading(self.database, connection, "memory")
            connection.execute("ROLLBACK")

    @contextmanager
    def writer(self, wait: float = DEFAULT_WAIT) -> Iterator[DreamWriting]:
        """Open the one write transaction; commit when the block ends well, undo all of it otherwise."""
        if not self.database.writable:
            raise read_only(self.database.path)
        with writer_lock(self.database.lock_path, wait), self.database.connection() as connection:
            connection.pragma("secure_delete", 1)
            connection.execute("BEGIN IMMEDIATE")
            yield DreamWriting(self.database, connection, "memory")
            connection.execute("COMMIT")

    def read(self, work: Callable[[DreamReading], Result]) -> Result:
        """Do work on one snapshot."""
        with self.reader() as reader:
            return work(reader)

    def write(self, work: Callable[[DreamWriting], Result], wait: float = DEFAULT_WAIT) -> Result:
        """Do work in the one write transaction."""
        with self.writer(wait) as writer:
            return work(writer)

    def tokenizer(self, stems: bool = True) -> Callable[[str], list[str]]:
        """Return a function that cuts a text into words as full text does, or leaves them unstemmed."""
        return words_in(stems)

    def wipe(self, wait: float = DEFAULT_WAIT) -> list[str]:
        """Make removed memories unreadable in every file of the store; return a sentence for what could not be done."""
        path = self.database.path
        with writer_lock(self.database.lock_path, wait), translated(path):
            uids = self.unwiped()
            if not uids:
                return []
            notes = _compact(path)
            for copy in [*path.parent.glob(f"{path.name}.v*.backup*")]:
                _wipe_copy(copy, uids)
            if not notes:
                with self.database.connection() as connection:
                    connection.execute("DELETE FROM meta WHERE key = ?", (UNWIPED,))
        return notes

    def unwiped(self) -> list[int]:
        """Return the uids of memories that were removed but may still stand in free space, logs and backups."""
        with self.database.connection() as connection:
            row = connection.execute("SELECT value FROM meta WHERE key = ?", (UNWIPED,)).fetchone()
        return [] if row is None else json.loads(row[0])

    def notes(self) -> tuple[str, ...]:
        """Return what an answer has to say of where it comes from."""
        return ()

    def told(self) -> Mapping[str, int]:
        """Return what is counted of a server; a file has none."""
        return {}

    def received(self) -> Mapping[str, Sequence[MemoryRow]]:
        """Return what others share, by who shares it; a file is read by nobody else."""
        return {}

    def check(self) -> list[str]:
        """Return what is wrong with the database, a sentence for each finding; nothing when it is sound."""
        with fresh(self.database) as connection:
            found = [row[0] for row in connection.execute("PRAGMA integrity_check(20)") if row[0] != "ok"]
            try:
                connection.execute(
                    "INSERT INTO text_memory (text_memory, rank) VALUES ('integrity-check', 1)"
                )
            except apsw.Error as error:
                found.append(f"the full text does not fit the memories ({error})")
        return [f"{self.database.path}: {sentence}." for sentence in found]

    def close(self) -> None:
        """Close the database."""
        self.database.close()


class MemoryFile:
    """A file in which memories are kept, whether it is there yet or not."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def shown(self) -> str:
        """Return what people are told of the place."""
        return str(self.path)

    def exists(self) -> bool:
        """Tell whether anything was ever kept there."""
        return self.path.exists()

    def open(self, wait: float) -> MemoryStore:
        """Open it, and finish wiping what was forgotten by whoever was killed before that or could not do it."""
        store = open_memories(self.path)
        if store.database.writable and store.unwiped():
            store.wipe(wait)
        return store


def open_memories(path: Path) -> MemoryStore:
    """Open the memories of one scope, with a backup before their schema changes; they are never thrown away."""
    database = Database(path, precious=True)
    database.open()
    return MemoryStore(database)


def _compact(path: Path) -> list[str]:
    """Rewrite a database without its free space and empty its log."""
    connection = apsw.Connection(str(path))
    try:
        connection.set_busy_timeout(PATIENCE)
        connection.pragma("secure_delete", 1)
        connection.execute("VACUUM")
        busy = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()[0][0]
    except (apsw.BusyError, apsw.LockedError):
        busy = 1
    except apsw.Error as error:
        raise translate(error, path) from error
    finally:
        connection.close()
    if not busy:
        return []
    return [
        f"Another process is reading {path.name}, so its log may still hold the text; "
        "it is wiped when memories are opened the next time after that process has ended."
    ]


def _wipe_copy(copy: Path, uids: Sequence[int]) -> None:
    """Delete memories from a backup; one that cannot be cleaned is deleted whole, since forgetting was asked for."""
    if copy.suffix == ".part":
        copy.unlink(missing_ok=True)
        return
    connection = apsw.Connection(str(copy))
    try:
        connection.pragma("secure_delete", 1)
        connection.execute("BEGIN IMMEDIATE")
        writer = DreamWriting(Database(copy, precious=True), connection, "memory")
        writer.remove(writer.gone(uids))
        connection.execute("COMMIT")
        connection.execute("VACUUM")
        connection.pragma("journal_mode", "DELETE")
        cleaned = True
    except (
        apsw.Error,
        RecollectError,
        IndexError,
    ):  # whatever is wrong with an old copy, its text must not stay behind
        cleaned = False
    finally:
        connection.close(True)
    if not cleaned:
        for companion in ("", "-wal", "-shm", "-journal"):
            copy.with_name(copy.name + companion).unlink(missing_ok=True)


def words_in(stems: bool = True) -> Callable[[str], list[str]]:
    """Return a function that cuts a text into words as full text does, or leaves them unstemmed."""
    connection = apsw.Connection(":memory:")
    cut = connection.fts5_tokenizer(*(TOKENIZER if stems else PLAIN_TOKENIZER))

    def words(text: str) -> list[str]:
        content = text.encode("utf-8", "replace")
        found = cut(
            content,
            apsw.FTS5_TOKENIZE_DOCUMENT,
            None,
            include_offsets=False,
            include_colocated=False,
        )
        return cast(list[str], found)

    return words
