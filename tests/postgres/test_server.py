"""What a server must have, and what is said of one that cannot be used; nothing is changed then."""

import logging
import threading

import psycopg
import pytest

from recollect.errors import AwayError, BusyError, DiskFullError, NewerSchemaError, ReadOnlyError, StoreError
from recollect.store.postgres import schema
from recollect.store.postgres.address import read
from recollect.store.postgres.server import Server


def tables(url):
    with psycopg.connect(url) as connection:
        rows = connection.execute(
            "SELECT schemaname, tablename FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')"
        ).fetchall()
    return sorted(f"{folder}.{name}" for folder, name in rows)


def run(url, *statements):
    with psycopg.connect(url, autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement)


def refused(url, kind):
    with pytest.raises(kind) as told:
        Server(read(url)).open()
    return str(told.value)


def test_an_empty_database_is_set_up_once_and_opened_again(database, served):
    served(database)
    first = tables(database)
    served(database)
    assert "recollect.space" in first
    assert tables(database) == first
    with psycopg.connect(database) as connection:
        assert schema.version(connection, read(database)) == schema.latest()


def test_clients_that_set_a_database_up_together_do_it_once(database):
    servers = [Server(read(database)) for _ in range(6)]
    threads = [threading.Thread(target=server.open) for server in servers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for server in servers:
        server.close()
    with psycopg.connect(database) as connection:
        numbers = [row[0] for row in connection.execute("SELECT number FROM recollect.migration ORDER BY 1")]
    assert numbers == [number for number, _ in schema.migrations()]


def test_a_newer_schema_is_refused(database, served):
    served(database).close()
    run(database, "INSERT INTO recollect.migration (number) VALUES (9999)")
    assert "newer recollect (schema 9999" in refused(database, NewerSchemaError)


def test_tables_of_another_program_are_left_alone(database):
    run(database, "CREATE SCHEMA recollect", "CREATE TABLE recollect.users (id int)")
    before = tables(database)
    assert "tables of another program (users)" in refused(database, StoreError)
    assert tables(database) == before


def test_a_table_that_is_only_called_like_ours_is_left_alone(database):
    run(database, "CREATE SCHEMA recollect", "CREATE TABLE recollect.migration (version text)")
    assert "tables of another program (migration)" in refused(database, StoreError)


def test_a_server_that_is_too_old_is_refused(database, monkeypatch):
    monkeypatch.setattr(schema, "OLDEST_SERVER", 990_000)
    assert "recollect needs 99 or newer. Nothing was changed." in refused(database, StoreError)
    assert tables(database) == []


def test_a_server_without_the_vector_extension_is_refused(database, monkeypatch):
    monkeypatch.setattr(schema, "VECTOR", "no_such_extension")
    assert "has no pgvector; install it there" in refused(database, StoreError)
    assert tables(database) == []


def test_an_old_vector_extension_is_refused(database, monkeypatch):
    monkeypatch.setattr(schema, "OLDEST_VECTOR", (99, 0))
    assert "recollect needs 99.0 or newer" in refused(database, StoreError)
    assert tables(database) == []


def test_a_read_only_server_that_was_never_set_up_is_refused(database):
    assert "takes no writes" in refused(
        f"{database}?options=-cdefault_transaction_read_only%3Don", ReadOnlyError
    )
    assert tables(database) == []


def test_a_read_only_server_is_read_and_not_written(store_url, served, space):
    server = served(f"{store_url}&options=-cdefault_transaction_read_only%3Don")
    assert server.read(space, lambda session: session.rows("SELECT name FROM space WHERE space = $1")) == [
        (space.name,)
    ]


def test_a_login_that_may_not_set_up_says_who_may(database, postgres):
    login = f"guest_{database[-6:]}"
    run(database, f"CREATE ROLE {login} LOGIN", "REVOKE ALL ON SCHEMA public FROM PUBLIC")
    said = refused(database.replace("postgres@", f"{login}@"), ReadOnlyError)
    assert "may not set the store up" in said
    assert tables(database) == []


def test_a_full_disk_is_told_in_one_sentence_and_changes_nothing(server, space, admin):
    server.enter(space)
    name = f"full_{space.uid}"
    admin.execute(
        f"CREATE FUNCTION recollect.{name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF NEW.space = {space.uid} "
        "THEN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END IF; "
        "RETURN NEW; END $$"
    )
    admin.execute(
        f"CREATE TRIGGER {name} BEFORE INSERT ON recollect.turn FOR EACH ROW EXECUTE FUNCTION recollect.{name}()"
    )
    try:
        with pytest.raises(DiskFullError, match=r"has no room left .* nothing was changed"):
            server.write(space, "memory", lambda session: None, 5)
    finally:
        admin.execute(f"DROP TRIGGER {name} ON recollect.turn")
    assert server.read(space, lambda session: session.rows("SELECT family FROM turn WHERE space = $1")) == []


@pytest.mark.parametrize(
    "where", ["postgres:hunter2x@127.0.0.1:1/postgres", "postgres@127.0.0.1:1/postgres?password=hunter2x"]
)
def test_a_server_that_is_not_there_is_told_without_the_password(where, caplog, capfd):
    caplog.set_level(logging.DEBUG)
    with pytest.raises(AwayError) as told:
        Server(read(f"postgresql://{where}")).open()
    assert "does not answer" in str(told.value)
    everything = f"{told.value!r}{told.value.__cause__!r}{caplog.text}{capfd.readouterr()}"
    assert "hunter2x" not in everything


def test_a_missing_database_is_named_without_the_password(postgres):
    said = refused(postgres.url("nowhere").replace("postgres@", "postgres:hunter2x@"), StoreError)
    assert "nowhere" in said
    assert "hunter2x" not in said


def test_a_writer_waits_for_another_one_and_says_so_when_it_takes_too_long(server, space, served, store_url):
    other = served(store_url)
    with server.writing(space, "memory", 5), pytest.raises(BusyError, match="for too long"):
        other.write(space, "memory", lambda session: None, 0.05)


def test_families_of_tables_do_not_wait_for_each_other(server, space, served, store_url):
    other = served(store_url)
    with server.writing(space, "memory", 5):
        assert other.write(space, "code", lambda session: 1, 0.5) == 1


def test_a_reader_sees_one_state_however_much_is_written_meanwhile(server, space, served, store_url):
    other = served(store_url)
    count = "SELECT count(*) FROM turn WHERE space = $1"
    with server.reading(space) as session:
        other.write(space, "memory", lambda session: None, 5)
        assert session.rows(count) == [(0,)]
    assert server.read(space, lambda session: session.rows(count)) == [(1,)]
