"""What repeats a memory outside its store: the journals of sessions, which note what was said in them."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable
from pathlib import Path

JOURNALS = "sessions"


def wipe_journals(folders: Iterable[Path], words: Collection[str]) -> None:
    """Remove every line of the journals in some folders that holds any of some words, in any case."""
    if not words:
        return
    pattern = re.compile("|".join(map(re.escape, sorted(words))), re.IGNORECASE)
    for folder in folders:
        for file in folder.glob("*.jsonl"):
            lines = file.read_text("utf-8", "replace").splitlines(keepends=True)
            kept = [line for line in lines if not pattern.search(line)]
            if len(kept) < len(lines):
                _write_over(file, "".join(kept).encode())


def _write_over(file: Path, content: bytes) -> None:
    """Overwrite a file in its place, so that nothing of it stays behind in another one."""
    handle = os.open(file, os.O_RDWR)
    try:
        length = os.fstat(handle).st_size
        os.pwrite(handle, content + b"\n" * max(0, length - len(content)), 0)
        os.fsync(handle)
        os.ftruncate(handle, len(content))
    finally:
        os.close(handle)
