"""Every schema that ever held memories opens, with all that was in it."""

import lzma
from pathlib import Path

import pytest

from recollect.memory.forget import Selection
from recollect.memory.opened import OpenMemory
from recollect.store.sqlite import schema

PAST = Path(__file__).with_name("past")
FIRST = 2
"""The first schema with memories."""


def unpack(version, tmp_path):
    path = tmp_path / ".recollect" / "memory.db"
    path.parent.mkdir()
    path.write_bytes(lzma.decompress((PAST / f"memory.v{version}.db.xz").read_bytes()))
    return path


def test_every_past_schema_has_a_fixture():
    found = {int(file.name.split(".")[1][1:]) for file in PAST.glob("memory.v*.db.xz")}
    assert found == set(range(FIRST, schema.latest()))


@pytest.mark.parametrize("version", range(FIRST, schema.latest()))
def test_memories_of_a_past_version_are_all_there(version, tmp_path):
    memory = OpenMemory(unpack(version, tmp_path))
    texts = {row["text"]: row for row in memory.export()}
    assert len(texts) == 5
    old, new = texts["We retry idempotent calls only"], texts["We retry all calls now, ask Anna Berg"]
    assert (old["status"], old["seen"], old["tags"]) == ("superseded", 2, ["http"])
    assert new["links"] == {"supersedes": [old["id"]]}
    assert (new["priority"], new["importance"], new["metadata"]) == ("P1", 0.8, {"ticket": 7})
    assert memory.recall("retry calls", 5, {}, None).hits[0].id == new["id"]
    assert [hit.text for hit in memory.recall("Postgres", 1, {}, None).hits] == ["Shall we move to Postgres?"]
    assert memory.remember("a new one", {}, None).metadata["action"] == "ADD"
    assert memory.check() == []
    memory.close()


@pytest.mark.parametrize("version", range(FIRST, schema.latest()))
def test_the_backup_of_a_past_version_forgets_and_keeps_the_rest(version, tmp_path):
    path = unpack(version, tmp_path)
    memory = OpenMemory(path)
    (hit,) = memory.recall("Postgres", 1, {}, None).hits
    backup = path.with_name(f"memory.db.v{version}.backup")
    assert b"Postgres" in backup.read_bytes()
    memory.forget(Selection(ids=(hit.id,)), dry_run=False)
    assert b"Postgres" not in backup.read_bytes()
    assert b"We retry idempotent calls only" in backup.read_bytes()
    memory.close()
