"""What use tells of usefulness: what was shown and then named in an edit was useful, what never was, was not."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence

import msgspec

from recollect.learn.detail import Detail, read_detail, write_detail
from recollect.ports import Event
from recollect.types import Item

WINDOW = 600.0
"""For how many seconds after an answer an edit or reading is credited to it."""
SHORTEST_NAME = 3
USEFUL = frozenset({"selected", "used"})
JUDGED = USEFUL | {"discarded"}
_WORD = re.compile(r"\w+")


def pending(events: Sequence[Event], now: float, session: str = "") -> list[Event]:
    """Return what was shown so lately that an edit may have used it, and of which no use is known yet.

    With a session only what was shown in it is pending.
    """
    used = _latest(events, USEFUL)
    return [
        event
        for event in events
        if event.kind == "shown"
        and 0 <= now - event.time <= WINDOW
        and event.time > used.get((event.query_id, event.item_id), -math.inf)
        and (not session or read_detail(event.detail).session == session)
    ]


def attributed(shown: Sequence[Event], items: Iterable[Item], content: str, now: float) -> list[Event]:
    """Return `used` events, under the query that showed them, for pending items whose name stands in a text."""
    words = set(_WORD.findall(content))
    names = {item.id: item.name.rpartition(".")[2] for item in items}
    found: dict[tuple[str, str], Event] = {}
    for event in shown:
        name = names.get(event.item_id, "")
        if len(name) >= SHORTEST_NAME and name in words:
            detail = write_detail(msgspec.structs.replace(read_detail(event.detail), implicit=True))
            found[(event.query_id, event.item_id)] = Event(event.query_id, event.item_id, "used", now, detail)
    return list(found.values())


def opened(shown: Sequence[Event], paths: Iterable[str], now: float) -> list[Event]:
    """Return `selected` events, under the query that showed them, for pending items of files that were opened."""
    wanted = frozenset(paths)
    found: dict[tuple[str, str], Event] = {}
    for event in shown:
        detail = read_detail(event.detail)
        if detail.path in wanted:
            implied = write_detail(msgspec.structs.replace(detail, implicit=True))
            key = (event.query_id, event.item_id)
            found[key] = Event(*key, "selected", now, implied)
    return list(found.values())


def flushed(events: Sequence[Event], now: float, session: str) -> list[Event]:
    """Return `discarded` events for what the answers of a session showed and nobody used, each under its query.

    Without a session nobody could have been seen using anything, so nothing is concluded.
    """
    if not session:
        return []
    judged = _latest(events, JUDGED)
    silent: dict[tuple[str, str], Event] = {}
    for event in events:
        key = (event.query_id, event.item_id)
        if event.kind != "shown" or event.time <= judged.get(key, -math.inf):
            continue
        detail = read_detail(event.detail)
        if detail.session == session:
            said = write_detail(msgspec.structs.replace(detail, implicit=True))
            silent[key] = Event(*key, "discarded", now, said)
    return list(silent.values())


def feedback(
    events: Iterable[Event], cluster: str, root_of: Callable[[str], str]
) -> dict[str, tuple[int, int]]:
    """Return how often an item was useful and not, by public id; what nobody judged is absent.

    Conclusions count for questions of the same cluster, words said by a person for all; both only while the package
    looks as it did.
    """
    counts: dict[str, list[int]] = {}
    for event in events:
        if event.kind not in JUDGED:
            continue
        detail = read_detail(event.detail)
        if not _counts(detail, cluster, root_of):
            continue
        row = counts.setdefault(event.item_id, [0, 0])
        row[0 if event.kind in USEFUL else 1] += 1
    return {item: (useful, useless) for item, (useful, useless) in counts.items()}


def _latest(events: Iterable[Event], kinds: frozenset[str]) -> dict[tuple[str, str], float]:
    """Return when each item was last judged under each query."""
    found: dict[tuple[str, str], float] = {}
    for event in events:
        if event.kind in kinds:
            key = (event.query_id, event.item_id)
            found[key] = max(event.time, found.get(key, event.time))
    return found


def _counts(detail: Detail, cluster: str, root_of: Callable[[str], str]) -> bool:
    if detail.implicit and detail.cluster != cluster:
        return False
    return not detail.root or root_of(detail.path) == detail.root
