"""Which memories may be recalled at all: filters, expiry, validity, and what was known at a date."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np

from recollect.config import suggest
from recollect.errors import UsageError
from recollect.memory.times import milliseconds
from recollect.store.memories import DERIVED, ENTITY_KINDS, KINDS, LAYERS, STATUSES
from recollect.store.memory_port import MemoryReader
from recollect.store.shelf import Column, Shelf


@dataclass(frozen=True, slots=True)
class Narrow:
    """What a recall is limited to; an empty filter lets everything through, several values mean any of them."""

    kinds: tuple[str, ...] = ()
    layers: tuple[str, ...] = ()
    statuses: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    """All of them."""
    sources: tuple[str, ...] = ()
    sessions: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    mentions: tuple[str, ...] = ()
    """Names of people, paths or symbols, any of which a memory must mention."""
    priorities: tuple[str, ...] = ()
    min_importance: float = 0.0
    since: int | None = None
    """Written at this time or later."""
    until: int | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    archived: bool = False
    """Whether archived memories are shown."""
    as_of: int | None = None
    derived: bool = False
    """Whether reflections and cards, which dreams made of other memories, are shown."""
    dreamt: str = ""
    """What a profile shows of them by itself: nothing, `reflections` beside everything else, or `only` these."""


FILTERS = tuple(entry.name for entry in fields(Narrow) if entry.name != "dreamt")
_CHOICES = {"kinds": KINDS, "layers": LAYERS, "statuses": STATUSES, "priorities": ("P1", "P2", "P3", "P4")}
_LABELS = {"sources": "source", "sessions": "session", "authors": "author"}


def narrow(given: Mapping[str, Any]) -> Narrow:
    """Return the checked filters of a recall."""
    values = dict(given)
    for key in ("since", "until", "as_of"):
        if values.get(key) is not None:
            values[key] = milliseconds(values[key], key, end=key != "since")
    for key in (
        "kinds",
        "layers",
        "statuses",
        "tags",
        "sources",
        "sessions",
        "authors",
        "mentions",
        "priorities",
    ):
        if key in values:
            values[key] = _several(values[key])
    for key, known in _CHOICES.items():
        for value in values.get(key, ()):
            if value not in known:
                raise UsageError(
                    f"{key} cannot be {value!r}.{suggest(value, known)} They are among {', '.join(known)}."
                )
    if not isinstance(values.get("metadata", {}), Mapping):
        raise UsageError("metadata is a mapping of names to the values that they must have.")
    return Narrow(**values)


def allowed(shelf: Shelf, reader: MemoryReader, chosen: Narrow, now: int) -> Column | None:
    """Return for each memory whether it may be recalled; None when all of them may."""
    masks: list[Column] = [
        *_in_time(shelf, chosen, now),
        *_by_column(shelf, chosen),
        *_by_label(shelf, reader, chosen),
    ]
    if not masks:
        return None
    combined: Column = np.logical_and.reduce(masks)
    return combined


def _in_time(shelf: Shelf, chosen: Narrow, now: int) -> Iterable[Column]:
    moment = now if chosen.as_of is None else chosen.as_of
    if shelf.counts.first_expiry <= moment:
        yield shelf.column("expires") > moment
    if chosen.as_of is not None:
        yield shelf.column("created") <= moment
        yield shelf.column("valid_from") <= moment
        yield shelf.column("valid_until") >= moment
    if chosen.since is not None:
        yield shelf.column("created") >= chosen.since
    if chosen.until is not None:
        yield shelf.column("created") <= chosen.until


def _by_column(shelf: Shelf, chosen: Narrow) -> Iterable[Column]:
    if not chosen.archived and "archived" not in chosen.statuses and shelf.counts.archived:
        yield shelf.column("status") != STATUSES.index("archived")
    reflection = shelf.column("kind") == KINDS.index("reflection")
    if chosen.dreamt == "only":
        yield reflection
    elif not chosen.derived and not set(chosen.kinds) & set(DERIVED) and shelf.counts.derived:
        told = ~np.isin(shelf.column("kind"), [KINDS.index(name) for name in DERIVED])
        yield told | reflection if chosen.dreamt else told
    for name, column, known in (
        ("kinds", "kind", KINDS),
        ("layers", "layer", LAYERS),
        ("statuses", "status", STATUSES),
    ):
        values = getattr(chosen, name)
        if values:
            yield np.isin(shelf.column(column), [known.index(value) for value in values])
    if chosen.priorities:
        yield np.isin(shelf.column("priority"), [int(value[1]) for value in chosen.priorities])
    if chosen.min_importance:
        yield shelf.column("importance") >= round(chosen.min_importance * 100)


def _by_label(shelf: Shelf, reader: MemoryReader, chosen: Narrow) -> Iterable[Column]:
    for name, sort in _LABELS.items():
        values = getattr(chosen, name)
        if values:
            yield np.isin(shelf.column(sort), [reader.label(sort, value) or -2 for value in values])
    for tag in chosen.tags:
        code = reader.label("tag", tag)
        yield _holding(shelf, [] if code is None else reader.tagged(code))
    if chosen.mentions:
        codes = [reader.label(f"entity:{kind}", name) for kind in ENTITY_KINDS for name in chosen.mentions]
        yield _holding(
            shelf, [number for code in codes if code is not None for number in reader.mentioning(code)]
        )
    for key, value in chosen.metadata.items():
        yield _holding(shelf, reader.having(key, _plain(value)))


def _plain(value: Any) -> Any:
    """Return a value as SQLite finds it inside JSON."""
    return (
        json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        if isinstance(value, list | dict)
        else value
    )


def _holding(shelf: Shelf, numbers: list[int]) -> Column:
    mask = np.zeros(len(shelf), bool)
    places = shelf.places(np.asarray(numbers, np.int64))
    mask[places[places >= 0]] = True
    return mask


def _several(value: str | Iterable[str]) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)
