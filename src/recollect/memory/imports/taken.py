"""What is taken out of a file before any of it is written."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

KEY = "key"
"""Under this name a row carries the id that it has in its file."""


@dataclass
class Taken:
    """Rows as remember_many takes them, links between them by the ids of the file, and what was left out."""

    rows: list[dict[str, Any]] = field(default_factory=list)
    links: list[tuple[str, str, str]] = field(default_factory=list)
    """Key, type, key; a key that is no id of the file is one of ours."""
    notes: list[str] = field(default_factory=list)


def plain(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is set."""
    return {key: value for key, value in values.items() if value not in (None, "", [], {}, ())}


def mapping(value: Any) -> dict[str, Any]:
    """Return a JSON object that may be written as a text, empty when there is none."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:
            return {"metadata": value}
    return dict(value) if isinstance(value, Mapping) else {}


def share(value: Any, otherwise: float) -> float:
    """Return a number between 0 and 1."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return otherwise
    return min(1.0, max(0.0, float(value)))
