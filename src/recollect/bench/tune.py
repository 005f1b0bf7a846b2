"""Chooses parameters on one half of the questions, reports on the other, and refuses what may be chance."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from recollect.bench.statistics import Difference, compare_paired
from recollect.bench.values import Question
from recollect.errors import UsageError

Settings = Mapping[str, Any]
Measure = Callable[[Settings, Sequence[Question]], Mapping[str, float]]
"""Asks the questions under some settings and returns the metric by question."""


@dataclass(frozen=True, slots=True)
class Tried:
    """One setting that was measured on the choosing half."""

    settings: Settings
    mean: float


@dataclass(frozen=True, slots=True)
class Tuned:
    """What was chosen, and whether it holds on questions that had no say in it."""

    settings: Settings
    """The chosen changes; empty when the defaults won."""
    chosen_on: int
    reported_on: int
    on_choosing: Difference
    on_other: Difference
    tried: tuple[Tried, ...]
    default: float = 0.0
    """The mean of the defaults on the choosing half."""

    @property
    def accepted(self) -> bool:
        """Tell whether the gain on the other half is above zero with its whole interval."""
        return bool(self.settings) and self.on_other.low > 0

    def to_dict(self) -> dict[str, Any]:
        """Return the outcome as plain values for JSON."""
        row = {**asdict(self), "accepted": self.accepted}
        row["on_choosing"]["decisive"] = self.on_choosing.decisive
        row["on_other"]["decisive"] = self.on_other.decisive
        return row


def tune(questions: Sequence[Question], choices: Mapping[str, Sequence[Any]], measure: Measure) -> Tuned:
    """Go through the parameters one by one, keep what is best on the first half, and try it on the second."""
    choosing, other = halves(questions)
    if not choices:
        raise UsageError("There is nothing to tune; name a parameter with its values, as key=1,2,3.")
    tried: list[Tried] = []
    default = measure({}, choosing)
    settings: dict[str, Any] = {}
    best = default
    for name, values in choices.items():
        for value in values:
            found = measure({**settings, name: value}, choosing)
            tried.append(Tried({**settings, name: value}, _mean(found)))
            if _mean(found) > _mean(best) + 1e-12:
                best, winner = found, {**settings, name: value}
                settings = winner
    return Tuned(
        settings=settings,
        chosen_on=len(choosing),
        reported_on=len(other),
        on_choosing=_difference(default, best),
        on_other=_difference(measure({}, other), measure(settings, other)),
        tried=tuple(tried),
        default=_mean(default),
    )


def halves(questions: Sequence[Question]) -> tuple[list[Question], list[Question]]:
    """Divide by split, so that no repository or conversation is in both; by question when there is only one."""
    splits = sorted({question.split for question in questions}, key=_scatter)
    if len(splits) > 1:
        first = set(splits[: (len(splits) + 1) // 2])
        choosing = [question for question in questions if question.split in first]
        other = [question for question in questions if question.split not in first]
    else:
        order = sorted(questions, key=lambda question: _scatter(question.id))
        choosing, other = order[: len(order) // 2], order[len(order) // 2 :]
    if len(choosing) < 2 or len(other) < 2:
        raise UsageError(f"{len(questions)} questions are too few to be divided in two; make more first.")
    return choosing, other


def _scatter(name: str) -> bytes:
    return hashlib.blake2b(name.encode("utf-8"), digest_size=8).digest()


def _mean(values: Mapping[str, float]) -> float:
    return sum(values.values()) / len(values) if values else 0.0


def _difference(old: Mapping[str, float], new: Mapping[str, float]) -> Difference:
    names = [name for name in old if name in new]
    return compare_paired([old[name] for name in names], [new[name] for name in names])
