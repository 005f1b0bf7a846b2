"""Remembers which keys a unit asked for, and the answers to questions that several units ask."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

import numpy as np

Found = TypeVar("Found")
_DEPTH = 60


class Asking:
    """The keys asked since the last start, answers with the keys they took, and the questions still open."""

    def __init__(self, limit: int) -> None:
        self._asked: set[int] = set()
        self._limit = limit
        self._answers: dict[Hashable, tuple[Any, frozenset[int]]] = {}
        self._open: list[Hashable] = []
        self._cut = False

    def start(self) -> None:
        """Forget which keys were asked; called before each unit."""
        self._asked = set()

    def asked(self) -> bytes:
        """Return the keys asked since `start`, as sorted little-endian uint32."""
        keys = np.fromiter(self._asked, "<u4", len(self._asked))
        keys.sort()
        return keys.tobytes()

    def remembered(self, question: Hashable, answer: Callable[[], Found]) -> Found:
        """Return the answer to a question that does not depend on who asks, with the keys it took recorded again.

        An answer that was cut short by a circle depends on where the circle was entered, so it is not kept.
        """
        known = self._answers.get(question)
        if known is not None:
            self._asked |= known[1]
            kept: Found = known[0]
            return kept
        outer, self._asked = self._asked, set()
        cut, self._cut = self._cut, False
        try:
            found = answer()
            if not self._cut:
                if len(self._answers) >= self._limit:
                    self._answers.clear()
                self._answers[question] = (found, frozenset(self._asked))
        finally:
            outer |= self._asked
            self._asked = outer
            self._cut = self._cut or cut
        return found

    def enter(self, question: Hashable) -> bool:
        """Note that a question is being answered; False when that goes round in a circle or too deep."""
        if question in self._open or len(self._open) >= _DEPTH:
            self._cut = True
            return False
        self._open.append(question)
        return True

    def leave(self) -> None:
        """Note that the question entered last has been answered."""
        self._open.pop()

    def forget_answers(self) -> None:
        """Drop what was remembered, as the lookups behind it change."""
        self._answers.clear()
