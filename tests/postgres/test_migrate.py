"""Memories move from files to a server and back, whole or not at all."""

import json
import re
from hashlib import sha256

import numpy as np
import pytest

import recollect
from recollect.cli.app import main
from recollect.engine.migrating import migrate
from recollect.errors import AwayError, StoreError, UsageError
from recollect.memory.opened import OpenMemory
from recollect.store import open_memory
from recollect.store.ids import uid_of
from recollect.store.postgres import moving
from recollect.store.postgres.address import read
from recollect.store.postgres.memory_store import MemorySpace
from recollect.store.postgres.server import Space

QUESTIONS = ("which calls are retried?", "tea", "who owns the client?", "port 5432")


def fill(project):
    said = [
        project.remember("We retry idempotent calls only", tags=["http", "rules"], author="Ann").id,
        project.remember("Tea is brewed for three minutes", metadata={"cups": 2}).id,
        project.remember("Anna owns the client", session="s1", position=1, author="Bob").id,
        project.remember("The port is 5432 in src/app.py", expires="2031-01-01").id,
        project.remember("To be forgotten").id,
    ]
    project.remember("Tea is brewed for three minutes", tags=["kitchen"])
    project.link(said[0], "supersedes", said[1])
    project.forget(said[4])
    project.pin(said[2])
    project.dream()
    hits = project.recall("tea")
    del hits
    return said[:4]


def told(project):
    rows = [
        project.memories.of("project").get(row["id"]).to_dict()
        for row in project.memories.of("project").export()
    ]
    hits = [
        # A memory fades by a millionth while a crowded machine moves it.
        [
            {**hit.to_dict(), "query_id": "", "score": round(hit.score, 4)}
            for hit in project.recall(question, derived=True).hits
        ]
        for question in QUESTIONS
    ]
    changes = [project.history(row["id"]) for row in rows]
    return rows, hits, changes, [dream.to_dict() for dream in project.dreams()]


def put_vectors(path, ids):
    store = open_memory(path)
    rows = [
        (uid_of(one).to_bytes(8, "big", signed=True), np.full(4, 0.3 + at, np.float32))
        for at, one in enumerate(ids)
    ]
    with store.writer() as writer:
        writer.put_vectors("m", "int8", rows)
    store.close()


def run_main(*arguments):
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    return ended.value.code


@pytest.fixture
def filled(shop):
    with recollect.open(shop) as project:
        ids = fill(project)
        before = told(project)
    put_vectors(shop / ".recollect/memory.db", ids)
    return before


def test_there_and_back_nothing_is_lost_or_changed(shop, store_url, filled, tmp_path, capsys):
    file = shop / ".recollect/memory.db"
    was = sha256(file.read_bytes()).hexdigest()
    assert run_main("migrate", str(shop), store_url, "--json") == 0
    there = json.loads(capsys.readouterr().out)
    assert there["verified"]
    assert not there["resumed"]
    assert there["tables"]["memory"]["count"] == len(filled[0])
    assert there["tables"]["vector"]["count"] == 4
    assert sha256(file.read_bytes()).hexdigest() == was
    with recollect.open(shop, store=store_url) as project:
        assert told(project) == filled
    copy = tmp_path / "back" / "memory.db"
    assert run_main("migrate", store_url, str(copy), "--json") == 0
    assert json.loads(capsys.readouterr().out)["tables"] == there["tables"]
    assert [one.name for one in copy.parent.iterdir() if "arriving" in one.name] == []
    file.write_bytes(copy.read_bytes())
    with recollect.open(shop) as project:
        assert told(project) == filled
        assert project.memories.of("project").check() == []
        new = project.remember("Something new after all that")
        assert [hit.id for hit in project.recall("something new").hits][:1] == [new.id]


def test_what_is_remembered_afterwards_takes_no_number_that_is_in_use(shop, store_url, filled):
    migrate(shop, store_url)
    with recollect.open(shop, store=store_url) as project:
        new = project.remember("Something new after all that", tags=["fresh"], author="Zoe")
        assert project.recall("something new").hits[0].id == new.id
        assert len(told(project)[0]) == len(filled[0]) + 1
        assert project.memories.of("project").check() == []
        assert project.dream().number > max(one["number"] for one in filled[3])


@pytest.mark.parametrize("stop", range(1, 9))
def test_a_move_that_was_interrupted_goes_on_and_cannot_be_used_before(
    shop, store_url, filled, monkeypatch, stop
):
    put, calls = moving.SpaceFilled.put, []

    def interrupted(self, *arguments):
        calls.append(1)
        if len(calls) == stop:
            raise AwayError("The line was cut.")
        put(self, *arguments)

    monkeypatch.setattr(moving.SpaceFilled, "put", interrupted)
    with pytest.raises(AwayError):
        migrate(shop, store_url)
    with recollect.open(shop, store=store_url) as project, pytest.raises(StoreError, match="being filled"):
        project.recall("tea")
    moved = migrate(shop, store_url)
    assert moved.resumed == (stop > 1)
    with recollect.open(shop, store=store_url) as project:
        assert told(project) == filled


def test_a_source_that_changed_meanwhile_is_moved_from_the_start(shop, store_url, filled, monkeypatch):
    put = moving.SpaceFilled.put

    def interrupted(self, table, *arguments):
        if table.name == "history":
            raise AwayError("The line was cut.")
        put(self, table, *arguments)

    monkeypatch.setattr(moving.SpaceFilled, "put", interrupted)
    with pytest.raises(AwayError):
        migrate(shop, store_url)
    monkeypatch.setattr(moving.SpaceFilled, "put", put)
    with recollect.open(shop) as project:
        project.remember("Said meanwhile")
        now = told(project)
    assert not migrate(shop, store_url).resumed
    with recollect.open(shop, store=store_url) as project:
        assert told(project) == now


def test_what_arrives_otherwise_than_it_was_sent_is_thrown_away(shop, store_url, filled, monkeypatch):
    put = moving.SpaceFilled.put

    def bent(self, table, rows, position):
        put(self, table, [(*row[:-1], "bent") for row in rows] if table.name == "memory" else rows, position)

    monkeypatch.setattr(moving.SpaceFilled, "put", bent)
    with pytest.raises(StoreError, match="is not what was sent"):
        migrate(shop, store_url)
    monkeypatch.setattr(moving.SpaceFilled, "put", put)
    migrate(shop, store_url)
    with recollect.open(shop, store=store_url) as project:
        assert told(project) == filled


def test_memories_are_never_mixed_with_others(shop, store_url, filled, tmp_path):
    address = read(store_url)
    there = OpenMemory(MemorySpace(address, Space(address.space)))
    kept = there.remember("Here already", {}, None)
    with pytest.raises(UsageError, match="holds memories already"):
        migrate(shop, store_url)
    assert [row["id"] for row in there.export()] == [kept.id]
    there.close()
    with pytest.raises(UsageError, match="holds memories already"):
        migrate(store_url, shop)
    with recollect.open(shop) as project:
        assert told(project) == filled


def test_a_project_can_be_switched_there_and_back(shop, store_url, filled):
    file = shop / ".recollect/config.toml"
    file.write_text("workers = 1\n", encoding="utf-8")
    migrate(shop, store_url, switch=True)
    with recollect.open(shop) as project:
        assert told(project) == filled
        assert project.settings.store == store_url
        assert project.settings.workers == 1
    (shop / ".recollect/memory.db").unlink()
    migrate(store_url, shop, switch=True)
    with recollect.open(shop) as project:
        assert project.settings.store == ""
        assert told(project) == filled


@pytest.mark.parametrize(
    ("source", "said"), [("nowhere", "neither the folder"), ("nowhere.db", "no file of memories")]
)
def test_a_source_that_is_none_is_refused(source, said, store_url, tmp_path):
    with pytest.raises(UsageError, match=said):
        migrate(tmp_path / source, store_url)


def test_a_password_among_the_arguments_is_refused(shop, capsys):
    assert run_main("migrate", str(shop), "postgresql://a:hush-hush@127.0.0.1:1/db") == 2
    assert "hush-hush" not in re.sub(r"\s", "", "".join(capsys.readouterr()))
