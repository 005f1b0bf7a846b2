"""How the weight of something fades with its age: one function for every decay in the product."""

from __future__ import annotations

import math
from dataclasses import dataclass

_LN2 = math.log(2.0)


@dataclass(frozen=True, slots=True)
class Exponential:
    """Halves with every half-life."""


@dataclass(frozen=True, slots=True)
class Linear:
    """Falls in a straight line to zero at two half-lives."""


@dataclass(frozen=True, slots=True)
class Huber:
    """Exponential up to `delta` half-lives, then along the tangent to zero."""

    delta: float = 0.5


@dataclass(frozen=True, slots=True)
class Elastic:
    """A mixture of the linear and the exponential fall."""

    l1: float = 0.3


@dataclass(frozen=True, slots=True)
class Brackets:
    """Steps: the value of the first bracket whose age is not exceeded, else `beyond`."""

    steps: tuple[tuple[float, float], ...]
    beyond: float = 0.0


Shape = Exponential | Linear | Huber | Elastic | Brackets

DAY = 86400.0
RUNTIME_RECENCY = Brackets(((DAY, 1.0), (7 * DAY, 0.8), (30 * DAY, 0.5)), 0.2)
COMMIT_RECENCY = Brackets(((DAY, 0.05), (7 * DAY, 0.03), (30 * DAY, 0.01)), 0.0)


def decay(age: float, half_life: float, shape: Shape | None = None, floor: float = 0.0) -> float:
    """Return what is left of 1.0 after `age`, blended so that it never falls below `floor`."""
    age = max(0.0, age)
    return floor + (1.0 - floor) * _shaped(age, half_life, shape or Exponential())


def _shaped(age: float, half_life: float, shape: Shape) -> float:
    if isinstance(shape, Brackets):
        return next((value for limit, value in shape.steps if age <= limit), shape.beyond)
    if half_life <= 0.0:
        return 1.0 if age == 0.0 else 0.0
    lives = age / half_life
    exponential = math.exp(-_LN2 * lives)
    straight = max(0.0, 1.0 - lives / 2.0)
    if isinstance(shape, Linear):
        return straight
    if isinstance(shape, Elastic):
        return shape.l1 * straight + (1.0 - shape.l1) * exponential
    if isinstance(shape, Huber) and lives > shape.delta:
        border = math.exp(-_LN2 * shape.delta)
        return max(0.0, border - _LN2 * border * (lives - shape.delta))
    return exponential


RUNTIME_COUNTS = ((1000, 0.95), (100, 0.85), (10, 0.7), (1, 0.5))
"""How sure it is that something runs, by how often it was seen running."""


def runtime_confidence(count: int) -> float:
    """Return how sure an edge is that was seen `count` times at run time."""
    if count > RUNTIME_COUNTS[0][0]:
        return RUNTIME_COUNTS[0][1]
    return next((value for least, value in RUNTIME_COUNTS[1:] if count >= least), 0.2)
