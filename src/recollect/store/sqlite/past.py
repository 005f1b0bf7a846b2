"""What git told of past commits, and what was counted from it, in evidence.db; commits never change, counts do."""

from __future__ import annotations

import time
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import apsw
import msgspec

from recollect.store.past import CommitRow, FilePast, Pair, PastState, Person, Step, SymbolPast
from recollect.store.sqlite.evidence import EvidenceFile

_STATE = "history"
_VERSIONS = 3
"""Of how many contents of one path symbols are kept; worktrees may have different ones."""
_SCHEMA = """
CREATE TABLE IF NOT EXISTS past_person (number INTEGER PRIMARY KEY, name TEXT NOT NULL, email TEXT NOT NULL,
  UNIQUE (name, email));
CREATE TABLE IF NOT EXISTS past_path (number INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE);
CREATE TABLE IF NOT EXISTS past_commit (number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, time INTEGER NOT NULL,
  person INTEGER NOT NULL, parents INTEGER NOT NULL, files INTEGER NOT NULL, followed INTEGER NOT NULL DEFAULT 0);
CREATE TABLE IF NOT EXISTS past_change (path INTEGER NOT NULL, new INTEGER NOT NULL, number INTEGER NOT NULL,
  parent INTEGER NOT NULL, before INTEGER NOT NULL, old INTEGER NOT NULL,
  PRIMARY KEY (path, new, number, parent)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS past_lines (old INTEGER NOT NULL, new INTEGER NOT NULL, hunks BLOB NOT NULL,
  PRIMARY KEY (old, new)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS past_file (path TEXT PRIMARY KEY, commits INTEGER NOT NULL, latest INTEGER NOT NULL,
  people BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS past_symbol (path TEXT NOT NULL, blob INTEGER NOT NULL, newest INTEGER NOT NULL,
  made REAL NOT NULL, whole INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY (path, blob)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS together_symbol (first INTEGER NOT NULL, second INTEGER NOT NULL, count INTEGER NOT NULL,
  percent INTEGER NOT NULL, PRIMARY KEY (first, second)) WITHOUT ROWID;
"""
_TABLES = ("past_commit", "past_person", "past_path", "past_change", "past_lines", "past_file", "past_symbol")


class _Reading(EvidenceFile):
    """What is known of the past; an evidence file that never saw history knows nothing."""

    _made = False

    def state(self) -> PastState:
        """Return how much is known."""
        text = self.meta(_STATE)
        try:
            return msgspec.json.decode(text, type=PastState) if text else PastState()
        except msgspec.MsgspecError:
            return PastState()

    def numbers(self) -> dict[str, tuple[int, bool]]:
        """Return every known commit by id: its number, and whether its lines are known."""
        rows = self._found("SELECT id, number, followed FROM past_commit")
        return {bytes(id_).hex(): (number, bool(followed)) for id_, number, followed in rows}

    def changes(self) -> Iterator[tuple[int, int, int, int]]:
        """Yield number of the commit, path, path before (0 for none) of every change that is no merge."""
        sql = (
            "SELECT past_change.number, path, before, old FROM past_change JOIN past_commit USING (number) "
            "WHERE parents < 2"
        )
        yield from self._found(sql)

    def commits(self) -> dict[int, tuple[int, int, int]]:
        """Return time, person and number of files of every commit that is no merge."""
        rows = self._found("SELECT number, time, person, files FROM past_commit WHERE parents < 2")
        return {number: (when, person, files) for number, when, person, files in rows}

    def paths(self) -> dict[str, int]:
        """Return the number of every path that was ever seen."""
        return dict(self._found("SELECT path, number FROM past_path"))

    def people(self) -> dict[int, tuple[str, str]]:
        """Return name and address of everybody by number."""
        rows = self._found("SELECT number, name, email FROM past_person")
        return {number: (name, email) for number, name, email in rows}

    def steps(self, path: int, blob: int) -> list[Step]:
        """Return the commits that made a blob of a path."""
        sql = (
            "SELECT past_change.number, before, old, parent, parents > 1 FROM past_change JOIN past_commit "
            "USING (number) WHERE path = ? AND new = ?"
        )
        return [
            Step(commit, before, old, parent, bool(merge))
            for commit, before, old, parent, merge in self._found(sql, (path, blob))
        ]

    def lines(self, old: int, new: int) -> bytes | None:
        """Return the packed lines in which two blobs differ."""
        rows = self._found("SELECT hunks FROM past_lines WHERE old = ? AND new = ?", (old, new))
        return bytes(rows[0][0]) if rows else None

    def files(self, paths: Iterable[str]) -> dict[str, FilePast]:
        """Return the past of some files."""
        found = {}
        for path in paths:
            for commits, latest, packed in self._found(
                "SELECT commits, latest, people FROM past_file WHERE path = ?", (path,)
            ):
                people = tuple(Person(*row) for row in msgspec.msgpack.decode(packed))
                found[path] = FilePast(path, commits, latest, people)
        return found

    def symbols(self, path: str) -> tuple[SymbolPast, ...]:
        """Return the past of the symbols of a file, as it was when it was last looked at."""
        rows = self._found("SELECT data FROM past_symbol WHERE path = ? ORDER BY made DESC LIMIT 1", (path,))
        return _unpacked(rows[0][0]) if rows else ()

    def looked_at(self) -> dict[str, tuple[int, int, bool]]:
        """Return blob, newest commit and wholeness of what is known of each path, last looked at last."""
        rows = self._found("SELECT path, blob, newest, whole FROM past_symbol ORDER BY made")
        return {path: (blob, newest, bool(whole)) for path, blob, newest, whole in rows}

    def partners(self, path: str) -> tuple[Pair, ...]:
        """Return the files that change with a file, the most often first."""
        sql = "SELECT * FROM together WHERE first = ? ORDER BY count DESC, percent DESC, second"
        return tuple(Pair(*row) for row in self._found(sql, (path,)))

    def symbol_partners(self, uid: int) -> tuple[Pair, ...]:
        """Return the symbols that change with a symbol, by uid, the most often first."""
        sql = "SELECT * FROM together_symbol WHERE first = ? ORDER BY count DESC, percent DESC, second"
        return tuple(Pair(*row) for row in self._found(sql, (uid,)))

    def _found(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        if not self._made:
            self._made = bool(self._rows("SELECT 1 FROM sqlite_master WHERE name = 'together_symbol'"))
        return self._rows(sql, parameters) if self._made else []


class Past(_Reading):
    """The past of a repository; every call is one short transaction."""

    @contextmanager
    def writing(self, woven: bool = False) -> Iterator[apsw.Connection]:
        """Open a write transaction with the tables of history there."""
        with super().writing(woven) as connection:
            if not self._made:
                connection.execute(_SCHEMA)
            yield connection

    def put_commits(self, commits: Iterable[CommitRow]) -> None:
        """Keep commits with what they changed."""
        with self.writing() as connection:
            for one in commits:
                _put_commit(connection, one)

    def put_lines(self, ids: Sequence[str], rows: Iterable[tuple[int, int, bytes]]) -> None:
        """Keep the lines in which blobs differ, and that those of these commits are known."""
        with self.writing() as connection:
            connection.executemany("INSERT OR REPLACE INTO past_lines VALUES (?, ?, ?)", rows)
            done = [(bytes.fromhex(one),) for one in ids]
            connection.executemany("UPDATE past_commit SET followed = 1 WHERE id = ?", done)

    def put_files(self, files: Iterable[FilePast]) -> None:
        """Keep the past of all files, in place of what was known."""
        with self.writing() as connection:
            connection.execute("DELETE FROM past_file")
            rows = [(*one[:3], msgspec.msgpack.encode(one.people)) for one in files]
            connection.executemany("INSERT INTO past_file VALUES (?, ?, ?, ?)", rows)

    def put_symbols(
        self, rows: Iterable[tuple[str, int, int, bool, Sequence[SymbolPast]]], gone: Iterable[str] = ()
    ) -> None:
        """Keep the past of the symbols of files: path, blob, newest commit, whether it is whole, symbols."""
        with self.writing() as connection:
            for path, blob, newest, whole, symbols in rows:
                values = (path, blob, newest, time.time(), whole, _packed(symbols))
                connection.execute("INSERT OR REPLACE INTO past_symbol VALUES (?, ?, ?, ?, ?, ?)", values)
                connection.execute(
                    "DELETE FROM past_symbol WHERE path = ?1 AND blob NOT IN "
                    "(SELECT blob FROM past_symbol WHERE path = ?1 ORDER BY made DESC LIMIT ?2)",
                    (path, _VERSIONS),
                )
            connection.executemany("DELETE FROM past_symbol WHERE path = ?", [(path,) for path in gone])

    def put_pairs(self, table: str, pairs: Sequence[Pair]) -> bool:
        """Keep which files (`together`) or symbols (`together_symbol`) change together; tell whether that is news."""
        known = set(self._found(f"SELECT * FROM {table}"))
        wanted = {tuple(pair) for pair in pairs}
        if known == wanted:
            return False
        with self.writing(woven=True) as connection:
            keys = "first = ? AND second = ?"
            connection.executemany(f"DELETE FROM {table} WHERE {keys}", [row[:2] for row in known - wanted])
            connection.executemany(f"INSERT OR REPLACE INTO {table} VALUES (?, ?, ?, ?)", wanted - known)
        return True

    def put_state(self, state: PastState) -> None:
        """Keep how much is known."""
        text = msgspec.json.encode(state).decode()
        with self.writing() as connection:
            connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (_STATE, text))

    def prune(self, numbers: Iterable[int]) -> None:
        """Drop commits, and what only they changed."""
        with self.writing() as connection:
            rows = [(number,) for number in numbers]
            connection.executemany("DELETE FROM past_commit WHERE number = ?", rows)
            connection.execute("DELETE FROM past_change WHERE number NOT IN (SELECT number FROM past_commit)")
            connection.execute(
                "DELETE FROM past_lines WHERE NOT EXISTS (SELECT 1 FROM past_change WHERE "
                "past_change.new = past_lines.new AND past_change.old = past_lines.old)"
            )

    def forget_all(self) -> None:
        """Drop all that is known of the past."""
        with self.writing(woven=True) as connection:
            for table in (*_TABLES, "together", "together_symbol"):
                connection.execute(f"DELETE FROM {table}")
            connection.execute("DELETE FROM meta WHERE key = ?", (_STATE,))


def open_past(file: Any) -> Past:
    """Open the past in an evidence file; nothing is made before something is written."""
    return Past(file)


def _put_commit(connection: apsw.Connection, one: CommitRow) -> None:
    person = _number(connection, "past_person", {"name": one.name, "email": one.email})
    values = (bytes.fromhex(one.id), one.time, person, one.parents, one.files)
    connection.execute(
        "INSERT OR IGNORE INTO past_commit (id, time, person, parents, files) VALUES (?, ?, ?, ?, ?)", values
    )
    (number,) = connection.execute("SELECT number FROM past_commit WHERE id = ?", values[:1]).fetchall()[0]
    for change in one.changes:
        path = _number(connection, "past_path", {"path": change.path})
        before = path if change.before == change.path else 0
        if change.before and not before:
            before = _number(connection, "past_path", {"path": change.before})
        row = (path, change.new, number, change.parent, before, change.old)
        connection.execute("INSERT OR REPLACE INTO past_change VALUES (?, ?, ?, ?, ?, ?)", row)


def _number(connection: apsw.Connection, table: str, values: Mapping[str, str]) -> int:
    keys, given = list(values), tuple(values.values())
    where = " AND ".join(f"{key} = ?" for key in keys)
    found = connection.execute(f"SELECT number FROM {table} WHERE {where}", given).fetchall()
    if not found:
        sql = f"INSERT INTO {table} ({', '.join(keys)}) VALUES ({', '.join('?' * len(keys))})"
        connection.execute(sql, given)
        return int(connection.last_insert_rowid())
    number: int = found[0][0]  # type: ignore[assignment]
    return number


def _packed(symbols: Sequence[SymbolPast]) -> bytes:
    return zlib.compress(msgspec.msgpack.encode(symbols), 1)


def _unpacked(data: bytes) -> tuple[SymbolPast, ...]:
    """Return what was packed; a damaged row only means that nothing is known."""
    try:
        return tuple(msgspec.msgpack.decode(zlib.decompress(data), type=list[SymbolPast]))
    except (zlib.error, msgspec.MsgspecError):
        return ()
