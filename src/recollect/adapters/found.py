"""What both retrievers do: ask, and turn each hit into a text and plain values about it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from recollect.engine import Recollect
from recollect.errors import UsageError

Source = Literal["code", "memory"]


def rows(
    project: Recollect, query: str, source: Source, limit: int, options: Mapping[str, Any]
) -> list[tuple[str, dict[str, Any]]]:
    """Return the text of each hit with everything else that is known of it."""
    if source not in ("code", "memory"):
        raise UsageError(f"There is no source '{source}'; the sources are code and memory.")
    ask = project.search if source == "code" else project.recall
    hits = ask(query, limit=limit, **options).hits
    found = (hit.to_dict() for hit in hits)
    return [(row.pop("text"), {**row, "reasons": list(row["reasons"])}) for row in found]


def missing(package: str, extra: str) -> ImportError:
    """Return the error that says how to install what a bridge needs."""
    return ImportError(f"This needs {package}; install it with: pip install 'recollect[{extra}]'")
