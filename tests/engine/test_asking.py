import os
import stat
import subprocess
import sys

import pytest

import recollect
from recollect.errors import NotFoundError, UsageError

TASK = "send an order again"
SCRIPT = """
import sys, recollect
with recollect.open(sys.argv[1]) as project:
    hits = project.search("order again", languages=["python", "markdown", "go"], kinds=["class", "method", "chunk"])
    pack = project.context("order again", budget=300, path_prefixes=["shop/", "tests/"])
    print(hits.query_id, pack.query_id, [hit.id for hit in hits.hits], [item.hit.id for item in pack.items])
"""


def events(shop):
    from recollect.learn.kept import EventFile

    file = EventFile(shop / ".recollect" / "memory.db")
    found = list(file.events())
    file.close()
    return found


def test_ids_and_answers_are_the_same_in_every_process(shop):
    said = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT, str(shop)],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(said) == 1


def test_other_options_make_another_id(shop):
    with recollect.open(shop) as project:
        ids = {
            project.search(TASK).query_id,
            project.search(TASK, limit=3).query_id,
            project.search(TASK, profile="lexical").query_id,
            project.search(TASK, include_tests=False).query_id,
            project.search(TASK, fuse__linear__limit=7).query_id,
        }
    assert len(ids) == 5


def test_what_is_shown_is_filed_as_shown_and_nothing_else(shop):
    with recollect.open(shop) as project:
        hits = project.search(TASK, limit=3)
        pack = project.context(TASK, budget=300)
        project.why(TASK, "Client.send")
    found = events(shop)
    assert {event.kind for event in found} == {"shown"}
    assert {event.query_id for event in found} == {hits.query_id, pack.query_id}


def test_feedback_outlives_the_index(shop):
    with recollect.open(shop) as project:
        hits = project.search(TASK)
        assert project.feedback(hits.query_id, [hits.hits[0].id]) == (hits.hits[0].id,)
        project.index(full=True)
    kinds = [event.kind for event in events(shop)]
    assert kinds.count("used") == 1
    with recollect.open(shop) as project:
        assert project.feedback(hits.query_id, [hits.hits[1].id], useful=False)


def test_feedback_for_nothing_is_refused(shop):
    with recollect.open(shop) as project:
        with pytest.raises(NotFoundError, match="No answer was shown"):
            project.feedback("q0", ["caaaaaaaaaaaaa"])
        hits = project.search(TASK)
        with pytest.raises(NotFoundError, match="Nothing has the id"):
            project.feedback(hits.query_id, ["caaaaaaaaaaaaa"])


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="nothing is read-only for root")
def test_a_project_that_cannot_be_written_still_answers(shop):
    with recollect.open(shop) as project:
        project.index()
    folder = shop / ".recollect"
    folder.chmod(stat.S_IRUSR | stat.S_IXUSR)
    try:
        with recollect.open(shop) as project:
            assert project.search("Client.send").hits[0].name == "Client.send"
            assert project.context(TASK).items
    finally:
        folder.chmod(stat.S_IRWXU)


def test_events_that_cannot_be_filed_are_no_reason_to_fail(shop):
    (shop / ".recollect").mkdir()
    (shop / ".recollect" / "memory.db").write_bytes(b"this is no database" * 500)
    with recollect.open(shop) as project:
        assert project.search("Client.send").hits[0].name == "Client.send"
        pack = project.context(TASK, profile="knowing")
        assert pack.items
        assert "No memories are beside the code" in " ".join(pack.degraded)


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({}, "Say what the context is for"),
        ({"files": []}, "No file was named"),
        ({"files": ["a.py"], "base": "HEAD"}, "not both"),
        ({"base": "HEAD"}, "Nothing differs"),
        ({"base": "--output=x"}, "no git revision"),
        ({"task": "x", "budget": -1}, "must not be negative"),
        ({"task": "x", "format": "pdf"}, "There is no format 'pdf'"),
        ({"task": "x", "languges": "go"}, "Did you mean 'languages'"),
        ({"task": "x", "fuse__linear__limt": 1}, "no key 'limt'"),
    ],
)
def test_a_context_that_makes_no_sense_is_refused_with_a_sentence(shop, asked, sentence):
    with recollect.open(shop) as project, pytest.raises(UsageError, match=sentence):
        project.context(**asked)


def test_a_change_is_what_a_branch_did_and_what_is_not_committed(shop):
    def git(*arguments):
        who = ("-c", "user.name=a", "-c", "user.email=a@b")
        subprocess.run(["git", *who, *arguments], cwd=shop, check=True, capture_output=True)

    git("branch", "base")
    (shop / "shop" / "retry.py").write_text("class Patience:\n    attempts = 4\n", encoding="utf-8")
    git("commit", "-qam", "Wait more")
    (shop / "new.py").write_text("def fresh():\n    return 1\n", encoding="utf-8")
    (shop / "README.md").unlink()
    with recollect.open(shop / "shop") as project:
        pack = project.context(base="base")
    assert {"Patience", "fresh"} <= {item.hit.name for item in pack.items}
    assert {item.hit.path for item in pack.items if item.hit.reasons[0] == "it was changed"} == {
        "new.py",
        "shop/retry.py",
    }


def test_absolute_paths_and_paths_from_the_root_mean_the_same(shop):
    with recollect.open(shop) as project:
        near, far = (project.context(files=[file]) for file in ("shop/retry.py", shop / "shop" / "retry.py"))
    assert [item.hit.id for item in near.items] == [item.hit.id for item in far.items] != []


def test_every_format_of_the_same_pack_holds_the_budget(shop):
    from recollect.retrieve.tokens import exact

    with recollect.open(shop) as project:
        pack = project.context(TASK, budget=200)
        for form in ("text", "markdown", "xml", "json", "lines"):
            assert 0 < exact(project.write(pack, form)) <= 200


def test_files_that_vanish_after_the_look_are_in_no_pack(shop, monkeypatch):
    with recollect.open(shop) as project:
        project.index()
        monkeypatch.setattr(type(project), "ready", lambda self: ())
        (shop / "shop" / "client.py").unlink()
        assert all(item.hit.path != "shop/client.py" for item in project.context("Client.send").items)


def test_nothing_found_is_said_only_after_a_look_at_the_tree(shop, monkeypatch):
    monkeypatch.setattr("recollect.index.opened.CHEAP_SECONDS", 0.0)
    monkeypatch.setattr("recollect.index.opened.LOOK_SHARE", 1e9)
    with recollect.open(shop) as project:
        project.search("Client")
        project.search("Client")
        assert project._index.trusts_last_look
        (shop / "shop" / "late.py").write_text("def arrived_late():\n    pass\n", encoding="utf-8")
        assert project.search("arrived_late").hits[0].path == "shop/late.py"


def test_packs_are_kept_between_processes_until_something_changes(shop, monkeypatch):
    with recollect.open(shop) as project:
        first = project.context(TASK)
    assert (shop / ".recollect" / "packs.cache").exists()

    def never(*_, **__):
        raise AssertionError("it was packed again")

    with monkeypatch.context() as patched:
        patched.setattr("recollect.retrieve.remembered.ask", never)
        with recollect.open(shop) as project:
            assert project.context(TASK) == first
            with pytest.raises(AssertionError, match="packed again"):
                project.context(TASK, format="xml")
    file = shop / "shop" / "client.py"
    file.write_text(
        file.read_text(encoding="utf-8").replace("Sends orders", "Sends an order"), encoding="utf-8"
    )
    with recollect.open(shop) as project:
        assert project.context(TASK, budget=8000).items


def test_damaged_packs_are_made_again(shop):
    with recollect.open(shop) as project:
        first = project.context(TASK)
    (shop / ".recollect" / "packs.cache").write_bytes(b"nonsense")
    with recollect.open(shop) as project:
        assert project.context(TASK) == first


def test_an_old_answer_can_still_be_judged(shop, monkeypatch):
    with recollect.open(shop) as project:
        hits = project.search(TASK)
    monkeypatch.setattr("recollect.learn.kept.LATELY", -1_000_000.0)
    assert events(shop) == []
    with recollect.open(shop) as project:
        assert project.feedback(hits.query_id, [hits.hits[0].id])
    (judged,) = events(shop)
    assert (judged.kind, hits.hits[0].path in judged.detail) == ("used", True)


@pytest.mark.parametrize("profile", ["code", "knowing", "lexical", "mnemosyne"])
def test_a_secret_in_the_code_is_neither_shown_nor_kept_with_answers(tmp_path, profile):
    secret = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
    code = f'def pay(amount):\n    """Pay."""\n    return send(amount, "{secret}")\n\nKEY = "{secret}"\n'
    (tmp_path / "pay.py").write_text(code, encoding="utf-8")
    with recollect.open(tmp_path) as project:
        shown = [
            project.context("how do we pay", profile=profile).to_dict(),
            project.context("how do we pay", profile=profile, session="one").to_dict(),
            project.search("KEY", profile=profile).to_dict(),
            project.why("how do we pay", "pay", profile=profile).to_dict(),
        ]
    assert "send(amount" in str(shown)
    assert secret not in str(shown)
    kept = b"".join(place.read_bytes() for place in (tmp_path / ".recollect").iterdir() if place.is_file())
    assert secret.lower().encode() not in kept.lower()
