"""What a project file says about names: what the project is called, and under which aliases its files are imported."""

from __future__ import annotations

import json
import posixpath
import re
import tomllib
from collections.abc import Callable, Iterator
from pathlib import PurePosixPath
from typing import Any

from recollect.facts import Reference

_GO_MODULE = re.compile(r"^[ \t]*module[ \t]+\"?([^\s\"]+)", re.M)
_COMMENT = re.compile(r'("(?:\\.|[^"\\])*")|//[^\n]*|/\*.*?\*/', re.S)
_LAST_COMMA = re.compile(r'("(?:\\.|[^"\\])*")|,(?=\s*[}\]])', re.S)
_ENTRIES = ("source", "module", "main", "types")


def project_name(path: str, content: bytes) -> str:
    """Return the name under which other files import the project that a file declares, empty when it has none."""
    reader = _NAMES.get(PurePosixPath(path).name)
    try:
        return reader(content.decode("utf-8", "replace")) if reader else ""
    except (ValueError, AttributeError, TypeError):
        return ""


def read_aliases(path: str, text: str) -> tuple[Reference, ...]:
    """Return references of kind `path`: what imports may start with, and which file or folder that stands for."""
    reader = _ALIASES.get(PurePosixPath(path).name)
    try:
        rows = list(reader(text)) if reader else []
    except (ValueError, AttributeError, TypeError):
        return ()
    return tuple(Reference("path", alias, -1, _line(text, alias), literal=target) for alias, target in rows)


def _go(text: str) -> str:
    found = _GO_MODULE.search(text)
    return found[1] if found else ""


def _npm(text: str) -> str:
    return str(json.loads(text).get("name") or "")


def _cargo(text: str) -> str:
    data = tomllib.loads(text)
    name = data.get("lib", {}).get("name") or data.get("package", {}).get("name") or ""
    return str(name).replace("-", "_")


def _npm_entries(text: str) -> Iterator[tuple[str, str]]:
    data = json.loads(text)
    for key in _ENTRIES:
        if isinstance(data.get(key), str):
            yield ".", data[key]


def _typescript(text: str) -> Iterator[tuple[str, str]]:
    plain = _COMMENT.sub(lambda found: found[1] or " ", text)
    options: dict[str, Any] = json.loads(_LAST_COMMA.sub(lambda found: found[1] or "", plain))
    options = options.get("compilerOptions") or {}
    base = options.get("baseUrl")
    for alias, targets in (options.get("paths") or {}).items():
        for target in targets:
            yield alias, posixpath.normpath(posixpath.join(base or "", target))
    if base is not None:
        yield "*", posixpath.normpath(posixpath.join(base, "*"))


def _line(text: str, alias: str) -> int:
    found = text.find(f'"{alias}"')
    return text.count("\n", 0, found) + 1 if found >= 0 else 1


_NAMES: dict[str, Callable[[str], str]] = {"go.mod": _go, "package.json": _npm, "Cargo.toml": _cargo}
_ALIASES: dict[str, Callable[[str], Iterator[tuple[str, str]]]] = {
    "package.json": _npm_entries,
    "tsconfig.json": _typescript,
    "tsconfig.base.json": _typescript,
    "jsconfig.json": _typescript,
}
ALIASED = frozenset(_ALIASES)
"""Names of the files that can declare aliases."""
