import subprocess

import pytest

import recollect

QUESTION = "why do customers get mails twice when the connection drops"


@pytest.fixture
def project(tmp_path):
    (tmp_path / "outbox.py").write_text("def flush(rows):\n    return list(rows)\n", encoding="utf-8")
    (tmp_path / "prices.py").write_text("def half_up(value):\n    return round(value)\n", encoding="utf-8")
    git(tmp_path, "init", "-q")
    commit(tmp_path, "Begin")
    return tmp_path


def git(folder, *arguments):
    who = ("-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false")
    subprocess.run(["git", "-C", folder, *who, *arguments], check=True, capture_output=True)


def commit(folder, message):
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "--allow-empty", "-m", message)


def paths(opened):
    return [hit.path for hit in opened.search(QUESTION).hits]


def test_a_file_is_found_by_what_a_commit_said_of_it(project):
    (project / "outbox.py").write_text("def flush(rows):\n    return tuple(rows)\n", encoding="utf-8")
    commit(project, "Send mails to customers only once when the connection drops")
    with recollect.open(project) as opened:
        opened.index()
        assert paths(opened)[0] == "outbox.py"
        without = opened.search(QUESTION, **{"expand.told.files": 0})
        assert "outbox.py" not in [hit.path for hit in without.hits]


def test_a_new_commit_is_heard_by_the_next_question(project):
    with recollect.open(project) as opened:
        opened.index()
        assert "outbox.py" not in paths(opened)
        (project / "outbox.py").write_text("def flush(rows):\n    return tuple(rows)\n", encoding="utf-8")
        commit(project, "Send mails to customers only once when the connection drops")
        assert paths(opened)[0] == "outbox.py"


def test_a_commit_that_changes_no_file_now_is_heard_too(project):
    (project / "outbox.py").write_text("def flush(rows):\n    return tuple(rows)\n", encoding="utf-8")
    with recollect.open(project) as opened:
        opened.index()
        commit(project, "Send mails to customers only once when the connection drops")
        assert paths(opened)[0] == "outbox.py"


def test_a_question_after_a_commit_waits_for_no_writer(project):
    with recollect.open(project, lock_wait_seconds=0.1) as opened, recollect.open(project) as writing:
        opened.index()
        commit(project, "Send mails to customers only once when the connection drops")
        with writing._index._stores()[0].writer(1.0):
            assert opened.search("flush").hits[0].path == "outbox.py"


def test_the_same_commits_give_the_same_answer_in_another_process(project):
    with recollect.open(project) as opened:
        opened.index()
        first = paths(opened)
    with recollect.open(project) as opened:
        assert paths(opened) == first


def test_it_can_be_switched_off(project):
    with recollect.open(project, history=False) as opened:
        opened.index()
        assert not (project / ".recollect" / "told.cache").exists()


def test_a_folder_without_a_repository_does_without(tmp_path):
    (tmp_path / "mails.py").write_text("def mails():\n    return 1\n", encoding="utf-8")
    with recollect.open(tmp_path) as opened:
        opened.index()
        assert paths(opened) == ["mails.py"]
        assert not (tmp_path / ".recollect" / "told.cache").exists()
