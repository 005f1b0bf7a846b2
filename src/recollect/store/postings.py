"""Where each word stands: rows of the shelf and how often, kept for the words that were asked for lately."""

from __future__ import annotations

import threading
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np

from recollect.store.shelf import Shelf

Made = TypeVar("Made")
Newest = Callable[[str, str, int], np.ndarray]
"""Returns the numbers of the newest memories with a word, given with its stem, up to so many."""

KEPT = 8_000_000
"""How many places of words are kept, at twelve bytes each."""
COUNTED = 1_000
"""So many memories with a word are counted, the newest; how many more hold it is reckoned from how dense these are."""
MOST_ADDED = 20_000
"""After so many words of new memories those that are kept are read anew."""


class Posting(NamedTuple):
    """The memories that hold a word, by rising row of the shelf, and how often they do."""

    rows: np.ndarray
    counts: np.ndarray

    def at(self, rows: np.ndarray) -> np.ndarray:
        """Return how often the word stands in each of some rows."""
        if not len(self.rows):
            return np.zeros(len(rows), np.int32)
        found = np.minimum(np.searchsorted(self.rows, rows), len(self.rows) - 1)
        return np.where(self.rows[found] == rows, self.counts[found], np.int32(0))


class _Kept(NamedTuple):
    posting: Posting
    length: int
    """How long the shelf was when it was made."""


class Postings:
    """The postings of one shelf, read from the store when they are first asked for."""

    def __init__(self, shelf: Shelf) -> None:
        self.shelf = shelf
        self.authors: dict[str, int] | None = None
        """The label of every author; filled by the first question."""
        self.told: np.ndarray | None = None
        """Start, end and label of every time that is told of; filled by the first question that names a time."""
        self._made: dict[Any, Any] = {}
        self._kept: OrderedDict[str, _Kept] = OrderedDict()
        self._added: dict[str, list[tuple[int, int]]] = {}
        self._many_added = 0
        self._often: dict[str, int] = {}
        self._size = 0
        self._guard = threading.Lock()

    def grown(self, shelf: Shelf, stems: Iterable[Iterable[str]]) -> Postings:
        """Return the postings of a shelf that has more at its end, given the stems of each memory that it has more."""
        made = Postings(shelf)
        with self._guard:
            made._kept, made._size = self._kept.copy(), self._size
            made._added, made._many_added = self._added.copy(), self._many_added
            made._often = {stem: many for stem, many in self._often.items() if many < COUNTED}
        for row, held in enumerate(stems, len(self.shelf)):
            for stem, count in Counter(held).items():
                made._added[stem] = [*made._added.get(stem, ()), (row, count)]
                made._many_added += 1
                made._often.pop(stem, None)
        return made if made._many_added <= MOST_ADDED else Postings(shelf)

    def of(self, word: str, occurrences: Callable[[str], np.ndarray]) -> Posting:
        """Return the posting of a stem."""
        with self._guard:
            found = self._kept.get(word)
            if found is None:
                found = self._kept[word] = _Kept(self._read(occurrences(word)), len(self.shelf))
                self._size += len(found.posting.rows)
                while self._size > KEPT and len(self._kept) > 1:
                    self._size -= len(self._kept.popitem(last=False)[1].posting.rows)
            else:
                if found.length < len(self.shelf):
                    found = self._kept[word] = self._brought_up(word, found)
                self._kept.move_to_end(word)
            return found.posting

    def gather(
        self, words: Iterable[str], occurrences: Callable[[Sequence[str]], Mapping[str, np.ndarray]]
    ) -> None:
        """Read many postings at once that will be asked for one by one."""
        with self._guard:
            missing = sorted({word for word in words if word not in self._kept})
        found = occurrences(missing) if len(missing) > 1 else {}
        for word in found:
            self.of(word, found.__getitem__)

    def often(self, word: str, stem: str, newest: Newest) -> int:
        """Return how many memories hold a word; of a common one about how many, without reading all of them."""
        found = self._often.get(stem)
        if found is None:
            numbers = newest(word, stem, COUNTED)
            found = len(numbers)
            if found == COUNTED:
                rows = self.shelf.places(numbers)
                passed = len(self.shelf) - int(rows[rows >= 0].min(initial=len(self.shelf) - 1))
                found = max(found, round(found * len(self.shelf) / passed))
            self._often[stem] = found
        return found

    def once(self, key: Any, make: Callable[[], Made]) -> Made:
        """Return what `make` returned when the key was first asked for on this shelf."""
        if key not in self._made:
            self._made[key] = make()
        made: Made = self._made[key]
        return made

    def _brought_up(self, word: str, old: _Kept) -> _Kept:
        new = np.array([one for one in self._added.get(word, ()) if one[0] >= old.length], np.int64)
        if not len(new):
            return old._replace(length=len(self.shelf))
        self._size += len(new)
        rows, counts = old.posting
        grown = Posting(np.append(rows, new[:, 0]), np.append(counts, new[:, 1].astype(np.int32)))
        return _Kept(grown, len(self.shelf))

    def _read(self, numbers: np.ndarray) -> Posting:
        # A memory that was written after the shelf was filled is not on it yet.
        rows = self.shelf.places(numbers)
        rows = rows[rows >= 0]
        if len(rows) > 1 and not np.all(rows[1:] >= rows[:-1]):
            rows = np.sort(rows)
        new = np.ones(len(rows), bool)
        new[1:] = rows[1:] != rows[:-1]
        starts = np.flatnonzero(new)
        return Posting(rows[starts], np.diff(np.append(starts, len(rows))).astype(np.int32))
