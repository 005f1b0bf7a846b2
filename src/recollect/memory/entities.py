"""Finds what a text names: people, paths, symbols, tools, projects, times and addresses, by their looks alone."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from recollect import moments

MOST = 24
"""More names than this say nothing about a memory."""
READ = 20_000
"""How many characters of a long text are looked at."""

_WORD = re.compile(r"[a-z][a-z0-9]+")

Mention = tuple[str, str]
"""Kind and name."""


def find(text: str, said: int = 0) -> tuple[Mention, ...]:
    """Return what a text names that was said at a time, each thing once; tools and times come last."""
    looks = _looks()
    rest = text[:READ]
    found: dict[Mention, None] = {}
    tools = dict.fromkeys(name for name in _WORD.findall(rest.lower()) if name in looks.tools)
    for kind, hint, pattern in looks.patterns:
        if hint is not None and not hint.search(rest):
            continue
        names = pattern.findall(rest)
        if names:
            found.update(((kind, name), None) for name in names if name.lower() not in tools)
            rest = pattern.sub(" ", rest)
    found.update((("tool", name), None) for name in tools)
    found.update((("date", name), None) for name in moments.names(rest, said))
    return tuple(found)[:MOST]


class _Looks(NamedTuple):
    tools: frozenset[str]
    patterns: tuple[tuple[str, re.Pattern[str] | None, re.Pattern[str]], ...]


@cache
def _looks() -> _Looks:
    table = tomllib.loads((files("recollect.memory") / "entities.toml").read_text("utf-8"))
    patterns = (
        (row["kind"], re.compile(row["hint"]) if "hint" in row else None, re.compile(row["look"]))
        for row in table["pattern"]
    )
    return _Looks(frozenset(table["tools"].split()), tuple(patterns))
