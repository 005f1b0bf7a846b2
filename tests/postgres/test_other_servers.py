"""Servers of other makes: Debian's without pgvector, an older one with it, and a cluster where there is Citus."""

import shutil
import tempfile
from pathlib import Path

import psycopg
import pytest
from tests.postgres.cluster import Cluster, debian, packaged

import recollect
from recollect.errors import ReadOnlyError, RecollectError, StoreError, UsageError
from recollect.memory.opened import OpenMemory
from recollect.store.ids import uid_of
from recollect.store.postgres import sharing
from recollect.store.postgres.address import read
from recollect.store.postgres.distribute import distribute
from recollect.store.postgres.memory_store import MemorySpace
from recollect.store.postgres.server import Server, Space

SCHEMAS = "SELECT nspname FROM pg_namespace WHERE nspname !~ '^pg_' ORDER BY 1"


@pytest.fixture
def start():
    """Return a function that starts a server of some programs with settings; all are stopped after the test."""
    folder = Path(tempfile.mkdtemp(prefix="recollect-other-"))
    folder.chmod(0o755)  # the servers run as another user
    begun = []

    def begin(programs, settings=()):
        cluster = Cluster(folder / f"server{len(begun)}", programs or packaged(folder, 16), settings)
        begun.append(cluster)
        cluster.make()
        return cluster

    yield begin
    for cluster in begun:
        if cluster.running:
            cluster.stop("immediate")
    shutil.rmtree(folder, ignore_errors=True)


def programs_of_debian(extension=""):
    found = debian(extension)
    if found is None:
        pytest.skip(f"There is no PostgreSQL of Debian here{f' with {extension}' if extension else ''}.")
    return found


@pytest.mark.slow  # a server is set up
@pytest.mark.timeout(180)
def test_debians_server_without_pgvector_is_refused_in_one_sentence_and_left_as_it_was(start, shop):
    programs = programs_of_debian()
    if debian("vector") is not None:
        pytest.skip("Debian's PostgreSQL has pgvector here.")
    cluster = start(programs)
    with psycopg.connect(cluster.url()) as connection:
        before = connection.execute(SCHEMAS).fetchall()
    said = r"has no pgvector; install it there .* Nothing was changed\.$"
    with (
        recollect.open(shop, store=cluster.url() + "?space=s") as project,
        pytest.raises(StoreError, match=said),
    ):
        project.recall("anything")
    with psycopg.connect(cluster.url()) as connection:
        assert connection.execute(SCHEMAS).fetchall() == before
        assert connection.execute("SELECT 1 FROM pg_roles WHERE rolname ~ 'recollect'").fetchall() == []


@pytest.mark.slow  # a server is set up
@pytest.mark.timeout(180)
@pytest.mark.parametrize("make", ["16", "debian"])
def test_an_older_server_answers_as_the_newest_does(start, shop, make):
    programs = None if make == "16" else programs_of_debian("vector")
    url = start(programs).url() + "?space=s"
    with recollect.open(shop) as project:
        project.remember("We retry idempotent calls only", tags=["http"])
        wanted = [hit.id for hit in project.search("retry policy").hits]
        told = [hit.text for hit in project.recall("which calls may be retried?").hits]
    with recollect.open(shop, store=url) as project:
        kept = project.remember("We retry idempotent calls only", tags=["http"])
        assert [hit.id for hit in project.search("retry policy").hits] == wanted
        assert [hit.text for hit in project.recall("which calls may be retried?").hits] == told
        project.forget(kept.id)
        assert not project.recall("which calls may be retried?").hits


@pytest.fixture
def spread(start):
    """The URL of a coordinator with two workers, tables distributed; and a connection of its administrator."""
    programs = programs_of_debian("citus")
    settings = ("shared_preload_libraries=citus", "wal_level=logical", "citus.node_conninfo=sslmode=disable")
    coordinator, *workers = (start(programs, settings) for _ in range(3))
    for cluster in (coordinator, *workers):
        with psycopg.connect(cluster.url(), autocommit=True) as connection:
            connection.execute("CREATE EXTENSION citus")
            connection.execute("CREATE EXTENSION vector")
    with psycopg.connect(coordinator.url(), autocommit=True) as connection:
        connection.execute("SELECT citus_set_coordinator_host('127.0.0.1', %s)", (coordinator.port,))
        for worker in workers:
            connection.execute("SELECT citus_add_node('127.0.0.1', %s)", (worker.port,))
        server = Server(read(coordinator.url()))
        server.open()
        server.close()
        assert len(distribute(server.address).new) > 20
        yield coordinator.url(), connection


def memories(url, login, space):
    return OpenMemory(MemorySpace(read(url.replace("postgres@", f"{login}@")), Space(space)))


@pytest.mark.slow  # three servers are set up
@pytest.mark.timeout(300)
def test_a_team_works_on_a_cluster_and_strangers_stay_out(spread):
    url, admin = spread
    server = Server(read(url))
    server.open()
    for login in ("ann", "bob", "cyn", "eve"):
        admin.execute(f"CREATE ROLE {login} LOGIN")
    for space, login, role in (("a", "ann", "writer"), ("a", "bob", "reader"), ("b", "cyn", "writer")):
        server.enter(Space(space))
        sharing.admit(server, Space(space), login, role)
    assert [one.login for one in sharing.members(server, Space("a"))] == ["postgres", "ann", "bob"]
    ann, bob, cyn = memories(url, "ann", "a"), memories(url, "bob", "a"), memories(url, "cyn", "b")
    ann.remember_many([{"text": f"Note {number} on retries"} for number in range(300)], None)
    assert len(bob.recall("retries", 10, {}, None).hits) == 10
    with pytest.raises(ReadOnlyError):
        bob.remember("Not allowed", {}, None)
    kept = cyn.remember("Elsewhere", {}, None)
    with pytest.raises(UsageError, match="is a cluster"):
        sharing.share(server, Space("b"), uid_of(kept.id), "a")
    for login, error in (("cyn", UsageError), ("eve", ReadOnlyError)):
        with pytest.raises(error):
            memories(url, login, "a").recall("retries", 10, {}, None)
    with psycopg.connect(url.replace("postgres@", "cyn@")) as by_hand:
        by_hand.execute(f"SET LOCAL recollect.space = '{Space('a').uid}'")
        by_hand.execute("SET LOCAL search_path = recollect, public")
        sql = f"SELECT count(*) FROM recollect.memory WHERE space = {Space('a').uid}"
        assert by_hand.execute(sql).fetchone() == (0,)
        with pytest.raises(psycopg.Error, match="row-level security"):
            by_hand.execute(f"INSERT INTO recollect.receipt VALUES ({Space('a').uid}, 7)")
    for one in (ann, bob, cyn, server):
        one.close()


def test_rows_that_go_over_value_by_value_are_the_same(shop, store_url, monkeypatch):
    from recollect.store.postgres import schema

    def answers(store):
        with recollect.open(shop, store=store) as project:
            project.index()
            project.remember("Said by one", tags=["C:\\new"], author="ann", metadata={"a": 1})
            found = [hit.id for hit in project.search("retry policy").hits]
            return found, [hit.text for hit in project.recall("said by one").hits]

    wanted = answers(store_url)
    monkeypatch.setattr(schema, "is_spread", lambda connection: True)
    assert answers(f"{store_url}2") == wanted
    with recollect.open(shop, store=f"{store_url}2") as project, pytest.raises(RecollectError, match="NUL"):
        project.remember("With a\0sign")
