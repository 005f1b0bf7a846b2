"""Notes in Markdown: each item of a list and each paragraph is a memory, its headings say what it is about."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from recollect.memory.imports.naming import kind_of
from recollect.memory.imports.taken import Taken, plain

_HEADING = re.compile(r"(#{1,6})\s+(.+?)\s*#*\s*$")
_ITEM = re.compile(r"[-*+]\s+(?:\[[ xX]\]\s+)?|\d+[.)]\s+")
_FENCE = re.compile(r"\s*(```|~~~)")
_DAY = re.compile(r"\b\d{4}-\d{2}-\d{2}\b")


def read_markdown(path: Path) -> Taken:
    """Read one file, or every .md file below a folder."""
    files = sorted(path.rglob("*.md")) if path.is_dir() else [path]
    taken = Taken()
    for file in files:
        name = file.relative_to(path).as_posix() if path.is_dir() else file.name
        lines = _without_front(file.read_text("utf-8-sig").splitlines())
        taken.rows += [_row(text, headings, name) for text, headings in _pieces(lines)]
    return taken


def _row(text: str, headings: list[str], name: str) -> dict[str, Any]:
    kinds = [kind for heading in reversed(headings) if (kind := kind_of(heading))]
    days = [day[0] for heading in reversed(headings) if (day := _DAY.search(heading))]
    metadata = {"heading": " > ".join(headings)}
    fields = {"kind": kinds[:1] and kinds[0], "created": days[:1] and days[0], "metadata": plain(metadata)}
    return plain(fields) | {"text": text, "source": name}


def _without_front(lines: list[str]) -> list[str]:
    if lines and lines[0].strip() == "---":
        for at, line in enumerate(lines[1:], start=1):
            if line.strip() == "---":
                return lines[at + 1 :]
    return lines


def _pieces(lines: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield each item and paragraph with the headings above it; a block of code belongs to what stands before it."""
    headings: list[tuple[int, str]] = []
    piece: list[str] = []
    fence = ""
    for line in lines:
        opened = _FENCE.match(line)
        if fence or opened:
            piece.append(line)
            fence = "" if fence and opened and opened[1] == fence else fence or (opened[1] if opened else "")
            continue
        heading = _HEADING.match(line)
        if heading or not line.strip() or _ITEM.match(line):
            yield from _ended(piece, headings)
            piece = []
        if heading:
            headings = [one for one in headings if one[0] < len(heading[1])]
            headings.append((len(heading[1]), heading[2]))
        elif line.strip():
            piece.append(_ITEM.sub("", line, count=1) if _ITEM.match(line) else line)
    yield from _ended(piece, headings)


def _ended(piece: list[str], headings: list[tuple[int, str]]) -> Iterator[tuple[str, list[str]]]:
    text = "\n".join(piece).strip()
    if text and any(sign.isalnum() for sign in text):
        yield text, [name for _, name in headings]
