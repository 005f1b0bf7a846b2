"""How far a memory has faded, how much it is worth keeping, and what it has earned."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from recollect.decay import DAY, Elastic, Exponential, Huber, Shape, decay
from recollect.errors import UsageError
from recollect.store.memories import MemoryRow

SHAPES = ("exponential", "huber", "elastic")


class Life(NamedTuple):
    """A memory with what happened to it; times are milliseconds since 1970."""

    row: MemoryRow
    uses: int
    """How often it was of use, or said again."""
    last: int
    """When it was last written or of use."""


@cache
def rules() -> Mapping[str, Mapping[str, float]]:
    """Return the numbers of the data file."""
    return tomllib.loads((files("recollect.memory") / "life.toml").read_text("utf-8"))


def life(row: MemoryRow, used: tuple[int, float]) -> Life:
    """Return a memory with how often it was used and when last, in seconds."""
    count, last = used
    said = max(row.created, row.updated or 0)
    return Life(row, count + row.seen - 1, max(said, int(last * 1000)))


def retention(one: Life, now: int, shape_name: str = "huber") -> float:
    """Return what is left of a memory: 1 when it is fresh; trust makes it last, use brings some of it back."""
    numbers = rules()["retention"]
    half_life = numbers["half_life_days"] / (1 + numbers["distrust"] * (1 - one.row.trust / 100))
    kept = decay(_days(one.last, now), half_life, _shape(shape_name))
    gained = min(numbers["most_reinforcement"], numbers["reinforcement"] * math.log1p(one.uses))
    return min(1.0, kept + gained)


def keep_score(one: Life, now: int) -> float:
    """Return how much a memory is worth keeping, between 0 and 1."""
    return _sum(one, now, rules()["keep"])


def raise_score(one: Life, now: int) -> float:
    """Return how much a memory has earned the highest priority, between 0 and 1."""
    return _sum(one, now, rules()["raise"])


def has_faded(one: Life, now: int, shape_name: str) -> bool:
    """Tell whether a memory is old, hardly retained, of little importance and hardly used."""
    numbers = rules()["hygiene"]
    return (
        _days(one.row.created, now) >= numbers["faded_days"]
        and retention(one, now, shape_name) < numbers["faded_retention"]
        and one.row.importance < 100 * numbers["faded_importance"]
        and one.uses < numbers["faded_uses"]
    )


def idle_days(one: Life, now: int) -> float:
    """Return for how many days nothing happened to a memory."""
    return _days(one.last, now)


def promoted(one: Life, now: int) -> str:
    """Return the layer that a memory has earned; its own when it has earned no other."""
    numbers = rules()["promotion"]
    if one.row.layer == "working":
        minutes = (now - one.row.created) / 60_000
        earned = minutes >= numbers["working_minutes"] or one.uses >= numbers["working_uses"]
        return "episodic" if earned else "working"
    if one.row.layer == "episodic":
        important = one.row.importance >= 100 * numbers["episodic_importance"]
        return "semantic" if important and one.uses >= numbers["episodic_uses"] else "episodic"
    return one.row.layer


def _sum(one: Life, now: int, weights: Mapping[str, float]) -> float:
    numbers = rules()["keep"]
    row = one.row
    span = max(0, one.last - row.created) / (DAY * 1000)
    parts = {
        "recency": decay(_days(one.last, now), numbers["recency_days"]),
        "frequency": min(1.0, one.uses / numbers["full_frequency"]),
        "confirmation": min(1.0, (row.seen - 1) / numbers["full_confirmation"]),
        "confidence": row.importance / 100 * row.trust / 100,
        "staleness": min(1.0, span / numbers["full_span_days"]),
    }
    return sum(weights[name] * value for name, value in parts.items())


def _days(since: int, now: int) -> float:
    return max(0, now - since) / (DAY * 1000)


def _shape(name: str) -> Shape:
    numbers = rules()["retention"]
    shapes: dict[str, Shape] = {
        "exponential": Exponential(),
        "huber": Huber(numbers["huber"]),
        "elastic": Elastic(numbers["elastic"]),
    }
    if name not in shapes:
        raise UsageError(f"There is no shape '{name}'; memories fade as {', '.join(SHAPES)}.")
    return shapes[name]
