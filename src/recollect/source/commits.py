"""What git knows of past commits: who, when, which files, which lines; read in batches, never while somebody asks."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, NamedTuple

from recollect.source.git import Repository, run_git

RENAMES = 400
"""In a commit that adds or removes more files, only files that were moved unchanged are recognised."""
_SUBMODULE = b"160000"
_LONGEST = 1 << 30
_HEADER = re.compile(rb"^@@+ (?P<old>-.*) \+(?P<new>\d+(?:,\d+)?) @@")
_HOW = (
    "diff-tree",
    "--stdin",
    "-r",
    "-c",
    "--root",
    "--always",
    f"-l{RENAMES}",
    "--no-ext-diff",
    "--no-textconv",
    "--no-color",
)
_SAID = "%x01%H%x1f%P%x1f%ct%x1f%aN%x1f%aE"

Hunk = tuple[int, int, int, int]
"""First line and line behind the last one: of the lines as they became, then of those that they replaced."""


class Change(NamedTuple):
    """A file that a commit changed."""

    path: str
    before: str
    """Its path in the parent, empty when it was not there."""
    old: str
    """The blob in the parent, empty when there was none."""
    new: str
    parent: int = 0
    """Which parent is meant, for a merge that is none of its parents."""


class Commit(NamedTuple):
    """A commit with the files that it changed; what it removed is not among them."""

    id: str
    parents: int
    time: int
    name: str
    email: str
    changes: tuple[Change, ...]
    files: int
    """How many files it touched, those that it removed too."""


def reachable(root: Path, start: str, most: int) -> list[tuple[str, tuple[str, ...]]]:
    """Return the newest commits that lead to one, each with its parents, and no commit before one made of it."""
    said = run_git(root, "rev-list", "--parents", f"--max-count={most}", start, timeout=120.0) or ""
    rows = [line.split() for line in said.splitlines()]
    return _in_order({row[0]: tuple(row[1:]) for row in rows if row})


def cut_off(repository: Repository) -> frozenset[str]:
    """Return the commits of a shallow clone whose parents are not there; what they changed cannot be told."""
    try:
        return frozenset((repository.common_dir / "shallow").read_text(encoding="ascii").split())
    except (OSError, ValueError):
        return frozenset()


def lacks_blobs(root: Path) -> bool:
    """Tell whether contents are left at a remote, from where git would fetch them one by one."""
    pattern = r"^(remote\..*\.promisor|extensions\.partialclone)$"
    return bool(run_git(root, "config", "--get-regexp", pattern))


def files_of(root: Path, commit: str) -> dict[str, str]:
    """Return the blob of every file of a commit that lies below the root."""
    said = run_git(root, "ls-tree", "-r", "-z", commit, timeout=120.0) or ""
    rows = (entry.partition("\t") for entry in said.split("\0") if entry)
    return {path: meta.split()[2] for meta, _, path in rows if meta.startswith("100")}


def unclean(root: Path) -> frozenset[str]:
    """Return the files below the root that are not as the commit that is checked out has them."""
    said = run_git(root, "diff-index", "--name-only", "-z", "--relative", "HEAD", timeout=120.0) or ""
    return frozenset(filter(None, said.split("\0")))


def commits(root: Path, prefix: str, ids: Sequence[str], renames: bool) -> Iterator[Commit]:
    """Yield what each commit changed below a folder of the repository (`prefix`, empty or ending in a slash)."""
    how = ("-z", "--raw", "--no-abbrev", "--combined-all-paths", "-M" if renames else "--no-renames")
    with _asked(root, ids, *how, f"--pretty=format:{_SAID}") as told:
        yield from _commits(told.read(), prefix)


def hunks(
    root: Path, ids: Sequence[str], patterns: Iterable[str]
) -> Iterator[tuple[str, str, tuple[Hunk, ...]]]:
    """Yield for each file that a commit modified the old and the new blob, and the lines that differ.

    Of a merge there is one row for each parent.
    """
    how = ("-p", "-U0", "-M", "--full-index", "--diff-filter=MR", "--no-commit-id")
    with _asked(root, ids, *how, "--", *patterns) as told:
        yield from _hunks(told)


class _asked:  # noqa: N801  reads as the call that it stands for
    """A run of git over a list of commits; it is ended when the block is left."""

    def __init__(self, root: Path, ids: Sequence[str], *how: str) -> None:
        self._command = ["git", "-C", str(root), "--no-optional-locks", *_HOW, *how]
        self._ids = ids

    def __enter__(self) -> IO[bytes]:
        # A file, not a pipe: git may print before it has read them all.
        with tempfile.TemporaryFile() as asked:
            asked.write("".join(f"{one}\n" for one in self._ids).encode("ascii"))
            asked.seek(0)
            quiet = {"GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0"}
            self._git = subprocess.Popen(
                self._command, stdin=asked, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                env=os.environ | quiet,
            )  # fmt: skip
        assert self._git.stdout is not None
        return self._git.stdout

    def __exit__(self, *_: object) -> None:
        self._git.kill()
        self._git.communicate()


def _in_order(parents: dict[str, tuple[str, ...]]) -> list[tuple[str, tuple[str, ...]]]:
    """Put commits before their parents, whatever their clocks said, else as they came."""
    waiting = dict.fromkeys(parents, 0)
    for row in parents.values():
        for parent in row:
            if parent in waiting:
                waiting[parent] += 1
    ready = [one for one, count in waiting.items() if not count]
    ready.reverse()
    found = []
    while ready:
        one = ready.pop()
        found.append((one, parents[one]))
        for parent in reversed(parents[one]):
            if parent in waiting:
                waiting[parent] -= 1
                if not waiting[parent]:
                    ready.append(parent)
    return found


def _commits(said: bytes, prefix: str) -> Iterator[Commit]:
    tokens = iter(said.split(b"\0"))
    head: list[str] = []
    changes: list[Change] = []
    files = 0
    for token in tokens:
        if token.startswith(b"\x01"):
            if head:
                yield _commit(head, changes, files)
            line, _, token = token[1:].partition(b"\n" if b"\n" in token else b"::")  # noqa: PLW2901
            head, changes, files = _text(line).split("\x1f"), [], 0
            if token and not token.startswith(b":"):
                token = b"::" + token  # noqa: PLW2901  the first file of a merge follows without a line break
        if token.startswith(b":"):
            files += 1
            changes += _changes(token, tokens, prefix)
    if head:
        yield _commit(head, changes, files)


def _commit(head: Sequence[str], changes: Sequence[Change], files: int) -> Commit:
    made, parents, time, name, email = (*head, "", "", "", "", "")[:5]
    return Commit(made, len(parents.split()), int(time or 0), name, email, tuple(changes), files)


def _changes(meta: bytes, tokens: Iterator[bytes], prefix: str) -> list[Change]:
    """Read one entry; the number of colons is that of the parents."""
    parents = len(meta) - len(meta.lstrip(b":"))
    parts = meta.lstrip(b":").split(b" ")
    modes, blobs, status = parts[: parents + 1], parts[parents + 1 : -1], parts[-1]
    moved = parents == 1 and status[:1] in b"RC"
    paths = [_text(next(tokens, b"")) for _ in range(parents + 1 if parents > 1 or moved else 1)]
    path = _below(paths[-1], prefix)
    if not path or modes[-1] == _SUBMODULE or not blobs[-1].strip(b"0"):
        return []
    before = paths[:-1] if len(paths) > 1 else paths * parents
    found = []
    for parent in range(parents):
        old = _text(blobs[parent]) if blobs[parent].strip(b"0") else ""
        # What comes from outside the folder was not there before, as far as this project is concerned.
        earlier = _below(before[parent], prefix) if old else ""
        found.append(Change(path, earlier, old if earlier else "", _text(blobs[-1]), parent))
    return found


def _hunks(told: IO[bytes]) -> Iterator[tuple[str, str, tuple[Hunk, ...]]]:
    blobs: list[str] = []
    found: list[list[Hunk]] = []
    # A line of content begins with a space, a sign or a backslash, so nothing in a file looks like these heads.
    for line in told:
        if line.startswith(b"diff "):
            yield from _told(blobs, found)
            blobs, found = [], []
        elif line.startswith(b"index "):
            olds, _, rest = line[6:].partition(b"..")
            blobs = [*map(_text, olds.split(b",")), _text(rest.split(b" ")[0].strip())]
            found = [[] for _ in blobs[:-1]]
        elif line.startswith(b"@@") and (head := _HEADER.match(line)):
            _add(found, head)
    yield from _told(blobs, found)


def _told(blobs: list[str], found: list[list[Hunk]]) -> Iterator[tuple[str, str, tuple[Hunk, ...]]]:
    for old, rows in zip(blobs, found, strict=False):
        if rows:
            yield old, blobs[-1], tuple(rows)


def _add(found: list[list[Hunk]], head: re.Match[bytes]) -> None:
    olds = head["old"].split(b" ")
    merge = len(olds) > 1
    new = _span(head["new"], merge)
    for rows, old in zip(found, olds, strict=False):
        rows.append((*new, *_span(old[1:], merge)))


def _span(text: bytes, merge: bool) -> tuple[int, int]:
    """Return first line and line behind the last; an empty span names the line before it, but not in a merge."""
    first, _, count = text.partition(b",")
    # In front of the first line of a merge, git counts below zero and wraps around.
    start, size = (
        value if value <= _LONGEST else at for at, value in ((1, int(first)), (0, int(count or 1)))
    )
    if not size and not merge:
        start += 1
    return start, start + size


def _below(path: str, prefix: str) -> str:
    return path[len(prefix) :] if path.startswith(prefix) else ""


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape")
