"""Tells which files are not the project's own readable source: vendored, generated, binary, secret or too large."""

from __future__ import annotations

import re
import tomllib
from fnmatch import translate
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

VENDORED, GENERATED, MINIFIED = "vendored", "generated", "minified"
BINARY, SECRET, TOO_LARGE = "binary", "secret", "too large"
DEFAULT_SIZE_CAP = 1 << 20
"""Bytes; a larger file is known by name only."""

_HEAD = 8192
_MARKER_BYTES = 2048
_MINIFIED_AVERAGE = 300
_MINIFIED_LINE = 20_000
_MINIFIED_MINIMUM = 4096
_MINIFIABLE = frozenset({"js", "mjs", "cjs", "css", "html", "htm", "json", "svg"})
_COMMENT_START = rb"^[ \t]*(?://|/?\*|#|--|;|<!--|%|\"\"\"|'''|\(\*|\{-|<auto|dnl|@rem|REM)"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_CONTROL = bytes(set(range(32)) - {7, 8, 9, 10, 12, 13, 27})


class Tables(NamedTuple):
    """What the data file says, compiled."""

    vendored_folder: re.Pattern[str]
    vendored_name: re.Pattern[str]
    generated_name: re.Pattern[str]
    bundle: re.Pattern[str]
    generated_marker: re.Pattern[bytes]
    binary_extensions: frozenset[str]
    secret_name: re.Pattern[str]


@lru_cache(maxsize=1)
def tables() -> Tables:
    """Read the tables that come with recollect."""
    data = tomllib.loads(Path(__file__).with_name("classify.toml").read_text(encoding="utf-8"))
    folders = "|".join(map(re.escape, data["vendored"]["folders"]))
    markers = "|".join(f"(?:{marker})" for marker in data["generated"]["markers"]).encode()
    return Tables(
        re.compile(rf"(?:^|/)(?:{folders})/"),
        _names(data["vendored"]["names"]),
        _names(data["generated"]["names"]),
        re.compile(data["generated"]["bundles"]),
        re.compile(_COMMENT_START + rb"[^\n]{0,200}?(?:" + markers + rb")", re.MULTILINE),
        frozenset(data["binary"]["extensions"]),
        _names(data["secret"]["names"]),
    )


def reason_by_path(path: str, size: int, size_cap: int = DEFAULT_SIZE_CAP) -> str:
    """Return why a file need not even be opened, empty when it must be looked at."""
    table = tables()
    name = path.rpartition("/")[2]
    lower = name.lower()
    if lower.rpartition(".")[2] in table.binary_extensions and "." in lower:
        return BINARY
    if table.secret_name.fullmatch(name) and not lower.endswith((".pub", ".example", ".sample", ".template")):
        return SECRET
    if table.vendored_folder.search(path) or table.vendored_name.fullmatch(name):
        return VENDORED
    if table.generated_name.fullmatch(name) or table.bundle.fullmatch(path):
        return MINIFIED if ".min." in lower else GENERATED
    return TOO_LARGE if size > size_cap else ""


def reason_by_content(path: str, content: bytes) -> str:
    """Return why a file that was read is not source of the project, empty when it is."""
    if is_binary(content):
        return BINARY
    if is_generated(content):
        return GENERATED
    return MINIFIED if is_minified(path, content) else ""


def is_binary(content: bytes) -> bool:
    """Tell whether bytes are no text: a NUL, or many control characters, in the beginning."""
    head = content[:_HEAD]
    if head.startswith(_UTF16):
        return False
    if b"\0" in head:
        return True
    controls = len(head) - len(head.translate(None, _CONTROL))
    return controls * 50 > len(head)


def is_generated(content: bytes) -> bool:
    """Tell whether a comment in the first lines says that a program wrote the file."""
    return tables().generated_marker.search(content[:_MARKER_BYTES]) is not None


def is_minified(path: str, content: bytes) -> bool:
    """Tell whether lines are too long to have been written by hand, in a language that is often minified."""
    if len(content) < _MINIFIED_MINIMUM or path.rpartition(".")[2].lower() not in _MINIFIABLE:
        return False
    lines = content.count(b"\n") + 1
    return len(content) > lines * _MINIFIED_AVERAGE or max(map(len, content.split(b"\n"))) > _MINIFIED_LINE


def _names(patterns: list[str]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{translate(pattern)})" for pattern in patterns))
