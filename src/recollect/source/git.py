"""Git facts read from the files of a repository, without the git program wherever that is easy."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from typing import NamedTuple

_COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_EXCLUDES_FILE = re.compile(
    r"^\s*\[core\](?:[^\[]*\n)?\s*excludesfile\s*=[ \t]*(\S[^\n]*?)\s*$", re.IGNORECASE | re.MULTILINE
)
_MAX_LINKS = 5


class Repository(NamedTuple):
    """Where a working tree and its repository are."""

    root: Path
    """The top folder of the working tree."""
    git_dir: Path
    """What belongs to this working tree alone: HEAD, its index."""
    common_dir: Path
    """What all working trees of the repository share: branches, settings, objects."""

    @property
    def linked(self) -> bool:
        """Tell whether it is a worktree that was added to another one."""
        return self.git_dir != self.common_dir


class Head(NamedTuple):
    """What a working tree has checked out."""

    commit: str
    """Empty while there is no commit yet, or when it cannot be read."""
    branch: str
    """Empty when HEAD is detached."""


def repository_at(folder: Path) -> Repository | None:
    """Return the repository whose working tree has exactly this folder as its top, if there is one."""
    git_dir = _git_dir(folder / ".git")
    try:
        if git_dir is None or not (git_dir / "HEAD").is_file():
            return None
    except OSError:
        return None
    return Repository(folder, git_dir, _common_dir(git_dir))


def find_repository(path: Path) -> Repository | None:
    """Return the repository around a path, if there is one."""
    start = path.resolve()
    for folder in (start, *start.parents):
        found = repository_at(folder)
        if found:
            return found
    return None


def project_root(path: Path) -> Path:
    """Return the top of the repository around a path, or the folder itself when there is none that may be indexed."""
    start = path.resolve()
    folder = start if start.is_dir() else start.parent
    found = find_repository(folder)
    return found.root if found and not holds_home(found.root) else folder


def holds_home(folder: Path) -> bool:
    """Tell whether a folder is the root of the disk, the home folder or one of the home folder's parents."""
    try:
        home = Path.home().resolve()
    except RuntimeError:
        return folder.parent == folder
    return folder in (folder.parent, home, *home.parents)


def main_worktree(root: Path) -> Path:
    """Return the working tree that a linked worktree was added to; any other folder is its own."""
    repository = repository_at(root.resolve())
    if repository is None or not repository.linked:
        return root
    common = repository.common_dir
    if common.name == ".git":
        return common.parent if common.parent.is_dir() else root
    configured = _setting(common, "worktree")
    main = (common / configured).resolve() if configured else None
    return main if main and main.is_dir() else root


def is_submodule(folder: Path) -> bool:
    """Tell whether a folder is the top of a submodule."""
    repository = repository_at(folder)
    return bool(
        repository
        and (folder / ".git").is_file()
        and not repository.linked
        and "modules" in repository.git_dir.parts
    )


def is_worktree_of(folder: Path, common_dir: Path) -> bool:
    """Tell whether a folder is another working tree of the repository with this common folder."""
    repository = repository_at(folder)
    return repository is not None and repository.linked and repository.common_dir == common_dir


def head(repository: Repository) -> Head:
    """Read which commit and branch a working tree has checked out."""
    text = _read(repository.git_dir / "HEAD")
    if not text.startswith("ref:"):
        return Head(text if _COMMIT.fullmatch(text) else "", "")
    reference = text.removeprefix("ref:").strip()
    if (repository.common_dir / "reftable").is_dir():
        return _head_from_program(repository)
    return Head(_resolve(repository, reference), reference.removeprefix("refs/heads/"))


def exclude_file(repository: Repository) -> Path:
    """Return the file of ignore rules that belongs to a repository but is not part of it."""
    return repository.common_dir / "info" / "exclude"


def user_exclude_file() -> Path | None:
    """Return the file of ignore rules that the user set for all repositories, or git's default place for it."""
    try:
        home = Path.home()
    except RuntimeError:
        return None
    settings = Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config") / "git"
    chosen = os.environ.get("GIT_CONFIG_GLOBAL")
    files = [Path(chosen)] if chosen is not None else [home / ".gitconfig", settings / "config"]
    for file in files:
        found = _EXCLUDES_FILE.search(_read(file))
        if found:
            return home / found[1].strip('"').removeprefix("~/")
    return settings / "ignore"


def run_git(root: Path, *arguments: str, timeout: float = 30.0) -> str | None:
    """Return what the git program prints, or None when it is missing, fails or takes too long."""
    command = ["git", "-C", str(root), "--no-optional-locks", *arguments]
    try:
        done = subprocess.run(
            command, capture_output=True, timeout=timeout, check=False, stdin=subprocess.DEVNULL
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.decode("utf-8", "surrogateescape") if done.returncode == 0 else None


def remote_url(root: Path) -> str:
    """Return the URL of the remote that a repository was cloned from, empty when there is none."""
    return (run_git(root, "config", "--get", "remote.origin.url") or "").strip()


def _resolve(repository: Repository, reference: str) -> str:
    for _ in range(_MAX_LINKS):
        text = _read(repository.git_dir / reference) or _read(repository.common_dir / reference)
        if not text:
            return _packed(repository.common_dir, reference)
        if not text.startswith("ref:"):
            return text if _COMMIT.fullmatch(text) else ""
        reference = text.removeprefix("ref:").strip()
    return ""


def _packed(common_dir: Path, reference: str) -> str:
    for line in _read(common_dir / "packed-refs").splitlines():
        commit, _, name = line.partition(" ")
        if name == reference and _COMMIT.fullmatch(commit):
            return commit
    return ""


def _head_from_program(repository: Repository) -> Head:
    commit = run_git(repository.root, "rev-parse", "--verify", "--quiet", "HEAD") or ""
    branch = run_git(repository.root, "symbolic-ref", "--short", "--quiet", "HEAD") or ""
    return Head(commit.strip(), branch.strip())


def _git_dir(entry: Path) -> Path | None:
    try:
        if entry.is_dir():
            return entry.resolve()
        if not entry.is_file():
            return None
    except OSError:
        return None
    text = _read(entry)
    target = text.removeprefix("gitdir:").strip()
    return (entry.parent / target).resolve() if text.startswith("gitdir:") and target else None


def _common_dir(git_dir: Path) -> Path:
    target = _read(git_dir / "commondir")
    return (git_dir / target).resolve() if target else git_dir


def _setting(common_dir: Path, key: str) -> str:
    found = re.search(rf"^\s*{key}\s*=\s*(.+?)\s*$", _read(common_dir / "config"), re.MULTILINE)
    return found[1] if found else ""


def _read(file: Path) -> str:
    try:
        return file.read_bytes().decode("utf-8", "surrogateescape").strip()
    except OSError:
        return ""
