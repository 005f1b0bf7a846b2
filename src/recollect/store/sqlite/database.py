"""One database file: how it is opened, set up, shared between readers and thrown away."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw

from recollect.errors import CorruptError, ReadOnlyError, StoreError
from recollect.store.sqlite import schema
from recollect.store.sqlite.faults import translate, translated
from recollect.store.sqlite.lock import writer_lock

PAGE_SIZE = 8192
CACHE_KIB = 65536
MMAP_BYTES = 256 << 20
BUSY_MILLISECONDS = 10_000
LOG_PAGES = 2000
"""How long the write-ahead log may grow before it is copied into the database."""
LOG_BYTES = 64 << 20
DEFAULT_WAIT = 30.0
_NAP_SECONDS = 0.005
_COMPANIONS = ("", "-wal", "-shm", "-journal")


class Database:
    """A database file with a few idle connections; safe to share between threads."""

    def __init__(self, path: Path, *, precious: bool) -> None:
        self.path = path
        self.precious = precious
        self.remarks: list[str] = []
        self.writable = True
        self._idle: list[apsw.Connection] = []
        self._guard = threading.Lock()
        self._identity: tuple[int, int] | None = None
        self._closed = False

    @property
    def lock_path(self) -> Path:
        """Return the file whose lock makes a process the only writer."""
        return self.path.with_suffix(".lock")

    @property
    def damage_mark(self) -> Path:
        """Return the file whose presence says that damage was met while reading."""
        return self.path.with_name(self.path.name + ".damaged")

    def open(self) -> None:
        """Create or migrate the database where needed and keep a first connection."""
        with translated(self.path):
            self._make_folder()
            connection = self._connect()
            try:
                found = schema.version(connection)
                schema.refuse_newer(found, self.path)
                if found < schema.latest():
                    self._upgrade(connection)
                connection.execute("SELECT count(*) FROM sqlite_master").fetchall()
                self._identity = self._identify()
            except BaseException:
                connection.close()
                raise
            self._idle.append(connection)

    def _make_folder(self) -> None:
        if self.path.is_dir():
            raise StoreError(f"{self.path} is a folder where the database should be; move it away.")
        begin_folder(self.path.parent)

    def _connect(self) -> apsw.Connection:
        try:
            connection = apsw.Connection(str(self.path), statementcachesize=200)
            connection.set_busy_timeout(BUSY_MILLISECONDS)
            connection.pragma("schema_version")
        except (apsw.CantOpenError, apsw.ReadOnlyError, apsw.PermissionsError):
            if not self.path.exists():
                raise
            connection = self._connect_read_only()
        self._set_up(connection)
        return connection

    def _connect_read_only(self) -> apsw.Connection:
        self.writable = False
        connection = apsw.Connection(str(self.path), flags=apsw.SQLITE_OPEN_READONLY)
        connection.set_busy_timeout(BUSY_MILLISECONDS)
        try:
            connection.pragma("schema_version")
        except (apsw.CantOpenError, apsw.ReadOnlyError):
            # Without a writable folder there is no shared memory file; nobody can be writing, so reading is safe.
            connection.close()
            uri = self.path.resolve().as_uri() + "?immutable=1"
            connection = apsw.Connection(uri, flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)
        return connection

    def _set_up(self, connection: apsw.Connection) -> None:
        connection.pragma("cache_size", -CACHE_KIB)
        connection.pragma("mmap_size", MMAP_BYTES)
        connection.pragma("temp_store", 2)
        if connection.readonly("main"):
            self.writable = False
            return
        connection.pragma("page_size", PAGE_SIZE)
        self._set_journal(connection)
        connection.pragma("synchronous", "FULL" if self.precious else "NORMAL")
        connection.pragma("wal_autocheckpoint", LOG_PAGES)
        connection.pragma("journal_size_limit", LOG_BYTES)

    def _set_journal(self, connection: apsw.Connection) -> None:
        try:
            mode = use_log(connection)
        except (apsw.IOError, apsw.CantOpenError):
            mode = connection.pragma("journal_mode", "TRUNCATE")
        if mode != "wal":
            remark = (
                f"The file system of {self.path.parent} cannot share memory between processes, so readers of "
                f"{self.path.name} wait while it is written; a local disk would be faster."
            )
            if remark not in self.remarks:
                self.remarks.append(remark)

    def _upgrade(self, connection: apsw.Connection) -> None:
        if connection.readonly("main"):
            raise ReadOnlyError(
                f"{self.path} must be brought to schema {schema.latest()} but cannot be written; make it writable once."
            )
        with writer_lock(self.lock_path, DEFAULT_WAIT):
            found = schema.version(connection)
            if 0 < found < schema.latest() and self.precious:
                copy = schema.back_up(connection, self.path)
                self.remarks.append(
                    f"{self.path.name} was brought to schema {schema.latest()}; the old one is in {copy}."
                )
            schema.migrate(connection)

    def _identify(self) -> tuple[int, int] | None:
        try:
            found = self.path.stat()
        except FileNotFoundError:
            return None
        return found.st_dev, found.st_ino

    @contextmanager
    def connection(self) -> Iterator[apsw.Connection]:
        """Lend an idle connection, or a new one; translate every error of its use."""
        with translated(self.path):
            connection = self._take()
        try:
            yield connection
        except BaseException as error:
            connection.close(True)
            if isinstance(error, apsw.Error):
                raise translate(error, self.path) from error
            raise
        self._give_back(connection)

    def _take(self) -> apsw.Connection:
        with self._guard:
            if self._closed:
                raise ReadOnlyError(f"The store {self.path} was closed; open it again.")
            identity = self._identify()
            if identity != self._identity:
                # Another process threw the database away and began anew.
                self._drop_idle()
                self._identity = identity
            if self._idle:
                return self._idle.pop()
        return self._connect()

    def _give_back(self, connection: apsw.Connection) -> None:
        with self._guard:
            if self._closed or len(self._idle) >= 4:
                connection.close()
            else:
                self._idle.append(connection)

    def _drop_idle(self) -> None:
        while self._idle:
            self._idle.pop().close()

    def mark_damaged(self) -> None:
        """Leave a mark, so that the next opening of a derived database starts afresh."""
        if not self.precious and self.writable:
            with translated(self.path):
                self.damage_mark.touch()

    def close(self) -> None:
        """Close the idle connections; those lent out close when they are given back."""
        with self._guard:
            self._closed = True
            self._drop_idle()


@contextmanager
def fresh(database: Database) -> Iterator[apsw.Connection]:
    """Lend a connection that read nothing yet: an older one checks full text by what it was before others wrote."""
    with translated(database.path):
        connection = database._connect()
        try:
            yield connection
        finally:
            connection.close(True)


def begin_folder(folder: Path) -> None:
    """Make the folder of a project's data where there is none, hidden from git."""
    folder.mkdir(parents=True, exist_ok=True)
    ignore = folder / ".gitignore"
    if folder.name == ".recollect" and not ignore.exists():
        ignore.write_text("*\n", "utf-8")


def use_log(connection: apsw.Connection) -> str:
    """Switch a database to the write-ahead log where it is not; return the journal that it has then."""
    deadline = time.monotonic() + BUSY_MILLISECONDS / 1000
    while True:
        try:
            return str(connection.pragma("journal_mode", "WAL"))
        except apsw.BusyError:
            # SQLite does not wait by itself while another process makes the same switch.
            if time.monotonic() >= deadline:
                raise
            time.sleep(_NAP_SECONDS)


def open_derived(path: Path) -> Database:
    """Open a database that can be made anew; begin afresh, with a remark, when it is damaged or has an old schema."""
    database = Database(path, precious=False)
    if _reason_to_discard(database):
        # Another process may have begun afresh meanwhile, so it is looked at again by the only writer.
        with writer_lock(database.lock_path, DEFAULT_WAIT):
            reason = _reason_to_discard(database)
            if reason:
                _delete(database)
                database.remarks.append(f"{path.name} {reason}, so it was thrown away and is made anew.")
    database.open()
    return database


def _reason_to_discard(database: Database) -> str:
    if not database.path.is_file():
        return ""
    if database.damage_mark.exists():
        return "was found damaged"
    try:
        found = _probe(database)
    except CorruptError:
        return "was damaged"
    return "had an older schema" if 0 < found < schema.latest() else ""


def _probe(database: Database) -> int:
    with translated(database.path):
        connection = database._connect()
        try:
            found = schema.version(connection)
            connection.execute("SELECT count(*) FROM sqlite_master").fetchall()
            if 0 < found <= schema.latest():
                connection.execute("SELECT value FROM meta WHERE key = 'generation'").fetchall()
        except apsw.SQLError as error:
            raise CorruptError(f"{database.path} lacks its tables.") from error
        finally:
            connection.close()
    return found


def discard(database: Database) -> None:
    """Delete a derived database and all that lies beside it, while no other process writes it."""
    with writer_lock(database.lock_path, DEFAULT_WAIT):
        _delete(database)


def _delete(database: Database) -> None:
    if database.precious:
        raise CorruptError(
            f"{database.path} holds memories and is never thrown away; restore it from a backup."
        )
    with translated(database.path):
        for companion in _COMPANIONS:
            database.path.with_name(database.path.name + companion).unlink(missing_ok=True)
        database.damage_mark.unlink(missing_ok=True)
