"""Argument lists and types as they are written: the names and strings in them, without a syntax tree."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

LITERAL_LIMIT = 200
ARGUMENT = re.compile(
    r"""(?:^|(?<=,))\s*(?:\w+\s*[:=]\s*)?([A-Za-z_$@][\w$]*(?:(?:\.|::|->)[A-Za-z_]\w*)*)\s*(?=,|$)"""
    r"""|[^,"'`()\[\]{}]*+(?:("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)|([(\[{])|([)\]}])|,|$)""",
)
"""A plain name, or whatever comes before the next string, bracket or comma, and that."""
TYPE_NAME = re.compile(r"\"[^\"]*\"|'(?!\w+\b(?!'))[^']*'|[^\W\d]\w*(?:(?:::|\.|\\)[^\W\d]\w*)*")
LITERAL_TYPE = re.compile(r"\bLiteral\[[^\]]*\]")
COMMON = 60
"""Shorter argument lists and all types are often written again, and are then not read again."""
CACHED = 20_000


def read_arguments(text: str) -> tuple[str, list[str]]:
    """Return the first top-level string and the top-level plain names of an argument list without its brackets."""
    return _common(text) if len(text) < COMMON else _read(text)


def _read(text: str) -> tuple[str, list[str]]:
    literal = ""
    names: list[str] = []
    depth = 0
    for match in ARGUMENT.finditer(text):
        which = match.lastindex
        if which == 1:
            if depth == 0:
                names.append(match.group(1))
        elif which == 2:
            if depth == 0 and not literal:
                literal = match.group(2)[1:-1][:LITERAL_LIMIT]
        elif which == 3:
            depth += 1
        elif which == 4:
            depth -= 1
    return literal, names


_common = lru_cache(maxsize=CACHED)(_read)


@lru_cache(maxsize=CACHED)
def type_names(text: str) -> tuple[tuple[str, str], ...]:
    """Return the names that a type is made of, each with what qualifies it; also those in quotes."""
    text = LITERAL_TYPE.sub("", text) if "Literal[" in text else text
    return tuple(_names_in(text))


def _names_in(text: str) -> Iterator[tuple[str, str]]:
    for match in TYPE_NAME.finditer(text):
        name = match.group()
        if name[0] in "\"'":
            if len(name) < 200:
                yield from _names_in(name[1:-1])
            continue
        head, _, last = name.replace("::", ".").replace("\\", ".").rpartition(".")
        yield head, last
