"""A project whose server goes away: reads come from a copy, writes wait, and nothing of them is lost."""

import json

import pytest
from tests.postgres.proxy import Proxy

import recollect
from recollect.cli.app import main
from recollect.index import shared
from recollect.memory import copied, queue


@pytest.fixture
def line(postgres):
    proxy = Proxy(postgres.port)
    yield proxy
    proxy.close()


@pytest.fixture
def url(line, store_url, postgres, monkeypatch):
    monkeypatch.setattr(shared, "OFFLINE_PATIENCE", 0.1)
    monkeypatch.setattr(copied, "AGAIN_SECONDS", 0.0)
    return store_url.replace(f":{postgres.port}/", f":{line.port}/")


@pytest.fixture
def project(shop, url):
    with recollect.open(shop, store=url, offline=True) as opened:
        yield opened


def texts(project):
    return sorted(row["text"] for row in project.memories.of("project").export())


def sync(project):
    return project.memories.of("project").sync()


def test_reads_are_answered_from_the_copy_and_say_so(project, line):
    kept = project.remember("Orders are sent again at most three times")
    sync(project)
    line.leave()
    hits = project.recall("how often are orders sent?")
    assert [hit.id for hit in hits.hits] == [kept.id]
    assert any("does not answer, so this comes from the copy of" in note for note in hits.degraded)
    assert project.history(kept.id)[0]["action"]
    assert project.timeline().total == 1
    line.come_back()
    assert not any("copy" in note for note in project.recall("orders").degraded)


def test_writes_wait_and_are_made_once_when_the_server_is_back(project, shop, url, line, store_url):
    first = project.remember("Orders are sent again at most three times")
    gone = project.remember("This will be forgotten")
    sync(project)
    line.leave()
    new = project.remember("Tea is at four", tags=["tea"])
    assert new.metadata["queued"]
    assert project.recall("tea").hits[0].id == new.id
    assert project.forget(gone.id).ids == (gone.id,)
    assert project.link(new.id, "see-also", first.id)
    assert project.pin(first.id)
    assert texts(project) == ["Orders are sent again at most three times", "Tea is at four"]
    line.come_back()
    hits = project.recall("tea")
    assert "4 writes that had waited for the server were made." in hits.degraded
    with recollect.open(shop, store=store_url) as other:
        assert texts(other) == ["Orders are sent again at most three times", "Tea is at four"]
        (row,) = [row for row in other.memories.of("project").export() if row["id"] == new.id]
        assert row["seen"] == 1
        assert row["links"] == {"see_also": [first.id]}
    assert not project.memories.of("project").conflicts()
    assert not (shop / ".recollect" / queue.QUEUE).exists()


def test_what_others_changed_meanwhile_is_a_conflict_that_is_shown_and_kept(
    project, shop, line, store_url, capsys
):
    changed = project.remember("The port is 5432")
    gone = project.remember("The host is example.org")
    sync(project)
    line.leave()
    project.forget(changed.id)
    project.pin(gone.id)
    project.remember("Said while away")
    with recollect.open(shop, store=store_url) as other:
        other.remember("The port is 5432", tags=["db"])
        other.forget(gone.id)
    line.come_back()
    made, conflicts = sync(project)
    assert made == 1
    assert [(one.action, one.why.split(" ", 1)[1]) for one in conflicts] == [
        ("forget", "was changed by others meanwhile"),
        ("pin", "was forgotten by others meanwhile"),
    ]
    assert texts(project) == ["Said while away", "The port is 5432"]
    project.close()
    with pytest.raises(SystemExit) as ended:
        main(["store", "conflicts", "--path", str(shop), "--store", store_url, "--json"])
    assert ended.value.code == 2
    capsys.readouterr()
    (shop / ".recollect/config.toml").write_text(f'store = "{store_url}"\noffline = true\n', encoding="utf-8")
    with pytest.raises(SystemExit) as ended:
        main(["store", "conflicts", "--path", str(shop), "--json", "--clear"])
    assert ended.value.code == 1
    assert [one["action"] for one in json.loads(capsys.readouterr().out)["conflicts"]] == ["forget", "pin"]


def test_several_changes_of_one_memory_are_no_conflict_among_themselves(project, line):
    kept = project.remember("The port is 5432")
    sync(project)
    line.leave()
    project.pin(kept.id)
    project.archive(kept.id)
    project.pin(kept.id, False)
    line.come_back()
    assert sync(project) == (3, [])


def test_what_follows_a_conflict_about_the_same_memory_is_one_too(project, shop, line, store_url):
    kept = project.remember("The port is 5432")
    sync(project)
    line.leave()
    project.pin(kept.id)
    project.archive(kept.id)
    with recollect.open(shop, store=store_url) as other:
        other.remember("The port is 5432", tags=["db"])
    line.come_back()
    made, conflicts = sync(project)
    assert made == 0
    assert [one.action for one in conflicts] == ["pin", "set_status"]


def test_a_copy_that_cannot_be_renewed_is_told_and_the_answer_is_given(project, monkeypatch):
    from recollect.errors import DiskFullError

    kept = project.remember("Orders are sent again at most three times")

    def full(self):
        raise DiskFullError("The disk is full.")

    monkeypatch.setattr(copied.Copied, "_copy", full)
    monkeypatch.setattr(copied, "COPY_SECONDS", -1.0)
    assert [hit.id for hit in project.recall("orders").hits] == [kept.id]
    assert any(
        "could not be renewed: The disk is full." in note for note in project.recall("orders").degraded
    )


def test_a_line_that_is_cut_while_writes_are_made_loses_none_of_them(project, line):
    sync(project)
    line.leave()
    said = [f"Fact {number} was said while away" for number in range(6)]
    for text in said:
        project.remember(text)
    for _ in range(3):
        line.come_back()
        line.cut_at(25, heard=True)
        project.recall("fact")
        line.leave()
    line.come_back()
    line.cut_at(0, heard=False)
    sync(project)
    assert texts(project) == sorted(said)
    assert not project.memories.of("project").queued()


def test_a_line_of_the_queue_that_was_half_written_does_not_swallow_the_next(tmp_path):
    file = tmp_path / queue.QUEUE
    one = queue.Waiting("pin", {"public_id": "m1", "pinned": True}, {"m1": "x"}, "2026-01-01")
    queue.append(file, one)
    with file.open("ab") as opened:
        opened.write(b'{"action": "rem')
    assert queue.read(file) == [one]


def test_without_a_copy_the_first_answer_says_what_it_knows(shop, url, line):
    line.leave()
    with recollect.open(shop, store=url, offline=True) as project:
        project.remember("Said before any server was seen")
        hits = project.recall("server")
        assert hits.hits
        assert any("no copy yet; 1 writes wait for it" in note for note in hits.degraded)


def test_code_is_answered_from_an_index_of_this_machine_while_the_server_is_away(
    project, shop, line, monkeypatch
):
    from recollect.index import stores

    there = [hit.to_dict() for hit in project.search("retry policy").hits]
    line.leave()
    hits = project.search("retry policy")
    assert [hit.to_dict() for hit in hits.hits] == there
    assert any("an index of this machine" in note for note in hits.degraded)
    line.come_back()
    monkeypatch.setattr(stores, "AWAY_SECONDS", 0.0)
    project._index._kept._away_until = 0.0
    hits = project.search("retry policy")
    assert [hit.to_dict() for hit in hits.hits] == there
    assert not hits.degraded
