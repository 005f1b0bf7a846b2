"""All views of one log of events, as retrieval asks for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol

import msgspec

from recollect.learn.detail import Detail, read_detail, write_detail
from recollect.learn.implicit import attributed, feedback, flushed, opened, pending
from recollect.learn.prefetch import prefetch
from recollect.learn.session import session_boosts
from recollect.learn.usage import COUNTS, usage
from recollect.learn.vocabulary import vocabulary
from recollect.ports import Event
from recollect.types import Item


class Log(Protocol):
    """Where events are kept; rows are only ever added."""

    def events(self) -> Sequence[Event]:
        """Return all events, oldest first."""
        ...

    def add(self, events: Iterable[Event]) -> None:
        """Append events."""
        ...


class Asked(Protocol):
    """What is filed of a question."""

    @property
    def id(self) -> str:
        """Return the id under which everything about the question is filed."""
        ...

    @property
    def session(self) -> str:
        """Return the session that it belongs to."""
        ...


class Shown(Protocol):
    """An item in an answer, with what learning from it needs."""

    @property
    def item(self) -> Item:
        """Return the item."""
        ...

    @property
    def position(self) -> int:
        """Return its 1-based place in the answer."""
        ...

    @property
    def cluster(self) -> str:
        """Return which questions this one is like."""
        ...

    @property
    def words(self) -> tuple[str, ...]:
        """Return the keywords that are worth learning."""
        ...

    @property
    def signature(self) -> str:
        """Return which question it was, but for the order of its words."""
        ...


class Views:
    """Answers what was learned, and files what happens under the id of its question."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._judged: tuple[int, int, Sequence[Event]] = (0, 0, ())
        """How many events were counted, how many of them judge something, and of which list."""

    def session(
        self, session: str, now: float, kinds: frozenset[str], half_life: float
    ) -> Mapping[str, float]:
        """Return the boost of every item that was touched lately, by public id."""
        return session_boosts(self._log.events(), session, now, kinds, half_life)

    def feedback(self, cluster: str, root_of: Callable[[str], str]) -> Mapping[str, tuple[int, int]]:
        """Return how often an item was useful and not, by public id."""
        return feedback(self._log.events(), cluster, root_of)

    def vocabulary(
        self, words: Iterable[str], root_of: Callable[[str], str]
    ) -> Mapping[str, Mapping[str, int]]:
        """Return for each word the items that were used for it, with how often."""
        return vocabulary(self._log.events(), words, root_of)

    def usage(self, now: float, half_life_days: float) -> Mapping[str, float]:
        """Return the decayed use of every item that was selected or used, by public id."""
        return usage(self._log.events(), now, half_life_days)

    def prefetch(self, signature: str, root_of: Callable[[str], str]) -> Mapping[str, int]:
        """Return how often each item was used for a question of this signature, by public id."""
        return prefetch(self._log.events(), signature, root_of)

    def touched(self, session: str, now: float) -> bool:
        """Say whether anything was shown or used in a named session so lately that answers differ for it."""
        kinds = frozenset({"shown", *COUNTS})
        return bool(session) and bool(session_boosts(self._log.events(), session, now, kinds))

    def version(self) -> str:
        """Return a text that changes whenever something is judged."""
        events = self._log.events()
        counted, judged = self._judged[:2] if self._judged[2] is events else (0, 0)
        judged += sum(event.kind in COUNTS or event.kind == "discarded" for event in events[counted:])
        self._judged = (len(events), judged, events)
        return str(judged)

    def record(self, query: Asked, shown: Sequence[Shown], now: float, root_of: Callable[[str], str]) -> None:
        """Close the last answer of the session and file what this one shows."""
        events = flushed(self._log.events(), now, query.session) if query.session else []
        events += [
            Event(query.id, row.item.id, "shown", now, write_detail(_detail(row, query, root_of)))
            for row in shown
        ]
        self._log.add(events)

    def attribute(
        self,
        items_of: Callable[[Iterable[str]], Iterable[Item]],
        content: str,
        now: float,
        session: str = "",
        paths: Iterable[str] = (),
    ) -> Sequence[Event]:
        """File what an edit named and what files were opened of the pending answers; items are asked for by id."""
        shown = pending(self._log.events(), now, session)
        items = items_of(dict.fromkeys(event.item_id for event in shown)) if content.strip() else ()
        found = [*opened(shown, paths, now), *attributed(shown, items, content, now)]
        self._log.add(found)
        return found

    def judge(self, query_id: str, item_ids: Iterable[str], useful: bool, now: float) -> Sequence[Event]:
        """File what a person says of an answer, with the details under which it was shown."""
        shown = {event.item_id: event for event in self._log.events() if event.query_id == query_id}
        kind = "used" if useful else "discarded"
        events = [Event(query_id, item, kind, now, _said(shown.get(item))) for item in item_ids]
        self._log.add(events)
        return events


def _said(event: Event | None) -> str:
    detail = Detail() if event is None else read_detail(event.detail)
    return write_detail(msgspec.structs.replace(detail, implicit=False))


def _detail(row: Shown, query: Asked, root_of: Callable[[str], str]) -> Detail:
    root = root_of(row.item.path)
    return Detail(
        row.item.path, root, row.cluster, row.words, query.session, False, row.position, row.signature
    )
