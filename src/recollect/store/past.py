"""What is kept of past commits: values that the store and whoever reads or writes history share."""

from __future__ import annotations

from typing import NamedTuple

BLOB_DIGITS = 15
KEPT_COMMITS = 64
"""How many of the newest commits of a symbol are kept one by one."""


class CommitRow(NamedTuple):
    """A commit with what it changed."""

    id: str
    time: int
    name: str
    email: str
    parents: int
    files: int
    changes: tuple[ChangeRow, ...]


class ChangeRow(NamedTuple):
    """A file that a commit changed; blobs are given by their first digits, 0 for none."""

    path: str
    before: str
    old: int
    new: int
    parent: int


class Step(NamedTuple):
    """A commit that made a blob of a file, as it is looked up when lines are followed back."""

    commit: int
    path: int
    old: int
    parent: int
    merge: bool


class Person(NamedTuple):
    """Somebody who changed a file."""

    name: str
    email: str
    commits: int
    latest: int
    """When last, in seconds since 1970."""


class FilePast(NamedTuple):
    """How often a file was changed, when last, and by whom, most commits first."""

    path: str
    commits: int
    latest: int
    people: tuple[Person, ...]


class SymbolPast(NamedTuple):
    """How often the lines of a symbol were changed, when last, and by which commits, newest first."""

    uid: int
    commits: int
    latest: int
    leaf: bool
    """Whether no other symbol lies inside it."""
    numbers: tuple[int, ...] = ()


class Pair(NamedTuple):
    """Two files or symbols that were changed by the same commits."""

    first: str | int
    second: str | int
    times: int
    percent: int
    """In how many of a hundred changes of the first the second was changed too."""


class PastState(NamedTuple):
    """How much of the history is known."""

    head: str = ""
    """The commit that everything was counted for; empty when nothing was."""
    commits: int = 0
    followed: int = 0
    """Commits whose lines are known too."""
    newest: int = 0
    """When the newest commit was made."""
    notes: tuple[str, ...] = ()
    """Why something is missing."""


def short_blob(text: str) -> int:
    """Return the number that stands for a blob id; 0 for none."""
    return int(text[:BLOB_DIGITS], 16) if text else 0
