"""Reads Cobertura reports as they stream by; entities are refused, and nothing outside the file is looked at."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO
from xml.parsers import expat  # entities are refused below, which is what makes XML dangerous

from recollect.evidence.runtime.sums import Call, FileRun

_BLOCK = 1 << 16


class XmlError(Exception):
    """The file is no report, or ends too early."""


class Cobertura:
    """A report while it is read."""

    def __init__(self, last: float) -> None:
        self._last = last
        self._parser = expat.ParserCreate()
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._text
        self._parser.EntityDeclHandler = self._entity
        self._done: list[FileRun] = []
        self._sources: list[str] = []
        self._in_source = False
        self._file: FileRun | None = None
        self._method = ""
        self._called = False
        self._root = ""

    def files(self, file: IO[bytes]) -> Iterator[FileRun]:
        """Yield what ran of each class; XmlError comes after what could be read."""
        try:
            while block := file.read(_BLOCK):
                self._parser.Parse(block, False)
                yield from self._taken()
            self._parser.Parse(b"", True)
        except expat.ExpatError as error:
            yield from self._taken()
            raise XmlError(str(error)) from error
        yield from self._taken()

    def _taken(self) -> list[FileRun]:
        done, self._done = self._done, []
        return done

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if not self._root:
            self._root = name
            if name != "coverage":
                raise XmlError(f"its first element is <{name}>, where a Cobertura report has <coverage>")
            stamp = _number(attributes.get("timestamp", ""))
            if stamp > 0:
                self._last = min(self._last, stamp / 1000 if stamp > 1e11 else stamp)
        elif name == "source":
            self._in_source = True
            self._sources.append("")
        elif name == "class":
            self._file = FileRun(self._paths(attributes.get("filename", "")), self._last)
        elif name == "method":
            self._method, self._called = attributes.get("name", ""), False
        elif name == "line" and self._file is not None:
            self._line(
                self._file,
                int(_number(attributes.get("number", ""))),
                int(_number(attributes.get("hits", ""))),
            )

    def _line(self, file: FileRun, number: int, hits: int) -> None:
        if number <= 0:
            return
        if self._method and not self._called:
            file.calls.append(Call(self._method, number, hits))
            self._called = True
        if hits > 0:
            file.hits[number] = max(hits, file.hits.get(number, 0))

    def _end(self, name: str) -> None:
        if name == "source":
            self._in_source = False
        elif name == "method":
            self._method = ""
        elif name == "class" and self._file is not None:
            self._done.append(self._file)
            self._file = None

    def _text(self, data: str) -> None:
        if self._in_source:
            self._sources[-1] += data

    def _entity(self, name: str, *_: object) -> None:
        raise XmlError(f"it declares an entity, {name}, which no coverage report needs")

    def _paths(self, name: str) -> tuple[str, ...]:
        roots = [one.strip().rstrip("/\\") for one in self._sources]
        return (*(f"{root}/{name}" for root in roots if root and root != "."), name)


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0
