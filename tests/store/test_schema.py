import apsw
import pytest
from tests.contract.samples import put, symbol

from recollect.errors import StoreError
from recollect.store import open_index, open_memory
from recollect.store.sqlite import schema
from recollect.store.sqlite.database import PAGE_SIZE
from recollect.store.sqlite.texts import TEXT_TABLES


def add_a_migration(monkeypatch):
    """Pretend that a later version adds a table."""
    migrations = (*schema.migrations(), (schema.latest() + 1, "CREATE TABLE later (a);"))
    monkeypatch.setattr(schema, "migrations", lambda: migrations)


def with_a_file(opener, path):
    store = opener(path)
    with store.writer() as writer:
        put(writer, "a.py", [symbol("a.py", "run")])
        writer.publish()
    store.close()


def test_migrations_are_numbered_without_gaps():
    assert [number for number, _ in schema.migrations()] == list(range(1, schema.latest() + 1))


@pytest.mark.parametrize("table", TEXT_TABLES.values(), ids=lambda table: table.name)
def test_every_text_table_exists_with_its_columns(tmp_path, table):
    store = open_index(tmp_path / "index.db")
    with store.database.connection() as connection:
        assert [row[1] for row in connection.execute(f"PRAGMA table_info({table.name})")] == list(
            table.columns
        )
    store.close()


@pytest.mark.parametrize(("opener", "synchronous"), [(open_index, 1), (open_memory, 2)])
def test_a_database_is_set_up_as_designed(tmp_path, opener, synchronous):
    store = opener(tmp_path / "some.db")
    with store.database.connection() as connection:
        found = {
            name: connection.pragma(name)
            for name in (
                "journal_mode",
                "cache_size",
                "mmap_size",
                "synchronous",
                "temp_store",
                "page_size",
                "busy_timeout",
            )
        }
    assert found == {
        "journal_mode": "wal",
        "cache_size": -65536,
        "mmap_size": 256 * 2**20,
        "synchronous": synchronous,
        "temp_store": 2,
        "page_size": PAGE_SIZE,
        "busy_timeout": 10_000,
    }
    store.close()


def test_memories_are_backed_up_and_then_migrated(tmp_path, monkeypatch):
    path = tmp_path / "memory.db"
    with_a_file(open_memory, path)
    old = schema.latest()
    add_a_migration(monkeypatch)
    store = open_memory(path)
    with store.reader() as reader:
        assert len(reader.definitions("run")) == 1
        assert reader.notes()["schema"] == old + 1
        assert f"v{old}.backup" in reader.notes()["remarks"][0]
    store.close()
    copy = apsw.Connection(str(path.with_name(f"memory.db.v{old}.backup")), flags=apsw.SQLITE_OPEN_READONLY)
    assert copy.pragma("user_version") == old
    assert copy.execute("SELECT path FROM file").fetchall() == [("a.py",)]
    copy.close()


def test_a_migration_that_fails_leaves_memories_as_they_were(tmp_path, monkeypatch):
    path = tmp_path / "memory.db"
    with_a_file(open_memory, path)
    before = schema.latest()
    broken = (*schema.migrations(), (before + 1, "CREATE TABLE later (a); CREATE TABLE meta (a);"))
    monkeypatch.setattr(schema, "migrations", lambda: broken)
    with pytest.raises(StoreError, match="already exists"):
        open_memory(path)
    monkeypatch.undo()
    store = open_memory(path)
    with store.reader() as reader:
        assert reader.notes()["schema"] == before
        assert len(reader.definitions("run")) == 1
    store.close()


def test_an_index_of_an_older_schema_is_made_anew_with_a_remark(tmp_path, monkeypatch):
    path = tmp_path / "index.db"
    with_a_file(open_index, path)
    add_a_migration(monkeypatch)
    store = open_index(path)
    with store.reader() as reader:
        assert reader.generation() == 0
        assert "older schema" in reader.notes()["remarks"][0]
    store.close()
    assert not list(tmp_path.glob("*.backup"))


def test_only_the_last_backups_are_kept(tmp_path):
    path = tmp_path / "memory.db"
    with_a_file(open_memory, path)
    connection = apsw.Connection(str(path))
    for at in range(schema.KEPT_BACKUPS + 2):
        connection.pragma("user_version", at + 1)
        schema.back_up(connection, path)
    connection.close()
    assert len(list(tmp_path.glob("*.backup"))) == schema.KEPT_BACKUPS


def test_a_file_system_without_shared_memory_gets_another_journal_and_a_remark(tmp_path, monkeypatch):
    pragma = apsw.Connection.pragma

    class Plain(apsw.Connection):
        def pragma(self, name, value=None, **more):
            if (name, value) == ("journal_mode", "WAL"):
                raise apsw.IOError("no shared memory here")
            return pragma(self, name, **more) if value is None else pragma(self, name, value, **more)

    monkeypatch.setattr(apsw, "Connection", Plain)
    store = open_index(tmp_path / "index.db")
    with store.writer() as writer:
        put(writer, "a.py", [symbol("a.py", "run")])
    with store.reader() as reader:
        notes = reader.notes()
    assert notes["journal"] == "truncate"
    assert "cannot share memory" in notes["remarks"][0]
    store.close()
