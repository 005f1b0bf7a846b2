"""Imports, as written: modules, names taken from them, and what they are called here."""

from __future__ import annotations

import re

from recollect.facts import Import
from recollect.parse.grammars import Grammar
from recollect.parse.matches import Captures, Matches
from recollect.parse.naming import split_top
from recollect.parse.text import Source, unquote

VERSION = re.compile(r"^v\d+$")
IMPORTING = re.compile(r"^(?:import|use(?:\s+(?:function|const))?)\s+")
SEPARATOR = re.compile(r"::|\.|/|\\")


def read_imports(grammar: Grammar, source: Source, matches: Matches) -> tuple[Import, ...]:
    """Return the imports of a file in order, each once."""
    rows: dict[Import, None] = {}
    for captures in sorted(matches.imports, key=lambda found: found["import"][0].start_byte):
        at = captures["import"][0].start_byte
        if "import.tree" in captures:
            node = captures["import.tree"][0]
            for row in expand(source.take(node.start_byte, node.end_byte), source.line(at)):
                rows[row] = None
        elif "import.module" in captures or "import.name" in captures:
            rows[_import(grammar, source, captures, source.line(at))] = None
    return tuple(rows)


def _import(grammar: Grammar, source: Source, captures: Captures, line: int) -> Import:
    def text(capture: str) -> str:
        nodes = captures.get(capture)
        return unquote(source.take(nodes[0].start_byte, nodes[-1].end_byte)).strip() if nodes else ""

    module, name, alias = text("import.module"), text("import.name").rstrip(":"), text("import.alias")
    if "import.default" in captures:
        name, alias = "default", text("import.default")
    level = 0
    if grammar.settings.relative_dots:
        bare = module.lstrip(".")
        level, module = len(module) - len(bare), bare
    if "import.wildcard" in captures:
        return Import(module, line, "*", "", level)
    if not alias and "import.silent" not in captures:
        alias = name or bound_name(module, grammar.settings.module_alias)
    return Import(module, line, name, alias, level)


def bound_name(module: str, rule: str) -> str:
    """Return the name under which a module import without alias is known in the file."""
    parts = [part for part in SEPARATOR.split(module) if part]
    if rule == "none" or not parts:
        return ""
    if rule == "first":
        return parts[0]
    if "/" in module:
        parts = [part for part in module.split("/") if part]
        last = parts[-2] if len(parts) > 1 and VERSION.match(parts[-1]) else parts[-1]
        return re.sub(r"\.v\d+$", "", last).removeprefix("go-").removesuffix("-go").replace("-", "_")
    return parts[-1]


def expand(text: str, line: int) -> list[Import]:
    """Expand a tree of names such as `a::{b, c::{self, d as e}, f::*}`."""
    text = IMPORTING.sub("", text.strip()).rstrip(";")
    return [row for part in split_top(text, ",") for row in _expand(part, "", line, 0)]


def _expand(text: str, prefix: str, line: int, depth: int) -> list[Import]:
    text = " ".join(text.split())
    opening = text.find("{")
    if opening >= 0 and text.endswith("}") and depth < 20:
        inside = prefix + text[:opening].strip()
        return [
            row
            for part in split_top(text[opening + 1 : -1], ",")
            if part.strip()
            for row in _expand(part, inside, line, depth + 1)
        ]
    path, _, alias = (part.strip() for part in re.sub(r"\s*=>\s*", " as ", text).partition(" as "))
    full = (prefix + path).strip()
    cut = (
        max(
            full.rfind(separator) + len(separator)
            for separator in ("::", ".", "\\", "/")
            if separator in full
        )
        if re.search(r"::|[.\\/]", full)
        else 0
    )
    module, name = re.sub(r"(?:::|[.\\/])$", "", full[:cut]), full[cut:]
    if name in {"*", "_", "given"}:
        return [Import(module, line, "*")]
    if name == "self":
        name = SEPARATOR.split(module)[-1]
        module = module[: len(module) - len(name)].rstrip(":.\\/")
    if not module:
        return [Import(name, line, "", alias or name)]
    return [Import(module, line, name, alias or name)]
