"""Where each word stands: rows of the shelf and how often, kept for the words that were asked for lately."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import numpy as np

from recollect.store.shelf import Shelf

Made = TypeVar("Made")

KEPT = 8_000_000
"""How many places of words are kept, at twelve bytes each."""


class Posting(NamedTuple):
    """The memories that hold a word, by row of the shelf, and how often they do."""

    rows: np.ndarray
    counts: np.ndarray
    totals: np.ndarray
    """The sums of the counts up to each row, with a zero in front."""
    spreads: dict[tuple[int, int], int]
    """How many windows of a size hold the word, for the sizes that were asked for."""


class Postings:
    """The postings of one shelf, read from the store when they are first asked for."""

    def __init__(self, shelf: Shelf) -> None:
        self.shelf = shelf
        self.authors: dict[str, int] | None = None
        """The label of every author; filled by the first question."""
        self.told: np.ndarray | None = None
        """Start, end and label of every time that is told of; filled by the first question that names a time."""
        self._made: dict[Any, Any] = {}
        self._kept: OrderedDict[str, Posting] = OrderedDict()
        self._size = 0
        self._guard = threading.Lock()

    def of(self, word: str, occurrences: Callable[[str], np.ndarray]) -> Posting:
        """Return the posting of a stem."""
        with self._guard:
            found = self._kept.get(word)
            if found is None:
                found = self._kept[word] = self._read(occurrences(word))
                self._size += len(found.rows)
                while self._size > KEPT and len(self._kept) > 1:
                    self._size -= len(self._kept.popitem(last=False)[1].rows)
            else:
                self._kept.move_to_end(word)
            return found

    def once(self, key: Any, make: Callable[[], Made]) -> Made:
        """Return what `make` returned when the key was first asked for on this shelf."""
        if key not in self._made:
            self._made[key] = make()
        made: Made = self._made[key]
        return made

    def _read(self, numbers: np.ndarray) -> Posting:
        places = self.shelf.place_of
        # A memory that was written after the shelf was filled is not on it yet.
        rows = places[numbers[numbers < len(places)]]
        rows = rows[rows >= 0]
        if len(rows) > 1 and not np.all(rows[1:] >= rows[:-1]):
            rows = np.sort(rows)
        new = np.ones(len(rows), bool)
        new[1:] = rows[1:] != rows[:-1]
        starts = np.flatnonzero(new)
        counts = np.diff(np.append(starts, len(rows)))
        return Posting(rows[starts], counts.astype(np.float64), np.append(0.0, np.cumsum(counts)), {})
