"""Git facts, compared with what the git program says."""

import os
import subprocess

import pytest

from recollect.source.git import (
    find_repository,
    head,
    is_submodule,
    main_worktree,
    project_root,
    repository_at,
)


def git(root, *arguments):
    environment = os.environ | {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"}
    command = [
        "git",
        "-c",
        "user.name=n",
        "-c",
        "user.email=e@e",
        "-c",
        "protocol.file.allow=always",
        *arguments,
    ]
    return subprocess.run(
        command, cwd=root, env=environment, capture_output=True, check=True, text=True, encoding="utf-8"
    ).stdout.strip()


@pytest.fixture
def repository(tmp_path):
    root = tmp_path / "main"
    root.mkdir()
    git(root, "init", "-q", "-b", "trunk")
    (root / "src").mkdir()
    (root / "src/a.py").write_text("x", encoding="utf-8")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "one")
    return root


def test_the_root_is_found_from_below(repository):
    assert project_root(repository / "src/a.py") == repository
    assert project_root(repository / "src") == repository


def test_a_folder_outside_any_repository_is_its_own_project(tmp_path):
    assert find_repository(tmp_path) is None
    assert project_root(tmp_path) == tmp_path
    assert main_worktree(tmp_path) == tmp_path


def test_a_repository_in_the_home_folder_is_not_the_project(tmp_path, monkeypatch):
    git(tmp_path, "init", "-q")
    (tmp_path / "work").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path))
    assert project_root(tmp_path / "work") == tmp_path / "work"


def test_head_tells_commit_and_branch(repository):
    assert head(find_repository(repository)) == (git(repository, "rev-parse", "HEAD"), "trunk")


def test_head_is_read_from_packed_references(repository):
    git(repository, "pack-refs", "--all")
    assert not (repository / ".git/refs/heads/trunk").exists()
    assert head(find_repository(repository)) == (git(repository, "rev-parse", "HEAD"), "trunk")


def test_a_detached_head_has_no_branch(repository):
    git(repository, "checkout", "-q", "--detach")
    assert head(find_repository(repository)) == (git(repository, "rev-parse", "HEAD"), "")


def test_a_repository_without_a_commit_has_a_branch_only(tmp_path):
    git(tmp_path, "init", "-q", "-b", "start/here")
    assert head(find_repository(tmp_path)) == ("", "start/here")


def test_a_worktree_knows_its_branch_and_its_main_folder(repository, tmp_path):
    git(repository, "worktree", "add", "-q", "-b", "side", str(tmp_path / "two"))
    (tmp_path / "two/b.py").write_text("y", encoding="utf-8")
    git(tmp_path / "two", "add", "-A")
    git(tmp_path / "two", "commit", "-qm", "two")
    found = find_repository(tmp_path / "two")
    assert found.linked
    assert found.common_dir == repository / ".git"
    assert head(found) == (git(tmp_path / "two", "rev-parse", "HEAD"), "side")
    assert main_worktree(tmp_path / "two") == repository
    assert main_worktree(repository) == repository


def test_a_worktree_of_a_bare_repository_is_its_own_main_folder(repository, tmp_path):
    git(tmp_path, "clone", "-q", "--bare", str(repository), "bare.git")
    git(tmp_path / "bare.git", "worktree", "add", "-q", str(tmp_path / "three"), "trunk")
    assert main_worktree(tmp_path / "three") == tmp_path / "three"


def test_a_submodule_is_told_from_a_repository_and_a_worktree(repository, tmp_path):
    super_root = tmp_path / "super"
    super_root.mkdir()
    git(super_root, "init", "-q")
    git(super_root, "submodule", "--quiet", "add", str(repository), "lib/part")
    assert is_submodule(super_root / "lib/part")
    assert not is_submodule(super_root)
    assert not is_submodule(repository)
    assert main_worktree(super_root / "lib/part") == super_root / "lib/part"
    git(super_root / "lib/part", "worktree", "add", "-q", str(tmp_path / "part2"))
    assert main_worktree(tmp_path / "part2") == super_root / "lib/part"


def test_a_broken_git_file_is_no_repository(tmp_path):
    (tmp_path / ".git").write_text("gitdir: /nowhere/at/all\n", encoding="utf-8")
    assert repository_at(tmp_path) is None
