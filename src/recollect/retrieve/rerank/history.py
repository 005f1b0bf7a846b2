"""Lets a file's past speak: changed lately, changed often, or changed together with what ranks best."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from msgspec import Struct

from recollect.retrieve.context import Context
from recollect.retrieve.past import Past
from recollect.retrieve.stage import Stage
from recollect.retrieve.values import Candidate, Candidates

SCALE = 6.0
"""As in `files`: how many units of weight make a clear difference in the score."""
_DAY = 86_400.0
_LEAST = 1e-300


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """What each kind of evidence weighs; none does unless it is asked for (docs/evidence.md has the measurements)."""

    recency: float = 0.0
    churn: float = 0.0
    together: float = 0.0
    half_life_days: float = 90.0
    """Counted back from the newest commit, not from today."""
    leaders: int = 5
    """How many of the best files say what changes with them."""


class _Shares(NamedTuple):
    """What speaks for a file, each in [0, 1]."""

    recency: float
    churn: float
    together: float


def run(context: Context, parameters: Parameters, candidates: Candidates) -> Candidates:
    """Add to the weight of every candidate what the past of its file is worth."""
    p = parameters
    if not candidates or not (p.recency or p.churn or p.together):
        return candidates
    past: Past | None = context.services.get("past")
    if past is None:
        context.trace.degrade("no history of the project is at hand")
        return candidates
    for sentence in past.missing():
        context.trace.degrade(sentence)
    items = context.items(row.number for row in candidates)
    order = list(dict.fromkeys(items[row.number].path for row in candidates if items[row.number].path))
    shares = _shares(past, parameters, order)
    weighed = []
    for row in candidates:
        share = shares.get(items[row.number].path)
        gained = (
            p.recency * share.recency + p.churn * share.churn + p.together * share.together if share else 0.0
        )
        if share and gained:
            context.trace.note(row.number, f"its past weighs {gained:.3f}")
        weighed.append((_weight(row.score) + gained, gained, row))
    top = max(weight for weight, *_ in weighed)
    return context.ordered(_moved(row, weight - top, gained) for weight, gained, row in weighed)


def _shares(past: Past, parameters: Parameters, order: Sequence[str]) -> dict[str, _Shares]:
    known = past.files(order)
    newest = past.newest()
    most = math.log1p(max((one.commits for one in known.values()), default=1))
    near = _together(past, order[: parameters.leaders]) if parameters.together else {}
    shares = {}
    for path, one in known.items():
        days = max(0.0, (newest - one.latest) / _DAY)
        recency = 0.5 ** (days / parameters.half_life_days)
        shares[path] = _Shares(recency, math.log1p(one.commits) / most, near.get(path, 0.0))
    return shares


def _together(past: Past, leaders: Sequence[str]) -> dict[str, float]:
    """Return how likely each file is changed with one of the best, the first of them counting most."""
    found: dict[str, float] = {}
    for place, path in enumerate(leaders):
        for pair in past.partners(path):
            name, share = str(pair.second), pair.percent / 100 / (1 + place)
            found[name] = max(found.get(name, 0.0), share)
    return found


def _weight(score: float) -> float:
    """Return the weight that a squashed score stands for, 0 for a score of 1."""
    return -SCALE * math.log(2.0 / min(1.0, max(score, _LEAST)) - 1.0 + _LEAST)


def _moved(row: Candidate, weight: float, gained: float) -> Candidate:
    score = 2.0 / (1.0 + math.exp(min(700.0, -weight / SCALE)))
    return (
        row.scored(score, file=row.signals["file"] + gained) if "file" in row.signals else row.scored(score)
    )


STAGE = Stage("history", "rerank", Parameters, run)
