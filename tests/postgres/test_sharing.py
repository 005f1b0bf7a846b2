"""A memory is shared with another space one by one, listed at both ends, and taken back."""

import secrets

import pytest

from recollect.errors import NotFoundError, ReadOnlyError, UsageError
from recollect.memory.opened import OpenMemory
from recollect.store.ids import uid_of
from recollect.store.postgres import sharing
from recollect.store.postgres.memory_store import MemorySpace
from recollect.store.postgres.server import Space


@pytest.fixture
def ours(server, space):
    memory = OpenMemory(MemorySpace(server.address, space))
    yield memory
    memory.close()


@pytest.fixture
def other(served, store_url, admin):
    name = f"login_{secrets.token_hex(5)}"
    admin.execute(f"CREATE ROLE {name} LOGIN IN ROLE recollect_writer")
    server = served(store_url.replace("postgres@", f"{name}@"))
    theirs = Space(f"theirs-{secrets.token_hex(4)}")
    server.enter(theirs)
    yield server, theirs
    admin.execute(f"DROP OWNED BY {name}")
    admin.execute(f"DROP ROLE {name}")


def texts(server, theirs, space):
    uids = [one.uid for one in sharing.received(server, theirs)]
    return [row.text for row in sharing.shared_memories(server, theirs, space.name, uids)]


def test_one_memory_is_shared_listed_and_taken_back(server, space, ours, other):
    there, theirs = other
    kept = ours.remember("Releases are cut on Tuesday", {"author": "Ann", "session": "s"}, None)
    ours.remember("The safe opens with 1234 turns", {"author": "Bob"}, None)
    uid = uid_of(kept.id)
    assert texts(there, theirs, space) == []
    assert sharing.share(server, space, uid, theirs.name)
    assert not sharing.share(server, space, uid, theirs.name)
    assert [(one.uid, one.other) for one in sharing.given(server, space)] == [(uid, theirs.name)]
    assert [(one.uid, one.other, one.given_by) for one in sharing.received(there, theirs)] == [
        (uid, space.name, "postgres")
    ]
    (row,) = sharing.shared_memories(there, theirs, space.name, [uid])
    assert (row.text, row.author, row.session) == ("Releases are cut on Tuesday", "Ann", "s")
    assert sharing.unshare(server, space, uid, theirs.name)
    assert texts(there, theirs, space) == []
    assert sharing.given(server, space) == sharing.received(there, theirs) == []


def test_nothing_else_of_the_space_can_be_read_whatever_is_asked(server, space, ours, other, admin):
    there, theirs = other
    kept = ours.remember("Releases are cut on Tuesday", {"author": "Ann"}, None)
    ours.remember("The safe opens with 1234 turns", {"author": "Bob", "tags": ["secret"]}, None)
    sharing.share(server, space, uid_of(kept.id), theirs.name)
    through = Space(space.name, theirs.name)
    tables = [
        row[0]
        for row in admin.execute(
            "SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
            "WHERE n.nspname = 'recollect' AND c.relkind IN ('r', 'p') AND c.relname <> 'migration'"
        )
    ]
    seen = {}
    for table in tables:
        (count,) = there.read(
            through, lambda one, name=table: one.rows(f"SELECT count(*) FROM {name} WHERE $1=$1")
        )[0]
        if count:
            seen[table] = count
    assert seen == {"memory": 1, "label": 1}
    with pytest.raises(ReadOnlyError, match="row-level security"):
        there.write(through, "memory", lambda one: one.change("INSERT INTO receipt VALUES ($1, 1)"), 5)


def test_what_is_forgotten_is_no_longer_shared(server, space, ours, other):
    from recollect.memory.forget import Selection

    there, theirs = other
    kept = ours.remember("Releases are cut on Tuesday", {}, None)
    sharing.share(server, space, uid_of(kept.id), theirs.name)
    ours.forget(Selection(ids=(kept.id,)), dry_run=False)
    assert texts(there, theirs, space) == []


def test_only_owners_share_and_only_what_is_there_with_spaces_that_are(server, space, ours, other, admin):
    there, theirs = other
    kept = ours.remember("Releases are cut on Tuesday", {}, None)
    with pytest.raises(NotFoundError, match="no space"):
        sharing.share(server, space, uid_of(kept.id), "no-such-space")
    with pytest.raises(NotFoundError, match="no such memory"):
        sharing.share(server, space, 7, theirs.name)
    login = read_login(there)
    sharing.admit(server, space, login, "writer")
    with pytest.raises(ReadOnlyError):
        sharing.share(there, space, uid_of(kept.id), theirs.name)
    assert sharing.given(server, space) == []


def test_a_stranger_lists_nothing_that_was_not_shared(server, space, other):
    there, _theirs = other
    server.enter(space)
    sharing._list(there, Space("made up"), 7, space.name)
    assert sharing.received(server, space) == []


def test_members_are_let_in_given_other_roles_and_put_out(server, space, ours, other):
    there, _ = other
    ours.remember("Releases are cut on Tuesday", {}, None)
    login = read_login(there)
    sharing.admit(server, space, login, "reader")
    assert sharing.members(server, space) == [("postgres", "owner"), (login, "reader")]
    memory = OpenMemory(MemorySpace(there.address, space))
    assert memory.recall("releases", 3, {}, None).hits
    with pytest.raises(ReadOnlyError):
        memory.remember("A reader writes", {}, None)
    sharing.admit(server, space, login, "writer")
    assert memory.remember("A writer writes", {}, None).id
    with pytest.raises(ReadOnlyError):
        sharing.admit(there, space, login, "owner")
    assert sharing.dismiss(server, space, login)
    assert not sharing.dismiss(server, space, login)
    memory.close()
    with pytest.raises(UsageError, match="no member"):
        OpenMemory(MemorySpace(there.address, space)).recall("releases", 3, {}, None)


def test_a_space_keeps_an_owner_and_a_login_must_be_there(server, space):
    server.enter(space)
    with pytest.raises(UsageError, match="needs an owner"):
        sharing.dismiss(server, space, "postgres")
    with pytest.raises(UsageError, match="needs an owner"):
        sharing.admit(server, space, "postgres", "writer")
    with pytest.raises(UsageError, match="no login or group"):
        sharing.admit(server, space, "no_such_login", "reader")
    assert sharing.members(server, space) == [("postgres", "owner")]


def read_login(server):
    return server.address.url.partition("//")[2].partition("@")[0]


def test_recall_shows_what_others_share_among_the_own_and_says_whose_it_is(shop, server, space, store_url):
    import recollect

    other = f"{store_url}-other"
    with recollect.open(shop, store=other) as theirs:
        kept = theirs.remember("Releases are cut on Tuesday", author="Ann")
        theirs.remember("The safe is behind the picture")
    with recollect.open(shop, store=store_url) as ours:
        mine = ours.remember("Releases need two reviews on Tuesday")
        sharing.share(server, Space(f"{space.name}-other"), uid_of(kept.id), space.name)
        hits = ours.recall("when are releases cut on Tuesday?").hits
        assert {hit.id for hit in hits} == {kept.id, mine.id}
        assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
        (whose,) = [hit.reasons[-1] for hit in hits if hit.id == kept.id]
        assert whose.endswith(f"by Ann, shared by {space.name}-other")
        assert not ours.recall("where is the safe behind the picture?").hits
        sharing.unshare(server, Space(f"{space.name}-other"), uid_of(kept.id), space.name)
        assert [hit.id for hit in ours.recall("when are releases cut on Tuesday?").hits] == [mine.id]
