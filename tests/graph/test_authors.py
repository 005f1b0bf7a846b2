import subprocess

import pytest

from recollect.errors import UsageError
from recollect.graph.authors import authors


def git(root, *words, who="Ann"):
    identity = [
        "-c",
        f"user.name={who}",
        "-c",
        f"user.email={who.lower()}@x.org",
        "-c",
        "commit.gpgsign=false",
    ]
    subprocess.run(["git", "-C", str(root), *identity, *words], check=True, capture_output=True)


def test_authors_are_told_with_their_share_most_lines_first(tmp_path):
    git(tmp_path, "init", "-q")
    file = tmp_path / "a b.py"
    file.write_text("one\ntwo\n", encoding="utf-8")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "first")
    file.write_text("one\ntwo\nthree\nfour\nfive\n", encoding="utf-8")
    git(tmp_path, "commit", "-q", "-a", "-m", "second", who="Bob")
    assert [(who.name, who.email, who.lines) for who in authors(tmp_path, "a b.py")] == [
        ("Bob", "bob@x.org", 3),
        ("Ann", "ann@x.org", 2),
    ]


def test_a_file_that_git_does_not_know_is_an_error_with_the_cure(tmp_path):
    git(tmp_path, "init", "-q")
    (tmp_path / "new.py").write_text("x\n", encoding="utf-8")
    with pytest.raises(UsageError, match="Commit the file"):
        authors(tmp_path, "new.py")
