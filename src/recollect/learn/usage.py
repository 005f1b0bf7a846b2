"""How much an item was used lately: every selection and use counts, halved with every week."""

from __future__ import annotations

from collections.abc import Iterable

from recollect.decay import DAY, decay
from recollect.ports import Event

COUNTS = frozenset({"selected", "used"})
"""Kinds that add weight; what was merely retrieved or shown never does."""
HALF_LIFE_DAYS = 7.0


def usage(events: Iterable[Event], now: float, half_life_days: float = HALF_LIFE_DAYS) -> dict[str, float]:
    """Return the decayed use of every item, by public id."""
    scores: dict[str, float] = {}
    for event in events:
        if event.kind in COUNTS:
            age = (now - event.time) / DAY
            scores[event.item_id] = scores.get(event.item_id, 0.0) + decay(age, half_life_days)
    return scores
