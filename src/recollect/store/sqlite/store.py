"""The store on one SQLite file: hands out snapshots and the write transaction."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import apsw

from recollect.errors import CorruptError
from recollect.store.sqlite import schema
from recollect.store.sqlite.database import DEFAULT_WAIT, Database, discard, fresh, open_derived
from recollect.store.sqlite.evidence import SqliteEvidence, open_evidence
from recollect.store.sqlite.faults import read_only, translate
from recollect.store.sqlite.lock import writer_lock
from recollect.store.sqlite.reader import SqliteReader
from recollect.store.sqlite.texts import TEXT_TABLES
from recollect.store.sqlite.writer import SqliteWriter


class SqliteStore:
    """One database file as a Store."""

    def __init__(self, database: Database, domain: str) -> None:
        self.database = database
        self.domain = domain
        self.evidence: SqliteEvidence | None = None

    @property
    def path(self) -> Path:
        """Return where the database lies."""
        return self.database.path

    @contextmanager
    def reader(self) -> Iterator[SqliteReader]:
        """Open a snapshot; it never waits for a writer."""
        with self.database.connection() as connection:
            connection.execute("BEGIN")
            # The snapshot is taken by the first read, not by BEGIN.
            connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchall()
            reader = SqliteReader(self.database, connection, self.domain)
            reader.evidence = self.evidence
            yield reader
            connection.execute("ROLLBACK")

    @contextmanager
    def writer(self, wait: float = DEFAULT_WAIT) -> Iterator[SqliteWriter]:
        """Open the one write transaction; commit when the block ends well, undo all of it otherwise."""
        if not self.database.writable:
            raise read_only(self.path)
        with writer_lock(self.database.lock_path, wait), self.database.connection() as connection:
            connection.execute("BEGIN IMMEDIATE")
            writer = SqliteWriter(self.database, connection, self.domain)
            if writer.meta("space") is None:
                writer.set_meta("space", secrets.token_hex(8))
            yield writer
            writer.settle()
            connection.execute("COMMIT")
            # A large write fills the page cache; readers map the file instead and have no use for it.
            connection.execute("PRAGMA shrink_memory")

    def check(self) -> Sequence[str]:
        """Return what is wrong with the database, a sentence for each finding; nothing when it is sound."""
        try:
            with fresh(self.database) as connection:
                found = [
                    str(row[0]) for row in connection.execute("PRAGMA integrity_check(20)") if row[0] != "ok"
                ]
                findings = [f"{self.path}: {sentence}" for sentence in found]
                findings += _check_texts(connection, self.path)
        except CorruptError as error:
            return [str(error)]
        return findings

    def close(self) -> None:
        """Close the database, and the evidence that was laid over it."""
        if self.evidence is not None:
            self.evidence.close()
        self.database.close()


def _check_texts(connection: apsw.Connection, path: Path) -> list[str]:
    findings = []
    for name in TEXT_TABLES:
        sql = f"SELECT count(*) FROM {name}_docsize WHERE id NOT IN (SELECT number FROM item)"
        (stray,) = connection.execute(sql).fetchall()[0]
        if stray:
            findings.append(
                f"{path}: {stray} texts of {name} belong to no item; run 'recollect index' to build it anew."
            )
    return findings


def open_index(path: Path, evidence: Path | None = None) -> SqliteStore:
    """Open the index of a project; one that is damaged or old is thrown away and begun afresh, with a remark.

    Evidence about the code is laid over its edges whenever its graph is read.
    """
    store = SqliteStore(open_derived(path), "code")
    store.evidence = open_evidence(evidence) if evidence is not None else None
    return store


def open_memory(path: Path) -> SqliteStore:
    """Open a memory database, with a backup before its schema changes; it is never thrown away."""
    database = Database(path, precious=True)
    database.open()
    return SqliteStore(database, "memory")


def open_events(path: Path) -> SqliteStore:
    """Open the events about code in a memory database, which outlive every index."""
    database = Database(path, precious=True)
    database.open()
    return SqliteStore(database, "code")


def discard_index(path: Path) -> None:
    """Throw an index away, so that the next opening begins afresh."""
    discard(Database(path, precious=False))


__all__ = ["SqliteStore", "discard_index", "open_events", "open_index", "open_memory", "schema", "translate"]
