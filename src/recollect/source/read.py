"""Reads a file once and whole: its bytes, their hash and the text in UTF-8, or the reason why not."""

from __future__ import annotations

import codecs
import os
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from stat import S_ISREG
from typing import NamedTuple

from recollect.source.classify import DEFAULT_SIZE_CAP, TOO_LARGE

UNREADABLE, UNSTABLE, MISSING = "unreadable", "unstable", "missing"
_ATTEMPTS = 3
_NO_LINKS = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


class Decoded(NamedTuple):
    """A text in UTF-8 without a byte order mark, with what had to be done to get it."""

    text: bytes
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file as it was read; `reason` says why there is no text, and is empty when there is."""

    path: str
    size: int
    mtime_ns: int
    content: bytes = b""
    """32-byte hash of the bytes on disk, empty when they were not read."""
    text: bytes = b""
    """UTF-8, line ends as they are; every span counts in these bytes."""
    notes: tuple[str, ...] = ()
    reason: str = ""
    detail: str = ""


def read_source(
    root: Path,
    path: str,
    size_cap: int = DEFAULT_SIZE_CAP,
    attempts: int = _ATTEMPTS,
    between: Callable[[], object] | None = None,
) -> SourceFile:
    """Read a file below the root; one that changes meanwhile is read again, then reported as unstable.

    `between` is called after each read and before the check whether the file changed.
    """
    place = f"{root}/{path}"
    for _ in range(attempts):
        try:
            before, content, after = _read_once(place, size_cap, between)
        except FileNotFoundError:
            return SourceFile(path, 0, 0, reason=MISSING, detail="it is not there any more")
        except OSError as error:
            return SourceFile(
                path, 0, 0, reason=UNREADABLE, detail=f"it cannot be read: {error.strerror or error}"
            )
        size, mtime_ns = before.st_size, before.st_mtime_ns
        if not S_ISREG(before.st_mode):
            return SourceFile(path, size, mtime_ns, reason=UNREADABLE, detail="it is not a regular file")
        if content is None:
            return SourceFile(
                path, size, mtime_ns, reason=TOO_LARGE, detail=f"it is larger than {size_cap} bytes"
            )
        if (size, mtime_ns, len(content)) == (after.st_size, after.st_mtime_ns, size):
            text, notes = decode(content)
            return SourceFile(path, size, mtime_ns, content_hash(content), text, notes)
    return SourceFile(
        path, size, mtime_ns, reason=UNSTABLE, detail=f"it changed during each of {attempts} reads"
    )


def content_hash(content: bytes) -> bytes:
    """Return the 32-byte hash that names bytes everywhere in recollect."""
    return blake2b(content, digest_size=32).digest()


def decode(content: bytes) -> Decoded:
    """Turn bytes into UTF-8 text: UTF-8 as it is, UTF-16 by its mark, anything else as latin-1 with a note."""
    if content.isascii():
        return Decoded(content)
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        text = content.decode("utf-16", "replace").encode("utf-8", "replace")
        return Decoded(text, ("The file is UTF-16; it was turned into UTF-8.",))
    plain = content.removeprefix(codecs.BOM_UTF8)
    try:
        plain.decode("utf-8")
    except UnicodeDecodeError:
        return Decoded(
            content.decode("latin-1").encode("utf-8"), ("The file is not UTF-8; it was read as latin-1.",)
        )
    return Decoded(plain)


def _read_once(
    place: str, size_cap: int, between: Callable[[], object] | None
) -> tuple[os.stat_result, bytes | None, os.stat_result]:
    descriptor = os.open(place, os.O_RDONLY | _NO_LINKS)
    with os.fdopen(descriptor, "rb", buffering=0) as file:
        before = os.fstat(descriptor)
        if not S_ISREG(before.st_mode) or before.st_size > size_cap:
            return before, None, before
        content = file.read(before.st_size + 1)
        if between:
            between()
        return before, content, os.lstat(place)
