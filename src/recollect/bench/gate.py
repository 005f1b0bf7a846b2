"""Fails when a metric fell by more than is tolerated, or lies under what was promised; for use in CI."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from recollect.bench.compare import check_comparable
from recollect.bench.runs import Run
from recollect.errors import UsageError

TOLERANCE = 0.02


@dataclass(frozen=True, slots=True)
class Check:
    """One promise and whether it holds."""

    metric: str
    found: float
    least: float
    against: str
    """What the promise was made by: the older run, or a number."""

    @property
    def holds(self) -> bool:
        """Tell whether the metric is high enough; a rounding error is no fall."""
        return self.found >= self.least - 1e-12


def against_run(new: Run, old: Run, chosen: Sequence[str], tolerance: float = TOLERANCE) -> list[Check]:
    """Check that no metric fell by more than the tolerance since an older run of the same questions."""
    for metric in chosen:
        check_comparable(old, new, metric)
    return [
        Check(
            metric, new.metrics[metric], old.metrics[metric] - tolerance, f"{old.retriever} - {tolerance:g}"
        )
        for metric in chosen
    ]


def against_floors(new: Run, floors: Mapping[str, float]) -> list[Check]:
    """Check that every metric reaches its floor."""
    unknown = sorted(set(floors) - set(new.metrics))
    if unknown:
        raise UsageError(f"The run has no metric {', '.join(unknown)}; it has {', '.join(new.metrics)}.")
    return [Check(metric, new.metrics[metric], least, "floor") for metric, least in floors.items()]
