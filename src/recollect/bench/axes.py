"""Axes of plots: where a value lies between the ends, and which round values are named."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
WIDE = 20.0
"""Values that differ by more than this factor are drawn on a logarithmic axis."""
MOST_TICKS = 7


@dataclass(frozen=True, slots=True)
class Axis:
    """A span of values and the ticks in it."""

    low: float
    high: float
    ticks: tuple[float, ...]
    logarithmic: bool = False

    def share(self, value: float) -> float:
        """Return how far along the axis a value lies, 0 to 1."""
        low, high = self.low, self.high
        if self.logarithmic:
            low, high, value = math.log(low), math.log(high), math.log(max(value, low))
        return (value - low) / (high - low)


def linear(values: Iterable[float], about: int = 5) -> Axis:
    """Return an axis from zero, or from below it where values are, to the next round value."""
    known = list(values)
    low, high = min([0.0, *known]), max([0.0, *known])
    if high == low:
        high = low + 1.0
    step = _round_step((high - low) / about)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    ticks = tuple(round(step * at, 12) for at in range(first, last + 1))
    return Axis(ticks[0], ticks[-1], ticks)


def logarithmic(values: Iterable[float]) -> Axis:
    """Return an axis in powers around all values above zero."""
    known = [value for value in values if value > 0] or [1.0]
    low, high = min(known) / 1.25, max(known) * 1.25
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    # The finest marks of which there are not too many; every third power at last.
    inside: list[float] = []
    for factors, stride in (((1, 2, 5), 1), ((1, 3), 1), ((1,), 1), ((1,), 3)):
        marks = [float(f"{factor}e{power}") for power in powers[::stride] for factor in factors]
        inside = [one for one in marks if low <= one <= high]
        if len(inside) <= MOST_TICKS:
            break
    return Axis(low, high, tuple(inside), logarithmic=True)


def fitting(values: Iterable[float]) -> Axis:
    """Return a linear axis, or a logarithmic one where values differ by powers."""
    known = list(values)
    above = [value for value in known if value > 0]
    wide = bool(above) and max(above) > WIDE * min(above)
    return logarithmic(known) if wide else linear(known)


def name(value: float) -> str:
    """Return a tick's value as it is written."""
    if value and abs(value) < 1e-3:
        return f"{value:.0e}".replace("e-0", "e-")
    return f"{value:,.6g}"


def _round_step(rough: float) -> float:
    power: float = 10.0 ** math.floor(math.log10(rough))
    return next(factor * power for factor in STEPS if factor * power >= rough - 1e-12)
