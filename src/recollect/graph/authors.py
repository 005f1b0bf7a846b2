"""Says who wrote a file, from git blame, when it is asked."""

from __future__ import annotations

import subprocess
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from recollect.errors import UsageError


class Author(NamedTuple):
    """One person's share in a file."""

    name: str
    email: str
    lines: int
    latest: int
    """Unix time of their newest line."""


def authors(root: Path, path: str) -> tuple[Author, ...]:
    """Return the authors of a file as it is in the working tree, most lines first; kept until the file changes."""
    try:
        state = (root / path).stat()
    except OSError as error:
        raise UsageError(
            f"The authors of {path} cannot be read: {error}. Name a file of the working tree."
        ) from error
    return _authors(str(root), path, state.st_mtime_ns, state.st_size)


@lru_cache(maxsize=256)
def _authors(root: str, path: str, changed: int, size: int) -> tuple[Author, ...]:
    del changed, size
    command = ["git", "-C", root, "blame", "--porcelain", "-w", "--", path]
    try:
        done = subprocess.run(command, capture_output=True, check=False, timeout=60)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UsageError(
            f"git could not tell the authors of {path}: {error}. Check that git works here."
        ) from error
    if done.returncode:
        reason = done.stderr.decode("utf-8", "replace").strip() or "it gave no reason"
        raise UsageError(
            f"git could not tell the authors of {path}: {reason}. Commit the file, then ask again."
        )
    return _shares(done.stdout.decode("utf-8", "replace").split("\n"))


def _shares(lines: list[str]) -> tuple[Author, ...]:
    """Read porcelain output: a commit's header is given once, its number of lines at the head of each group."""
    commits: dict[str, dict[str, str]] = {}
    counts: dict[str, int] = {}
    current = ""
    expects_header = True
    for line in lines:
        if line.startswith("\t"):
            expects_header = True
        elif expects_header and line:
            current = line.split(" ", 1)[0]
            counts[current] = counts.get(current, 0) + 1
            expects_header = False
        elif line:
            key, _, value = line.partition(" ")
            commits.setdefault(current, {})[key] = value
    people: dict[tuple[str, str], tuple[int, int]] = {}
    for commit, count in counts.items():
        told = commits.get(commit, {})
        person = (told.get("author", ""), told.get("author-mail", "").strip("<>"))
        known = people.get(person, (0, 0))
        people[person] = (known[0] + count, max(known[1], int(told.get("author-time", "0"))))
    found = [Author(name, email, *share) for (name, email), share in people.items()]
    return tuple(sorted(found, key=lambda author: (-author.lines, author.name, author.email)))
