"""Reads data files and gathers everything that is wrong with them before anybody is told."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from recollect.errors import UsageError

SHOWN = 200


class DataSetError(UsageError):
    """A data set cannot be used; the message lists every problem with file and line."""

    def __init__(self, folder: Path, problems: list[str]) -> None:
        shown = "\n".join(f"  {problem}" for problem in problems[:SHOWN])
        rest = f"\n  and {len(problems) - SHOWN} more" if len(problems) > SHOWN else ""
        count = "1 problem" if len(problems) == 1 else f"{len(problems)} problems"
        super().__init__(
            f"The data set {folder} cannot be used, it has {count}; correct them and run again:\n{shown}{rest}"
        )
        self.problems = tuple(problems)


class Problems:
    """What was found wrong so far."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.found: list[str] = []
        self.unread: set[Path] = set()
        """Files that are missing or cannot be read: nothing can be held against them."""

    def add(self, file: Path, line: int, sentence: str) -> None:
        """Note one problem with its place."""
        place = file.relative_to(self.folder) if file.is_relative_to(self.folder) else file
        self.found.append(f"{place.as_posix()}:{line}: {sentence}")

    def raise_if_any(self) -> None:
        """Refuse the data set when anything was found."""
        if self.found:
            raise DataSetError(self.folder, self.found)


def read_lines(file: Path, problems: Problems) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the objects of a JSONL file with their line numbers; what cannot be read becomes a problem."""
    content = _bytes(file, problems)
    if content is None:
        return
    some = False
    for number, line in enumerate(content.split(b"\n"), start=1):
        if not line.strip():
            continue
        some = True
        try:
            row = json.loads(line.decode("utf-8"), parse_constant=_refuse)
        except UnicodeDecodeError as error:
            problems.add(file, number, f"is not UTF-8 ({error.reason} at byte {error.start})")
            continue
        except ValueError as error:
            problems.add(file, number, f"is not JSON ({error})")
            continue
        if not isinstance(row, dict):
            problems.add(file, number, f"must be an object, not {_kind(row)}")
            continue
        yield number, row
    if not some:
        problems.add(file, 1, "holds no rows")


def read_list(file: Path, problems: Problems) -> list[tuple[int, dict[str, Any]]]:
    """Return the objects of a JSON list with the line where each begins."""
    content = _bytes(file, problems)
    if content is None:
        return []
    try:
        text = content.decode("utf-8")
        rows = json.loads(text, parse_constant=_refuse)
    except ValueError as error:
        problems.add(file, getattr(error, "lineno", 1), f"is not JSON ({error})")
        return []
    if not isinstance(rows, list) or not rows:
        problems.add(file, 1, f"must be a list of objects, not {_kind(rows)}" if rows else "holds no rows")
        return []
    lines = _starts(text)
    placed = list(zip(lines, rows, strict=False)) if len(lines) == len(rows) else [(1, row) for row in rows]
    for line, row in placed:
        if not isinstance(row, dict):
            problems.add(file, line, f"must be an object, not {_kind(row)}")
    return [(line, row) for line, row in placed if isinstance(row, dict)]


def _refuse(name: str) -> float:
    raise ValueError(f"{name} is no number")


def _starts(text: str) -> list[int]:
    """Return the line on which each element of a JSON list begins."""
    decoder = json.JSONDecoder()
    lines: list[int] = []
    place = text.index("[") + 1
    while True:
        while place < len(text) and text[place] in " \t\r\n,":
            place += 1
        if place >= len(text) or text[place] == "]":
            return lines
        lines.append(text.count("\n", 0, place) + 1)
        place = decoder.raw_decode(text, place)[1]


def _bytes(file: Path, problems: Problems) -> bytes | None:
    try:
        return file.read_bytes()
    except FileNotFoundError:
        problems.add(file, 1, "is missing")
    except OSError as error:
        problems.add(file, 1, f"cannot be read ({error.strerror})")
    problems.unread.add(file)
    return None


def _kind(value: Any) -> str:
    names = {dict: "an object", list: "a list", str: "a string", bool: "true or false", type(None): "null"}
    return names.get(
        type(value), f"the number {value}" if isinstance(value, int | float) else "something else"
    )


class Row:
    """One object of a data file whose fields are checked as they are read."""

    def __init__(self, problems: Problems, file: Path, line: int, values: dict[str, Any]) -> None:
        self.problems, self.file, self.line, self.values = problems, file, line, values

    def fault(self, sentence: str) -> None:
        """Note a problem of this row."""
        self.problems.add(self.file, self.line, sentence)

    def text(self, key: str, default: str | None = None) -> str:
        """Return a string; without a default it must be there and not be empty."""
        value = self.values.get(key, default)
        if value is None and default is not None:
            return default
        if not isinstance(value, str):
            self.fault(
                f'"{key}" must be a string, not {_kind(value)}' if key in self.values else f'lacks "{key}"'
            )
            return ""
        if default is None and not value.strip():
            self.fault(f'"{key}" is empty')
        return value

    def number(self, key: str, default: float) -> float:
        """Return a number."""
        value = self.values.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int | float):
            self.fault(f'"{key}" must be a number, not {_kind(value)}')
            return default
        return float(value)

    def whole(self, key: str) -> int | None:
        """Return a whole number, or None when it is missing or something else."""
        value = self.values.get(key)
        if isinstance(value, bool) or not isinstance(value, int):
            self.fault(
                f'"{key}" must be a whole number, not {_kind(value)}'
                if key in self.values
                else f'lacks "{key}"'
            )
            return None
        return value

    def many(self, key: str) -> list[Any]:
        """Return a list, empty when it is missing."""
        value = self.values.get(key, [])
        if not isinstance(value, list):
            self.fault(f'"{key}" must be a list, not {_kind(value)}')
            return []
        return value
