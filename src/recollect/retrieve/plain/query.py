"""What a question says before anything is looked up: names in it, words in it, and an id for it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import NamedTuple

from recollect.ports import Filters

MAX_IDENTIFIERS = 12
MAX_NAME = 200

_PART = r"[^\W\d]\w*[!?]?"
_NAME = re.compile(rf"[@$~]?{_PART}(?:(?:\.|::|->|#|\?\.|/){_PART})*(?:\(\))?")
_JOINTS = re.compile(r"::|->|\?\.|#|/")
_MARKED = re.compile(r"[a-z0-9][A-Z]|[A-Z]{2}[a-z]|\w_|_\w|\w(?:\.|::|->|#)\w|\(\)")


class Match(NamedTuple):
    """One entry of a channel's ranked list."""

    number: int
    """The dense number of the item."""
    reason: str
    certain: bool = False
    """Whether the item is exactly what was named."""


@dataclass(frozen=True, slots=True)
class Query:
    """The text of a question and what was read from it."""

    id: str
    text: str
    name: str
    """The dotted name when the whole text is a single name, else empty."""
    named: bool
    """Whether the whole text is written as code writes names: with case, underscores, dots or parentheses."""
    identifiers: tuple[str, ...]
    """Names inside a longer text that are written as code writes them."""
    limit: int
    filters: Filters = field(default_factory=Filters)


def read(text: str, limit: int = 10, filters: Filters | None = None, profile: str = "") -> Query:
    """Read a question; the same question with the same options has the same id."""
    clean = text.encode("utf-8", "replace").decode("utf-8").replace("\0", " ").strip()
    chosen = filters or Filters()
    whole = _NAME.fullmatch(clean) if len(clean) <= MAX_NAME else None
    marked = (found.group() for found in _NAME.finditer(clean[:20_000]) if _MARKED.search(found.group()))
    names = dict.fromkeys(dotted(name) for name in marked)
    return Query(
        id=_identity(clean, limit, chosen, profile),
        text=clean,
        name=dotted(clean) if whole else "",
        named=bool(whole and _MARKED.search(clean)),
        identifiers=tuple(name for name in names if len(name) <= MAX_NAME)[:MAX_IDENTIFIERS],
        limit=limit,
        filters=chosen,
    )


def dotted(name: str) -> str:
    """Return a name as the index spells it: parts joined by dots, without call parentheses."""
    return _JOINTS.sub(".", name.removesuffix("()"))


def _identity(text: str, limit: int, filters: Filters, profile: str) -> str:
    parts = (
        text,
        str(limit),
        profile,
        repr(sorted(filters.languages)),
        repr(sorted(filters.kinds)),
        repr(sorted(filters.path_prefixes)),
        str(filters.include_tests),
        repr(sorted(filters.metadata.items())),
    )
    return "q_" + blake2b("\0".join(parts).encode(), digest_size=8).hexdigest()
