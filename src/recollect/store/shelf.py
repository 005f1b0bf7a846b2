"""All memories as columns, in the order in which they were said: what ranking reads besides words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from recollect.store.memories import DERIVED, KINDS, NEVER, STATUSES, ShelfRow

Column = np.ndarray
WINDOWS = {"before": (1, 0), "around": (1, 1), "wide": (3, 3)}
"""How many memories before and after one in the same session are read together with it."""
_NUMBER, _SESSION, _POSITION = (ShelfRow._fields.index(name) for name in ("number", "session", "position"))
_FEW = 50


class Window(NamedTuple):
    """What is read together with each memory."""

    low: Column
    """Its first row."""
    high: Column
    """The row after its last one."""
    words: Column
    mean: float
    """The mean of the words."""


@dataclass(frozen=True)
class Shelf:
    """One consistent state of all memories; row i of every column is the same memory."""

    rows: Column
    """One line a memory and one column a field of ShelfRow, sessions together and each in its own order."""
    seen: tuple[int, int]
    """The last memory and the last change that it knows."""

    def column(self, name: str) -> Column:
        """Return one field of all memories."""
        return self.rows[:, ShelfRow._fields.index(name)]

    def __len__(self) -> int:
        return len(self.rows)

    @cached_property
    def place_of(self) -> Column:
        """Return the row of each memory by its number, -1 where there is none."""
        numbers = self.column("number")
        places = np.full(int(numbers.max(initial=0)) + 2, -1, np.int64)
        places[numbers] = np.arange(len(self))
        return places

    @cached_property
    def session_of(self) -> Column:
        """Return a dense number of the session of each memory; one without a session is its own."""
        return np.cumsum(self._begins) - 1

    @cached_property
    def _begins(self) -> Column:
        sessions = self.column("session")
        begins = np.ones(len(self), bool)
        begins[1:] = (sessions[1:] != sessions[:-1]) | (sessions[1:] < 0)
        return begins

    @cached_property
    def first(self) -> Column:
        """Return the row in which the session of each memory begins."""
        return np.flatnonzero(self._begins)[self.session_of] if len(self) else np.zeros(0, np.int64)

    @cached_property
    def last(self) -> Column:
        """Return the row in which the session of each memory ends."""
        if not len(self):
            return np.zeros(0, np.int64)
        ends: Column = np.append(np.flatnonzero(self._begins)[1:], len(self)) - 1
        last: Column = ends[self.session_of]
        return last

    @cached_property
    def words(self) -> Column:
        """Return the length of each memory."""
        return self.column("words").astype(np.float64)

    @cached_property
    def mean_words(self) -> float:
        """Return the mean length of a memory, at least 1."""
        return max(float(self.words.mean()), 1.0) if len(self) else 1.0

    @cached_property
    def first_expiry(self) -> int:
        """Return when the first memory expires."""
        return int(self.column("expires").min(initial=NEVER))

    @cached_property
    def archived(self) -> Column:
        """Tell for each memory whether it was put away."""
        status: Column = self.column("status") == STATUSES.index("archived")
        return status

    @cached_property
    def derived(self) -> Column:
        """Tell for each memory whether a dream made it of others."""
        kinds: Column = np.isin(self.column("kind"), [KINDS.index(name) for name in DERIVED])
        return kinds

    @cached_property
    def session_words(self) -> Column:
        """Return the length of each session."""
        return np.bincount(self.session_of, weights=self.words) if len(self) else np.zeros(0)

    @cached_property
    def windows(self) -> dict[str, Window]:
        """Return the windows around each memory by their names."""
        place = np.arange(len(self))
        total = np.append(0.0, np.cumsum(self.words))
        found = {}
        for name, (before, after) in WINDOWS.items():
            low = np.maximum(place - before, self.first)
            high = np.minimum(place + after, self.last) + 1
            words = total[high] - total[low]
            found[name] = Window(low, high, words, float(words.mean()) if len(words) else 1.0)
        return found


def shelve(rows: Sequence[Sequence[int]] | Column, seen: tuple[int, int]) -> Shelf:
    """Put memories in order: by session, in it by position, which is the order of writing where none was given."""
    table = np.asarray(rows, np.int64).reshape(-1, len(ShelfRow._fields))
    order = np.lexsort((table[:, _NUMBER], _place(table), table[:, _SESSION]))
    # By column, since ranking reads whole columns.
    return Shelf(np.asfortranarray(table[order]), seen)


def renew(
    shelf: Shelf, gone: Sequence[int], rows: Sequence[Sequence[int]] | Column, seen: tuple[int, int]
) -> Shelf:
    """Return a shelf without some memories and with others."""
    kept = shelf.rows[~np.isin(shelf.column("number"), np.asarray(gone, np.int64))] if gone else shelf.rows
    new = np.asarray(rows, np.int64).reshape(-1, len(ShelfRow._fields))
    if len(new) > _FEW:
        return shelve(np.concatenate([kept, new]), seen)
    # A few find their places in what is in order already.
    new = new[np.lexsort((new[:, _NUMBER], _place(new), new[:, _SESSION]))]
    wheres = [_insertion(kept, row) for row in new]
    return Shelf(np.asfortranarray(np.insert(kept, wheres, new, axis=0)), seen)


def _place(table: Column) -> Column:
    position: Column = np.where(table[:, _POSITION] < 0, table[:, _NUMBER], table[:, _POSITION])
    return position


def _insertion(table: Column, row: Column) -> int:
    """Return before which row another one belongs."""
    low, high = np.searchsorted(table[:, _SESSION], [row[_SESSION], row[_SESSION] + 1])
    session = table[low:high]
    before = session[:, _NUMBER] < row[_NUMBER]
    if session[:, _POSITION].max(initial=-1) >= 0 or row[_POSITION] >= 0:
        place, own = _place(session), _place(row[None])[0]
        before = (place < own) | ((place == own) & before)
    return int(low) + int(np.count_nonzero(before))
