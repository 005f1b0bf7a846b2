"""Many candidates as columns: what stages do to hundreds is done at once, and one by one only what is shown."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeVar, cast, overload

import numpy as np

from recollect.retrieve.values import Candidate, Candidates

Array = np.ndarray[Any, np.dtype[Any]]
Told = TypeVar("Told")

BLOCK = 64
"""So many are made at once when one after the other is asked for."""


@dataclass(frozen=True, eq=False)
class Ranking(Sequence[Candidate]):
    """Candidates; entry i of every column belongs to the same one."""

    numbers: Array
    scores: Array
    reasons: Array
    """Why each is here, as texts."""
    signals: Mapping[str, Array] = field(default_factory=dict)
    """What stages measured; NaN stands for what is not known."""

    def __len__(self) -> int:
        return len(self.numbers)

    @overload
    def __getitem__(self, at: int) -> Candidate: ...
    @overload
    def __getitem__(self, at: slice) -> Ranking: ...
    def __getitem__(self, at: int | slice) -> Candidate | Ranking:
        """Return one candidate, or some of them still as columns."""
        if isinstance(at, slice):
            return self.take(np.arange(len(self))[at])
        return self._rows[at] if "_rows" in self.__dict__ else self._row(at)

    def __iter__(self) -> Iterator[Candidate]:
        for first in range(0, len(self), BLOCK):
            yield from self[first : first + BLOCK]._rows if len(self) > BLOCK else self._rows

    @cached_property
    def _rows(self) -> Candidates:
        lists = [column.tolist() for column in (self.numbers, self.scores, self.reasons)]
        signals: list[dict[str, float]] = [{} for _ in range(len(self))]
        for name, column in self.signals.items():
            known = np.flatnonzero(~np.isnan(column))
            for at, value in zip(known.tolist(), column[known].tolist(), strict=True):
                signals[at][name] = value
        return tuple(map(Candidate, *lists, signals))

    def _row(self, at: int) -> Candidate:
        signals = {name: float(column[at]) for name, column in self.signals.items()}
        known = {name: value for name, value in signals.items() if not math.isnan(value)}
        return Candidate(int(self.numbers[at]), float(self.scores[at]), str(self.reasons[at]), known)

    def take(self, which: Array) -> Ranking:
        """Return some of them, by position or by truth."""
        signals = {name: column[which] for name, column in self.signals.items()}
        return Ranking(self.numbers[which], self.scores[which], self.reasons[which], signals)

    def signal(self, name: str, absent: float = 0.0) -> Array:
        """Return what was measured under a name, for all of them."""
        column = self.signals.get(name)
        return np.full(len(self), absent) if column is None else np.where(np.isnan(column), absent, column)

    def scored(self, scores: Array, **signals: Array) -> Ranking:
        """Return them in the same order by new scores, with more signals; `__` in a name stands for a dot."""
        more = {name.replace("__", "."): column for name, column in signals.items()}
        return replace(self, scores=scores, signals={**self.signals, **more})

    def as_candidates(self) -> Candidates:
        """Return the same under the type that stages hand on."""
        return cast(Candidates, self)


class Notes(MutableMapping[int, Told]):
    """What is told of many items by number, put into words when it is asked for; single ones may be added."""

    def __init__(
        self,
        numbers: Array,
        values: Sequence[Any] | Array,
        tell: Callable[[Any], Told],
        before: Mapping[int, Told] | None = None,
    ) -> None:
        self._numbers = numbers
        self._values = values
        self._tell = tell
        self._before = before or {}

    @cached_property
    def _known(self) -> dict[int, Told]:
        values = self._values.tolist() if isinstance(self._values, np.ndarray) else self._values
        return {**self._before, **dict(zip(self._numbers.tolist(), map(self._tell, values), strict=True))}

    def __getitem__(self, number: int) -> Told:
        return self._known[number]

    def __setitem__(self, number: int, told: Told) -> None:
        self._known[number] = told

    def __delitem__(self, number: int) -> None:
        del self._known[number]

    def __iter__(self) -> Iterator[int]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)


def ranking_of(candidates: Sequence[Candidate]) -> Ranking:
    """Return candidates of any kind as columns, the first of each item."""
    if isinstance(candidates, Ranking):
        return candidates
    once: dict[int, Candidate] = {}
    for row in candidates:
        once.setdefault(row.number, row)
    candidates = list(once.values())
    names = dict.fromkeys(name for row in candidates for name in row.signals)
    return Ranking(
        np.array([row.number for row in candidates], np.int64),
        np.array([row.score for row in candidates], np.float64),
        np.array([row.reason for row in candidates], object),
        {name: np.array([row.signals.get(name, np.nan) for row in candidates]) for name in names},
    )


def numbers_of(candidates: Sequence[Candidate]) -> list[int]:
    """Return the numbers of candidates of any kind."""
    if isinstance(candidates, Ranking):
        numbers: list[int] = candidates.numbers.tolist()
        return numbers
    return [row.number for row in candidates]


def top_score(candidates: Sequence[Candidate], otherwise: float) -> float:
    """Return the best score of candidates of any kind."""
    if isinstance(candidates, Ranking):
        return float(candidates.scores.max()) if len(candidates) else otherwise
    return max((row.score for row in candidates), default=otherwise)


def joined(first: Ranking, second: Ranking) -> Ranking:
    """Return both, one after the other."""
    names = dict.fromkeys((*first.signals, *second.signals))
    blank = [np.full(len(part), np.nan) for part in (first, second)]
    return Ranking(
        np.concatenate([first.numbers, second.numbers]),
        np.concatenate([first.scores, second.scores]),
        np.concatenate([first.reasons, second.reasons]),
        {
            name: np.concatenate(
                [part.signals.get(name, empty) for part, empty in zip((first, second), blank, strict=True)]
            )
            for name in names
        },
    )


def repeated(reason: str, count: int) -> Array:
    """Return a column that says the same of all."""
    reasons = np.empty(count, object)
    reasons[:] = reason
    return reasons
