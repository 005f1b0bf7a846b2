"""Reads one report as it streams by, whatever its format and size."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from hashlib import blake2b
from itertools import chain
from pathlib import Path
from typing import IO, NamedTuple

import ijson
import msgspec

from recollect.errors import UsageError
from recollect.evidence.protobuf import CutShort, messages
from recollect.evidence.runtime.cobertura import Cobertura, XmlError
from recollect.evidence.runtime.coverage_py import files_of_database, files_of_report, reason, report_time
from recollect.evidence.runtime.follow import Follower, Span
from recollect.evidence.runtime.formats import opened
from recollect.evidence.runtime.lcov import Lcov
from recollect.evidence.runtime.otlp import JsonSpan, span_of, spans_of_json, spans_of_protobuf
from recollect.evidence.runtime.plain import read_plain
from recollect.evidence.runtime.sums import FileRun, Sums

_LONGEST = 64 << 20
"""A line that is longer is damaged."""
_LONGEST_FIRST = 4 << 20
"""A first line that is longer is taken for a whole document, which is read piece by piece."""
_SPANS = "resourceSpans.item.scopeSpans.item.spans.item"
_DAMAGE = (ijson.JSONError, UnicodeDecodeError, EOFError, zlib.error, OSError)


class Report(NamedTuple):
    """A file of evidence."""

    path: Path
    format: str
    last: float
    """When what does not say its own time was seen: when the file was written."""


Take = Callable[[FileRun], None]
Tell = Callable[[int], None]


class Passing:
    """A file that counts and hashes what is read of it."""

    def __init__(self, file: IO[bytes], tell: Tell) -> None:
        self._file = file
        self._tell = tell
        self._hash = blake2b(digest_size=16)
        self.bytes = 0

    def read(self, size: int = -1) -> bytes:
        """Read some bytes."""
        return self._noted(self._file.read(size))

    def readline(self, size: int = -1) -> bytes:
        """Read a line, or as much of it as fits."""
        return self._noted(self._file.readline(size))

    def digest(self) -> str:
        """Return the hash of everything that was read."""
        return self._hash.hexdigest()

    def _noted(self, data: bytes) -> bytes:
        self._hash.update(data)
        self.bytes += len(data)
        self._tell(self.bytes)
        return data


def read_report(report: Report, sums: Sums, take: Take, tell: Tell) -> str:
    """Read a report into sums, files by `take`; return its hash. What is damaged costs what comes after it."""
    with opened(report.path) as raw:
        file = Passing(raw, tell)
        try:
            _READERS[report.format](file, report, sums, take)
        except _DAMAGE as error:
            sums.notes.append(_cut_short(report, sums, error))
        except XmlError as error:
            sums.notes.append(f"{report.path.name} could be read only in part: {error}.")
        return file.digest()


def _otlp(file: Passing, report: Report, sums: Sums, _: Take) -> None:
    follower = Follower(sums)
    first = file.readline(_LONGEST_FIRST)
    damaged = 0
    if first.endswith(b"\n") and _is_message(first):
        for line in chain([first], iter(lambda: file.readline(_LONGEST), b"")):
            if not line.strip():
                continue
            try:
                _follow(spans_of_json(line), follower, report, sums)
            except msgspec.MsgspecError:
                damaged += 1
    else:
        found = ijson.items(_Again(first, file), _SPANS, use_float=True, multiple_values=True)
        try:
            _follow(map(_of_json, found), follower, report, sums)
        finally:
            follower.close()
    follower.close()
    if damaged:
        sums.notes.append(
            f"{damaged:,} lines of {report.path.name} are cut short or no trace, and were passed over."
        )
    if follower.lost:
        sums.notes.append(
            f"{follower.lost:,} steps of {report.path.name} lead from spans that are not in it, or that stand far "
            "from what they called."
        )


def _otlp_protobuf(file: Passing, report: Report, sums: Sums, _: Take) -> None:
    follower = Follower(sums)
    try:
        for message in messages(file):
            _follow(spans_of_protobuf(message), follower, report, sums)
    except CutShort as error:
        sums.notes.append(_cut_short(report, sums, error))
    follower.close()


def _coverage(file: Passing, report: Report, sums: Sums, take: Take) -> None:
    while file.read(1 << 20):
        pass
    try:
        _give(files_of_database(report.path, report.last), sums, take)
    except UsageError as error:
        sums.notes.append(_cut_short(report, sums, reason(error)))


def _coverage_json(file: Passing, report: Report, sums: Sums, take: Take) -> None:
    with opened(report.path) as head:
        told = next(ijson.items(head, "meta.timestamp"), "")
    _give(files_of_report(file, report_time(str(told), report.last)), sums, take)  # type: ignore[arg-type]


def _lcov(file: Passing, report: Report, sums: Sums, take: Take) -> None:
    reader = Lcov(report.last)
    _give(reader.files(file), sums, take)  # type: ignore[arg-type]
    if reader.cut_short:
        sums.notes.append(
            f"{report.path.name} is cut short after {sums.records:,} files; what was read counts."
        )
    if reader.damaged:
        sums.notes.append(
            f"{reader.damaged:,} lines of {report.path.name} could not be read and were passed over."
        )


def _cobertura(file: Passing, report: Report, sums: Sums, take: Take) -> None:
    _give(Cobertura(report.last).files(file), sums, take)  # type: ignore[arg-type]


def _jsonl(file: Passing, report: Report, sums: Sums, _: Take) -> None:
    damaged = read_plain(file, sums, report.last)  # type: ignore[arg-type]
    if damaged:
        sums.notes.append(f"{damaged:,} lines of {report.path.name} could not be read and were passed over.")


_READERS: dict[str, Callable[[Passing, Report, Sums, Take], None]] = {
    "otlp": _otlp, "otlp-protobuf": _otlp_protobuf, "coverage": _coverage, "coverage-json": _coverage_json,
    "lcov": _lcov, "cobertura": _cobertura, "jsonl": _jsonl,
}  # fmt: skip


class _Again:
    """A file whose beginning was read already."""

    def __init__(self, begun: bytes, file: Passing) -> None:
        self._begun = memoryview(begun)
        self._file = file

    def read(self, size: int = -1) -> bytes:
        if not self._begun or size == 0:
            return self._file.read(size) if size else b""
        given = self._begun if size < 0 else self._begun[:size]
        self._begun = self._begun[len(given) :]
        return bytes(given)


def _follow(spans: Iterator[Span], follower: Follower, report: Report, sums: Sums) -> None:
    for span in spans:
        sums.records += 1
        sums.unnamed += span.frame is None
        follower.add(span if span.ended > 0 else span._replace(ended=report.last))


def _of_json(told: object) -> Span:
    try:
        return span_of(msgspec.convert(told, JsonSpan, strict=False))
    except msgspec.MsgspecError:
        return Span(0, 0, None, 0.0)


def _is_message(line: bytes) -> bool:
    try:
        msgspec.json.decode(line, type=msgspec.Raw)
    except msgspec.MsgspecError:
        return False
    return True


def _give(runs: Iterator[FileRun], sums: Sums, take: Take) -> None:
    for run in runs:
        sums.records += 1
        take(run)


def _cut_short(report: Report, sums: Sums, error: object) -> str:
    return (
        f"{report.path.name} is cut short or damaged after {sums.records:,} records ({str(error).strip()}); "
        "what was read before counts."
    )
