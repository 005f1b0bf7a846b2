import json

import pytest

from recollect.errors import UsageError
from recollect.memory.opened import OpenMemory
from recollect.memory.scopes import Memories


@pytest.fixture
def at(tmp_path):
    made = []

    def at(name):
        made.append(Memories(tmp_path, tmp_path / name / "memory.db", 30.0, lambda: None))
        return made[-1]

    yield at
    for memories in made:
        memories.close()


def lines(memories):
    return [json.dumps(row) for row in memories.of("project").export()]


def test_what_is_exported_can_be_imported_without_loss(at):
    one, two = at("one"), at("two")
    old = one.remember(
        "The limit is ten", {"tags": ["a", "b c"], "valid_until": "2027-01-01", "metadata": {"x": [1]}}
    )
    one.remember("The limit is ten", {})
    one.remember(
        "The limit is twenty", {"links": {"supersedes": [old.id]}, "kind": "decision", "priority": "P1"}
    )
    one.remember_many([{"text": "Hi", "session": "s", "author": "Anna", "position": 3}], {})
    one.of("project").set_status(one.remember("Old", {}).id, "archived")
    written, refused = two.import_lines(lines(one), "file", {})
    assert (len(written), refused) == (4, [])
    assert lines(two) == lines(one)
    again, refused = two.import_lines(lines(one), "file", {})
    assert {item.metadata["action"] for item in again} == {"NOOP"}
    assert refused == []
    assert [hit.text for hit in two.recall("limit", 2, {}).hits] == [
        "The limit is twenty",
        "The limit is ten",
    ]


def test_conversations_of_other_programs_come_in_order_with_what_is_known(at):
    memories = at("one")
    said = {"conversation": "c1", "session": 1}
    rows = [
        {"id": 7, "content": "Ben: Hello", **said, "speaker": "Ben", "date": "1:56 pm on 8 May, 2023"},
        {
            "content": "Anna: Hi",
            **said,
            "speaker": "Anna",
            "category": "conversation",
            "tags": "a, b",
            "dia_id": "D1:2",
        },
        {"id": 9, "content": "Ben: Hello", "conversation": "c2", "session": 1, "speaker": "Ben"},
    ]
    items, refused = memories.import_lines([json.dumps(row) for row in rows], "chat.jsonl", {})
    assert refused == []
    assert [item.metadata["action"] for item in items] == ["ADD"] * 3
    first, second, third = (item.metadata for item in items)
    assert (first["session"], first["author"], first["created"]) == (
        "c1/1",
        "Ben",
        "2023-05-08T13:56:00.000Z",
    )
    assert first["metadata"] == {"id": 7, "conversation": "c1"}
    assert (second["tags"], second["metadata"]["dia_id"], items[1].kind) == (["a", "b"], "D1:2", "narrative")
    assert third["session"] == "c2/1"


def test_bad_lines_are_named_and_the_rest_comes_in(at):
    memories = at("one")
    rows = ['{"text": "good"}', '{"text": ""}', '{"text": "also good", "importance": 7}']
    items, refused = memories.import_lines(rows, "file", {})
    assert [item.text for item in items] == ["good"]
    assert len(refused) == 2
    with pytest.raises(UsageError, match="Line 2 of file"):
        memories.import_lines(['{"text": "a"}', "{"], "file", {})


def test_scopes_are_different_files_and_global_is_opened_only_when_asked(at, tmp_path, monkeypatch):
    monkeypatch.setattr("recollect.memory.scopes.global_db", lambda: tmp_path / "user" / "memory.db")
    one, two = at("one"), at("two")
    one.remember("project tea", {})
    two.recall("tea", 10, {})
    assert not (tmp_path / "user").exists()
    one.remember("global tea", {"scope": "global"})
    assert [hit.text for hit in one.recall("tea", 10, {}).hits] == ["project tea"]
    assert [hit.text for hit in two.recall("tea", 10, {}).hits] == []
    assert [hit.text for hit in two.recall("tea", 10, {"scope": "global"}).hits] == ["global tea"]
    with pytest.raises(UsageError):
        one.recall("tea", 10, {"scope": "everywhere"})


def test_reading_makes_no_file(tmp_path):
    memory = OpenMemory(tmp_path / "none" / "memory.db")
    memory.recall("tea", 10, {}, None)
    assert list(memory.export()) == []
    assert not (tmp_path / "none").exists()
