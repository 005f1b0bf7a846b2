"""Finding what changed in a tree, against real folders and the real git program."""

import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recollect.errors import UsageError
from recollect.source.walk import scan


def write(root, files):
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")


def paths(result):
    return [file.path for file in result.added]


def known(*results):
    files = {}
    for result in results:
        for path in result.removed:
            del files[path]
        files |= {file.path: (file.size, file.mtime_ns) for file in (*result.added, *result.changed)}
    return files


def later(place, seconds=5):
    """Give a path a time that differs for sure, without waiting."""
    stat = os.lstat(place)
    os.utime(place, ns=(stat.st_atime_ns, stat.st_mtime_ns + seconds * 10**9))


def test_a_first_scan_lists_every_file_with_forward_slashes(tmp_path):
    write(tmp_path, {"a.py": "1", "src/b.py": "2", "src/deep/er/c.py": "3"})
    assert paths(scan(tmp_path)) == ["a.py", "src/b.py", "src/deep/er/c.py"]


def test_an_empty_folder_has_no_files(tmp_path):
    result = scan(tmp_path)
    assert result.nothing_changed
    assert result.folders.keys() == {""}


def test_a_second_scan_finds_nothing_new(tmp_path):
    write(tmp_path, {"a.py": "1", "src/b.py": "2"})
    first = scan(tmp_path)
    second = scan(tmp_path, known(first), first.folders)
    assert second.nothing_changed
    assert second.unchanged == 2
    assert second.folders == first.folders


def test_added_changed_and_removed_files_are_told_apart(tmp_path):
    write(tmp_path, {"a.py": "1", "src/b.py": "2", "src/c.py": "3"})
    first = scan(tmp_path)
    (tmp_path / "a.py").write_text("changed", encoding="utf-8")
    (tmp_path / "src/b.py").unlink()
    write(tmp_path, {"new/d.py": "4"})
    second = scan(tmp_path, known(first), first.folders, first.started_ns)
    assert paths(second) == ["new/d.py"]
    assert "a.py" in [file.path for file in second.changed]
    assert second.removed == ("src/b.py",)
    third = scan(tmp_path, known(first, second), second.folders)
    assert third.nothing_changed


def test_a_removed_folder_removes_all_below_it(tmp_path):
    write(tmp_path, {"a/b/c.py": "1", "a/d.py": "2", "e.py": "3"})
    first = scan(tmp_path)
    (tmp_path / "a/b/c.py").unlink()
    (tmp_path / "a/b").rmdir()
    (tmp_path / "a/d.py").unlink()
    (tmp_path / "a").rmdir()
    second = scan(tmp_path, known(first), first.folders)
    assert second.removed == ("a/b/c.py", "a/d.py")
    assert second.folders.keys() == {""}


def test_a_write_in_the_same_clock_step_is_a_candidate(tmp_path):
    write(tmp_path, {"a.py": "1"})
    first = scan(tmp_path)
    stat = os.lstat(tmp_path / "a.py")
    (tmp_path / "a.py").write_text("2", encoding="utf-8")
    os.utime(tmp_path / "a.py", ns=(stat.st_atime_ns, stat.st_mtime_ns))
    second = scan(tmp_path, known(first), first.folders, stat.st_mtime_ns)
    assert [file.path for file in second.changed] == ["a.py"]


def test_an_edited_ignore_file_hides_and_shows_whole_folders(tmp_path):
    write(tmp_path, {".gitignore": "out/\n", "out/a.py": "1", "lib/x/b.py": "2"})
    first = scan(tmp_path)
    assert paths(first) == [".gitignore", "lib/x/b.py"]
    (tmp_path / ".gitignore").write_text("lib/\n", encoding="utf-8")
    later(tmp_path / ".gitignore")
    second = scan(tmp_path, known(first), first.folders)
    assert paths(second) == ["out/a.py"]
    assert second.removed == ("lib/x/b.py",)
    assert "lib/x" not in second.folders


def test_a_new_ignore_file_in_a_known_folder_is_seen(tmp_path):
    write(tmp_path, {"lib/x/b.py": "2", "lib/c.txt": "3"})
    first = scan(tmp_path)
    write(tmp_path, {"lib/.gitignore": "*.py\n"})
    later(tmp_path / "lib")
    second = scan(tmp_path, known(first), first.folders)
    assert second.removed == ("lib/x/b.py",)
    assert paths(second) == ["lib/.gitignore"]


def test_recollectignore_overrules_gitignore(tmp_path):
    write(
        tmp_path,
        {".gitignore": "gen/\n", ".recollectignore": "!gen/\ndocs/\n", "gen/a.py": "1", "docs/b.md": "2"},
    )
    assert paths(scan(tmp_path)) == [".gitignore", ".recollectignore", "gen/a.py"]


def test_a_folder_inside_a_repository_obeys_the_rules_above_it(tmp_path):
    (tmp_path / ".git").mkdir()
    write(
        tmp_path, {".git/HEAD": "ref: refs/heads/main", ".gitignore": "/sub/a.py\n*.log\n", "sub/a.py": "1"}
    )
    write(tmp_path, {"sub/b.py": "1", "sub/c.log": "1", ".git/info/exclude": "sub/d.py\n", "sub/d.py": "1"})
    first = scan(tmp_path / "sub")
    assert paths(first) == ["b.py"]
    (tmp_path / ".gitignore").write_text("*.log\n", encoding="utf-8")
    later(tmp_path / ".gitignore")
    assert paths(scan(tmp_path / "sub", known(first), first.folders)) == ["a.py"]


@pytest.mark.parametrize(
    "setting", ["", "[user]\n\tname = n\n[core]\n\teditor = vi\n\texcludesFile = ~/my ignore\n[alias]\n"]
)
def test_the_rules_of_the_user_hold_in_repositories_as_in_git(tmp_path, monkeypatch, setting):
    home, root = tmp_path / "home", tmp_path / "home/work"
    write(home, {".gitconfig": setting, ("my ignore" if setting else ".config/git/ignore"): "*.swp\n/a.py\n"})
    write(root, {"a.py": "1", "b/a.py": "1", "c.swp": "1"})
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.delenv("GIT_CONFIG_GLOBAL", raising=False)
    assert paths(scan(root)) == ["a.py", "b/a.py", "c.swp"]
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    asked = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"],
        cwd=root,
        check=True,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert paths(scan(root)) == asked.stdout.split() == ["b/a.py"]


def test_exclude_file_that_comes_later_is_seen(tmp_path):
    write(tmp_path, {".git/HEAD": "ref: refs/heads/main", "a.py": "1"})
    first = scan(tmp_path)
    write(tmp_path, {".git/info/exclude": "a.py\n"})
    assert scan(tmp_path, known(first), first.folders).removed == ("a.py",)


def test_caches_and_virtual_environments_are_never_entered(tmp_path):
    write(
        tmp_path,
        {
            "env/pyvenv.cfg": "",
            "env/lib/a.py": "1",
            "node_modules/x/i.js": "1",
            "t/CACHEDIR.TAG": "",
            "t/a.rs": "",
        },
    )
    write(
        tmp_path, {"src/__pycache__/a.pyc": "", "src/a.py": "", ".recollect/index.db": "", ".git/HEAD": "x"}
    )
    assert paths(scan(tmp_path)) == ["src/a.py"]


def test_a_folder_that_becomes_a_virtual_environment_is_left(tmp_path):
    write(tmp_path, {"env/lib/a.py": "1"})
    first = scan(tmp_path)
    write(tmp_path, {"env/pyvenv.cfg": ""})
    later(tmp_path / "env")
    second = scan(tmp_path, known(first), first.folders)
    assert second.removed == ("env/lib/a.py",)
    assert paths(second) == []
    (tmp_path / "env/pyvenv.cfg").unlink()
    later(tmp_path / "env", 9)
    assert paths(scan(tmp_path, known(first, second), second.folders)) == ["env/lib/a.py"]


def test_links_are_not_followed_and_loops_end(tmp_path):
    outside = tmp_path / "outside"
    root = tmp_path / "root"
    write(outside, {"secret.py": "1"})
    write(root, {"a/real.py": "1"})
    (root / "a/loop").symlink_to(root)
    (root / "b").symlink_to(outside)
    (root / "twice.py").symlink_to(root / "a/real.py")
    assert paths(scan(root)) == ["a/real.py"]


def test_a_folder_replaced_by_a_link_is_removed(tmp_path):
    root, outside = tmp_path / "root", tmp_path / "outside"
    write(outside, {"x.py": "1"})
    write(root, {"a/x.py": "1"})
    first = scan(root)
    (root / "a/x.py").unlink()
    (root / "a").rmdir()
    (root / "a").symlink_to(outside)
    assert scan(root, known(first), first.folders).removed == ("a/x.py",)


@pytest.mark.parametrize(
    "name", ["with space.py", "emoji-\U0001f40d.py", "new\nline.py", "-dash.py", "quote'\".py"]
)
def test_odd_names_work(tmp_path, name):
    write(tmp_path, {f"sub dir/{name}": "1"})
    first = scan(tmp_path)
    assert paths(first) == [f"sub dir/{name}"]
    assert scan(tmp_path, known(first), first.folders).nothing_changed


def test_an_undecodable_name_is_reported(tmp_path):
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/bad\xff.py")).write_text("1", encoding="utf-8")
    result = scan(tmp_path)
    assert paths(result) == []
    assert result.omitted == (("bad\\udcff.py", "its name is not valid UTF-8"),)


def test_a_folder_that_cannot_be_read_is_reported_and_tried_again(tmp_path, monkeypatch):
    write(tmp_path, {"a/x.py": "1", "b.py": "2"})
    real = os.scandir

    def refuse(place):
        if str(place).endswith("/a"):
            raise PermissionError(13, "Permission denied")
        return real(place)

    monkeypatch.setattr(os, "scandir", refuse)
    first = scan(tmp_path)
    assert paths(first) == ["b.py"]
    assert first.omitted == (("a", "it cannot be read: Permission denied"),)
    monkeypatch.undo()
    assert paths(scan(tmp_path, known(first), first.folders)) == ["a/x.py"]


@pytest.mark.parametrize("root", ["/", str(Path.home()), str(Path.home().parent)])
def test_the_disk_and_home_are_refused(root):
    with pytest.raises(UsageError, match="Will not index"):
        scan(Path(root))


def test_a_missing_folder_and_a_file_are_refused(tmp_path):
    write(tmp_path, {"a.py": "1"})
    with pytest.raises(UsageError, match="does not exist"):
        scan(tmp_path / "nothing")
    with pytest.raises(UsageError, match="is not a folder"):
        scan(tmp_path / "a.py")


def git(root, *arguments):
    environment = os.environ | {
        "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_CONFIG_SYSTEM": "/dev/null",
        "HOME": str(root),
    }
    command = ["git", "-c", "user.name=n", "-c", "user.email=e@e", *arguments]
    return subprocess.run(command, cwd=root, env=environment, capture_output=True, check=True).stdout


def test_a_nested_repository_has_its_own_rules_and_a_worktree_is_left_out(tmp_path):
    git(tmp_path, "init", "-q")
    write(
        tmp_path,
        {
            ".gitignore": "*.txt\n",
            "a.py": "1",
            "inner/.gitignore": "x.py\n",
            "inner/x.py": "",
            "inner/y.txt": "",
        },
    )
    git(tmp_path / "inner", "init", "-q")
    git(tmp_path, "add", "a.py")
    git(tmp_path, "commit", "-qm", "one")
    git(tmp_path, "worktree", "add", "-q", "trees/two")
    assert (tmp_path / "trees/two/a.py").exists()
    assert paths(scan(tmp_path)) == [".gitignore", "a.py", "inner/.gitignore", "inner/y.txt"]


NAMES = st.sampled_from(["a", "b", "ab", "a.py", "b.py", "x.log", "[", "a b", "a\\", "é", "build", "ba"])
FOLDERS = st.lists(NAMES, max_size=3).map("/".join)
GLOBS = st.text(alphabet="ab*?[]!^-\\/.py é", min_size=1, max_size=8)
PATTERNS = [
    "*",
    "**",
    "/*",
    "!*/",
    "a/",
    "/a",
    "!a",
    "!/a/",
    "**/b",
    "a/**",
    "a/**/b",
    "*.py",
    "!*.py",
    "b.py/",
    "a**/b",
]
PATTERNS += [
    "[ab]",
    "[!a]",
    "[a-b]/*",
    "[[:alpha:]]",
    "[]]",
    "[\\]a]",
    "a?",
    "/**/a",
    "**a",
    "**/*.py",
    "a/*/b",
    "build/",
]
PATTERNS += ["a b  ", "\\!a", "#a", "\\#a", "?", "a\\ ", "*.log\r"]
REAL = st.sampled_from(PATTERNS)
IGNORES = st.lists(st.one_of(REAL, REAL, GLOBS), max_size=5).map("\n".join)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    files=st.lists(st.tuples(FOLDERS, NAMES), max_size=14),
    ignores=st.dictionaries(FOLDERS, IGNORES, max_size=3),
    exclude=IGNORES,
    kept=st.sets(st.integers(0, 13), max_size=3),
)
def test_the_files_found_are_those_that_git_finds(tmp_path_factory, files, ignores, exclude, kept):
    root = tmp_path_factory.mktemp("tree")
    git(root, "init", "-q")
    (root / ".git/info/exclude").write_text(exclude, encoding="utf-8")
    for folder, text in ignores.items():
        make(root, folder, ".gitignore", text)
    for folder, name in files:
        make(root, folder, name, "x")
    for place in (root / folder / name for number, (folder, name) in enumerate(files) if number in kept):
        if place.is_file():
            git(root, "add", "-f", "--", str(place))
    wanted = git(root, "ls-files", "-coz", "--exclude-standard").decode().split("\0")
    assert paths(scan(root)) == sorted({path for path in wanted if path})


def test_what_git_tracks_counts_although_it_is_ignored(tmp_path):
    git(tmp_path, "init", "-q")
    write(
        tmp_path,
        {
            ".gitignore": "build/\n*.log\n",
            ".recollectignore": "own/\n",
            "build/out/kept.py": "1",
            "build/out/other.py": "1",
            "run.log": "1",
            "own/kept.py": "1",
        },
    )
    first = scan(tmp_path)
    assert paths(first) == [".gitignore", ".recollectignore"]
    git(tmp_path, "add", "-f", "build/out/kept.py", "run.log", "own/kept.py")
    second = scan(tmp_path, known(first), first.folders, first.started_ns)
    assert paths(second) == ["build/out/kept.py", "run.log"]
    files = known(first) | known(second)
    git(tmp_path, "rm", "-q", "--cached", "run.log")
    third = scan(tmp_path, files, second.folders, second.started_ns)
    assert (third.added, third.removed) == ((), ("run.log",))


def test_what_a_submodule_tracks_counts_although_it_is_ignored_there(tmp_path):
    git(tmp_path, "init", "-q")
    (tmp_path / "sub").mkdir()
    git(tmp_path / "sub", "init", "-q")
    write(tmp_path, {"sub/.gitignore": "*.gen.py\n", "sub/a.gen.py": "1", "sub/b.gen.py": "1"})
    git(tmp_path / "sub", "add", "-f", "a.gen.py")
    assert paths(scan(tmp_path)) == ["sub/.gitignore", "sub/a.gen.py"]


def make(root, folder, name, text):
    try:
        (root / folder).mkdir(parents=True, exist_ok=True)
        (root / folder / name).write_text(text, encoding="utf-8")
    except OSError:
        return


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    rounds=st.lists(
        st.lists(
            st.tuples(st.sampled_from(["write", "remove", "ignore", "venv"]), FOLDERS, NAMES, IGNORES),
            max_size=5,
        ),
        max_size=4,
    )
)
def test_any_sequence_of_edits_ends_where_a_fresh_scan_ends(tmp_path_factory, rounds):
    root = tmp_path_factory.mktemp("tree")
    result = scan(root)
    files = known(result)
    for edits in rounds:
        for kind, folder, name, text in edits:
            if kind == "remove":
                remove(root / folder / name)
            else:
                make(root, folder, {"write": name, "ignore": ".gitignore", "venv": "pyvenv.cfg"}[kind], text)
        result = scan(root, files, result.folders, result.started_ns)
        for path in result.removed:
            del files[path]
        files |= {file.path: (file.size, file.mtime_ns) for file in (*result.added, *result.changed)}
        fresh = scan(root)
        assert files == known(fresh)
        assert result.folders == fresh.folders


def remove(place):
    if place.is_file():
        place.unlink()
    elif place.is_dir():
        for child in place.iterdir():
            remove(child)
        place.rmdir()
