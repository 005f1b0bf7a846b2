"""Says which of the conditions of a question nothing can meet, so that a slip does not look like an empty result."""

from __future__ import annotations

from collections.abc import Iterator

from recollect.config import suggest
from recollect.ports import Filters, Reader
from recollect.types import PLACE_KINDS, SYMBOL_KINDS

KINDS = (*SYMBOL_KINDS, *PLACE_KINDS)


def impossible(reader: Reader, filters: Filters) -> Iterator[str]:
    """Yield a sentence for each language, kind and folder that the index does not have."""
    languages = reader.languages() if filters.languages else {}
    for name in sorted(filters.languages):
        if name not in languages:
            yield f"No indexed file is in the language '{name}'.{suggest(name, languages)}"
    for kind in sorted(filters.kinds):
        if kind not in KINDS:
            yield f"There is no kind '{kind}'.{suggest(kind, KINDS)}"
    if filters.path_prefixes:
        paths = [record.path for record in reader.files() if not record.skipped]
        folders = {path[: at + 1].rstrip("/") for path in paths for at in _slashes(path)}
        for prefix in filters.path_prefixes:
            if not any(path.startswith(prefix) for path in paths):
                yield f"No indexed file lies under '{prefix}'.{suggest(prefix.rstrip('/'), folders)}"


def _slashes(path: str) -> Iterator[int]:
    at = path.find("/")
    while at >= 0:
        yield at
        at = path.find("/", at + 1)
