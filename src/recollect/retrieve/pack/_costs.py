"""What entries cost: counted exactly where they may fit, a floor where a glance tells that they cannot."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from recollect.retrieve.context import Context
from recollect.retrieve.pack._standing import Standing
from recollect.retrieve.packing import Framing
from recollect.retrieve.tokens import at_a_glance, least
from recollect.retrieve.values import Candidate
from recollect.types import Item

MAX_REASONS = 2
"""Every format gives so many."""
GLANCED = 8
"""So many characters for each token that is left are looked at first."""
KEPT = 100_000
"""How many signatures are remembered with what they cost."""


class _Kept:
    """What signatures cost by number and reason, and what they and reasons cost at least; kept for a generation."""

    def __init__(self) -> None:
        self.counted: dict[tuple[int, str], int] = {}
        self.floors: dict[int, int] = {}
        self.reasons: dict[str, int] = {}

    def bound(self) -> None:
        """Forget everything when it has become too much."""
        if len(self.counted) + len(self.floors) + len(self.reasons) > KEPT:
            self.counted, self.floors, self.reasons = {}, {}, {}


class Costs:
    """The costs of one answer in its framing; what earlier answers counted is not counted again."""

    def __init__(self, context: Context, framing: Framing) -> None:
        self._framing = framing
        self._count = context.count_tokens
        self._kept = context.snapshot.memo(("costs", getattr(framing, "name", ""), self._count), _Kept)
        self._kept.bound()

    def floors(self, standing: Standing) -> list[int]:
        """Return what the signature of each candidate costs at least, its place and reasons included."""
        reasons = {reason: self._reason(reason) for reason in set(standing.ranking.reasons.tolist())}
        found = np.array([reasons[reason] for reason in standing.ranking.reasons.tolist()], np.int64)
        if at_a_glance(self._count):
            found += standing.glances
        floors: list[int] = found.tolist()
        return floors

    def counted(self, row: Candidate) -> int | None:
        """Return what a signature costs if that was counted before."""
        return self._kept.counted.get((row.number, row.reason))

    def signature(self, row: Candidate, item: Item, text: str) -> tuple[int, bool]:
        """Return what a signature costs if that was counted before, else what it costs at least."""
        counted = self._kept.counted.get((row.number, row.reason))
        if counted is not None:
            return counted, True
        floor = self._kept.floors.get(row.number)
        if floor is None:
            floor = self._kept.floors[row.number] = self._place(item) + least(self._count, text)
        return floor + self._reason(row.reason), False

    def of(self, row: Candidate, item: Item, text: str, form: str, room: int) -> tuple[int, bool]:
        """Return what an entry costs, and whether that was counted; what is too long at a glance is not."""
        if form == "signature":
            cost, counted = self.signature(row, item, text)
        else:
            cost, counted = self._place(item) + self._reason(row.reason), False
            # The beginning of a long text tells already that it is too long.
            cost += next((floor for floor in self._floors(text, room) if cost + floor > room), 0)
        if counted or cost > room:
            return cost, counted
        cost = self._framing.cost(item, text, row.reason, self._count, form)
        if form == "signature":
            self._kept.counted[row.number, row.reason] = cost
        return cost, True

    def _floors(self, text: str, room: int) -> Iterator[int]:
        """Yield what a text costs at least, first as far as a glance at its beginning tells."""
        beginning = max(0, room) * GLANCED
        if len(text) > beginning:
            yield least(self._count, text[:beginning])
        yield least(self._count, text)

    def _place(self, item: Item) -> int:
        """Return what saying where an item is costs at least: its path, two lines and what is between them."""
        path = least(self._count, item.path)
        return path + 3 if path and item.start_line else path

    def _reason(self, reason: str) -> int:
        """Return what the reasons that every format gives cost at least."""
        floor = self._kept.reasons.get(reason)
        if floor is None:
            given = "; ".join([part for part in reason.split("; ") if part][:MAX_REASONS])
            floor = self._kept.reasons[reason] = least(self._count, given)
        return floor
