"""Resolves what files refer to by a SCIP index; files that have changed since it was made are told and left out."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from recollect.evidence.enrich import Job
from recollect.evidence.places import Places
from recollect.evidence.questions import Question, questions, utf16
from recollect.evidence.record import Target, record
from recollect.evidence.scip.read import Document, Index, Occurrence
from recollect.evidence.values import ToolReport
from recollect.parse import parse
from recollect.ports import FileRecord
from recollect.source.read import read_source
from recollect.store.resolved import evidence_key, pack
from recollect.types import Progress

_BATCH = 50
_MOVED = 0.1
"""A file in which more of the names stand elsewhere than this was changed since the index was made."""


class _Definition(NamedTuple):
    path: str
    line: int
    column: int


def resolve_from(job: Job, file: Path, files: Sequence[FileRecord]) -> ToolReport:
    """Resolve every file that an index has and that is still as it was then."""
    index = Index(file)
    records = {one.path: one for one in files}
    paths = _Paths(records)
    definitions = _definitions(index, paths)
    run = _Run(job, definitions)
    seen = 0
    for document in index.documents():
        path = paths.of(document.path)
        if path is None:
            continue
        seen += 1
        run.document(records[path], document)
        job.tell(Progress(file.name, seen, 0, path))
    run.keep()
    _remark(job, index, run, paths)
    languages = tuple(sorted({records[path].language for path in paths.known()}))
    return ToolReport(
        index.tool or file.name, index.version, languages, seen, run.done, 0, len(run.moved), 0,
        run.questions, run.answered,
    )  # fmt: skip


class _Paths:
    """Finds the files of this project that an index means, which may have been made for a folder above or below."""

    def __init__(self, records: Mapping[str, FileRecord]) -> None:
        self._records = records
        self._found: dict[str, str | None] = {}
        self._by_name: dict[str, list[str]] = {}
        for path in records:
            self._by_name.setdefault(PurePosixPath(path).name, []).append(path)

    def of(self, path: str) -> str | None:
        """Return the path here, None when the file is not indexed or several would fit."""
        if path not in self._found:
            self._found[path] = path if path in self._records else self._by_suffix(path)
        return self._found[path]

    def known(self) -> list[str]:
        """Return the paths that were found."""
        return [path for path in self._found.values() if path is not None]

    def strange(self) -> list[str]:
        """Return the paths that were not."""
        return [path for path, found in self._found.items() if found is None]

    def _by_suffix(self, path: str) -> str | None:
        near = [
            one for one in self._by_name.get(PurePosixPath(path).name, ())
            if one.endswith(f"/{path}") or path.endswith(f"/{one}")
        ]  # fmt: skip
        return near[0] if len(near) == 1 else None


def _definitions(index: Index, paths: _Paths) -> dict[str, _Definition]:
    found: dict[str, _Definition] = {}
    for document in index.documents():
        path = paths.of(document.path)
        for one in document.occurrences:
            if one.definition and path is not None:
                found.setdefault(one.symbol, _Definition(path, one.line, one.column))
    return found


class _Run:
    """What is gathered while the documents go by."""

    def __init__(self, job: Job, definitions: Mapping[str, _Definition]) -> None:
        self._job = job
        self._definitions = definitions
        self._places = Places(job.root, job.ask)
        self._rows: list[tuple[bytes, bytes]] = []
        self.moved: list[str] = []
        self.done = self.questions = self.answered = 0

    def document(self, file: FileRecord, document: Document) -> None:
        """Resolve one file."""
        source = read_source(self._job.root, file.path)
        if source.reason or source.content != file.content:
            self.moved.append(file.path)
            return
        lines = source.text.decode("utf-8", "replace").split("\n")
        if _changed(document, source.text, lines):
            self.moved.append(file.path)
            return
        facts = parse(file.path, file.language, source.text)
        by_place = {(one.line, one.column): one for one in document.occurrences if not one.definition}
        asked = questions(facts, lines)
        replies = [
            (question, self._targets(by_place.get((question.line - 1, _column(question, lines, document)))))
            for question in asked
        ]
        made = record(file.path, facts, self._places, replies, "scip")
        self.questions += len(asked)
        self.answered += made.answered
        self.done += 1
        self._rows.append((evidence_key(file.content, file.path), pack(made.resolved)))
        if len(self._rows) >= _BATCH:
            self.keep()

    def keep(self) -> None:
        """Keep what was resolved so far."""
        self._job.evidence.put_resolved("scip", time.time(), self._rows)
        self._rows.clear()

    def _targets(self, found: Occurrence | None) -> list[Target] | None:
        if found is None:
            return None
        known = self._definitions.get(found.symbol)
        if known is None:
            return [Target(Path(), 0, "", outside=_readable(found.symbol))]
        place = self._job.root / known.path
        return [Target(place, known.line + 1, self._places.word(place, known.line, known.column))]


def _column(question: Question, lines: Sequence[str], document: Document) -> int:
    line = lines[question.line - 1]
    if document.encoding == 1:
        return len(line[: question.column].encode("utf-8", "surrogatepass"))
    return question.column if document.encoding == 3 else utf16(line, question.column)


def _changed(document: Document, content: bytes, lines: Sequence[str]) -> bool:
    """Say whether a file is another one than was indexed: by its text where that is in the index, else by its names."""
    if document.text:
        return document.text.encode() != content
    told = [(one, _last(one.symbol)) for one in document.occurrences if one.definition]
    named = [(one, name) for one, name in told if name]
    wrong = sum(one.line >= len(lines) or name not in lines[one.line] for one, name in named)
    beyond = any(one.line >= len(lines) for one in document.occurrences)
    return beyond or wrong > _MOVED * len(named)


def _last(symbol: str) -> str:
    """Return the name that a symbol's last descriptor holds, empty where it is no name of the source."""
    found = re.search(r"(?:^|[/#.:\s(\[])`?([A-Za-z_$][\w$]*)`?(?:\((?:\+\d+)?\)\.|[#.:!])$", symbol)
    return "" if found is None or found[1].startswith("__") or symbol.endswith(":") else found[1]


def _readable(symbol: str) -> str:
    """Return package and descriptors of a symbol without the scheme and the manager."""
    parts = symbol.split(" ")
    return " ".join(part for part in parts[2:] if part and part != ".") or symbol


def _remark(job: Job, index: Index, run: _Run, paths: _Paths) -> None:
    if index.cut_short:
        job.notes.append(
            f"{index.cut_short}; what was read before counts. Make the index again for the rest."
        )
    if run.moved:
        some = ", ".join(run.moved[:3])
        job.notes.append(
            f"{len(run.moved)} files changed since the index was made and were left as they were ({some}); "
            "make it again to have them resolved."
        )
    strange = paths.strange()
    if strange:
        job.notes.append(f"{len(strange)} files of the index are not indexed here, such as {strange[0]}.")
    if not index.cut_short and not paths.known() and not strange:
        job.notes.append(f"{index.file.name} holds no documents; is it a SCIP index?")
