"""evidence.db: what tools and runs have shown of the code, by content and by symbol; shared by all worktrees."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import apsw

from recollect.errors import NewerSchemaError
from recollect.store.sqlite.faults import translated
from recollect.store.sqlite.lock import writer_lock
from recollect.types import EDGE_TYPES

_VERSION = 1
_WAIT = 30.0
_WRITTEN = "written"
_COUNT = "INSERT INTO meta VALUES (?, '1') ON CONFLICT DO UPDATE SET value = CAST(value AS INTEGER) + 1"
_SCHEMA = f"""
BEGIN IMMEDIATE;
CREATE TABLE IF NOT EXISTS resolved (
  key BLOB NOT NULL, tool TEXT NOT NULL, made REAL NOT NULL, data BLOB NOT NULL, PRIMARY KEY (key, tool)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS ran (
  uid INTEGER NOT NULL, shape INTEGER NOT NULL, count INTEGER NOT NULL, last REAL NOT NULL, PRIMARY KEY (uid, shape)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS passed (
  source INTEGER NOT NULL, target INTEGER NOT NULL, type INTEGER NOT NULL, begins INTEGER NOT NULL,
  ends INTEGER NOT NULL, count INTEGER NOT NULL, last REAL NOT NULL,
  PRIMARY KEY (source, target, type, begins, ends)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS together (first TEXT NOT NULL, second TEXT NOT NULL, count INTEGER NOT NULL,
  percent INTEGER NOT NULL, PRIMARY KEY (first, second)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
PRAGMA user_version = {_VERSION};
COMMIT;
"""


class Ran(NamedTuple):
    """How often a symbol was seen running, and when last."""

    uid: int
    shape: int
    times: int
    last: float


class Passed(NamedTuple):
    """A step from one symbol to another that was seen while code ran."""

    source: int
    target: int
    type: int
    begins: int
    ends: int
    times: int
    last: float


class EvidenceFile:
    """A database that is opened when first needed and made when first written."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._connection: apsw.Connection | None = None
        self._guard = threading.RLock()

    def stamp(self) -> str:
        """Return a text that differs whenever the evidence may; empty while there is none."""
        try:
            found = self.path.stat()
        except OSError:
            return ""
        return f"{found.st_ino}/{self.meta(_WRITTEN)}"

    def meta(self, key: str) -> str:
        """Return a remembered value, empty when there is none."""
        rows = self._rows("SELECT value FROM meta WHERE key = ?", (key,))
        return str(rows[0][0]) if rows else ""

    def metas(self, beginning: str) -> list[tuple[str, str]]:
        """Return the remembered values whose keys begin alike."""
        sql = "SELECT key, value FROM meta WHERE substr(key, 1, ?) = ? ORDER BY key"
        return [(key, value) for key, value in self._rows(sql, (len(beginning), beginning))]

    def put_meta(self, key: str, value: str | None) -> None:
        """Remember a value, or with None forget it."""
        if value is None:
            self._write("DELETE FROM meta WHERE key = ?", [(key,)])
        else:
            self._write("INSERT OR REPLACE INTO meta VALUES (?, ?)", [(key, value)])

    @contextmanager
    def writing(self, woven: bool = True) -> Iterator[apsw.Connection]:
        """Open one short write transaction; `woven` when it may change what is laid over the edges."""
        with self._guard, translated(self.path):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with writer_lock(self.path.with_suffix(".lock"), _WAIT):
                connection = self._open(create=True)
                assert connection is not None
                connection.execute("BEGIN IMMEDIATE")
                try:
                    yield connection
                    if woven:
                        connection.execute(_COUNT, (_WRITTEN,))
                    connection.execute("COMMIT")
                except BaseException:
                    if connection.in_transaction:
                        connection.execute("ROLLBACK")
                    raise

    def close(self) -> None:
        """Close the database if it was opened."""
        with self._guard:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def _write(self, sql: str, rows: Sequence[tuple[Any, ...]]) -> None:
        if rows:
            with self.writing() as connection:
                connection.executemany(sql, rows)

    def _rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        with self._guard, translated(self.path):
            connection = self._open(create=False)
            return [] if connection is None else connection.execute(sql, parameters).fetchall()

    def _open(self, create: bool) -> apsw.Connection | None:
        """Return the open database; a rollback journal is used, so that its file tells whether anything changed."""
        if self._connection is None:
            if not create and not self.path.exists():
                return None
            flags = apsw.SQLITE_OPEN_READWRITE | (apsw.SQLITE_OPEN_CREATE if create else 0)
            connection = apsw.Connection(str(self.path), flags=flags)
            connection.set_busy_timeout(10_000)
            found = int(connection.pragma("user_version"))
            if found > _VERSION:
                connection.close()
                raise NewerSchemaError(
                    f"{self.path} was written by a newer recollect; update with 'pip install -U recollect'."
                )
            if found < _VERSION and create:
                connection.execute(_SCHEMA)
            elif found < _VERSION:
                connection.close()
                return None
            self._connection = connection
        return self._connection


class _Told(EvidenceFile):
    """What is known."""

    def resolved(self) -> Iterator[tuple[bytes, bytes]]:
        """Yield key and blob of every file that a tool resolved."""
        yield from self._rows("SELECT key, data FROM resolved ORDER BY key, tool")

    def resolved_keys(self, tool: str) -> set[bytes]:
        """Return the files that a tool has resolved."""
        return {row[0] for row in self._rows("SELECT key FROM resolved WHERE tool = ?", (tool,))}

    def ran(self) -> list[Ran]:
        """Return every symbol that was seen running."""
        return [Ran(*row) for row in self._rows("SELECT uid, shape, count, last FROM ran")]

    def run_counts(self) -> tuple[int, int, int, float]:
        """Return how many symbols were seen running, how many calls and runs by tests, and when the last one was."""
        ran = self._rows("SELECT count(*), max(last) FROM ran")
        if not ran:
            return 0, 0, 0, 0.0
        tests = self._rows("SELECT count(*) FROM passed WHERE type = ?", (EDGE_TYPES.index("tests"),))[0][0]
        steps, late = self._rows("SELECT count(*), max(last) FROM passed")[0]
        return ran[0][0], steps - tests, tests, max(ran[0][1] or 0.0, late or 0.0)

    def resolved_files(self) -> int:
        """Return how many contents of files tools have resolved."""
        rows = self._rows("SELECT count(DISTINCT key) FROM resolved")
        return int(rows[0][0]) if rows else 0

    def passed_between(self, source: int, target: int) -> tuple[int, float] | None:
        """Return how often one symbol was seen to reach another, by call or as a test, and when last."""
        sql = "SELECT max(count), max(last) FROM passed WHERE source = ? AND target = ?"
        rows = self._rows(sql, (source, target))
        return (int(rows[0][0]), float(rows[0][1])) if rows and rows[0][0] is not None else None

    def oldest_run(self) -> float:
        """Return when what ran the longest time ago was last seen, infinity when nothing was."""
        sql = (
            "SELECT min(last) FROM (SELECT min(last) AS last FROM ran UNION ALL SELECT min(last) FROM passed)"
        )
        rows = self._rows(sql)
        return float("inf") if not rows or rows[0][0] is None else float(rows[0][0])

    def passed(self) -> list[Passed]:
        """Return every step that was seen while code ran."""
        sql = "SELECT source, target, type, begins, ends, count, last FROM passed ORDER BY 1, 2, 3, 4, 5"
        return [Passed(*row) for row in self._rows(sql)]

    def together(self) -> list[tuple[str, str, int, int]]:
        """Return the pairs of files that change together, with how often and with what share."""
        return [(a, b, count, share) for a, b, count, share in self._rows("SELECT * FROM together")]

    def together_symbols(self) -> list[tuple[int, int, int, int]]:
        """Return the pairs of symbols that change together, by uid, as files are."""
        if not self._rows("SELECT 1 FROM sqlite_master WHERE name = 'together_symbol'"):
            return []
        return [(a, b, count, share) for a, b, count, share in self._rows("SELECT * FROM together_symbol")]


class SqliteEvidence(_Told):
    """The evidence of a repository; opened when first needed, made when first written."""

    def put_resolved(self, tool: str, made: float, rows: Iterable[tuple[bytes, bytes]]) -> None:
        """Keep what a tool resolved, in place of what it said of the same contents."""
        packed = [(key, tool, made, data) for key, data in rows]
        self._write("INSERT OR REPLACE INTO resolved (key, tool, made, data) VALUES (?, ?, ?, ?)", packed)

    def add_ran(self, rows: Iterable[Ran]) -> None:
        """Add runs of symbols to those that are known."""
        sql = (
            "INSERT INTO ran VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET "
            "count = min(count + excluded.count, 1 << 40), last = max(last, excluded.last)"
        )
        self._write(sql, [tuple(row) for row in rows])

    def add_passed(self, rows: Iterable[Passed]) -> None:
        """Add steps between symbols to those that are known."""
        sql = (
            "INSERT INTO passed VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET "
            "count = min(count + excluded.count, 1 << 40), last = max(last, excluded.last)"
        )
        self._write(sql, [tuple(row) for row in rows])

    def forget(self, kind: str = "", before: float = 0.0) -> int:
        """Drop evidence: of one kind or of all, with `before` only runs that were last seen before that time."""
        tables = {"resolved": ("resolved",), "runtime": ("ran", "passed")}
        wanted = tables[kind] if kind else sum(tables.values(), ())
        gone = 0
        with self.writing() as connection:
            for table in wanted:
                limit = " WHERE last < ?" if before and table in {"ran", "passed"} else ""
                connection.execute(f"DELETE FROM {table}{limit}", (before,) if limit else ())
                gone += connection.changes()
        return gone


def open_evidence(path: Path) -> SqliteEvidence:
    """Open the evidence of a repository; nothing is made before something is written."""
    return SqliteEvidence(path)
