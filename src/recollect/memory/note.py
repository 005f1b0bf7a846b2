"""What a caller may say of a memory when it is written, checked and made uniform."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from recollect.config import suggest
from recollect.errors import UsageError
from recollect.memory.show import is_id
from recollect.memory.times import milliseconds
from recollect.store.memories import KINDS, LAYERS, STATUSES

LINK_TYPES = {
    "supersedes": "supersedes",
    "contests": "contests",
    "resolves": "resolves",
    "part_of": "part_of",
    "see_also": "see_also",
    "derived_from": "derived_from",
}
"""What a caller may call a link, and its edge type."""
TIES = (*LINK_TYPES.values(), "consolidated_from", "similar_to")
"""Every edge type between memories; the last ones are made by dreams."""
PRIORITIES = ("P1", "P2", "P3", "P4")
LAYER_OF = {"procedure": "procedural", "narrative": "episodic", "observation": "episodic"}
"""The layer of a kind that is not semantic."""
_ALIASES = {"speaker": "author", "date": "created", "category": "kind", "content": "text"}
_TIMES = ("created", "updated", "valid_from", "valid_until", "expires")


@dataclass(frozen=True, slots=True)
class Note:
    """One memory to be written; times are milliseconds since 1970."""

    text: str
    kind: str = "fact"
    layer: str = ""
    priority: str = "P3"
    status: str = "active"
    importance: float = 0.5
    trust: float = 1.0
    tags: tuple[str, ...] = ()
    source: str = ""
    session: str = ""
    author: str = ""
    position: int | None = None
    created: int | None = None
    valid_from: int | None = None
    valid_until: int | None = None
    expires: int | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    links: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Public ids by what this memory is to them: supersedes, contests, resolves, part_of, see_also."""
    seen: int = 1
    """How often it was written already."""
    pinned: bool = False
    """Never fades, is never put away."""
    sensitive: bool = False
    """Its text is never sent to a model on another machine."""
    updated: int | None = None
    id: str = ""
    """The public id that it had where it was exported."""
    weighed: bool = False
    """Whether its importance was said."""
    repeat: int = 0
    """Which saying of the same words it is, when the same author says them more than once in a session."""


FIELDS = tuple(entry.name for entry in fields(Note) if entry.name not in {"text", "repeat", "weighed"})


def note(text: Any, given: Mapping[str, Any]) -> Note:
    """Return the checked note of a text and the fields that were given with it."""
    values = {_ALIASES.get(key, key): value for key, value in given.items() if value is not None}
    for key in values:
        if key not in FIELDS and key != "repeat":
            hint = suggest(key, (*FIELDS, *_ALIASES))
            raise UsageError(f"A memory has no field '{key}'.{hint} Fields are: {', '.join(FIELDS)}.")
    _check_text(text)
    for key in _TIMES:
        if key in values:
            values[key] = milliseconds(values[key], key, end=key == "valid_until")
    for key in ("source", "session", "author", "id"):
        if key in values:
            values[key] = _line(str(values[key]), key)
    if "tags" in values:
        values["tags"] = tags(values["tags"])
    values["links"] = _links(values.get("links", {}))
    made = Note(text, weighed="importance" in values, **values)
    _check_choices(made)
    _check_numbers(made)
    _check_metadata(made.metadata)
    return made


def tags(given: str | Iterable[str]) -> tuple[str, ...]:
    """Return tags without blanks around them and without repetitions, in their order."""
    many = given.split(",") if isinstance(given, str) else given
    return tuple(dict.fromkeys(tag for one in many if (tag := _line(str(one), "tags"))))


def layer_of(made: Note) -> str:
    """Return the layer of a note: what was said, or what its kind belongs to."""
    return made.layer or LAYER_OF.get(made.kind, "semantic")


def _check_text(text: Any) -> None:
    if not isinstance(text, str):
        raise UsageError(f"A memory is a text, not {type(text).__name__}; give a string.")
    if not text.strip():
        raise UsageError("The text of a memory is empty; say what is to be remembered.")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise UsageError(
            f"The text of a memory holds half a character at position {error.start}; leave it out."
        ) from error


def _check_choices(made: Note) -> None:
    choices = (("kind", KINDS), ("layer", ("", *LAYERS)), ("priority", PRIORITIES), ("status", STATUSES))
    for key, known in choices:
        value = getattr(made, key)
        if value not in known:
            names = ", ".join(filter(None, known))
            raise UsageError(f"The {key} of a memory cannot be {value!r}; it is one of {names}.")


def _check_numbers(made: Note) -> None:
    for key in ("importance", "trust"):
        value = getattr(made, key)
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
            raise UsageError(f"The {key} of a memory lies between 0 and 1, it cannot be {value!r}.")
    for key in ("pinned", "sensitive"):
        if not isinstance(getattr(made, key), bool):
            raise UsageError(f"{key} is true or false, not {getattr(made, key)!r}.")
    if made.id and not is_id(made.id):
        raise UsageError(f"{made.id!r} is not the id of a memory; it is m and 13 letters or digits.")
    for key, least in (("position", 0), ("seen", 1)):
        value = getattr(made, key)
        if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < least):
            raise UsageError(f"The {key} of a memory is a whole number of at least {least}, not {value!r}.")
    if made.valid_from is not None and made.valid_until is not None and made.valid_until < made.valid_from:
        raise UsageError("valid_until lies before valid_from; exchange them.")


def _check_metadata(metadata: Any) -> None:
    if not isinstance(metadata, Mapping):
        raise UsageError(f"metadata is a mapping of names to values, not {metadata!r}.")
    try:
        json.dumps(metadata, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise UsageError(f"metadata must be made of plain JSON values ({error}).") from error


def _links(given: Any) -> dict[str, tuple[str, ...]]:
    if not isinstance(given, Mapping):
        raise UsageError(f"links is a mapping of a link type to ids, not {given!r}.")
    for key in given:
        if key not in LINK_TYPES:
            known = ", ".join(LINK_TYPES)
            raise UsageError(f"There is no link '{key}'.{suggest(key, LINK_TYPES)} Links are: {known}.")
    return {key: (ids,) if isinstance(ids, str) else tuple(ids) for key, ids in given.items()}


def _line(text: str, key: str) -> str:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise UsageError(
            f"The {key} {text!r} cannot be stored as UTF-8; leave out what it stands for."
        ) from error
    return " ".join(text.split())
