"""Tells by its content what kind of report a file is."""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from typing import IO

from recollect.errors import UsageError
from recollect.evidence.runtime.coverage_py import is_coverage

FORMATS = ("otlp", "otlp-protobuf", "coverage", "coverage-json", "lcov", "cobertura", "jsonl")
_HEAD = 1 << 16
_SQLITE = b"SQLite format 3\0"
_ZIPPED = b"\x1f\x8b"
_MARKS = (
    ("otlp", re.compile(rb'^\s*\{\s*"resourceSpans"\s*:')),
    (
        "coverage-json",
        re.compile(rb'^\s*\{\s*"meta"\s*:\s*\{.*?"(version|branch_coverage|timestamp)"', re.DOTALL),
    ),
    ("cobertura", re.compile(rb"^\s*(<\?xml|<!DOCTYPE|<!--|<coverage\b)")),
    ("lcov", re.compile(rb"^(TN|SF):", re.MULTILINE)),
    ("jsonl", re.compile(rb'^\s*\{[^\n]*"(symbol|path)"\s*:')),
)
_OTHERS = (
    (re.compile(rb'^\s*\{\s*"data"\s*:\s*\[\s*\{\s*"traceID"'), "a Jaeger trace", "export it as OTLP JSON"),
    (re.compile(rb'^\s*\[\s*\{[^}]*"traceId"'), "a Zipkin trace", "export it as OTLP JSON"),
    (
        re.compile(rb'^\s*\{\s*"resource(Metrics|Logs)"'),
        "metrics or logs of OpenTelemetry",
        "observe takes its traces",
    ),
    (
        re.compile(rb"^mode: (set|count|atomic)"),
        "a Go cover profile",
        "convert it with gcov2lcov or gocover-cobertura",
    ),
)


def opened(path: Path) -> IO[bytes]:
    """Open a file, unpacking it where it is gzipped."""
    try:
        with path.open("rb") as file:
            zipped = file.read(len(_ZIPPED)) == _ZIPPED
        return gzip.open(path) if zipped else path.open("rb")  # type: ignore[return-value]
    except OSError as error:
        raise UsageError(
            f"{path} cannot be read: {error.strerror or error}. Name a report of runs."
        ) from error


def format_of(path: Path) -> str:
    """Return which of the formats a file has; what is none of them is an error with a sentence."""
    with opened(path) as file:
        try:
            head = file.read(_HEAD)
        except (OSError, EOFError) as error:
            raise UsageError(f"{path} cannot be unpacked: {error}.") from error
    if head.startswith(_SQLITE):
        if is_coverage(path):
            return "coverage"
        raise UsageError(f"{path} is a database, but not one of coverage.py.")
    head = head.removeprefix(b"\xef\xbb\xbf")
    for name, mark in _MARKS:
        if mark.search(head):
            return name
    for mark, what, cure in _OTHERS:
        if mark.search(head):
            raise UsageError(f"{path} looks like {what}, which is not read; {cure}.")
    raise UsageError(
        f"{path} is no report that is known: OpenTelemetry traces (OTLP JSON), a database or JSON report of "
        "coverage.py, LCOV, Cobertura XML, or JSON lines with `symbol` or `path`. Force one with --format: "
        f"{', '.join(FORMATS)}."
    )
