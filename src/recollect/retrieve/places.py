"""Paths, lines and names that stand in a text: in prose, in stack traces of the usual languages, in diffs."""

from __future__ import annotations

import re
from dataclasses import dataclass

from recollect.retrieve.words import word_lists
from recollect.types import Place

_PATH = (
    r"(?<![\w./\\@~+\-])(?:[A-Za-z]:)?[\w.@~+\-/\\\[\]]{1,300}?"
    r"\.[A-Za-z][A-Za-z0-9]{0,9}(?![\w/\\.\-])"
)
_AT = rf"(?P<path>{_PATH}):(?P<line>\d+)"
_FRAMES = (
    re.compile(r'File "(?P<path>[^"\n]+)", line (?P<line>\d+)(?:, in (?P<name>[\w.<>]+))?'),
    re.compile(rf"^\s*at (?:async )?(?:new )?(?P<name>[\w$.<>]+)(?: \[as \w+\])? \((?:file://)?{_AT}(?::\d+)?\)", re.M),
    re.compile(rf"^\s*at (?P<name>[\w$.<>]+)\({_AT}\)", re.M),
    re.compile(rf"(?:^\s*at |panicked at )(?P<name>)(?:file://)?{_AT}", re.M),
    re.compile(r"^\s*at (?P<name>[\w.`<>\[\], ]+)\([^)\n]*\) in (?P<path>[^\n]+?):line (?P<line>\d+)", re.M),
    re.compile(rf"{_AT}:in [`'](?:[\w ]*?)(?P<name>[\w.#!?]+)'"),
    re.compile(rf"^#\d+\s+(?:0x[0-9a-f]+ in )?(?P<name>[\w:~<>]+) ?\([^\n]*\) at {_AT}", re.M),
    re.compile(rf"^(?P<name>[\w./*()]+)\([^\n]*\)\n\s+{_AT} \+0x", re.M),
)  # fmt: skip
_PLACE = re.compile(rf"(?P<path>{_PATH})(?::(?P<line>\d+)(?:-(?P<end>\d+))?|#L(?P<hash>\d+))?")
_DIFF_FILE = re.compile(r"^(?:\+\+\+|---) (?:[ab]/)?(?P<path>[^\t\n]+)", re.M)
_HUNK = re.compile(r"^@@ -\d+(?:,\d+)? \+(?P<line>\d+)(?:,(?P<count>\d+))? @@ ?(?P<context>[^\n]*)", re.M)
_DIFF = re.compile(r"^(?:diff --git |\+\+\+ |@@ -\d)", re.M)
_NAME = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True, slots=True)
class Found:
    """What a text names beside its words."""

    shape: str
    places: tuple[Place, ...]
    names: tuple[str, ...]


def find_places(text: str) -> Found:
    """Read a text for the places and names in it."""
    if _DIFF.search(text):
        return _from_diff(text)
    frames = _frames(text)
    prose = _in_prose(text, {place.path for place, _ in frames})
    names = dict.fromkeys(name for _, name in frames if name)
    shape = "trace" if frames else "words"
    return Found(shape, tuple(place for place, _ in frames) + prose, tuple(names))


def _frames(text: str) -> list[tuple[Place, str]]:
    rows: dict[tuple[str, int], tuple[int, str]] = {}
    for pattern in _FRAMES:
        for match in pattern.finditer(text):
            key = (_clean(match["path"]), int(match["line"]))
            if key not in rows or not rows[key][1]:
                rows[key] = (match.start(), _frame_name(match["name"] or ""))
    ordered = sorted(rows.items(), key=lambda row: row[1][0])
    return [(Place(path, line, line), name) for (path, line), (_, name) in ordered]


def _frame_name(name: str) -> str:
    name = name.strip().split("(")[0].split("<")[0].rstrip(".")
    name = name.replace("::", ".").rsplit("/", 1)[-1]
    parts = [part for part in name.split(".") if part and part not in {"Object", "anonymous"}]
    return ".".join(parts[-2:])


def _in_prose(text: str, known: set[str]) -> tuple[Place, ...]:
    places: dict[Place, None] = {}
    for match in _PLACE.finditer(text):
        path = _clean(match["path"])
        line = int(match["line"] or match["hash"] or 0)
        if path in known or not _looks_like_path(path, line, text[max(0, match.start() - 3) : match.start()]):
            continue
        places.setdefault(Place(path, line, int(match["end"] or line)))
    return tuple(places)


def _looks_like_path(path: str, line: int, before: str) -> bool:
    if before.endswith(("://", ":/")) or "//" in path:
        return False
    stem, _, suffix = path.rpartition(".")
    if line or "/" in path:
        return bool(stem)
    return suffix.lower() in word_lists().suffixes and bool(stem)


def _from_diff(text: str) -> Found:
    places: dict[Place, None] = {}
    names: dict[str, None] = {}
    path = ""
    for line in text.splitlines():
        header = _DIFF_FILE.match(line)
        hunk = _HUNK.match(line)
        if header and header["path"] != "/dev/null":
            path = _clean(header["path"])
            places.setdefault(Place(path, 0, 0))
        elif hunk and path:
            start = int(hunk["line"])
            places.setdefault(Place(path, start, start + max(1, int(hunk["count"] or 1)) - 1))
            _take_names(hunk["context"], names)
        elif line[:1] in "+-" and not header:
            _take_names(line[1:], names)
    spans = {place.path for place in places if place.start_line}
    kept = tuple(place for place in places if place.start_line or place.path not in spans)
    return Found("diff", kept, tuple(names)[:60])


def _take_names(line: str, names: dict[str, None]) -> None:
    for name in _NAME.findall(line):
        if len(name) > 2 and name not in word_lists().code_words:
            names.setdefault(name)


def _clean(path: str) -> str:
    path = path.strip().replace("\\", "/")
    return path[2:] if path.startswith("./") else path
