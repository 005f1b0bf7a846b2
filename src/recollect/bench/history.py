"""Commits of a repository as questions: what was said, which files and functions were changed."""

from __future__ import annotations

import re
import subprocess
import tomllib
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from recollect.bench.checkout import git
from recollect.errors import UsageError
from recollect.source.git import run_git
from recollect.source.languages import language_by_name

LEAST_WORDS = 3
_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@")
_SECRET = re.compile(r"^(https?://)[^/@]*@")
_WORD = re.compile(r"\w{2,}")
_FIELDS = "%H%x1f%P%x1f%cI%x1f%an <%ae>%x1f%s%x1f%b%x1e"


class Commit(NamedTuple):
    """One commit that may become a question."""

    id: str
    parent: str
    date: str
    subject: str
    body: str


@dataclass(frozen=True, slots=True)
class Hunk:
    """Lines that a commit replaced, in the numbers of its parent; with count 0, the line after which it added."""

    start: int
    count: int

    @property
    def lines(self) -> range:
        """Return the lines that stand for the hunk; an insertion stands between two."""
        return range(self.start, self.start + self.count) if self.count else range(self.start, self.start + 2)


class Patterns(NamedTuple):
    """What commits are left out by, and what is cut from messages."""

    subjects: re.Pattern[str]
    authors: re.Pattern[str]
    noise: re.Pattern[str]
    not_source: frozenset[str]


@lru_cache(maxsize=1)
def patterns() -> Patterns:
    """Read the patterns that come with recollect."""
    table = tomllib.loads(files("recollect.bench").joinpath("replay.toml").read_text(encoding="utf-8"))
    joined = {
        key: "|".join(f"(?:{one})" for one in ones) for key, ones in table.items() if key != "not_source"
    }
    return Patterns(
        re.compile(rf"\s*(?:{joined['subjects']})", re.IGNORECASE),
        re.compile(joined["authors"], re.IGNORECASE),
        re.compile(joined["noise"], re.IGNORECASE),
        frozenset(table["not_source"]),
    )


def address(repository: Path) -> str:
    """Return where a repository came from, without what opens its door; empty when it came from nowhere public."""
    found = (run_git(repository, "remote", "get-url", "origin") or "").strip()
    return _SECRET.sub(r"\1", found) if found.startswith(("https://", "http://")) else ""


def resolve(repository: Path, reference: str) -> str:
    """Return the id of the commit that a reference names."""
    try:
        return git(repository, "rev-parse", "--verify", "--end-of-options", f"{reference}^{{commit}}").strip()
    except UsageError as error:
        raise UsageError(
            f"{repository} has no commit {reference!r}; give a commit, tag or branch of it."
        ) from error


def later_commits(repository: Path, since: str = "", until: str = "HEAD") -> Iterator[Commit]:
    """Yield the commits that say something, newest first: no merges, bumps, reverts, releases or bots."""
    span = (
        f"{resolve(repository, since)}..{resolve(repository, until)}" if since else resolve(repository, until)
    )
    command = ["git", "-C", str(repository), "log", "--no-merges", f"--format={_FIELDS}", span]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as log:
        try:
            yield from _read(log)
        finally:
            log.kill()


def says_something(author: str, subject: str) -> bool:
    """Tell whether a commit's message may lead a reader to the code that it changed."""
    known = patterns()
    if known.authors.search(author) or known.subjects.match(subject):
        return False
    return len(_WORD.findall(clean(subject))) >= LEAST_WORDS


def clean(message: str) -> str:
    """Return a message without numbers of issues."""
    return " ".join(patterns().noise.sub("", message).split())


def is_source(path: str) -> bool:
    """Tell by its name whether a file is code rather than prose, data or settings."""
    language = language_by_name(path)
    return bool(language) and language not in patterns().not_source


def changed_lines(repository: Path, commit: Commit) -> dict[str, tuple[Hunk, ...]]:
    """Return the hunks of every file that a commit modified; what it added, removed or renamed was not there before."""
    text = git(
        repository, "-c", "core.quotePath=false", "diff-tree", "-p", "-U0", "-r", "--no-renames",
        "--no-ext-diff", "--no-textconv", "--diff-filter=M", "--no-color", commit.parent, commit.id,
    )  # fmt: skip
    changed: dict[str, list[Hunk]] = {}
    hunks: list[Hunk] = []
    for line in text.split("\n"):
        if line.startswith("diff --git "):
            hunks = []
        elif line.startswith("--- a/"):
            hunks = changed.setdefault(line[6:].rstrip("\t"), [])
        else:
            found = _HUNK.match(line)
            if found:
                hunks.append(Hunk(int(found.group(1)), int(found.group(2) or 1)))
    return {path: tuple(rows) for path, rows in changed.items() if rows}


def snapshot_before(repository: Path, commit: Commit) -> str:
    """Return the newest commit of the main line that does not hold a commit yet."""
    line = git(repository, "rev-list", "--first-parent", "HEAD").split()
    first = bisect_left(line, True, key=lambda one: not _holds(repository, one, commit.id))
    return line[first] if first < len(line) else commit.parent


def files_at(repository: Path, commit: str) -> frozenset[str]:
    """Return the paths of all files of a commit."""
    listing = git(repository, "ls-tree", "-r", "-z", "--name-only", commit)
    return frozenset(name for name in listing.split("\0") if name)


def _read(log: subprocess.Popen[bytes]) -> Iterator[Commit]:
    assert log.stdout is not None
    rest = b""
    while block := log.stdout.read(1 << 16):
        *records, rest = (rest + block).split(b"\x1e")
        for record in records:
            row = record.decode("utf-8", "replace").lstrip("\n").split("\x1f")
            if len(row) == 6 and len(row[1].split()) == 1 and says_something(row[3], row[4]):
                yield Commit(row[0], row[1], row[2], row[4], row[5].strip())


def _holds(repository: Path, later: str, earlier: str) -> bool:
    command = ["git", "-C", str(repository), "merge-base", "--is-ancestor", earlier, later]
    return subprocess.run(command, check=False, capture_output=True).returncode == 0
