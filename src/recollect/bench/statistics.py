"""Whether a difference between paired values is real: bootstrap interval, signed-rank test, effect size."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

ROUNDS = 10_000
SEED = 20261118
EXACT_UP_TO = 40
"""Up to this many differences the signed-rank distribution is counted out, beyond it is near enough to normal."""
FEW = 40
"""So many different values are drawn by how often each comes, more one by one."""
_BLOCK = 200_000


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean with its 95 % bootstrap interval."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Difference:
    """How a paired difference is distributed."""

    n: int
    delta: float
    low: float
    high: float
    p_not_better: float
    """Share of the resampled means that are not above zero."""
    p_value: float
    """Two-sided, Wilcoxon signed-rank."""
    effect: float
    """Matched-pairs rank-biserial correlation, -1 to 1."""
    better: int
    worse: int

    @property
    def decisive(self) -> bool:
        """Tell whether the interval excludes zero."""
        return self.low > 0 or self.high < 0


def resample(values: Sequence[float], rounds: int = ROUNDS, seed: int = SEED) -> np.ndarray:
    """Return the sorted means of that many samples with replacement; the same seed gives the same means."""
    array = np.asarray(values, dtype=np.float64)
    generator = np.random.default_rng(seed)
    different, times = np.unique(array, return_counts=True)
    if len(different) <= FEW:
        # How often each different value is drawn follows one distribution: the same samples, told in fewer steps.
        drawn = generator.multinomial(len(array), times / len(array), size=rounds)
        means = [drawn @ different / len(array)]
    else:
        step = max(1, _BLOCK // len(array))
        shapes = ((min(step, rounds - start), len(array)) for start in range(0, rounds, step))
        means = [array[generator.integers(0, len(array), size=shape)].mean(axis=1) for shape in shapes]
    # What adds up to zero must be zero, or an interval would exclude it by a rounding error.
    joined: np.ndarray = np.sort(np.round(np.concatenate(means), 12))
    return joined


def interval(values: Sequence[float], rounds: int = ROUNDS, seed: int = SEED) -> Interval:
    """Return the mean with the middle 95 % of its resampled means."""
    if not values:
        return Interval(0.0, 0.0, 0.0)
    means = resample(values, rounds, seed)
    return Interval(float(np.mean(values)), *_middle(means))


def compare_paired(
    old: Sequence[float], new: Sequence[float], rounds: int = ROUNDS, seed: int = SEED
) -> Difference:
    """Compare two measurements of the same questions; positive means that the new one is better."""
    differences = [b - a for a, b in zip(old, new, strict=True)]
    if not differences:
        return Difference(0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0, 0)
    means = resample(differences, rounds, seed)
    low, high = _middle(means)
    p_value, effect = signed_rank(differences)
    return Difference(
        n=len(differences),
        delta=float(np.mean(differences)),
        low=low,
        high=high,
        p_not_better=float(np.mean(means <= 0)),
        p_value=p_value,
        effect=effect,
        better=sum(value > 0 for value in differences),
        worse=sum(value < 0 for value in differences),
    )


def signed_rank(differences: Sequence[float]) -> tuple[float, float]:
    """Return the two-sided p of Wilcoxon's signed-rank test and the rank-biserial effect.

    Zero differences are left out, equal ones share their mean rank; few are counted out exactly, ties included.
    """
    kept = [round(value, 12) for value in differences if round(value, 12) != 0]
    if not kept:
        return 1.0, 0.0
    doubled = _doubled_ranks([abs(value) for value in kept])
    up = sum(rank for rank, value in zip(doubled, kept, strict=True) if value > 0)
    total = sum(doubled)
    effect = (2 * up - total) / total
    smaller = min(up, total - up)
    p_value = _exact(doubled, smaller) if len(kept) <= EXACT_UP_TO else _normal(doubled, smaller)
    return min(1.0, p_value), effect


def _middle(means: np.ndarray) -> tuple[float, float]:
    return float(np.percentile(means, 2.5)), float(np.percentile(means, 97.5))


def _doubled_ranks(sizes: Sequence[float]) -> list[int]:
    """Return twice the rank of each size, so that the mean ranks of ties stay whole numbers."""
    order = sorted(range(len(sizes)), key=lambda at: sizes[at])
    ranks = [0] * len(sizes)
    start = 0
    while start < len(order):
        end = start
        while end + 1 < len(order) and sizes[order[end + 1]] == sizes[order[start]]:
            end += 1
        for at in order[start : end + 1]:
            ranks[at] = start + end + 2
        start = end + 1
    return ranks


def _exact(doubled: Sequence[int], smaller: int) -> float:
    """Count the signs under which the sum of the positive ranks is at most this."""
    ways = np.zeros(sum(doubled) + 1, dtype=np.float64)
    ways[0] = 1.0
    for rank in doubled:
        shifted = np.zeros_like(ways)
        shifted[rank:] = ways[: len(ways) - rank]
        ways = (ways + shifted) / 2
    return float(2 * ways[: smaller + 1].sum())


def _normal(doubled: Sequence[int], smaller: int) -> float:
    """Approximate with the ties' own variance and a continuity correction."""
    centre = sum(doubled) / 4
    deviation = math.sqrt(sum((rank / 2) ** 2 for rank in doubled)) / 2
    z = max(0.0, centre - smaller / 2 - 0.5) / deviation
    return math.erfc(z / math.sqrt(2))
