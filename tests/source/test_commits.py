import subprocess

import pytest
from tests.evidence.past import Repository

from recollect.source.commits import commits, files_of, hunks, lacks_blobs, reachable, unclean


@pytest.fixture
def repository(tmp_path):
    return Repository(tmp_path / "r")


def changed(repository, *ids, prefix=""):
    return [
        [(change.before, change.path) for change in one.changes]
        for one in commits(repository.root, prefix, ids or [repository.head()], renames=True)
    ]


def test_commits_come_before_their_parents_whatever_the_clocks_say(repository):
    first = repository.commit({"a.py": "1\n"})
    repository.days = -500
    second = repository.commit({"a.py": "2\n"})
    repository.days = 3
    third = repository.commit({"a.py": "3\n"})
    assert [one for one, _ in reachable(repository.root, "HEAD", 10)] == [third, second, first]
    assert len(reachable(repository.root, "HEAD", 2)) == 2


def test_a_commit_tells_who_when_and_what(repository):
    repository.commit({"a.py": "1\n", "b.py": "1\n"})
    repository.git("rm", "-q", "b.py")
    repository.commit({"a.py": "2\n"}, who="Bob")
    (one,) = commits(repository.root, "", [repository.head()], renames=True)
    assert (one.name, one.email, one.time) == ("Bob", "bob@example.org", repository.time(2))
    assert ([change.path for change in one.changes], one.files) == (["a.py"], 2)


def test_odd_names_and_folders_outside_the_project(repository):
    odd = "sub/a\nb \"ü\t'.py"
    repository.commit({odd: "1\n", "other.py": "1\n"})
    assert changed(repository) == [[("", "other.py"), ("", odd)]]
    assert changed(repository, prefix="sub/") == [[("", odd.removeprefix("sub/"))]]


def test_a_moved_file_says_what_it_was_called(repository):
    text = "".join(f"line {at}\n" for at in range(20))
    repository.commit({"a.py": text})
    repository.git("mv", "a.py", "b.py")
    repository.commit({"b.py": text + "more\n"})
    assert changed(repository) == [[("a.py", "b.py")]]


def test_of_a_merge_only_what_differs_from_all_parents_is_told(repository):
    text = "".join(f"line {at}\n" for at in range(20))
    repository.commit({"a.py": text, "b.py": "1\n", "c.py": "1\n"})
    repository.git("checkout", "-qb", "side")
    repository.commit({"a.py": text + "end\n", "b.py": "2\n"})
    repository.git("checkout", "-q", "main")
    repository.commit({"a.py": "begin\n" + text, "c.py": "2\n"})
    repository.git("merge", "-q", "--no-edit", "side")
    (one,) = commits(repository.root, "", [repository.head()], renames=True)
    assert [(change.path, change.parent) for change in one.changes] == [("a.py", 0), ("a.py", 1)]
    found = {old: rows for old, _, rows in hunks(repository.root, [one.id], ["*.py"])}
    blobs = {change.parent: change.old for change in one.changes}
    assert found[blobs[0]][-1] == (22, 23, 22, 22), "the first parent lacked the last line"
    assert found[blobs[1]][0] == (1, 2, 1, 1), "the second parent lacked the first line"


def test_lines_of_content_that_look_like_heads_are_content(repository):
    repository.commit({"a.py": "one\n-- a/x.py\n@@ -1 +1 @@\ndiff --git a/x b/x\ntwo\n"})
    repository.commit({"a.py": "one\ntwo\n"})
    ((_, _, rows),) = hunks(repository.root, [repository.head()], ["*.py"])
    assert rows == ((2, 2, 2, 5),)


def test_settings_of_the_user_change_nothing(repository):
    repository.commit({"a.py": "1\n2\n3\n4\n5\n"})
    repository.commit({"a.py": "1\nx\n3\ny\n5\n"})
    settings = {
        "diff.noprefix": "true", "diff.mnemonicPrefix": "true", "diff.interHunkContext": "9", "color.ui": "always",
        "log.showSignature": "true", "diff.external": "false", "core.quotePath": "true", "diff.context": "9",
        "diff.renames": "false", "log.showRoot": "false", "diff.orderFile": "/nowhere",
    }  # fmt: skip
    for key, value in settings.items():
        repository.git("config", key, value)
    ((_, _, rows),) = hunks(repository.root, [repository.head()], ["*.py"])
    assert rows == ((2, 3, 2, 3), (4, 5, 4, 5))
    assert changed(repository) == [[("a.py", "a.py")]]


def test_links_and_submodules_have_no_lines_of_their_own(repository, tmp_path):
    other = Repository(tmp_path / "other")
    other.commit({"x.py": "1\n"})
    repository.commit({"a.py": "1\n"})
    repository.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(other.root), "inner")
    repository.commit()
    assert [path for _, path in changed(repository)[0]] == [".gitmodules"]
    assert set(files_of(repository.root, "HEAD")) == {"a.py", ".gitmodules"}


def test_files_that_differ_from_the_commit_are_unclean(repository):
    repository.commit({"a.py": "1\n", "b.py": "1\n"})
    repository.write({"a.py": "2\n", "new.py": "1\n"})
    assert unclean(repository.root) == {"a.py"}


def test_a_partial_clone_is_noticed(repository, tmp_path):
    repository.commit({"a.py": "1\n"})
    repository.git("config", "uploadpack.allowFilter", "true")
    clone = tmp_path / "clone"
    how = ["git", "clone", "-q", "--filter=blob:none", f"file://{repository.root}", str(clone)]
    subprocess.run(how, check=True, capture_output=True)
    assert lacks_blobs(clone)
    assert not lacks_blobs(repository.root)
