"""Tunes the shipped engine: every split is indexed once, then asked again for each setting."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, closing
from itertools import count
from pathlib import Path
from typing import Any

from recollect.bench import checkout, metrics
from recollect.bench.judge import judge
from recollect.bench.runner import RETRIEVED, RETRIEVED_BY_KIND
from recollect.bench.shipped import Shipped, own_profiles, plain_value
from recollect.bench.tune import Measure, Settings, Tuned, tune
from recollect.bench.values import DataSet, Question
from recollect.errors import UsageError
from recollect.retrieve.profile import load_profile
from recollect.types import Progress

ASKED = frozenset({"query", "limit", "profile"})
"""What every question of a bench says already."""


def tune_engine(
    data: DataSet,
    choices: Mapping[str, Sequence[Any]],
    profile: str = "",
    metric: str = "",
    *,
    repos: Path | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Tuned:
    """Choose profile parameters of the shipped engine for a data set."""
    _check(data, choices, profile)
    with ExitStack() as stack:
        engines = _open(data, profile, repos, stack, progress)
        measure = _measure(data.kind, engines, metric or metrics.MAIN[data.kind])
        if progress is not None:
            # The defaults are asked on both halves, each value on the first, the winner on the second.
            measure = _told(measure, 3 + sum(map(len, choices.values())), progress)
        return tune(data.questions, choices, measure)


def read_choices(texts: Sequence[str]) -> dict[str, list[Any]]:
    """Read `key=1,2,3`: each value as JSON where it is, else as text."""
    choices: dict[str, list[Any]] = {}
    for text in texts:
        name, mark, values = text.partition("=")
        if not mark or not name or not values:
            raise UsageError(
                f"Cannot tune {text!r}; say the parameter and its values, as channel.chunks.limit=200,400."
            )
        choices[name] = [plain_value(value) for value in values.split(",")]
    return choices


def _check(data: DataSet, choices: Mapping[str, Sequence[Any]], profile: str) -> None:
    """Refuse a key or a value that the profile does not take before anything is indexed for it."""
    default = "memory" if data.memories else "code"
    said = [name for name in choices if name in ASKED]
    if said:
        raise UsageError(
            f"{said[0]!r} is what the bench itself asks with; tune a parameter such as channel.chunks.limit."
        )
    for name, values in choices.items():
        for value in values if "." in name else ():
            load_profile(profile or default, {name: value}, own_profiles() if profile else ())


def _told(measure: Measure, rounds: int, progress: Callable[[Progress], None]) -> Measure:
    """Tell after each round of questions how far the tuning is."""
    done = count(1)

    def told(settings: Settings, questions: Sequence[Question]) -> Mapping[str, float]:
        found = measure(settings, questions)
        progress(Progress("Trying", next(done), rounds, " ".join(settings)))
        return found

    return told


def _open(
    data: DataSet,
    profile: str,
    repos: Path | None,
    stack: ExitStack,
    progress: Callable[[Progress], None] | None,
) -> dict[str, Shipped]:
    places = checkout.find_checkouts(data, repos) if data.repositories else {}
    scratch = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="recollect-tune-")))
    engines = {}
    for number, split in enumerate(data.splits):
        if progress:
            progress(Progress("Indexing", number, len(data.splits), split))
        engine = stack.enter_context(closing(Shipped(profile)))
        if data.memories:
            engine.build_index(data.memories[split])
        else:
            engine.build_index(checkout.lay_out(places[split], data.repositories[split], scratch))
        engines[split] = engine
    return engines


def _measure(kind: str, engines: Mapping[str, Shipped], metric: str) -> Measure:
    k = RETRIEVED_BY_KIND.get(kind, RETRIEVED)

    def measure(settings: Settings, questions: Sequence[Question]) -> dict[str, float]:
        found = {}
        for question in questions:
            results = engines[question.split].ask(question.text, k, settings)
            values = metrics.measure(judge(kind, results, question))
            if metric not in values:
                raise UsageError(f"There is no metric {metric!r} for this data; it has {', '.join(values)}.")
            found[question.id] = values[metric]
        return found

    return measure
