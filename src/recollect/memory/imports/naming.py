"""What other programs call things."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def names() -> Mapping[str, Any]:
    """Return the tables of the data file."""
    return tomllib.loads((files("recollect.memory.imports") / "names.toml").read_text("utf-8"))


def kind_of(named: Any) -> str:
    """Return our kind for the name of another program, empty when we have none."""
    return str(names()["kind"].get(str(named or "").strip().lower(), ""))
