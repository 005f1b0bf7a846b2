import subprocess

from recollect.evidence.history.messages import messages


def git(folder, *arguments):
    who = ("-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false")
    subprocess.run(["git", "-C", folder, *who, *arguments], check=True, capture_output=True)


def commit(folder, message, **files):
    for name, text in files.items():
        path = folder / name.replace("__", "/")
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8") if text else path.unlink()
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", message)


def test_messages_come_newest_first_with_what_they_changed_or_removed(tmp_path):
    git(tmp_path, "init", "-q")
    commit(tmp_path, "Begin", zero="0")
    commit(tmp_path, "Add one\n\nand two\n\nSigned-off-by: A <a@example.com>", one="1", two="2")
    commit(tmp_path, "Remove one", one="", two="3")
    first, second = messages(tmp_path, "HEAD", 10)
    assert first == ("Remove one", ("one", "two"))
    assert second == ("Add one\n\nand two", ("one", "two"))
    assert len(messages(tmp_path, "HEAD", 1)) == 1


def test_the_first_commit_tells_nothing_of_what_it_added(tmp_path):
    git(tmp_path, "init", "-q")
    commit(tmp_path, "Begin", one="1")
    assert messages(tmp_path, "HEAD", 10) == []


def test_below_a_folder_paths_are_told_from_there(tmp_path):
    git(tmp_path, "init", "-q")
    commit(tmp_path, "Begin", part__zero="0")
    commit(tmp_path, "Both", part__one="1", two="2")
    commit(tmp_path, "Outside", two="3")
    assert messages(tmp_path / "part", "HEAD", 10) == [("Both", ("one",))]


def test_a_commit_that_is_not_there_is_no_empty_list(tmp_path):
    git(tmp_path, "init", "-q")
    assert messages(tmp_path, "0" * 40, 10) is None
