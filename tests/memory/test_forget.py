import json

import apsw
import pytest

from recollect.errors import NotFoundError, UsageError
from recollect.memory.forget import Selection
from recollect.ports import Event
from recollect.store.sqlite import schema
from recollect.store.sqlite.memory_store import MemoryStore

MARK = "xylophonist"


def traces(root, word=MARK):
    """Return every file below a folder that holds a word, in whatever case."""
    return [file for file in root.rglob("*") if file.is_file() and word.encode() in file.read_bytes().lower()]


def fill(memory, count=300):
    memory.remember_many(
        {"text": f"note {at} about tea and music", "session": f"s{at % 9}", "tags": [f"t{at % 3}"]}
        for at in range(count)
    )


def test_no_file_holds_a_forgotten_text(file_memory, tmp_path):
    fill(file_memory)
    other = file_memory.remember("another note", tags=["kept"])
    item = file_memory.remember(
        f"The secret guest is a {MARK}, see {MARK}.py", tags=[MARK], source=f"{MARK}-chat", author=MARK, session=MARK,
        metadata={"who": MARK}, links={"see_also": [other.id]},
    )  # fmt: skip
    file_memory.remember(
        f"The secret guest is a {MARK}, see {MARK}.py", tags=["more"], author=MARK, session=MARK
    )
    file_memory.opened.set_status(item.id, "archived")
    fill(file_memory, 400)
    file_memory.recall(MARK)
    assert traces(tmp_path)
    gone = file_memory.opened.forget(Selection(ids=(item.id,)), dry_run=False)
    assert (gone.ids, gone.notes) == ((item.id,), ())
    assert traces(tmp_path) == []
    assert file_memory.recall(MARK).hits == ()
    assert file_memory.opened.check() == []
    assert [change["action"] for change in file_memory.opened.history(item.id)] == ["forgotten"]
    assert file_memory.opened.get(other.id).metadata.get("links", []) == []
    file_memory.opened.close()
    assert traces(tmp_path) == []


def test_backups_forget_too(file_memory, tmp_path):
    fill(file_memory)
    item = file_memory.remember(f"The guest is a {MARK}")
    connection = apsw.Connection(str(file_memory.opened.place.path))
    copy = schema.back_up(connection, file_memory.opened.place.path)
    connection.close()
    old = copy.with_name("memory.db.v0.backup")
    old.write_bytes(f"no database, but {MARK}".encode())
    assert copy in traces(tmp_path)
    file_memory.opened.forget(Selection(ids=(item.id,)), dry_run=False)
    assert traces(tmp_path) == []
    kept = apsw.Connection(str(copy), flags=apsw.SQLITE_OPEN_READONLY)
    assert kept.execute("SELECT count(*) FROM memory").fetchall() == [(300,)]
    kept.close()


def test_what_a_killed_forgetting_left_is_wiped_by_the_next_opening(file_memory, tmp_path, monkeypatch):
    fill(file_memory)
    item = file_memory.remember(f"The guest is a {MARK}")
    connection = apsw.Connection(str(file_memory.opened.place.path))
    schema.back_up(connection, file_memory.opened.place.path)
    connection.close()
    monkeypatch.setattr(MemoryStore, "wipe", lambda *_: [])
    file_memory.opened.forget(Selection(ids=(item.id,)), dry_run=False)
    assert file_memory.texts("guest") == []
    assert traces(tmp_path)
    file_memory.opened.close()
    monkeypatch.undo()
    assert file_memory.texts("guest") == []
    assert traces(tmp_path) == []


def test_a_reader_that_holds_an_old_state_is_waited_out(file_memory, tmp_path):
    fill(file_memory)
    item = file_memory.remember(f"The guest is a {MARK}")
    reader = apsw.Connection(str(file_memory.opened.place.path))
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM memory").fetchall()
    gone = forget_quickly(file_memory, item.id)
    assert "Another process is reading" in gone.notes[0]
    reader.close()
    file_memory.opened.close()
    file_memory.texts("guest")
    assert traces(tmp_path) == []


def forget_quickly(memory, item_id):
    from recollect.store.sqlite import memory_store

    before, memory_store.PATIENCE = memory_store.PATIENCE, 50
    try:
        return memory.opened.forget(Selection(ids=(item_id,)), dry_run=False)
    finally:
        memory_store.PATIENCE = before


def test_a_dry_run_only_says_what_would_go(memory):
    item = memory.remember("The guest is late")
    found = memory.opened.forget(Selection(ids=(item.id,)), dry_run=True)
    assert (found.ids, found.titles, found.dry_run) == ((item.id,), ("The guest is late",), True)
    assert memory.texts("guest") == ["The guest is late"]


def test_what_meets_everything_that_is_given_goes(memory):
    memory.remember("one", tags=["a"], source="x", created=1000)
    memory.remember("two", tags=["a"], source="y", created=1000)
    memory.remember("three", tags=["a"], source="x", created=3000)
    gone = memory.opened.forget(Selection(tag="a", source="x", before=2_000_000), dry_run=True)
    assert gone.titles == ("one",)
    assert memory.opened.forget(Selection(tag="a"), dry_run=True).titles == ("one", "two", "three")
    assert memory.opened.forget(Selection(tag="none"), dry_run=True).titles == ()
    assert memory.opened.forget(Selection(since=3_000_000), dry_run=True).titles == ("three",)
    assert memory.opened.forget(Selection(since=1_000_000, before=3_000_000), dry_run=True).titles == (
        "one",
        "two",
    )


def test_by_query_only_what_clearly_answers_goes(memory):
    memory.remember("the staging password rotates weekly")
    memory.remember("the staging server is slow")
    gone = memory.opened.forget(Selection(query="staging password"), dry_run=False)
    assert len(gone.ids) == 1
    assert memory.texts("staging") == ["the staging server is slow"]


def test_a_query_that_finds_nothing_forgets_nothing(memory):
    memory.remember("the staging server is slow")
    assert memory.opened.forget(Selection(query="zebra"), dry_run=False).ids == ()
    assert memory.texts("staging")


def test_nothing_goes_when_one_id_is_unknown(memory):
    item = memory.remember("tea")
    with pytest.raises(NotFoundError, match="Nothing was forgotten"):
        memory.opened.forget(Selection(ids=(item.id, "maaaaaaaaaaaaa")), dry_run=False)
    assert memory.texts("tea")


def test_an_empty_selection_is_refused(memory):
    memory.remember("tea")
    with pytest.raises(UsageError):
        memory.opened.forget(Selection(), dry_run=False)


def test_what_was_forgotten_can_be_remembered_anew(memory):
    item = memory.remember("tea is hot")
    memory.opened.forget(Selection(ids=(item.id,)), dry_run=False)
    again = memory.remember("tea is hot")
    assert (again.id, again.metadata["action"], again.metadata["seen"]) == (item.id, "ADD", 1)
    assert memory.texts("tea") == ["tea is hot"]


def test_everything_can_go_at_once(memory, tmp_path):
    fill(memory)
    memory.remember(f"a {MARK}")
    gone = memory.opened.forget(Selection(everything=True), dry_run=False)
    assert len(gone.ids) == 301
    assert traces(tmp_path) == []
    assert traces(tmp_path, "music") == []


def test_no_row_of_the_server_holds_a_forgotten_text(server_memory):
    import psycopg

    place = server_memory.opened.place
    fill(server_memory)
    other = server_memory.remember("another note", tags=["kept"])
    item = server_memory.remember(
        f"The secret guest is a {MARK}, see {MARK}.py", tags=[MARK], source=f"{MARK}-chat", author=MARK, session=MARK,
        metadata={"who": MARK}, links={"see_also": [other.id]},
    )  # fmt: skip
    server_memory.opened.set_status(item.id, "archived")
    with psycopg.connect(place.address.url) as connection:
        before = held(connection, place.space.uid)
        assert MARK in before
        gone = server_memory.opened.forget(Selection(ids=(item.id,)), dry_run=False)
        assert gone.ids == (item.id,)
        assert "VACUUM" in gone.notes[0]
        assert MARK not in held(connection, place.space.uid)
    assert server_memory.recall(MARK).hits == ()
    assert len(server_memory.recall("note").hits) > 1
    assert server_memory.opened.check() == []
    assert [change["action"] for change in server_memory.opened.history(item.id)] == ["forgotten"]


def held(connection, space):
    """Return everything that the tables hold of a space, as text."""
    tables = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'recollect'").fetchall()
    found = ""
    for (table,) in tables:
        if table != "migration":
            rows = connection.execute(f"SELECT t::text FROM recollect.{table} t WHERE space = %s", (space,))
            found += "\n".join(row[0] for row in rows)
    connection.rollback()
    return found


def test_events_no_longer_tell_what_was_asked_about_it(memory):
    item = memory.remember(f"The guest is a {MARK} who likes music")
    other = memory.remember("We like music")
    detail = {"path": "a.py", "words": [MARK, f"{MARK}_Guest", "music"], "at": 3}
    memory.file_events(Event("q1", other.id, "shown", 1.0, json.dumps(detail)))
    memory.opened.forget(Selection(ids=(item.id,)), dry_run=False)
    store = memory.opened.place.open(10.0)
    with store.reader() as reader:
        where = " WHERE space = $1" if hasattr(reader, "space") else ""
        ((left,),) = reader.rows(f"SELECT detail FROM event{where}")
    store.close()
    assert json.loads(left) == {"path": "a.py", "words": ["music"], "at": 3}


def test_the_journals_of_sessions_forget_too(file_memory, tmp_path):
    file_memory.opened.journals = (tmp_path / "sessions",)
    (tmp_path / "sessions").mkdir()
    journal = tmp_path / "sessions" / "one.jsonl"
    journal.write_text(
        '{"text": "we like music"}\n{"text": "the guest is a Xylophonist"}\n{"text": "tea"}\n', "utf-8"
    )
    file_memory.remember("We like music")
    item = file_memory.remember(f"The guest is a {MARK} who likes music")
    file_memory.opened.forget(Selection(ids=(item.id,)), dry_run=False)
    assert journal.read_text("utf-8") == '{"text": "we like music"}\n{"text": "tea"}\n'
