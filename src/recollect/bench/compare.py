"""Two runs of the same questions, side by side: is the difference real, where is it, which questions made it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from recollect.bench import metrics
from recollect.bench.runs import Run
from recollect.bench.statistics import Difference, compare_paired
from recollect.errors import UsageError

CHANGED = 10
ENOUGH = 6
"""With fewer questions that differ no signed-rank test can reach p < 0.05, so an interval there is worth little."""


@dataclass(frozen=True, slots=True)
class Change:
    """One question whose metric differs."""

    id: str
    stratum: str
    split: str
    old: float
    new: float
    text: str = ""


@dataclass(frozen=True, slots=True)
class Comparison:
    """What a comparison of two runs says."""

    old: str
    new: str
    data: str
    metric: str
    overall: Difference
    strata: Mapping[str, Difference]
    others: Mapping[str, Difference]
    """The other metrics, overall."""
    splits: Difference | None
    """The difference of the means of repositories or conversations, where there are several."""
    changed: tuple[Change, ...]
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as plain values for JSON."""
        row = asdict(self)
        row["overall"]["decisive"] = self.overall.decisive
        if self.splits is not None:
            row["splits"]["decisive"] = self.splits.decisive
        for group in ("strata", "others"):
            for name, difference in getattr(self, group).items():
                row[group][name]["decisive"] = difference.decisive
        return row


def compare(old: Run, new: Run, metric: str = "", changed: int = CHANGED) -> Comparison:
    """Compare two runs by a metric; they must have asked the same questions of the same data."""
    metric = metric or metrics.MAIN[new.kind]
    check_comparable(old, new, metric)
    names = [asked.id for asked in new.questions]
    strata = {asked.id: asked.stratum for asked in new.questions}
    overall = _difference(old, new, metric, names)
    by_stratum = {
        stratum: _difference(old, new, metric, [name for name in names if strata[name] == stratum])
        for stratum in sorted(set(strata.values()))
    }
    return Comparison(
        old=old.retriever,
        new=new.retriever,
        data=new.data,
        metric=metric,
        overall=overall,
        strata=by_stratum,
        others={
            other: _difference(old, new, other, names)
            for other in metrics.SHOWN
            if other != metric and other in old.metrics and other in new.metrics
        },
        splits=_between_splits(old, new, metric),
        changed=_changes(old, new, metric, changed),
        notes=(*_notes(old, new), *_thin({f"all questions, {new.retriever}": overall, **by_stratum})),
    )


def check_comparable(old: Run, new: Run, metric: str) -> None:
    """Refuse two runs that did not measure the same thing."""
    if old.digest != new.digest or {one.id for one in old.questions} != {one.id for one in new.questions}:
        raise UsageError(
            f"The runs cannot be compared: {old.retriever} asked {len(old.questions)} questions of {old.data}, "
            f"{new.retriever} asked {len(new.questions)} of {new.data}, and questions or corpus differ. "
            "Run both on the same data set with the same splits."
        )
    for run in (old, new):
        if metric not in run.metrics:
            raise UsageError(
                f"The run of {run.retriever} has no metric {metric!r}; it has {', '.join(run.metrics)}."
            )


def _difference(old: Run, new: Run, metric: str, names: Sequence[str]) -> Difference:
    before, after = old.values(metric), new.values(metric)
    both = [name for name in names if name in before and name in after]
    return compare_paired([before[name] for name in both], [after[name] for name in both])


def _between_splits(old: Run, new: Run, metric: str) -> Difference | None:
    before, after = old.by_split(metric), new.by_split(metric)
    both = [name for name in after if name in before]
    if len(both) < 2:
        return None
    return compare_paired([before[name] for name in both], [after[name] for name in both])


def _changes(old: Run, new: Run, metric: str, count: int) -> tuple[Change, ...]:
    before = old.values(metric)
    rows = [
        Change(one.id, one.stratum, one.split, before[one.id], one.metrics[metric], one.text)
        for one in new.questions
        if one.id in before and metric in one.metrics and one.metrics[metric] != before[one.id]
    ]
    return tuple(sorted(rows, key=lambda row: (-abs(row.new - row.old), row.id))[:count])


def _notes(old: Run, new: Run) -> tuple[str, ...]:
    notes = []
    if old.k != new.k:
        notes.append(f"{old.retriever} was asked for {old.k} results, {new.retriever} for {new.k}.")
    if old.machine != new.machine:
        notes.append("The runs were made on different machines: latency does not compare.")
    return tuple(notes)


def _thin(differences: Mapping[str, Difference]) -> list[str]:
    few = {name: one.better + one.worse for name, one in differences.items()}
    named = [
        f"{name} ({few[name]})" for name, one in differences.items() if one.decisive and few[name] < ENOUGH
    ]
    if not named:
        return []
    return [
        f"Decisive by the interval, but fewer than {ENOUGH} questions differ, which no rank test calls more than "
        f"chance: {', '.join(named)}."
    ]
