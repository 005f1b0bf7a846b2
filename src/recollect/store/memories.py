"""The values in which memories are written to and read from a store."""

from __future__ import annotations

from typing import NamedTuple

KINDS = (
    "fact",
    "decision",
    "procedure",
    "observation",
    "preference",
    "narrative",
    "negative",
    "reflection",
    "entity",
)
DERIVED = ("reflection", "entity")
"""Kinds that dreams make of other memories."""
LAYERS = ("working", "episodic", "semantic", "procedural")
STATUSES = ("active", "contested", "superseded", "archived")
ENTITY_KINDS = ("person", "path", "symbol", "date", "url", "tool", "project")
"""Positions of all of these are stored; only ever append."""
SORTS = ("session", "author", "source", "tag", *(f"entity:{kind}" for kind in ENTITY_KINDS))
"""What a label can name; positions are stored; only ever append."""
ASKS, TELLS_TIME, SENSITIVE, TELLS_NUMBER, NAMES, QUOTES = 1, 2, 4, 8, 16, 32
"""The signs of a text, added up in its row."""
THIRDS = 64
"""Times this stands with them how many thirds of a text ask something."""
ANSWERS = ("questions", "hypothetical_queries")
"""Keys of the metadata under which stands which questions a memory answers."""
NEVER = 1 << 62
"""A point in time that does not come."""


class MemoryRow(NamedTuple):
    """One memory, whole; times are milliseconds since 1970, None when they were never set."""

    uid: int
    text: str
    kind: str
    layer: str
    priority: int
    """1 to 4, 1 being the highest."""
    status: str
    importance: int
    """Percent."""
    trust: int
    session: str
    position: int | None
    author: str
    source: str
    created: int
    updated: int | None
    accessed: int | None
    valid_from: int | None
    valid_until: int | None
    expires: int | None
    seen: int
    """How often it was written."""
    words: int
    signs: int
    """What can be seen of it at a glance, added up: 1 asks something, 2 tells a time, 4 must not leave this machine,
    8 tells a number, 16 names somebody or something, 32 quotes, 64 to 192 how many thirds of it ask."""
    sketch: int
    sketch_too: int
    tags: tuple[str, ...]
    metadata: str
    """JSON, empty when there is none."""
    pinned: bool = False
    """Never fades, is never put away."""
    number: int = 0


class Gone(NamedTuple):
    """What removing a memory needs to know of it."""

    uid: int
    number: int
    text: str
    tags: tuple[str, ...]


class DreamRow(NamedTuple):
    """One dream; times are milliseconds since 1970."""

    time: int
    report: str
    """JSON without any text of a memory."""
    undone: int | None = None
    number: int = 0


class DreamtRow(NamedTuple):
    """One thing that a dream did."""

    uid: int
    action: str
    """made, linked or moved."""
    detail: str = ""
    """JSON: type and target of a link, or the layers between which a memory moved."""


class ShelfRow(NamedTuple):
    """What ranking needs to know of a memory besides its words; labels are numbers, -1 where there is none."""

    number: int
    session: int
    position: int
    author: int
    words: int
    signs: int
    kind: int
    layer: int
    priority: int
    status: int
    importance: int
    trust: int
    source: int
    created: int
    valid_from: int
    """-NEVER when it was always valid."""
    valid_until: int
    """NEVER when it has no end."""
    expires: int
    uid: int


class LinkRow(NamedTuple):
    """A typed relation between two uids; the target may be an item of the index."""

    source: int
    type: str
    target: int
    created: int
    detail: str = ""
    """JSON, empty when there is none."""


class HistoryRow(NamedTuple):
    """A change of a memory after it was written."""

    uid: int
    memory: int
    time: int
    action: str
    detail: str = ""
    """JSON, empty when there is none."""
    number: int = 0
