"""Reads a SCIP index document by document; the fields are those of the public schema, scip.proto."""

from __future__ import annotations

import mmap
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from recollect.errors import UsageError
from recollect.evidence.protobuf import CutShort, Value, fields, numbers, text

_METADATA, _DOCUMENTS = 1, 2
_DEFINITION = 1
_LOCAL = "local "


class Occurrence(NamedTuple):
    """A place where a symbol is named."""

    line: int
    """0-based."""
    column: int
    symbol: str
    definition: bool


class Relation(NamedTuple):
    """What one symbol is to another."""

    symbol: str
    target: str


class Document(NamedTuple):
    """One source file of an index."""

    path: str
    language: str
    occurrences: tuple[Occurrence, ...]
    implementations: tuple[Relation, ...]
    text: str
    encoding: int
    """How columns count: 1 UTF-8 bytes, 2 UTF-16 units, 3 characters, 0 not said."""


class Index:
    """An open SCIP file; it may be read several times."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.tool = ""
        self.version = ""
        self.cut_short = ""
        try:
            with file.open("rb") as handle:
                size = handle.seek(0, 2)
                self._map = mmap.mmap(handle.fileno(), 0, access=mmap.ACCESS_READ) if size else b""
        except (OSError, ValueError) as error:
            raise UsageError(f"{file} cannot be read: {error}. Name a SCIP file.") from error

    def documents(self) -> Iterator[Document]:
        """Yield every document that is whole; what cut the file short is remembered."""
        read = 0
        try:
            for field, value in fields(memoryview(self._map)):
                if field == _METADATA and not isinstance(value, int):
                    self._metadata(value)
                elif field == _DOCUMENTS and not isinstance(value, int):
                    yield _document(value)
                    read += 1
        except CutShort as error:
            self.cut_short = f"{self.file.name} is cut short or damaged after {read} documents ({error})"

    def _metadata(self, data: memoryview) -> None:
        for field, value in fields(data):
            if field == 2 and not isinstance(value, int):
                for inner, told in fields(value):
                    if inner == 1:
                        self.tool = text(told)
                    elif inner == 2:
                        self.version = text(told)


def _document(data: memoryview) -> Document:
    path = language = source = ""
    encoding = 0
    occurrences: list[Occurrence] = []
    relations: list[Relation] = []
    for field, value in fields(data):
        if field == 1:
            path = text(value)
        elif field == 4:
            language = text(value)
        elif field == 5:
            source = text(value)
        elif field == 6 and isinstance(value, int):
            encoding = value
        elif field == 2 and not isinstance(value, int):
            one = _occurrence(value)
            if one is not None:
                occurrences.append(one)
        elif field == 3 and not isinstance(value, int):
            relations += _relations(value)
    return Document(path, language, tuple(occurrences), tuple(relations), source, encoding)


def _occurrence(data: memoryview) -> Occurrence | None:
    span: list[int] = []
    symbol, roles = "", 0
    for field, value in fields(data):
        if field == 1:
            span += numbers(value)
        elif field == 2:
            symbol = text(value)
        elif field == 3 and isinstance(value, int):
            roles = value
    if len(span) < 3 or not symbol or symbol.startswith(_LOCAL):
        return None
    return Occurrence(span[0], span[1], symbol, bool(roles & _DEFINITION))


def _relations(data: memoryview) -> list[Relation]:
    symbol = ""
    targets: list[str] = []
    for field, value in fields(data):
        if field == 1:
            symbol = text(value)
        elif field == 4 and not isinstance(value, int):
            target, implements = _relation(value)
            if implements and target:
                targets.append(target)
    return [Relation(symbol, target) for target in targets]


def _relation(data: Value) -> tuple[str, bool]:
    target, implements = "", False
    assert not isinstance(data, int)
    for field, value in fields(data):
        if field == 1:
            target = text(value)
        elif field == 3:
            implements = bool(value)
    return target, implements
