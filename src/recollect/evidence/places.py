"""From a place on disk to the symbol that is defined there."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

from recollect.evidence.questions import from_utf16, word_at
from recollect.graph.keys import last_part
from recollect.graph.tables import language_of
from recollect.ports import Reader
from recollect.store.ids import uid_from
from recollect.types import TYPE_KINDS, Item

Answer = TypeVar("Answer")
Ask = Callable[[Callable[[Reader], Answer]], Answer]

_PLACES = frozenset({"file", "chunk"})
_MARKS = (
    "stdlib/",
    "stubs/",
    "node_modules/",
    "site-packages/",
    "pkg/mod/",
    "registry/src/",
    "/src/",
    "lib/",
)
_VERSION = re.compile(r"^python\d(\.\d+)?/")
_LONGEST_LINES = 4 << 20


class Places:
    """Looks up items by where they stand; what it has read is kept for the run."""

    def __init__(
        self, root: Path, ask: Callable[[Callable[[Reader], Sequence[Item]]], Sequence[Item]]
    ) -> None:
        self._root = root
        self._real = Path(os.path.realpath(root))
        self._items = lru_cache(maxsize=4096)(
            lambda path: tuple(
                item for item in ask(lambda reader: reader.items_of(path)) if item.kind != "chunk"
            )
        )
        self._lines = lru_cache(maxsize=256)(_lines_of)

    def items(self, path: str) -> Sequence[Item]:
        """Return the symbols of a file, and the file itself."""
        return self._items(path)

    def file(self, path: str) -> Item | None:
        """Return the item of a file."""
        return next((item for item in self._items(path) if item.kind == "file"), None)

    def inside(self, place: Path) -> str | None:
        """Return a path as the index spells it, None when it lies outside the project."""
        for root, path in (
            (self._root, place),
            (self._real, place),
            (self._real, Path(os.path.realpath(place))),
        ):
            if path.is_relative_to(root):
                return path.relative_to(root).as_posix()
        return None

    def word(self, place: Path, line: int, column: int) -> str:
        """Return the name at a place as a language server gives it."""
        lines = self._lines(place)
        text = lines[line] if line < len(lines) else ""
        return word_at(text, from_utf16(text, column))

    def defined(self, path: str, line: int, name: str) -> Item | None:
        """Return the symbol of that name whose definition holds a 1-based line, the innermost first."""
        around = [
            item for item in self._items(path)
            if item.kind not in _PLACES and item.start_line <= line <= item.end_line
        ]  # fmt: skip
        named = [item for item in around if last_part(item.name) == name]
        return max(named, key=lambda item: (item.start_byte, -item.end_byte), default=None)

    def enclosing(self, path: str, line: int) -> Item | None:
        """Return the innermost symbol around a 1-based line."""
        around = [
            item for item in self._items(path)
            if item.kind not in _PLACES and item.start_line <= line <= item.end_line
        ]  # fmt: skip
        return max(around, key=lambda item: (item.start_line, item.start_byte, -item.end_byte), default=None)

    def constructor(self, kind: Item) -> Item | None:
        """Return what runs when a type is called, if the type defines it."""
        if kind.kind not in TYPE_KINDS:
            return None
        last = last_part(kind.name)
        wanted = {
            f"{kind.name}.{last if name == '*' else name}" for name in language_of(kind.language).constructors
        }
        return next((item for item in self._items(kind.path) if item.name in wanted), None)


def outside_name(place: Path, word: str) -> tuple[int, str]:
    """Return uid and name of what lies outside the repository."""
    text = place.as_posix()
    for mark in _MARKS:
        if mark in text:
            text = text.rpartition(mark)[2]
            break
    else:
        text = "/".join(place.parts[-2:])
    text = _VERSION.sub("", text)
    name = f"external://{text.rpartition('.')[0] or text}#{word}"
    return uid_from("code", "outside", name), name


def _lines_of(place: Path) -> list[str]:
    try:
        with place.open("rb") as file:
            return file.read(_LONGEST_LINES).decode("utf-8", "replace").split("\n")
    except OSError:
        return []
