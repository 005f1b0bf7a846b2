"""Which files a change touches: what a branch did since it left a base, and what is not committed yet."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from recollect.errors import NotFoundError, UsageError
from recollect.source.git import find_repository, run_git

_HUNK = re.compile(r"@@ -\d+(?:,(?P<old>\d+))? \+(?P<first>\d+)(?:,(?P<count>\d+))? @@")


def changed_since(root: Path, base: str) -> tuple[str, ...]:
    """Return the files below a folder that exist and differ from where HEAD left the base, untracked ones too."""
    if find_repository(root) is None:
        raise UsageError(f"{root} is no git repository, so nothing in it has a base; name files instead.")
    if not base.strip() or base.startswith("-") or "\0" in base:
        raise UsageError(f"'{base}' is no git revision; give a branch, a tag or a commit.")
    commit = run_git(root, "rev-parse", "--verify", "--quiet", f"{base}^{{commit}}")
    if commit is None:
        raise NotFoundError(f"git knows no commit '{base}' in {root}; give a branch, a tag or a commit.")
    left = run_git(root, "merge-base", commit.strip(), "HEAD") or commit
    changed = run_git(
        root, "diff", "--name-only", "-z", "--relative", "--no-ext-diff", "--diff-filter=d", left.strip()
    )
    untracked = run_git(root, "ls-files", "--others", "--exclude-standard", "-z")
    if changed is None or untracked is None:
        raise UsageError(f"git cannot compare {root} with '{base}'; try 'git diff {base}' there.")
    return tuple(sorted({path for path in (*changed.split("\0"), *untracked.split("\0")) if path}))


class Changed(NamedTuple):
    """What differs from a base."""

    lines: dict[str, tuple[tuple[int, int], ...] | None]
    """First and last changed line by path; a line that was removed changes those around it; None means all lines."""
    gone: tuple[str, ...]
    """Files that were there and are not any more."""


def lines_since(root: Path, base: str) -> Changed:
    """Return the lines below a folder that differ from where HEAD left the base; a new file is changed as a whole."""
    files = changed_since(root, base)
    commit = (run_git(root, "rev-parse", "--verify", "--quiet", f"{base}^{{commit}}") or "").strip()
    left = (run_git(root, "merge-base", commit, "HEAD") or commit).strip()
    how = ("--relative", "--no-ext-diff", "--no-textconv", "--no-color", "-M")
    said = (
        run_git(root, "-c", "core.quotePath=false", "diff-index", "-p", "-U0", "--diff-filter=MR", *how, left)
        or ""
    )
    gone = run_git(root, "diff-index", "--name-only", "-z", "--diff-filter=D", *how, left) or ""
    told = _spans(said)
    return Changed({path: told.get(path) for path in files}, tuple(sorted(filter(None, gone.split("\0")))))


def _spans(said: str) -> dict[str, tuple[tuple[int, int], ...]]:
    """Read the changed lines of a diff without context; lines of content are counted, so none is taken for a head."""
    found: dict[str, list[tuple[int, int]]] = {}
    spans: list[tuple[int, int]] = []
    left = 0
    for line in said.split("\n"):
        if left and line[:1] in "+-":
            left -= 1
        elif line.startswith("+++ b/"):
            spans = found.setdefault(line[6:].removesuffix("\t"), [])
        elif match := _HUNK.match(line):
            first, count = int(match["first"]), int(match["count"] or 1)
            left = count + int(match["old"] or 1)
            spans.append((first, first + count - 1) if count else (max(1, first), first + 1))
    return {path: tuple(rows) for path, rows in found.items()}
