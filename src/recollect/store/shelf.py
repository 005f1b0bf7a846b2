"""All memories as columns, in the order in which they were written: what ranking reads besides words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from recollect.store.memories import DERIVED, KINDS, NEVER, STATUSES, ShelfRow

Column = np.ndarray
WINDOWS = {"before": (1, 0), "around": (1, 1), "wide": (3, 3)}
"""How many memories before and after one in the same session are read together with it."""
REACH = 3
"""The most of them to one side."""
_FIELDS = (*ShelfRow._fields, "before", "after", "session_of")
"""The last three tie sessions: the rows of what was said before and after, -1 for none, and a number of the session."""
_AT = {name: at for at, name in enumerate(_FIELDS)}
_OWN = len(ShelfRow._fields)
_SPARE = 1024
_DERIVED = min(KINDS.index(name) for name in DERIVED)
_ARCHIVED = STATUSES.index("archived")


class Counts(NamedTuple):
    """What is known of all memories together."""

    words: int = 0
    archived: int = 0
    derived: int = 0
    first_expiry: int = NEVER
    windows: tuple[int, ...] = (0,) * len(WINDOWS)
    """The words of all windows of each kind."""


class _Room:
    """A table with room at its end; each state of a shelf looks at its first rows."""

    def __init__(self, rows: Column) -> None:
        self._held = np.empty((len(rows) + len(rows) // 8 + _SPARE, len(_FIELDS)), np.int64, order="F")
        self._held[: len(rows), : rows.shape[1]] = rows
        self._used = len(rows)

    def first(self, many: int) -> Column:
        return self._held[:many]

    def add(self, known: int, rows: Column) -> bool:
        """Write rows after those that a state knows; tell whether there was room that no other state took."""
        end = known + len(rows)
        if self._used != known or end > len(self._held):
            return False
        self._held[known:end, :_OWN] = rows
        self._used = end
        return True


@dataclass(frozen=True)
class Shelf:
    """One consistent state of all memories; row i of every column is the same memory."""

    table: Column
    """One line a memory and one column a field."""
    seen: tuple[int, int]
    """The last memory and the last change that it knows."""
    counts: Counts
    session_words: Column
    """The length of each session; a memory without one is its own."""
    room: _Room = field(repr=False)

    def column(self, name: str) -> Column:
        """Return one field of all memories."""
        return self.table[:, _AT[name]]

    def __len__(self) -> int:
        return len(self.table)

    def places(self, numbers: Column) -> Column:
        """Return the rows of memories by number, -1 where there is none."""
        wanted, known = np.asarray(numbers, np.int64), self.column("number")
        if not len(known):
            return np.full(len(wanted), -1)
        if known[-1] - known[0] + 1 == len(known):
            at = wanted - known[0]
            return np.where((at >= 0) & (at < len(known)), at, -1)
        at = np.searchsorted(known, wanted)
        return np.where(known[np.minimum(at, len(known) - 1)] == wanted, at, -1)

    def near(self, rows: Column, reach: int = REACH) -> Column:
        """Return the rows around each, a column a row: `reach` before it in its session, itself, as many after it."""
        return _near(self.table, rows, reach)

    @property
    def mean_words(self) -> float:
        """Return the mean length of a memory, at least 1."""
        return max(self.counts.words / len(self), 1.0) if len(self) else 1.0

    def mean_window(self, name: str) -> float:
        """Return the mean length of a window."""
        return self.counts.windows[list(WINDOWS).index(name)] / len(self) if len(self) else 1.0


def shelve(rows: Sequence[Sequence[int]] | Column, seen: tuple[int, int]) -> Shelf:
    """Put memories in order and tie those of one session, by position or else as they were written."""
    given = np.asarray(rows, np.int64).reshape(-1, _OWN)
    room = _Room(given[np.argsort(given[:, _AT["number"]], kind="stable")])
    table = room.first(len(given))
    session = table[:, _AT["session"]]
    known, inverse = np.unique(session, return_inverse=True)
    alone = session < 0
    inverse = inverse - int(alone.any())
    many = len(known) - int(alone.any())
    inverse[alone] = np.arange(many, many + np.count_nonzero(alone))
    table[:, _AT["session_of"]] = inverse
    everything = np.arange(len(table))
    before, after = _ties(table, everything)
    table[:, _AT["before"]], table[:, _AT["after"]] = before, after
    words = np.bincount(inverse, weights=table[:, _AT["words"]]) if len(table) else np.zeros(0)
    return Shelf(table, seen, _counted(Counts(), table, everything), words, room)


def renew(
    shelf: Shelf, gone: Sequence[int], rows: Sequence[Sequence[int]] | Column, seen: tuple[int, int]
) -> Shelf:
    """Return a shelf without some memories and with others; new ones alone cost what they and their sessions do."""
    new = np.asarray(rows, np.int64).reshape(-1, _OWN)
    known = shelf.column("number")
    first = new[:, _AT["number"]].min(initial=np.iinfo(np.int64).max)
    if not gone and (not len(known) or first > known[-1]):
        grown = _append(shelf, new[np.argsort(new[:, _AT["number"]], kind="stable")], seen)
        if grown is not None:
            return grown
    kept = shelf.table[:, :_OWN]
    if gone:
        kept = kept[~np.isin(known, np.asarray(gone, np.int64))]
    return shelve(np.concatenate([kept, new]), seen)


def _append(shelf: Shelf, new: Column, seen: tuple[int, int]) -> Shelf | None:
    """Return a shelf with memories at its end; None when others have to be tied anew that an older state reads."""
    old, room = len(shelf), shelf.room
    if not len(new):
        return replace(shelf, seen=seen)
    if not room.add(old, new):
        room = _Room(shelf.table)
        room.add(old, new)
    table = room.first(old + len(new))
    added = np.arange(old, len(table))
    table[added, _AT["before"]] = table[added, _AT["after"]] = -1
    held = _of_sessions(table, old, new[:, _AT["session"]])
    members = np.concatenate([held, added])
    before, after = _ties(table, members)
    if np.any(table[held, _AT["before"]] != before[: len(held)]):
        return None
    counts = _counted(shelf.counts, shelf.table, held, -1)
    words = _number_sessions(table, held, added, shelf.session_words)
    # What an older state reads of the last one of a session leads beyond its end, where it sees nothing.
    table[members, _AT["before"]], table[members, _AT["after"]] = before, after
    return Shelf(table, seen, _counted(counts, table, members), words, room)


def _of_sessions(table: Column, old: int, sessions: Column) -> Column:
    """Return the rows before one of all members of some sessions."""
    wanted = np.unique(sessions[sessions >= 0])
    known = table[:old, _AT["session"]]
    found = [np.flatnonzero(known == one) for one in wanted] if len(wanted) <= 8 else [
        np.flatnonzero(np.isin(known, wanted))
    ]  # fmt: skip
    return np.concatenate([np.zeros(0, np.int64), *found])


def _number_sessions(table: Column, held: Column, added: Column, words: Column) -> Column:
    """Give new memories the number of their session; return the words of all sessions."""
    session, dense = table[:, _AT["session"]], table[:, _AT["session_of"]]
    numbers = dict(zip(session[held].tolist(), dense[held].tolist(), strict=True))
    many = len(words)
    for row in added.tolist():
        label = int(session[row])
        dense[row] = numbers.get(label, many) if label >= 0 else many
        if dense[row] == many:
            many += 1
        if label >= 0:
            numbers[label] = int(dense[row])
    grown = np.append(words, np.zeros(many - len(words)))
    np.add.at(grown, dense[added], table[added, _AT["words"]])
    return grown


def _ties(table: Column, members: Column) -> tuple[Column, Column]:
    """Return for each row of some whole sessions which ones were said before and after it."""
    number, position = table[members, _AT["number"]], table[members, _AT["position"]]
    session = table[members, _AT["session"]]
    order = np.lexsort((number, np.where(position < 0, number, position), session))
    row, of = members[order], session[order]
    same = np.flatnonzero((of[1:] == of[:-1]) & (of[1:] >= 0))
    before, after = np.full(len(members), -1), np.full(len(members), -1)
    before[order[same + 1]] = row[same]
    after[order[same]] = row[same + 1]
    return before, after


def _counted(counts: Counts, table: Column, rows: Column, sign: int = 1) -> Counts:
    """Return counts with some rows added or taken away; what expires is only ever added."""
    words = table[:, _AT["words"]]
    near = _near(table, rows)
    held = np.where(near >= 0, words[near], 0).sum(axis=1) if len(rows) else np.zeros(2 * REACH + 1, int)
    return Counts(
        counts.words + sign * int(words[rows].sum()),
        counts.archived + sign * int(np.count_nonzero(table[rows, _AT["status"]] == _ARCHIVED)),
        counts.derived + sign * int(np.count_nonzero(table[rows, _AT["kind"]] >= _DERIVED)),
        min(counts.first_expiry, int(table[rows, _AT["expires"]].min(initial=NEVER))),
        tuple(
            total + sign * int(held[REACH - before : REACH + after + 1].sum())
            for total, (before, after) in zip(counts.windows, WINDOWS.values(), strict=True)
        ),
    )


def _near(table: Column, rows: Column, reach: int = REACH) -> Column:
    found = np.empty((2 * reach + 1, len(rows)), np.int64)
    found[reach] = rows
    for name, step in (("before", -1), ("after", 1)):
        tie, at = table[:, _AT[name]], rows
        for distance in range(1, reach + 1):
            at = np.where(at < 0, -1, tie[at])
            # Beyond the end stands what a later state knows.
            at = np.where(at >= len(table), -1, at)
            found[reach + step * distance] = at
    return found
