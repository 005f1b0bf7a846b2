"""What whoever prepares files is told: the settings once, then one task for each file."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from recollect.source.classify import GENERATED, VENDORED

LARGE_BYTES = 65536
"""Larger files are parsed in a process that can be ended, and answered one by one; no smaller one takes long."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What of the doubtful files is wanted."""

    max_file_bytes: int
    include_vendored: bool
    include_generated: bool

    def refuses(self, reason: str) -> bool:
        """Tell whether a file is left out for a reason."""
        if reason == VENDORED:
            return not self.include_vendored
        if reason == GENERATED:
            return not self.include_generated
        return bool(reason)


class Setup(msgspec.Struct, frozen=True, array_like=True):
    """What a worker must know before its first file."""

    root: str
    parsed_db: str
    """Where known facts are looked up; empty for nowhere."""
    choice: Choice


class Task(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One file to look at."""

    path: str
    size: int
    mtime_ns: int = 0
    known: bytes = b""
    """The hash under which it is indexed; when the bytes still have it there is nothing to do."""
    plain: str = ""
    """Why it is read as text without structure, empty when it is parsed."""
