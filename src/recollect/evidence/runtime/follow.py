"""Finds which function called which in a stream of spans, which end before their parents do."""

from __future__ import annotations

from typing import NamedTuple

from recollect.evidence.runtime.sums import Frame, Sums

WINDOW = 200_000
"""Spans that are remembered; a trace may be any length."""


class Span(NamedTuple):
    """One span, without anything that it carries."""

    id: int
    parent: int
    """0 when it has none."""
    frame: Frame | None
    """None when it does not say which code it is of; its children then belong to its parent."""
    ended: float


class _Child(NamedTuple):
    frame: Frame
    ended: float


class Follower:
    """Remembers the latest spans until both ends of a step were seen."""

    def __init__(self, sums: Sums, window: int = WINDOW) -> None:
        self._sums = sums
        self._window = window
        self._seen: dict[int, tuple[Frame | None, int]] = {}
        self._waiting: dict[int, list[_Child]] = {}
        self._held = 0
        self.lost = 0
        """Steps whose parent did not come while they were remembered."""

    def add(self, span: Span) -> None:
        """Count a span, and every step that it completes."""
        if span.frame is not None:
            self._sums.ran(span.frame, 1, span.ended)
            if span.parent:
                self._climb(span.parent, [_Child(span.frame, span.ended)])
        waiting = self._waiting.pop(span.id, [])
        self._held -= len(waiting)
        if span.frame is not None:
            self._called(span.frame, waiting)
        elif span.parent and waiting:
            self._climb(span.parent, waiting)
        self._seen[span.id] = (span.frame, span.parent)
        self._shed()

    def into(self, sums: Sums) -> None:
        """Count into other sums from now on; what is remembered stays."""
        self._sums = sums

    def close(self) -> None:
        """Give up what is still waiting."""
        self.lost += self._held
        self._waiting.clear()
        self._seen.clear()
        self._held = 0

    def _climb(self, parent: int, children: list[_Child]) -> None:
        """Count steps from the nearest span above that names its code, or let them wait for it."""
        passed = {parent}
        while parent in self._seen:
            frame, above = self._seen[parent]
            if frame is not None:
                self._called(frame, children)
                return
            if not above or above in passed:
                return
            passed.add(above)
            parent = above
        self._waiting.setdefault(parent, []).extend(children)
        self._held += len(children)

    def _called(self, caller: Frame, children: list[_Child]) -> None:
        for child in children:
            if child.frame != caller:
                self._sums.step(caller, child.frame, 1, child.ended)

    def _shed(self) -> None:
        while len(self._seen) > self._window:
            del self._seen[next(iter(self._seen))]
        while self._held > self._window:
            gone = self._waiting.pop(next(iter(self._waiting)))
            self._held -= len(gone)
            self.lost += len(gone)
