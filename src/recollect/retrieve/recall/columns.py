"""Many candidates as columns: computed at once for thousands of memories, read one by one where they are shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import overload

import numpy as np

from recollect.retrieve.values import Candidate
from recollect.store.shelf import Column, Shelf


@dataclass(frozen=True)
class Columns(Sequence[Candidate]):
    """Candidates among the memories of a shelf; entry i of every column belongs to the same one."""

    shelf: Shelf
    rows: Column
    """Their rows on the shelf."""
    scores: Column
    signals: Mapping[str, Column] = field(default_factory=dict)
    reason: str = ""
    """Why they are here, for all of them."""

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, at: int) -> Candidate: ...
    @overload
    def __getitem__(self, at: slice) -> Columns: ...
    def __getitem__(self, at: int | slice) -> Candidate | Columns:
        """Return one candidate, or some of them still as columns."""
        if isinstance(at, slice):
            return self.take(np.arange(len(self))[at])
        row = int(self.rows[at])
        signals = {name: float(column[at]) for name, column in self.signals.items() if column[at]}
        return Candidate(int(self.shelf.column("number")[row]), float(self.scores[at]), self.reason, signals)

    def __iter__(self) -> Iterator[Candidate]:
        return (self[at] for at in range(len(self)))

    def take(self, which: Column) -> Columns:
        """Return some of them, by position or by truth."""
        signals = {name: column[which] for name, column in self.signals.items()}
        return replace(self, rows=self.rows[which], scores=self.scores[which], signals=signals)

    def scored(self, scores: Column, **signals: Column) -> Columns:
        """Return them best first by new scores, with more signals; ties break by uid."""
        more = {name.replace("__", "."): column for name, column in signals.items()}
        made = replace(self, scores=scores, signals={**self.signals, **more})
        return made.take(np.lexsort((self.shelf.column("uid")[self.rows], -scores)))

    def lowered(self) -> Columns:
        """Return them in their order, none with a higher score than one above it."""
        return replace(self, scores=np.minimum.accumulate(self.scores))


def nothing(shelf: Shelf) -> Columns:
    """Return no candidates."""
    return Columns(shelf, np.zeros(0, np.int64), np.zeros(0))
