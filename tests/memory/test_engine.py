"""Memories through the open project: its code, its worktrees, its neighbours."""

import subprocess

import pytest

import recollect


@pytest.fixture
def project(shop):
    with recollect.open(shop) as opened:
        yield opened


def test_remembering_makes_no_index(project, shop):
    project.remember("We retry orders in `Client.send`")
    assert project.recall("orders").hits
    assert not (shop / ".recollect" / "index.db").exists()
    assert (shop / ".recollect" / ".gitignore").read_text(encoding="utf-8") == "*\n"


def test_a_memory_of_code_is_flagged_when_that_code_changes_or_goes(project, shop):
    project.index()
    project.remember("We retry orders in `Client.send`, see shop/retry.py")
    (hit,) = project.recall("orders").hits
    assert not hit.stale
    client = shop / "shop" / "client.py"
    client.write_text(
        client.read_text(encoding="utf-8").replace("return order", "return order.upper()"), encoding="utf-8"
    )
    project.refresh()
    (hit,) = project.recall("orders").hits
    assert hit.stale
    assert any("Client.send (shop/client.py) changed since" in reason for reason in hit.reasons)
    (shop / "shop" / "retry.py").unlink()
    project.refresh()
    (hit,) = project.recall("orders").hits
    assert any("no longer in the code" in reason for reason in hit.reasons)


def test_worktrees_share_memories_and_other_projects_do_not(project, shop, tmp_path):
    other = tmp_path / "second"
    subprocess.run(["git", "worktree", "add", "-q", str(other)], cwd=shop, check=True, capture_output=True)
    project.remember("We retry orders")
    with recollect.open(other) as second:
        assert [hit.text for hit in second.recall("orders").hits] == ["We retry orders"]
    stranger = tmp_path / "stranger"
    stranger.mkdir()
    with recollect.open(stranger) as third:
        assert third.recall("orders").hits == ()


def test_ids_shown_by_recall_are_taken_by_forget_history_and_link(project):
    project.remember("We retry orders")
    (hit,) = project.recall("orders").hits
    newer = project.remember("We retry orders twice", links={"supersedes": [hit.id]})
    assert project.link(newer.id, "see_also", hit.id)
    assert project.history(hit.id)[0]["action"] == "remembered"
    assert project.forget(hit.id).ids == (hit.id,)
    assert [found.id for found in project.recall("orders").hits] == [newer.id]


def test_many_threads_may_use_one_project(project):
    from concurrent.futures import ThreadPoolExecutor

    def work(number):
        project.remember(f"note {number} about tea")
        return len(project.recall("tea").hits)

    with ThreadPoolExecutor(6) as pool:
        assert all(count > 0 for count in pool.map(work, range(30)))
    assert len(project.recall("tea", limit=100).hits) == 30
