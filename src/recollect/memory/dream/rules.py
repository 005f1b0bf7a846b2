"""The numbers of dreams."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def rules() -> Mapping[str, Mapping[str, Any]]:
    """Return the tables of the data file."""
    return tomllib.loads((files("recollect.memory.dream") / "dream.toml").read_text("utf-8"))


def silent_stems(stem: Callable[[str], list[str]]) -> frozenset[str]:
    """Return the stems of words that say nothing of what a memory is about."""
    return frozenset(stem(rules()["silent"]["words"]))
