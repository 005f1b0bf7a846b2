"""A project whose index lies on a real server, held against the same project in files."""

import subprocess

import pytest

import recollect
from recollect.cli.app import main
from recollect.config import load
from recollect.errors import BusyError, UsageError
from recollect.index.opened import OpenIndex
from recollect.index.project import project_at
from recollect.index.shared import shared_place, space_name

QUESTIONS = ("retry policy", "Client.send", "how long to wait", "backoff", "deliver")


def answers(project):
    """What the faces give, but for ids of questions."""
    found = {question: [hit.to_dict() for hit in project.search(question).hits] for question in QUESTIONS}
    pack = project.context("send an order again when the line is bad", budget=2000)
    return {
        **found,
        "pack": [item.hit.to_dict() for item in pack.items],
        "text": project.write(pack),
        "why": project.why("retry policy", "RetryPolicy").to_dict(),
        "impact": project.impact("deliver").to_dict(),
        "around": project.around("Client").to_dict(),
        "counts": project.status().counts,
    }


def test_a_project_on_a_server_gives_what_it_gives_from_files(shop, store_url):
    with recollect.open(shop) as here, recollect.open(shop, store=store_url) as there:
        assert answers(there) == answers(here)
        (shop / "shop/retry.py").write_text(
            "class RetryPolicy:\n    def give_up(self):\n        return deliver\n",
            encoding="utf-8",
        )
        (shop / "shop/client.py").unlink()
        assert answers_after_removal(there) == answers_after_removal(here)
        assert there.doctor().healthy


def answers_after_removal(project):
    project.refresh()
    return [[hit.to_dict() for hit in project.search(question).hits] for question in (*QUESTIONS, "give_up")]


def test_nothing_of_the_index_is_kept_in_the_project(shop, store_url):
    with recollect.open(shop, store=store_url) as project:
        project.search("retry")
    assert not (shop / ".recollect/index.db").exists()
    assert (
        subprocess.run(["git", "status", "--short"], cwd=shop, capture_output=True, check=True).stdout == b""
    )
    with recollect.open(shop, store=store_url) as project:
        assert project.index().mode == "unchanged"


def test_a_url_alone_opens_the_project_around_the_current_folder(shop, store_url, monkeypatch):
    monkeypatch.chdir(shop / "shop")
    with recollect.open(store_url) as project:
        assert project.root == shop.resolve()
        assert project.index().mode == "full"


def test_proving_is_refused_where_nothing_could_be_laid_over_the_index(shop, store_url):
    with recollect.open(shop, store=store_url) as project:
        with pytest.raises(UsageError, match="the index of this project is on a server"):
            project.enrich()
        assert project.search("deliver").hits


def test_every_working_tree_has_an_index_of_its_own(shop, tmp_path, store_url):
    other = tmp_path / "other"
    subprocess.run(["git", "worktree", "add", "-q", "--detach", other], cwd=shop, check=True)
    (other / "shop/client.py").write_text("def elsewhere():\n    pass\n", encoding="utf-8")
    with recollect.open(shop, store=store_url) as first, recollect.open(other, store=store_url) as second:
        assert [hit.name for hit in second.search("elsewhere").hits][:1] == ["elsewhere"]
        assert "elsewhere" not in [hit.name for hit in first.search("elsewhere").hits]


def test_a_full_index_is_made_anew_from_nothing(shop, store_url):
    with recollect.open(shop, store=store_url) as project:
        before = answers(project)
        assert project.index(full=True).mode == "full"
        assert answers(project) == before


def test_status_and_doctor_make_no_index(shop, store_url):
    with recollect.open(shop, store=store_url) as project:
        assert not project.status().indexed
        assert project.doctor().healthy
        assert not project.status().indexed


def test_the_store_may_come_from_the_settings_the_environment_or_an_option(
    shop, store_url, monkeypatch, capsys
):
    assert run_main("index", "--path", str(shop), "--store", store_url) == 0
    assert "RECOLLECT_STORE" not in __import__("os").environ
    assert not (shop / ".recollect/index.db").exists()
    monkeypatch.setenv("RECOLLECT_STORE", store_url)
    with recollect.open(shop) as project:
        assert project.index().mode == "unchanged"
    monkeypatch.delenv("RECOLLECT_STORE")
    (shop / ".recollect/config.toml").write_text(f'store = "{store_url}"\n', encoding="utf-8")
    with recollect.open(shop) as project:
        assert project.index().mode == "unchanged"


def test_a_password_among_the_arguments_of_a_program_is_refused_and_not_repeated(shop, capsys):
    url = "postgresql://someone:hush-hush@127.0.0.1:1/db"
    assert run_main("search", "retry", "--path", str(shop), "--store", url) == 2
    said = capsys.readouterr()
    assert "PGPASSWORD" in said.err
    assert "hush-hush" not in said.err + said.out


def run_main(*arguments):
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    return ended.value.code


def test_another_kind_of_url_is_refused_with_a_sentence():
    with pytest.raises(UsageError, match="postgresql://"):
        recollect.open("https://example.org/repository")


@pytest.mark.parametrize(
    ("remote", "name"),
    [
        ("https://someone:token@example.org/Team/shop.git", "example.org/team/shop"),
        ("git@example.org:Team/shop.git", "example.org/team/shop"),
        ("ssh://git@example.org/team/shop/", "example.org/team/shop"),
    ],
)
def test_every_way_to_fetch_a_repository_names_the_same_space(shop, remote, name):
    subprocess.run(["git", "remote", "add", "origin", remote], cwd=shop, check=True)
    assert space_name(project_at(shop)) == name


def test_a_repository_that_was_cloned_from_nowhere_is_named_after_its_folder(shop):
    assert space_name(project_at(shop)) == shop.name


def test_a_second_process_that_indexes_the_same_tree_waits_only_as_long_as_it_may(shop, store_url):
    project, settings = project_at(shop), load(shop, store=store_url, lock_wait_seconds=0.05)
    first, second = OpenIndex(project, settings), OpenIndex(project, settings)
    first.update()
    with first._stores()[0].writer(), pytest.raises(BusyError, match="Process"):
        second.publish()
    place = shared_place(project, settings)
    assert store_url not in repr(place)
    first.close()
    second.close()


def test_memories_and_what_was_used_of_them_lie_on_the_server_too(shop, store_url):
    with recollect.open(shop, store=store_url) as project:
        kept = project.remember("Orders are sent again at most three times", tags=["http"])
        assert [hit.id for hit in project.recall("how often are orders sent again?").hits] == [kept.id]
        pack = project.context("how often orders are sent again")
        assert kept.id in [item.hit.id for item in pack.items]
        project.feedback(pack.query_id, [item.hit.id for item in pack.items if item.hit.domain == "code"][:1])
    assert not (shop / ".recollect/memory.db").exists()
    with recollect.open(shop, store=store_url) as project:
        assert project.unlearn() > 0
        assert project.forget(kept.id).ids == (kept.id,)
        assert not project.recall("orders").hits
