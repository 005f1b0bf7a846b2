"""Files that git keeps although its ignore rules name them."""

from __future__ import annotations

import os
from pathlib import Path

from recollect.source.git import Repository, run_git


class Tracked:
    """The ignored files that a repository tracks all the same; git is asked when an ignored entry is first met."""

    def __init__(self, repository: Repository, start: str) -> None:
        self._repository = repository
        self._start = start
        """What stands before the paths of the repository in the paths that are asked for."""
        self._known: tuple[frozenset[str], frozenset[str]] | None = None

    def source(self, root: str) -> str:
        """Return the file whose change can change the answers, relative to a folder."""
        return os.path.relpath(self._repository.git_dir / "index", root).replace(os.sep, "/")

    def holds(self, path: str, folder: bool) -> bool:
        """Tell whether an ignored file is tracked, or any file below an ignored folder."""
        if self._known is None:
            self._known = _tracked_and_ignored(self._repository.root)
        files, folders = self._known
        inner = path[len(self._start) :]
        return inner in files or (folder and inner in folders)


def _tracked_and_ignored(root: Path) -> tuple[frozenset[str], frozenset[str]]:
    listed = run_git(root, "ls-files", "-z", "--cached", "--ignored", "--exclude-standard")
    files = frozenset(filter(None, (listed or "").split("\0")))
    folders = {
        "/".join(parts[:depth])
        for parts in (file.split("/") for file in files)
        for depth in range(1, len(parts))
    }
    return files, frozenset(folders)
