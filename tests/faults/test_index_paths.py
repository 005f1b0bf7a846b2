"""Where a project lies and how its paths are written makes no difference."""

import json
import os
import subprocess
import sys

import pytest

import recollect
from recollect.errors import UsageError

ODD = "a folder 🦀\nwith 'everything' & more"


def git(root, *arguments):
    command = ["git", "-C", str(root), "-c", "user.name=A", "-c", "user.email=a@b.c", *arguments]
    subprocess.run(command, check=True, capture_output=True)


def program(*arguments):
    """Run the program in a process of its own and return its code, its answer and its complaints."""
    done = subprocess.run(
        [sys.executable, "-m", "recollect", *map(str, arguments)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=50,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.fixture
def odd(tmp_path):
    root = tmp_path / ODD
    (root / "src dir").mkdir(parents=True)
    git(root, "init", "-q")
    for number in range(70):
        (root / "src dir" / f"m{number}.py").write_text(
            f"def f{number}():\n    return f{number + 1}()\n", encoding="utf-8"
        )
    git(root, "add", "-A")
    git(root, "commit", "-qm", "all")
    return root


@pytest.mark.skipif(os.name == "nt", reason="such names are not allowed there")
def test_a_project_in_a_folder_with_space_emoji_and_newline_works_throughout(odd):
    code, said, _ = program("index", "--json", "--path", odd)
    assert (code, json.loads(said)["files"]) == (0, 70)
    text = "from m4 import f4\n\ndef marzipan():\n    return f4()\n"
    (odd / "src dir" / "m3.py").write_text(text, encoding="utf-8")
    code, said, _ = program("search", "marzipan", "--limit", 1, "--json", "--path", odd / "src dir")
    assert (code, json.loads(said)["hits"][0]["path"]) == (0, "src dir/m3.py")
    code, said, _ = program("impact", "f4", "--depth", 1, "--json", "--path", odd)
    assert (code, [row["name"] for row in json.loads(said)["reached"]]) == (0, ["marzipan"])
    assert program("doctor", "--path", odd)[:2] == (0, "Nothing is wrong.\n")


@pytest.mark.skipif(os.name == "nt", reason="such names are not allowed there")
def test_a_worktree_in_an_odd_folder_shares_what_was_parsed(odd, tmp_path):
    other = tmp_path / "other 🦀\nplace"
    git(odd, "worktree", "add", "-q", "-b", "other", str(other))
    with recollect.open(odd) as project:
        assert project.index().parsed == 70
    with recollect.open(other) as project:
        report = project.index()
        assert (report.parsed, report.reused) == (0, 70)


@pytest.mark.parametrize("prefix", ["src\\app\\", "src/app/", "./src/app", ".\\src\\app"])
def test_a_folder_may_be_written_as_on_windows(tmp_path, prefix):
    for name in ("src/app/a.py", "src/other/a.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("def alpha(): pass\n", encoding="utf-8")
    with recollect.open(tmp_path) as project:
        found = project.search("alpha", path_prefixes=[prefix.replace("\\", "\\")])
        assert {hit.path for hit in found.hits} == {"src/app/a.py"}


@pytest.mark.skipif(os.name == "nt", reason="there it is a folder that exists")
@pytest.mark.parametrize("path", ["C:\\Users\\me\\project", "\\\\server\\share"])
def test_a_folder_of_another_system_is_refused_with_a_sentence(path):
    with pytest.raises(UsageError, match="there is no such folder"):
        recollect.open(path)


def test_windows_line_ends_keep_lines_and_text_right(tmp_path):
    (tmp_path / "a.py").write_bytes(b"import os\r\n\r\ndef alpha():\r\n    return 'marzipan'\r\n")
    with recollect.open(tmp_path) as project:
        hit = project.search("alpha", limit=1).hits[0]
        assert (hit.start_line, hit.end_line, hit.text.splitlines()[-1]) == (3, 4, "    return 'marzipan'")
