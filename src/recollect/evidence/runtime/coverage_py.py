"""Reads what coverage.py writes: its database, and its report in JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from itertools import groupby
from pathlib import Path
from typing import IO, Any

import ijson

from recollect.errors import UsageError
from recollect.evidence.runtime.sums import FileRun
from recollect.store.sqlite.foreign import ForeignFile, open_foreign

_TABLES = ("file", "context", "line_bits", "arc")
_LARGEST_LINE = 1 << 20


def is_coverage(path: Path) -> bool:
    """Tell whether a database is one of coverage.py."""
    try:
        with open_foreign(path) as data:
            return all(name in data.tables() for name in _TABLES)
    except UsageError as error:
        raise UsageError(f"{reason(error)}; make it again.") from error


def reason(error: UsageError) -> str:
    """Return what is wrong with a database, without what that means to whoever imports one."""
    return str(error).partition("; nothing was")[0]


def files_of_database(path: Path, last: float) -> Iterator[FileRun]:
    """Yield what ran of each file; a damaged database raises UsageError after what could be read."""
    with open_foreign(path) as data:
        names = {row["id"]: str(row["path"]) for row in data.rows("file")}
        contexts = {row["id"]: str(row["context"] or "") for row in data.rows("context")}
        for number, rows in groupby(_rows(data), key=lambda row: row[0]):
            if number not in names:
                continue
            run = FileRun((names[number],), last, exact=True)
            try:
                for _, context, lines, entered in rows:
                    _add(run, contexts.get(context, ""), lines, entered)
            except UsageError:
                yield counted(run)
                raise
            yield counted(run)


def files_of_report(file: IO[bytes], last: float) -> Iterator[FileRun]:
    """Yield what ran of each file; a report that is cut short raises ijson.JSONError after what could be read."""
    for path, told in ijson.kvitems(file, "files", use_float=True):
        if isinstance(told, dict):
            yield _of_report(path, told, last)


def report_time(text: str, last: float) -> float:
    """Return when a report says it was made, if that is before the file was written."""
    try:
        return min(last, datetime.fromisoformat(text).timestamp())
    except (ValueError, OverflowError):
        return last


def counted(run: FileRun) -> FileRun:
    """Let a line count as often as there are tests that ran it, and once when none is named."""
    for test, bits in run.tests.items():
        for line in _lines(bits):
            run.hits[line] = run.hits.get(line, 0) + bool(test)
    run.hits = {line: max(1, times) for line, times in run.hits.items()}
    return run


def _rows(data: ForeignFile) -> Iterator[tuple[int, int, int, int]]:
    """Yield, file by file, file, context, lines that ran and lines at which functions were entered."""
    for row in data.rows("line_bits", "file_id"):
        yield row["file_id"], row["context_id"], int.from_bytes(row["numbits"], "little"), 0
    for row in data.rows("arc", "file_id"):
        begin, end = row["fromno"], row["tono"]
        bits = sum(1 << line for line in {begin, end} if 0 < line < _LARGEST_LINE)
        yield row["file_id"], row["context_id"], bits, 1 << -begin if -_LARGEST_LINE < begin < 0 else 0


def _add(run: FileRun, test: str, lines: int, entered: int) -> None:
    run.tests[test] = run.tests.get(test, 0) | lines
    if entered:
        run.entered[test] = run.entered.get(test, 0) | entered


def _of_report(path: str, told: Mapping[str, Any], last: float) -> FileRun:
    run = FileRun((path,), last, exact=True)
    for line in _whole(told.get("executed_lines")):
        run.tests[""] = run.tests.get("", 0) | 1 << line
    contexts = told.get("contexts")
    for line, tests in contexts.items() if isinstance(contexts, dict) else ():
        if line.isdigit() and int(line) < _LARGEST_LINE and isinstance(tests, list):
            for test in filter(None, map(str, tests)):
                run.tests[test] = run.tests.get(test, 0) | 1 << int(line)
    return counted(run)


def _whole(values: Any) -> list[int]:
    rows = values if isinstance(values, list) else []
    return [line for line in rows if isinstance(line, int) and 0 < line < _LARGEST_LINE]


def _lines(bits: int) -> Iterator[int]:
    return (place for place, digit in enumerate(reversed(f"{bits:b}")) if digit == "1")
