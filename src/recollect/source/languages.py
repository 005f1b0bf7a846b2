"""Tells the language of a file by its name, its first line and, for C headers, its text."""

from __future__ import annotations

import re
import tomllib
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

PLAIN = "text"
"""The language of every text that nothing else is known of."""

_CPP_HEADER = re.compile(
    rb"^[ \t]*(?:class\s+\w|namespace\b|template\s*<|using\s+\w|(?:public|private|protected)\s*:"
    rb"|#\s*include\s*<(?:c?(?:std\w+|string)|iostream|vector|memory|map|utility|functional|algorithm|type_traits|atomic|mutex)>)"
    rb"|\bstd::|\bvirtual\s+\w|\boperator\s*[=<>+*(\[-]|\b(?:constexpr|noexcept|nullptr)\b",
    re.MULTILINE,
)
_SHEBANG = re.compile(
    rb"#!\s*(?:\S*/)?env\s+(?:-\S+\s+|\w+=\S*\s+)*(?:\S*/)?([\w.+-]+)|#!\s*(?:\S*/)?([\w.+-]+)"
)
_HEADER_BYTES = 65536


class LanguageTable(NamedTuple):
    """How files are recognised, turned around for look-up."""

    extensions: dict[str, str]
    filenames: dict[str, str]
    shebangs: dict[str, str]


@lru_cache(maxsize=1)
def language_table() -> LanguageTable:
    """Read the table of languages that comes with recollect."""
    table = LanguageTable({}, {}, {})
    text = Path(__file__).with_name("languages.toml").read_text(encoding="utf-8")
    for language, rules in tomllib.loads(text).items():
        for column, key in zip(table, ("extensions", "filenames", "shebangs"), strict=True):
            column.update((name.lower(), language) for name in rules.get(key, ()))
    return table


def language_of(path: str, head: bytes = b"") -> str:
    """Return the language of a file, `text` when nothing else fits; `head` is its beginning, or all of it."""
    by_name = language_by_name(path)
    if by_name == "c" and path.endswith((".h", ".H")) and _CPP_HEADER.search(head, 0, _HEADER_BYTES):
        return "cpp"
    return by_name or language_by_shebang(head) or PLAIN


def language_by_name(path: str) -> str:
    """Return the language that the file's name tells, empty when it tells none."""
    table = language_table()
    name = path.rpartition("/")[2].lower()
    known = table.filenames.get(name)
    if known:
        return known
    stem, dot, extension = name.rpartition(".")
    if dot and extension in table.extensions:
        return table.extensions[extension]
    if stem.startswith(".env") or name.startswith(".env."):
        return "dotenv"
    first = name.partition(".")[0]
    return (
        table.filenames[first] if first in {"dockerfile", "containerfile", "makefile", "jenkinsfile"} else ""
    )


def language_by_shebang(head: bytes) -> str:
    """Return the language of the interpreter in the first line, empty when there is none that we know."""
    found = _SHEBANG.match(head.removeprefix(b"\xef\xbb\xbf"), 0, 200)
    if not found:
        return ""
    interpreter = (found[1] or found[2]).decode("ascii", "replace").lower()
    shebangs = language_table().shebangs
    return shebangs.get(interpreter) or shebangs.get(interpreter.rstrip("0123456789.-"), "")
