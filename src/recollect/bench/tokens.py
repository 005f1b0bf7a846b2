"""What a text costs a reader, estimated the same way for every retriever: a quarter of its characters."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from recollect.bench.values import Answer


def count_tokens(text: str) -> int:
    """Return the estimated tokens of a text, rounded up."""
    return (len(text) + 3) // 4


def file_tokens(folder: Path, answer: Answer) -> int:
    """Return the estimated tokens of the lines that an answer points to, or of its whole file."""
    lines = _line_lengths(folder / answer.path)
    start = (answer.start or 1) - 1
    end = answer.end if answer.end is not None else len(lines)
    return (sum(lines[start:end]) + 3) // 4


@lru_cache(maxsize=512)
def _line_lengths(file: Path) -> tuple[int, ...]:
    try:
        text = file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ()
    return tuple(len(line) for line in text.splitlines(keepends=True))
