"""What a login may read and write, enforced by the server whatever a client asks for."""

import secrets

import psycopg
import pytest

from recollect.errors import ReadOnlyError, UsageError
from recollect.store.postgres.address import read
from recollect.store.postgres.server import Server, Space

TABLES = (
    "SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
    "WHERE n.nspname = 'recollect' AND c.relkind IN ('r', 'p') AND c.relname <> 'migration'"
)


@pytest.fixture
def login(admin, store_url, served):
    """Return a function that makes a login with a role of the server and returns a server opened by it."""
    made = []

    def make(role):
        name = f"login_{secrets.token_hex(5)}"
        admin.execute(f"CREATE ROLE {name} LOGIN IN ROLE recollect_{role}")
        made.append(name)
        return name, served(store_url.replace("postgres@", f"{name}@"))

    yield make
    for name in made:
        admin.execute(f"DROP ROLE {name}")


def member(admin, space, login, level):
    admin.execute("INSERT INTO recollect.member VALUES (%s, %s, %s)", (space.uid, login, level))


def note(session):
    session.change("INSERT INTO receipt (space, token) VALUES ($1, 1)")


def test_every_table_has_row_policies_and_a_key_that_begins_with_the_space(server, admin):
    names = [row[0] for row in admin.execute(TABLES)]
    assert len(names) >= 6
    for name in names:
        enabled = admin.execute(
            "SELECT relrowsecurity FROM pg_class WHERE oid = to_regclass(%s)", (f"recollect.{name}",)
        ).fetchone()
        key = admin.execute(
            "SELECT a.attname FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid "
            "AND a.attnum = i.indkey[0] WHERE i.indisprimary AND i.indrelid = to_regclass(%s)",
            (f"recollect.{name}",),
        ).fetchone()
        policies = admin.execute(
            "SELECT count(*) FROM pg_policies WHERE schemaname = 'recollect' AND tablename = %s", (name,)
        ).fetchone()
        # What is shared is read by a policy of its own.
        wanted = (5,) if name in {"memory", "label"} else (4,)
        assert (name, enabled, key, policies) == (name, (True,), ("space",), wanted)


def test_a_statement_that_names_no_space_sees_only_its_own(server, space):
    other = Space(space.name + "-other")
    server.write(space, "memory", note, 5)
    server.write(other, "memory", note, 5)
    everything = "SELECT DISTINCT space FROM receipt WHERE $1 = $1"
    assert server.read(space, lambda session: session.rows(everything)) == [(space.uid,)]


def test_another_space_can_be_neither_read_nor_written_nor_added_to(server, space):
    other = Space(space.name + "-other")
    server.write(other, "memory", note, 5)
    look = "SELECT count(*) FROM receipt WHERE space = $2 AND $1 = $1"
    assert server.read(space, lambda session: session.rows(look, (other.uid,))) == [(0,)]
    for change in (
        "UPDATE receipt SET token = 7 WHERE space = $2 AND $1 = $1",
        "DELETE FROM receipt WHERE space = $2 AND $1 = $1",
    ):
        assert (
            server.write(space, "memory", lambda session, sql=change: session.change(sql, (other.uid,)), 5)
            == 0
        )
    for change in (
        "INSERT INTO receipt SELECT $2, 9 WHERE $1 = $1",
        "UPDATE receipt SET space = $2 WHERE space = $1",
    ):
        with pytest.raises(ReadOnlyError, match="row-level security"):
            server.write(
                space,
                "memory",
                lambda session, sql=change: (note(session), session.change(sql, (other.uid,))),
                5,
            )


def test_a_login_that_is_no_member_gets_nowhere(server, space, login):
    server.enter(space)
    _, stranger = login("writer")
    with pytest.raises(UsageError, match="no member of the space"):
        stranger.read(space, lambda session: session.rows("SELECT 1 WHERE $1 = $1"))


def test_a_login_that_is_no_member_sees_nothing_even_past_our_code(server, space, login, store_url):
    server.write(space, "memory", note, 5)
    name, _ = login("writer")
    url = read(store_url.replace("postgres@", f"{name}@")).url
    with psycopg.connect(url) as connection:
        connection.execute("SET ROLE recollect_writer")
        connection.execute(f"SET recollect.space = '{space.uid}'")
        for table in ("receipt", "space", "member", "turn"):
            assert connection.execute(f"SELECT count(*) FROM recollect.{table}").fetchone() == (0,)
    with psycopg.connect(url) as connection, pytest.raises(psycopg.errors.InsufficientPrivilege):
        connection.execute("SET ROLE recollect_owner")


def test_a_reader_reads_and_does_not_write(server, space, login, admin):
    server.write(space, "memory", note, 5)
    name, reader = login("reader")
    member(admin, space, name, 1)
    assert reader.read(
        space, lambda session: session.rows("SELECT count(*) > 0 FROM receipt WHERE space = $1")
    ) == [(True,)]
    with pytest.raises(ReadOnlyError, match="recollect store grant"):
        reader.write(space, "memory", note, 5)


def test_a_login_that_may_write_elsewhere_only_reads_where_it_is_a_reader(server, space, login, admin):
    server.enter(space)
    name, writer = login("writer")
    member(admin, space, name, 1)
    with pytest.raises(ReadOnlyError, match="row-level security"):
        writer.write(space, "memory", note, 5)


def test_a_writer_writes_and_lets_nobody_in(server, space, login, admin):
    server.enter(space)
    name, writer = login("writer")
    member(admin, space, name, 2)
    writer.write(space, "memory", note, 5)
    with pytest.raises(ReadOnlyError):
        writer.own(space, lambda session: session.change("INSERT INTO member VALUES ($1, 'x', 3)"))
    with pytest.raises(ReadOnlyError):
        writer.write(
            space, "memory", lambda session: session.change("INSERT INTO member VALUES ($1, 'x', 3)"), 5
        )


def test_a_member_of_a_group_is_a_member(server, space, login, admin):
    server.enter(space)
    group = f"group_{secrets.token_hex(5)}"
    admin.execute(f"CREATE ROLE {group} NOLOGIN")
    name, writer = login("writer")
    admin.execute(f"GRANT {group} TO {name}")
    member(admin, space, group, 2)
    writer.write(space, "memory", note, 5)
    admin.execute(f"DROP ROLE {group}")


def test_whoever_begins_a_space_owns_it(login):
    _, writer = login("writer")
    assert writer.enter(Space(f"new-{secrets.token_hex(4)}")) == 3


def test_settings_show_no_password():
    from recollect.config import Settings

    assert "hunter2x" not in repr(Settings(store="postgresql://a:hunter2x@db/x"))


def test_the_server_is_asked_in_the_language_of_its_driver_only_when_it_is_installed(monkeypatch):
    import sys

    from recollect.store.postgres.installed import require

    require()
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(UsageError, match="pip install 'recollect\\[postgres\\]'"):
        require()
    assert Server
