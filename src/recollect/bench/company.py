"""Which words stand together in a repository: pieces of its files as words, for finding synonyms."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from recollect.bench.baselines.documents import CHUNK_CHARACTERS, MAX_FILE_BYTES
from recollect.bench.baselines.fulltext import parts_of
from recollect.bench.overlap import words
from recollect.source.git import run_git

MOST = 4000
"""How many pieces are read; of more, every second, third or further one."""


def texts(root: Path) -> list[list[str]]:
    """Return the words of pieces of the files that git knows, names also in their parts; nothing outside of git."""
    listing = run_git(root, "ls-files", "-z") or ""
    pieces = [piece for name in sorted(listing.split("\0")) if name for piece in _pieces(root / name)]
    step = -(-len(pieces) // MOST) or 1
    return [words(f"{piece} {parts_of(piece)}") for piece in pieces[::step]]


def _pieces(file: Path) -> Iterator[str]:
    if file.is_symlink() or not file.is_file() or file.stat().st_size > MAX_FILE_BYTES:
        return
    content = file.read_bytes()
    if b"\0" in content[:8192]:
        return
    text = content.decode("utf-8", "replace")
    for start in range(0, len(text), CHUNK_CHARACTERS):
        yield text[start : start + CHUNK_CHARACTERS]
