"""What is known of runs, for those who rank or answer: looked up, never gathered."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from recollect.ports import Reader
from recollect.store.ids import uid_of
from recollect.store.resolved import shape_of
from recollect.store.sqlite.evidence import open_evidence
from recollect.types import Impact, Item, Reached, Seen


class Running:
    """The runs of a project's symbols as they were last written down; any thread may ask."""

    def __init__(self, evidence_db: Path) -> None:
        self._evidence = open_evidence(evidence_db)
        self._guard = threading.Lock()
        self._stamp = ""
        self._ran: dict[tuple[int, int], Seen] = {}

    def ran(self, items: Iterable[Item]) -> dict[int, Seen]:
        """Return how often each item was seen running, by number; what was not, or is another one now, is absent."""
        with self._guard:
            self._keep_up()
            if not self._ran:
                return {}
            found = {item.number: self._ran.get(_key(item)) for item in items if item.domain == "code"}
        return {number: seen for number, seen in found.items() if seen is not None}

    def told(self, reader: Reader, impact: Impact) -> Impact:
        """Return an impact with what is known of the runs of its symbols and steps."""
        with self._guard:
            self._keep_up()
            if not self._ran:
                return impact
        ids = dict.fromkeys((*(item.id for item in impact.starts), *(one.id for one in impact.reached)))
        items = [item for one in ids if (item := reader.item(one)) is not None]
        by_number = self.ran(items)
        ran = {item.id: by_number[item.number] for item in items if item.number in by_number}
        backwards = impact.direction == "callers"
        reached = tuple(
            replace(one, ran=ran.get(one.id), passed=self._passed(one, backwards)) for one in impact.reached
        )
        starts = {item.id: ran[item.id] for item in impact.starts if item.id in ran}
        return replace(impact, reached=reached, ran=starts)

    def close(self) -> None:
        """Close the database."""
        self._evidence.close()

    def _passed(self, one: Reached, backwards: bool) -> Seen | None:
        if not one.via:
            return None
        source, target = (one.id, one.via) if backwards else (one.via, one.id)
        found = self._evidence.passed_between(uid_of(source), uid_of(target))
        return Seen(*found) if found else None

    def _keep_up(self) -> None:
        """Read anew what was written since; with its shape a symbol that has changed is another one."""
        stamp = self._evidence.stamp()
        if stamp != self._stamp:
            self._stamp = stamp
            self._ran = {(row.uid, row.shape): Seen(row.times, row.last) for row in self._evidence.ran()}


def _key(item: Item) -> tuple[int, int]:
    return uid_of(item.id), shape_of(item.kind, item.signature)
