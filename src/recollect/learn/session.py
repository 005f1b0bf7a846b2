"""What was touched a moment ago: a boost that fades within minutes."""

from __future__ import annotations

from collections.abc import Iterable

from recollect.decay import decay
from recollect.learn.detail import read_detail
from recollect.ports import Event

HALF_LIFE = 180.0
CAP = 2.0
LEAST = 0.01
LAST = 20


def session_boosts(
    events: Iterable[Event], session: str, now: float, kinds: frozenset[str], half_life: float = HALF_LIFE
) -> dict[str, float]:
    """Return the boost of every item touched in a session: its last twenty touches, faded, at most two.

    Questions without a session have nothing to do with each other, so for them there is none.
    """
    if not session:
        return {}
    touches: dict[str, list[float]] = {}
    oldest = now - half_life * 12
    for event in events:
        if event.kind in kinds and event.time >= oldest and read_detail(event.detail).session == session:
            touches.setdefault(event.item_id, []).append(event.time)
    boosts = {item: boost(times, now, half_life) for item, times in touches.items()}
    return {item: value for item, value in boosts.items() if value >= LEAST}


def boost(times: Iterable[float], now: float, half_life: float = HALF_LIFE) -> float:
    """Return the boost that touches at these times amount to now."""
    return min(CAP, sum(decay(now - time, half_life) for time in sorted(times)[-LAST:]))
