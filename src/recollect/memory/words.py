"""Knows which words say nothing."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files


@cache
def filler() -> frozenset[str]:
    """Return the words that may be added or left out without changing what is said."""
    table = tomllib.loads((files("recollect.memory") / "words.toml").read_text("utf-8"))
    return frozenset(table["filler"].split())
