"""Reads a file as the index wants it: its text without secrets, or the reason why it is left out."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from recollect.index.task import Choice
from recollect.source.classify import GENERATED, MINIFIED, reason_by_content, reason_by_path
from recollect.source.languages import language_of
from recollect.source.read import MISSING, read_source
from recollect.source.secrets import redact


@dataclass(frozen=True, slots=True)
class Source:
    """A file that was read, or was not for the reason given."""

    path: str
    size: int
    mtime_ns: int
    content: bytes = b""
    """Hash of the bytes on disk."""
    text: bytes = b""
    language: str = ""
    generated: bool = False
    skipped: str = ""
    notes: tuple[str, ...] = ()


def read_for_index(root: Path, path: str, size: int, choice: Choice) -> Source | None:
    """Return the file, or None when it is gone."""
    by_path = reason_by_path(path, size, choice.max_file_bytes)
    limit = 0 if choice.refuses(by_path) else choice.max_file_bytes
    # Left-out files are opened all the same, for the size and time by which they are known later.
    file = read_source(root, path, limit)
    if file.reason == MISSING:
        return None
    if choice.refuses(by_path):
        return Source(path, file.size, file.mtime_ns, skipped=by_path)
    if file.reason:
        return Source(path, file.size, file.mtime_ns, skipped=file.reason)
    by_content = reason_by_content(path, file.text)
    if choice.refuses(by_content):
        return Source(path, file.size, file.mtime_ns, skipped=by_content)
    clean = redact(file.text, path)
    hidden = tuple(
        f"A secret ({finding.rule}) in line {finding.line} was hidden." for finding in clean.findings
    )
    return Source(
        path,
        file.size,
        file.mtime_ns,
        file.content,
        clean.content,
        language_of(path, clean.content),
        GENERATED in {by_path, by_content} or MINIFIED in {by_path, by_content},
        notes=(*file.notes, *hidden),
    )
